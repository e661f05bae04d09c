#include "stepper/step.h"

#include <array>
#include <cmath>
#include <utility>

#include "stepper/phases.h"

namespace taut {

StepReport step(const Model& model, State& state, Workspace& work,
                const StepSettings& settings) noexcept
{
    StepReport report;
    const SchemeWeights scheme = scheme_weights(settings, state.time);

    begin(model, state, scheme, work);  // x, v, L, loads
    linearise(model, state, scheme, settings.stabilisation, work.layout,
              work.linear);                                                // M̃, J, φ, Σ
    report.solve = work.solver->solve(work.linear.system, work.solution);  // v⁺, μ
    report.solves = 1;
    advance(model, state, scheme, work);  // x⁺, λ, work done

    // a state that is not finite is never handed out
    if (!report.solve.finite || !presentable(work.next)) {
        report.status = StepStatus::Diverged;
        report.reason =
            report.solve.finite
                ? "the step did not lead to a finite state; the world was left as it was"
                : "the solver found no solution; the world was left as it was";
        return report;
    }
    std::swap(state, work.next);
    return report;
}

const char* refuse(const StepSettings& s) noexcept
{
    if (!(s.dt > 0 && std::isfinite(s.dt))) return "dt must be above zero and finite";
    if (s.scheme == Scheme::AlphaBeta) {
        if (!(s.alpha > 0 && s.alpha <= 1)) return "alpha must be above 0 and at most 1";
        if (!(s.beta > 0 && s.beta <= 1)) return "beta must be above 0 and at most 1";
    }
    const bool unsymmetric = s.stabilisation == Stabilisation::Exact;
    if (unsymmetric && (s.solver == Solver::Ldlt || s.solver == Solver::EigenLdlt))
        return "stabilisation 'exact' makes the matrix unsymmetric; take solver dense_lu, eigen_lu "
               "or auto";
    return nullptr;
}

Solver resolve_solver(const StepSettings& settings, int unknowns) noexcept
{
    // the sparse LU does not bear redundant rows, the dense one grows with the cube
    constexpr int kDense = 1000;
    if (settings.solver != Solver::Auto) return settings.solver;
    if (settings.stabilisation != Stabilisation::Exact) return Solver::Ldlt;
    return unknowns <= kDense ? Solver::DenseLu : Solver::EigenLu;
}

void prepare(const Model& model, const State& state, const StepSettings& settings, Workspace& work)
{
    if (work.topology == model.topology && work.stabilisation == settings.stabilisation &&
        work.asked_solver == settings.solver)
        return;
    work.topology = ~std::uint64_t(0);  // until all below has worked
    work.layout = make_layout(model, settings.stabilisation);
    const linalg::SaddlePattern& pattern = work.layout.pattern;
    work.linear.attach(model, work.layout);
    work.rotation.assign(model.bodies.size(), {});
    work.solution.attach(pattern);
    work.next = state;
    work.solver =
        make_solver(resolve_solver(settings, pattern.primal_unknowns + pattern.dual_unknowns));
    work.solver->prepare(pattern);
    work.stabilisation = settings.stabilisation;
    work.asked_solver = settings.solver;
    work.topology = model.topology;
}

std::span<const Choice<Scheme>> schemes() noexcept
{
    static constexpr std::array<Choice<Scheme>, 2> list{{
        {Scheme::BackwardEuler, "backward_euler",
         "first order, damps every motion a little; one solve a step"},
        {Scheme::AlphaBeta, "alpha_beta",
         "forces weighted by alpha, velocities by beta; 1/2, 1/2 is second order and keeps energy"},
    }};
    return list;
}

}  // namespace taut
