#include "solver/dense_lu_solver.h"

#include <cmath>

namespace taut::solver {

void DenseLuSolver::prepare(const linalg::SaddlePattern& pattern) { refinement_.prepare(pattern); }

SolveReport DenseLuSolver::allocate_and_solve(const linalg::SaddleSystem& system,
                                              linalg::SaddleSolution& out)
{
    SolveReport report;
    report.expected_negative_pivots = system.pattern->dual_unknowns;
    Eigen::MatrixXd matrix = linalg::to_dense(system);
    if (matrix.size() == 0) return report;
    if (!matrix.allFinite()) return fail(report, kNotFinite);

    find_scale(matrix, system.pattern->primal_unknowns);
    matrix = scale_.asDiagonal() * matrix * scale_.asDiagonal();
    lu_.compute(matrix);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    deficient_ = !(pivots.minCoeff() > DenseLuThresholds::kSuspiciousPivot * pivots.maxCoeff());
    if (deficient_) {
        least_norm_.setThreshold(DenseLuThresholds::kRank);
        least_norm_.compute(matrix);
    }

    solve_scaled(linalg::join(system.f, system.g), out);
    const auto correct = [&](auto f, auto g, linalg::SaddleSolution& correction) {
        solve_scaled(linalg::join(f, g), correction);
    };
    refinement_.run(system, RefinementThresholds::kGood, out, report, correct);
    return report;
}

void DenseLuSolver::find_scale(const Eigen::MatrixXd& matrix, Eigen::Index primal_unknowns)
{
    const auto usable = [](Real s) { return s > 0 && std::isfinite(s) ? s : Real(1); };
    scale_.resize(matrix.rows());
    for (Eigen::Index i = 0; i < primal_unknowns; ++i)
        scale_(i) = usable(1 / std::sqrt(std::abs(matrix(i, i))));
    const auto primal_scale = scale_.head(primal_unknowns).array();
    for (Eigen::Index i = primal_unknowns; i < matrix.rows(); ++i) {
        const auto row = matrix.row(i).head(primal_unknowns).transpose().array();
        scale_(i) =
            usable(1 / std::sqrt((row * primal_scale).square().sum() + std::abs(matrix(i, i))));
    }
}

void DenseLuSolver::solve_scaled(const Eigen::VectorXd& rhs, linalg::SaddleSolution& out)
{
    const Eigen::VectorXd scaled = scale_.cwiseProduct(rhs);
    const Eigen::VectorXd solution = deficient_ ? Eigen::VectorXd(least_norm_.solve(scaled))
                                                : Eigen::VectorXd(lu_.solve(scaled));
    linalg::split(scale_.cwiseProduct(solution), out);
}

}  // namespace taut::solver
