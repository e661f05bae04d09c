// Velocity responses of rows to impulses, body by body: D⁻¹, W = D⁻¹Jᵀ and d_i = (J D⁻¹Jᵀ + Σ)_ii.
//
// D is the block diagonal of H; where H couples bodies, a block-diagonal majorant: to every entry
// b = H_rc between two bodies belongs |b| h_r/h_c on row r and |b| h_c/h_r on row c, h = √diag H, because
// 2 |b x_r x_c| ≤ |b| (x_r² h_r/h_c + x_c² h_c/h_r). With these weights the scale of a light body does not depend on its heavy
// neighbour. d_i is the effective inverse mass of a row (a lower bound of it where H couples).
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "linalg/saddle_matrix.h"

namespace taut::complementarity {

// Up to 6×6, never on the heap.
using SmallMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 6, 6>;
using SmallVector = Eigen::Matrix<Real, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

class Responses {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // False where a diagonal block of H is not positive definite or a number not finite. No allocation.
    bool compute(const linalg::SaddleSystem& system) noexcept;

    Real row(int i) const noexcept { return rows_[i]; }  // d_i, positive
    std::span<const Real> rows() const noexcept { return rows_; }
    // The heaviest body over the lightest, of those that rows touch; at least 1.
    Real mass_ratio() const noexcept { return mass_ratio_; }
    // D_j⁻¹ J_jᵀ of a touch, size × dual rows, row-major, at touch.block.
    const Real* touch(int block) const noexcept { return &w_[block]; }
    // x_i ← D_i⁻¹ f_i for one primal.
    void apply(int primal, const Real* f, Real* x) const noexcept;
    // √(f_iᵀ D_i⁻¹ f_i), the velocity that an impulse causes, in units of √energy.
    Real energy_norm(int primal, const Real* f) const noexcept;
    // y ← D x − H x for all, zero where H is block diagonal.
    void excess(const linalg::SaddleSystem& system, std::span<const Real> x,
                std::span<Real> y) const noexcept;
    // J_c W for the rows first…first+rows−1 of a dual, without Σ.
    SmallMatrix block(const linalg::SaddleSystem& system, int dual, int first,
                      int rows) const noexcept;

private:
    void bound_coupling(const linalg::SaddleSystem& system) noexcept;
    bool invert_bodies(const linalg::SaddleSystem& system) noexcept;

    const linalg::SaddlePattern* pattern_ = nullptr;
    std::vector<Real> extra_;      // D − diag-block H, diagonal, per unknown
    std::vector<int> inverse_of_;  // per primal, in inverses_
    std::vector<Real> inverses_;
    std::vector<Real> w_;
    std::vector<Real> rows_;
    std::vector<bool> touched_;  // per primal
    Real mass_ratio_ = 1;
};

}  // namespace taut::complementarity
