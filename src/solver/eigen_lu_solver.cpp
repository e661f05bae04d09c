#include "solver/eigen_lu_solver.h"

namespace taut::solver {

void EigenLuSolver::prepare(const linalg::SaddlePattern& pattern)
{
    matrix_.prepare(pattern, EigenMatrix::Part::All);
    if (matrix_.pattern().rows() > 0) lu_.analyzePattern(matrix_.pattern());
    refinement_.prepare(pattern);
}

SolveReport EigenLuSolver::allocate_and_solve(const linalg::SaddleSystem& system,
                                              linalg::SaddleSolution& out)
{
    SolveReport report;
    report.expected_negative_pivots = system.pattern->dual_unknowns;
    if (matrix_.pattern().rows() == 0) return report;
    lu_.factorize(matrix_.update(system));
    if (lu_.info() != Eigen::Success) return fail(report, kSingular);

    linalg::split(lu_.solve(linalg::join(system.f, system.g)), out);
    const auto correct = [&](auto f, auto g, linalg::SaddleSolution& correction) {
        linalg::split(lu_.solve(linalg::join(f, g)), correction);
    };
    refinement_.run(system, RefinementThresholds::kGood, out, report, correct);
    return report;
}

}  // namespace taut::solver
