// Two solvers that form the inverse of H and then the Schur complement of the rows, as
// [Andrews2017, eq. 3] does:
//
//     (J H⁻¹Jᵀ + Σ) y = g − J H⁻¹f,      x = H⁻¹(f + Jᵀy)
//
// by Cholesky, or by LU where H is unsymmetric or Cholesky breaks down. They differ in the inverse:
//     full_rank   dense LU of H
//     low_rank    linalg/woodbury.h, from the terms in system.rank; where these are empty, the
//                 blocks of H between bodies become one term per row
// Dense matrices throughout, cubic in the number of rows: for comparison only.
// Redundant hard rows make the complement singular; the residual shows it.
#pragma once

#include <Eigen/Dense>

#include "linalg/woodbury.h"
#include "solver/linear_solver.h"
#include "solver/refinement.h"

namespace taut::solver {

class InverseSolver : public AllocatingSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) override;
    bool takes_unsymmetric() const noexcept override { return true; }

private:
    // inverse ← H⁻¹; false where there is none.
    virtual bool invert(const linalg::SaddleSystem& system, linalg::DenseMatrix& inverse) = 0;
    SolveReport allocate_and_solve(const linalg::SaddleSystem& system,
                                   linalg::SaddleSolution& out) override;

    bool factorise(const linalg::SaddleSystem& system);
    void solve_reduced(const linalg::SaddleSystem& system, std::span<const Real> f,
                       std::span<const Real> g, linalg::SaddleSolution& out);

    linalg::DenseMatrix inverse_;  // H⁻¹
    linalg::DenseMatrix product_;  // J H⁻¹
    Eigen::VectorXd scale_;        // of the complement's rows, 1/√diagonal
    bool cholesky_ = false;
    Eigen::LLT<Eigen::MatrixXd> llt_;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
    Refinement refinement_;
};

class FullRankSolver final : public InverseSolver {
    bool invert(const linalg::SaddleSystem& system, linalg::DenseMatrix& inverse) override;
};

class LowRankSolver final : public InverseSolver {
public:
    bool wants_rank_terms() const noexcept override { return true; }

private:
    bool invert(const linalg::SaddleSystem& system, linalg::DenseMatrix& inverse) override;

    linalg::WoodburyInverse woodbury_;
    std::vector<linalg::RankTerm> own_terms_;
};

}  // namespace taut::solver
