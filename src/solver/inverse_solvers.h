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
#include "solver/direct_solver.h"

namespace taut::solver {

class InverseSolver : public AllocatingSolver {
public:
    bool takes_unsymmetric() const noexcept override { return true; }

private:
    // inverse ← H⁻¹; false where there is none.
    virtual bool invert(const linalg::SaddleSystem& system, linalg::DenseMatrix& inverse) = 0;
    std::string_view allocate_and_factorise(const linalg::SaddleSystem& system) override;
    void allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                 linalg::SaddleSolution& out) override;
    Real good_residual() const noexcept override { return RefinementThresholds::kTarget; }

    bool factorise_complement(const linalg::SaddleSystem& system);

    const linalg::SaddlePattern* pattern_ = nullptr;
    std::vector<Real> jacobian_;   // J of the factor
    linalg::DenseMatrix inverse_;  // H⁻¹
    linalg::DenseMatrix product_;  // J H⁻¹
    Eigen::VectorXd scale_;        // of the complement's rows, 1/√diagonal
    bool cholesky_ = false;
    Eigen::LLT<Eigen::MatrixXd> llt_;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

class FullRankSolver final : public InverseSolver {
public:
    std::string_view name() const noexcept override { return "full_rank"; }

private:
    bool invert(const linalg::SaddleSystem& system, linalg::DenseMatrix& inverse) override;
};

class LowRankSolver final : public InverseSolver {
public:
    std::string_view name() const noexcept override { return "low_rank"; }
    bool wants_rank_terms() const noexcept override { return true; }

private:
    bool invert(const linalg::SaddleSystem& system, linalg::DenseMatrix& inverse) override;

    linalg::WoodburyInverse woodbury_;
    std::vector<linalg::RankTerm> own_terms_;
};

}  // namespace taut::solver
