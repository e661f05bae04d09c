// Eigen's SparseLU with cached analysis: sparse, unsymmetric, partial pivoting.
#pragma once

#include <Eigen/SparseLU>

#include "solver/eigen_matrix.h"
#include "solver/linear_solver.h"
#include "solver/refinement.h"

namespace taut::solver {

class EigenLuSolver final : public AllocatingSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    bool takes_unsymmetric() const noexcept override { return true; }

private:
    SolveReport allocate_and_solve(const linalg::SaddleSystem& system,
                                   linalg::SaddleSolution& out) override;

    EigenMatrix matrix_;
    Eigen::SparseLU<Eigen::SparseMatrix<Real>, Eigen::COLAMDOrdering<int>> lu_;
    Refinement refinement_;
};

}  // namespace taut::solver
