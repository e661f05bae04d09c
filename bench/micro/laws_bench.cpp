// All solvers of laws side by side: a wall of boxes and piles of random contacts, mass ratios 1 and 1e6.
// Cold is from nothing, warm from the solution with loads changed by 1e-6. newton is asked for 1e-10, the others for 1e-5
// of the same residual, with at most 1000 sweeps.   laws_bench [most contacts]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "complementarity/contact_scene.h"

namespace {

using namespace taut;
using namespace taut::complementarity;

void run(const std::string& name, test::ComplementarityProblem problem)
{
    for (const ComplementaritySolverType& type : complementarity_solver_types()) {
        ComplementaritySettings settings;
        if (type.choice.value != LawMethod::Newton) {
            settings.tolerance = 1e-5;
            settings.max_iterations = type.choice.value == LawMethod::ActiveSetMinres ? 15 : 1000;
        }
        const auto solver = type.make(Solver::Auto);
        solver->prepare(*problem.pattern);
        auto solution = problem.zero();
        const auto timed = [&](ComplementarityReport& report) {
            const auto begin = std::chrono::steady_clock::now();
            report = solver->solve(problem.system, problem.blocks, solution, settings);
            const auto end = std::chrono::steady_clock::now();
            return std::chrono::duration<double, std::milli>(end - begin).count();
        };
        ComplementarityReport cold, warm;
        const double cold_ms = timed(cold);
        const auto loads = problem.system.f;
        for (std::size_t i = 0; i < loads.size(); ++i)
            problem.system.f[i] *= 1 + 1e-6 * static_cast<Real>(i % 5);
        const double warm_ms = timed(warm);
        problem.system.f = loads;
        std::printf("%-16s %-18s %-3s %8.1e %5d %5d %9.2f   %-3s %5d %5d %9.2f   %4d %4d\n",
                    name.c_str(), std::string(type.choice.name).c_str(),
                    cold.accepted ? "yes" : "no", cold.residual, cold.iterations,
                    cold.factorisations, cold_ms, warm.accepted ? "yes" : "no", warm.iterations,
                    warm.factorisations, warm_ms, cold.closed, cold.sliding);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const int most = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::printf("%-16s %-18s %-3s %8s %5s %5s %9s   %-3s %5s %5s %9s   %4s %4s\n", "problem",
                "solver", "ok", "residual", "iter", "fact", "cold ms", "ok", "iter", "fact",
                "warm ms", "shut", "slip");
    for (const Real ratio : {1.0, 1e6}) {
        const std::string tail = ratio > 1 ? " 1e6" : "";
        run("stack 10" + tail, test::stack(10, ratio, 0.5));
        if (most >= 760) run("wall 10x10" + tail, test::wall(10, 10, ratio, 0.5));
        for (const int contacts : {10, 30, 100, 300, 1000})
            if (contacts <= most)
                run("pile " + std::to_string(contacts) + tail, test::pile(1, contacts, ratio, 0.5));
    }
}
