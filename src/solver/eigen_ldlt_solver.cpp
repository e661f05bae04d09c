#include "solver/eigen_ldlt_solver.h"

namespace taut::solver {

void EigenLdltSolver::prepare(const linalg::SaddlePattern& pattern)
{
    matrix_.prepare(pattern, EigenMatrix::Part::Lower);
    if (matrix_.pattern().rows() > 0) ldlt_.analyzePattern(matrix_.pattern());
    refinement_.prepare(pattern);
}

SolveReport EigenLdltSolver::allocate_and_solve(const linalg::SaddleSystem& system,
                                                linalg::SaddleSolution& out)
{
    SolveReport report;
    report.expected_negative_pivots = system.pattern->dual_unknowns;
    if (matrix_.pattern().rows() == 0) return report;
    if (!system.symmetric) return fail(report, kNotSymmetric);
    ldlt_.factorize(matrix_.update(system));
    if (ldlt_.info() != Eigen::Success) return fail(report, kSingular);

    report.negative_pivots = static_cast<int>((ldlt_.vectorD().array() < 0).count());
    linalg::split(ldlt_.solve(linalg::join(system.f, system.g)), out);
    const auto correct = [&](auto f, auto g, linalg::SaddleSolution& correction) {
        linalg::split(ldlt_.solve(linalg::join(f, g)), correction);
    };
    refinement_.run(system, RefinementThresholds::kGood, out, report, correct);
    return report;
}

}  // namespace taut::solver
