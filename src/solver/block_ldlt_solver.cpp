#include "solver/block_ldlt_solver.h"

#include "core/assert.h"

namespace taut::solver {

void BlockLdltSolver::prepare(const linalg::SaddlePattern& pattern)
{
    ldlt_.prepare(pattern);
    refinement_.prepare(pattern);
}

bool BlockLdltSolver::factorise(const linalg::SaddleSystem& system, Real floor,
                                linalg::SaddleSolution& out) noexcept
{
    ldlt_.factor_and_solve(system, out.x, out.y, floor);
    return true;
}

void BlockLdltSolver::solve_again(std::span<const Real> f, std::span<const Real> g,
                                  linalg::SaddleSolution& out) noexcept
{
    ldlt_.solve(f, g, out.x, out.y);
}

SolveReport BlockLdltSolver::solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                                   Check check) noexcept
{
    TAUT_ASSERT(system.pattern != nullptr);
    SolveReport report;
    report.expected_negative_pivots = system.pattern->dual_unknowns;
    if (!system.symmetric) return fail(report, kNotSymmetric);

    const auto factor = ldlt_.factor_and_solve(system, out.x, out.y);
    report.negative_pivots = factor.negative_pivots;
    // definite and without loops: the elimination loses no digits
    const bool sure = !ldlt_.has_cycles() && report.inertia_right() && factor.replaced_pivots == 0;
    if (check == Check::WhereUnreliable && sure) {
        report.residual.reset();
        return report;
    }
    // rows of a loop may be nearly redundant, and then a small residual does not imply an accurate solution
    const Real good =
        ldlt_.has_cycles() ? RefinementThresholds::kTarget : RefinementThresholds::kGood;
    refine(system, good, out, report);

    // the redundancy floor slows down refinement under a much heavier load: factorise again with a lower one
    if (ldlt_.has_cycles() && report.residual > BlockLdltThresholds::kPoor) {
        const int before = report.refinements;
        ldlt_.factor_and_solve(system, out.x, out.y, linalg::FactorThresholds::kLowRedundancyFloor);
        report.finite = true;
        report.reason = {};
        refine(system, good, out, report);
        report.refinements += before;
    }
    return report;
}

}  // namespace taut::solver
