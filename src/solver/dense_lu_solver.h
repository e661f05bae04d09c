// Dense LU with row pivoting: the reference of the tests, and the way to solve with an unsymmetric H.
// Where a pivot is zero within round-off, a complete orthogonal decomposition is used instead
// and gives the solution of least norm.
//
// Rows and columns are first scaled by 1/√H_ii and 1/√(Σ + Σ_j J²/H)_ii: without that, round-off and
// a light body beside a heavy one cannot be told apart.
#pragma once

#include <Eigen/Dense>

#include "solver/linear_solver.h"
#include "solver/refinement.h"

namespace taut::solver {

class DenseLuSolver final : public AllocatingSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    bool takes_unsymmetric() const noexcept override { return true; }

private:
    SolveReport allocate_and_solve(const linalg::SaddleSystem& system,
                                   linalg::SaddleSolution& out) override;

    void find_scale(const Eigen::MatrixXd& matrix, Eigen::Index primal_unknowns);
    void solve_scaled(const Eigen::VectorXd& rhs, linalg::SaddleSolution& out);

    Eigen::VectorXd scale_;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least_norm_;
    bool deficient_ = false;
    Refinement refinement_;
};

}  // namespace taut::solver
