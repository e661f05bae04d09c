// What only the default promises: few factorisations, any mass ratio, no allocation.
#include <gtest/gtest.h>

#include "complementarity/contact_scene.h"
#include "solver/counting_new.h"

namespace taut::test {
namespace {

using linalg::SaddleSolution;
using test::ComplementarityProblem;

struct Solved {
    ComplementarityReport report;
    SaddleSolution solution;
    std::unique_ptr<ComplementaritySolver> solver = make_complementarity_solver(LawMethod::Newton);

    explicit Solved(const ComplementarityProblem& problem) : solution(problem.zero())
    {
        solver->prepare(*problem.pattern);
        report = solver->solve(problem.system, problem.blocks, solution, {});
    }
};

// The pile of the next step: the same rows, loads a little different.
TEST(Newton, OneFactorisationWhereTheSetOfRowsStands)
{
    ComplementarityProblem problems[] = {test::stack(10, 1, 0.5), test::stack(10, 1e6, 0.5),
                                         test::wall(4, 4, 1, 0.6), test::pile(1, 60, 1, 0.5)};
    for (ComplementarityProblem& problem : problems) {
        Solved run(problem);
        ASSERT_TRUE(run.report.accepted) << problem.name;
        for (std::size_t i = 0; i < problem.system.f.size(); ++i)
            problem.system.f[i] *= 1 + 1e-7 * static_cast<Real>(i % 7);
        const ComplementarityReport next =
            run.solver->solve(problem.system, problem.blocks, run.solution, {});
        EXPECT_TRUE(next.accepted) << problem.name;
        // slides turn with the load: one more to follow them
        EXPECT_LE(next.factorisations, next.sliding > 0 ? 2 : 1) << problem.name;
    }
}

TEST(Newton, SolvesPilesOfRandomContacts)
{
    int failed = 0;
    for (unsigned seed = 0; seed < 40; ++seed)
        failed += !Solved(test::pile(seed, 40, 1, 0.5)).report.accepted;
    EXPECT_LE(failed, 1);
}

// Masses over six decades within one pile: harder than any stack; most must be solved, none may lie.
TEST(Newton, SolvesMostPilesOfSixDecades)
{
    int failed = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Solved run(test::pile(seed, 20, 1e6, 0.5));
        EXPECT_TRUE(run.report.finite);
        failed += !run.report.accepted;
    }
    EXPECT_LE(failed, 6);
}

TEST(Newton, SelfStressStaysReasonable)
{
    const ComplementarityProblem problem = test::wall(4, 4, 1, 0.6);
    const Solved run(problem);
    ASSERT_TRUE(run.report.accepted);
    Real largest = 0;
    for (const Real y : run.solution.y) largest = std::max(largest, std::abs(y));
    EXPECT_LT(largest, 100 * 16 * test::kGravity * test::kLawStep);  // weights of the whole wall
}

TEST(Newton, AllocatesNothingAfterAttach)
{
    for (const ComplementarityProblem& problem :
         {test::pile(2, 40, 1e3, 0.5), test::stack(6, 1e6, 0.5), test::motor_chain(4, 1, 1e-3, 1)})
        for (const ComplementaritySolverType& type : complementarity_solver_types()) {
            const auto solver = type.make(Solver::Auto);
            solver->prepare(*problem.pattern);
            SaddleSolution solution = problem.zero();
            ComplementaritySettings settings;
            settings.max_iterations = 60;
            const long before = test::allocations();
            solver->solve(problem.system, problem.blocks, solution, settings);
            EXPECT_EQ(test::allocations() - before, 0) << type.choice.name << " " << problem.name;
        }
}

}  // namespace
}  // namespace taut::test
