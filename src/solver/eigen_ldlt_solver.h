// Eigen's SimplicialLDLT with cached analysis. Its scalar minimum degree order does not obey the rule that a
// constraint follows its bodies: on hard mechanisms it may meet a zero pivot, which is reported.
#pragma once

#include <Eigen/SparseCholesky>

#include "solver/eigen_matrix.h"
#include "solver/linear_solver.h"
#include "solver/refinement.h"

namespace taut::solver {

class EigenLdltSolver final : public AllocatingSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    bool takes_unsymmetric() const noexcept override { return false; }

private:
    SolveReport allocate_and_solve(const linalg::SaddleSystem& system,
                                   linalg::SaddleSolution& out) override;

    EigenMatrix matrix_;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<Real>> ldlt_;
    Refinement refinement_;
};

}  // namespace taut::solver
