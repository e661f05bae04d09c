// Dense LU with row pivoting: the reference of the tests, and the way to solve with an unsymmetric H.
// Where a pivot is zero within round-off, a complete orthogonal decomposition is used instead
// and gives the solution of least norm.
//
// Rows and columns are first scaled by 1/√H_ii and 1/√(Σ + Σ_j J²/H)_ii: without that, round-off and
// a light body beside a heavy one cannot be told apart.
#pragma once

#include <Eigen/Dense>

#include "solver/direct_solver.h"

namespace taut::solver {

class DenseLuSolver final : public AllocatingSolver {
public:
    std::string_view name() const noexcept override { return "dense_lu"; }
    bool takes_unsymmetric() const noexcept override { return true; }

private:
    std::string_view allocate_and_factorise(const linalg::SaddleSystem& system) override;
    void allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                 linalg::SaddleSolution& out) override;

    void find_scale(const Eigen::MatrixXd& matrix, Eigen::Index primal_unknowns);

    Eigen::VectorXd scale_;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least_norm_;
    bool deficient_ = false;
};

}  // namespace taut::solver
