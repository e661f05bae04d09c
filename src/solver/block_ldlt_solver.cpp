#include "solver/block_ldlt_solver.h"

namespace taut {

void BlockLdltSolver::prepare(const linalg::SaddlePattern& pattern)
{
    ldlt_.prepare(pattern);
    refinement_.prepare(pattern);
}

SolveReport BlockLdltSolver::solve(const linalg::SaddleSystem& system,
                                   linalg::SaddleSolution& out) noexcept
{
    SolveReport report;
    report.expected_negative_pivots = system.pattern->dual_unknowns;
    if (!system.symmetric) {
        report.finite = false;
        return report;
    }

    const auto factor = ldlt_.factor_and_solve(system, out.x, out.y);
    report.negative_pivots = factor.negative_pivots;
    refinement_.run(system, out, report, [&](auto f, auto g, linalg::SaddleSolution& correction) {
        ldlt_.solve(f, g, correction.x, correction.y);
    });
    return report;
}

}  // namespace taut
