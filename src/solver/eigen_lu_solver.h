// Eigen's SparseLU with cached analysis: sparse, unsymmetric, partial pivoting.
#pragma once

#include <Eigen/SparseLU>

#include "solver/direct_solver.h"
#include "solver/eigen_matrix.h"

namespace taut::solver {

class EigenLuSolver final : public AllocatingSolver {
public:
    std::string_view name() const noexcept override { return "eigen_lu"; }
    bool takes_unsymmetric() const noexcept override { return true; }

private:
    void analyse(const linalg::SaddlePattern& pattern) override;
    std::string_view allocate_and_factorise(const linalg::SaddleSystem& system) override;
    void allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                 linalg::SaddleSolution& out) override;

    EigenMatrix matrix_;
    Eigen::SparseLU<Eigen::SparseMatrix<Real>, Eigen::COLAMDOrdering<int>> lu_;
};

}  // namespace taut::solver
