// The inverse of D + Σ a bᵀ as a full matrix, by low-rank updates of the inverse of D.
//
//   1. terms on one node go into that node's block of D, which is inverted at once: at six unknowns
//      that is as cheap as a chain of rank-one updates, and no update can pass a singular matrix;
//   2. the r terms that couple two nodes by Woodbury's formula,
//          X = D⁻¹A,  Yᵀ = BᵀD⁻¹,   (D + ABᵀ)⁻¹ = D⁻¹ − X (1 + BᵀX)⁻¹ Yᵀ .
// 1 + BᵀX couples terms that share a node. Sorted along the nodes it is a narrow band for chains, and then
// the cost is that of writing the n² numbers of the result; a full band costs r²n.
// Sherman and Morrison's formula, term after term, is `add_rank_one`: shorter, but it may meet a singular
// matrix on the way to a regular one.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "linalg/rank_terms.h"
#include "linalg/saddle_matrix.h"

namespace taut::linalg {

using DenseMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// inverse ← (A + c a bᵀ)⁻¹ from inverse = A⁻¹:  A⁻¹ − c A⁻¹a bᵀA⁻¹ / (1 + c bᵀA⁻¹a).
// False, and nothing changed, where the denominator vanishes.
bool add_rank_one(DenseMatrix& inverse, const Eigen::VectorXd& a, const Eigen::VectorXd& b, Real c);

class WoodburyInverse {
public:
    // Writes the inverse. False where a block of D or 1 + BᵀX has no inverse; nothing is promised then.
    bool compute(const SaddlePattern& pattern, std::span<const Real> base,
                 std::span<const RankTerm> terms, DenseMatrix& inverse);

private:
    bool invert_blocks(const SaddlePattern& pattern, std::span<const Real> base,
                       std::span<const RankTerm> terms);
    void sort_coupling(std::span<const RankTerm> terms);
    void fill_updates(const SaddlePattern& pattern);
    void fill_band();
    void fill_right_hand_side(const SaddlePattern& pattern);
    bool solve_band();
    void write(const SaddlePattern& pattern, DenseMatrix& inverse) const;

    Real& band(int row, int column) noexcept { return band_[row * width_ + column - row + reach_]; }

    // One coupling term after D⁻¹: node, and X and Y there.
    struct Update {
        int i, j;
        std::array<Real, 12> x, y, b;
    };

    std::vector<Real> blocks_;  // D⁻¹, as in the pattern
    std::vector<const RankTerm*> coupling_;
    std::vector<Update> updates_;
    int reach_ = 0;                  // half width of the band
    int width_ = 0;                  // of a stored row: room for the fill of row exchanges
    std::vector<Real> band_;         // 1 + BᵀX
    std::vector<int> used_, place_;  // columns where some Y is not zero; −1 elsewhere
    DenseMatrix right_;              // Yᵀ on those columns, then (1 + BᵀX)⁻¹ Yᵀ
    std::vector<int> from_, to_;     // where each row of it may be not zero
};

}  // namespace taut::linalg
