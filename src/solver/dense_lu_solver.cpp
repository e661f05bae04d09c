#include "solver/dense_lu_solver.h"

#include <cmath>

namespace taut::solver {

std::string_view DenseLuSolver::allocate_and_factorise(const linalg::SaddleSystem& system)
{
    Eigen::MatrixXd matrix = linalg::to_dense(system);
    if (!matrix.allFinite()) return kNotFinite;

    find_scale(matrix, system.pattern->primal_unknowns);
    matrix = scale_.asDiagonal() * matrix * scale_.asDiagonal();
    lu_.compute(matrix);
    const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
    deficient_ = !(pivots.minCoeff() > DenseLuThresholds::kSuspiciousPivot * pivots.maxCoeff());
    if (deficient_) {
        least_norm_.setThreshold(DenseLuThresholds::kRank);
        least_norm_.compute(matrix);
    }
    return {};
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

void DenseLuSolver::allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                            linalg::SaddleSolution& out)
{
    const Eigen::VectorXd scaled = scale_.cwiseProduct(linalg::join(f, g));
    const Eigen::VectorXd solution = deficient_ ? Eigen::VectorXd(least_norm_.solve(scaled))
                                                : Eigen::VectorXd(lu_.solve(scaled));
    linalg::split(scale_.cwiseProduct(solution), out);
}

}  // namespace taut::solver
