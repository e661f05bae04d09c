// Eigen's SimplicialLDLT with cached analysis. Its scalar minimum degree order does not obey the rule that a
// constraint follows its bodies: on hard mechanisms it may meet a zero pivot, which is reported.
#pragma once

#include <Eigen/SparseCholesky>

#include "solver/direct_solver.h"
#include "solver/eigen_matrix.h"

namespace taut::solver {

class EigenLdltSolver final : public AllocatingSolver {
public:
    std::string_view name() const noexcept override { return "eigen_ldlt"; }
    bool takes_unsymmetric() const noexcept override { return false; }

private:
    void analyse(const linalg::SaddlePattern& pattern) override;
    std::string_view allocate_and_factorise(const linalg::SaddleSystem& system) override;
    void allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                 linalg::SaddleSolution& out) override;
    std::optional<int> negative_pivots() const override;

    EigenMatrix matrix_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<Real>> ldlt_;
};

}  // namespace taut::solver
