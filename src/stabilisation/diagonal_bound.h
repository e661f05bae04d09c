// A diagonal in place of the assembled geometric stiffness: one stiffness per degree of freedom.
//
//   column norm   k_i = ‖column i of K̃‖                [Andrews2017, eq. 12]  an estimate, not a bound: it may
//                 do less work than K̃, ½vᵀK_d v < ½|vᵀK̃v|; depends on the frame and on the unit of length
//   Gershgorin    k_i = Σ_j |S_ij|,  S = sym K̃         a bound; mixes units
//   block         κ_a = Σ_b ‖M_a^−½ S_ab M_b^−½‖₂      a bound in the metric of M: |vᵀSv| ≤ Σ κ_a vₐᵀMₐvₐ;
//                 one number [1/s²] per 3×3 block a (translation or rotation of a body), the same in
//                 every frame and unit
// K and M live on the primal nodes and pairs of a pattern, both blocks of a pair meaningful.
// Nodes have three unknowns (a particle) or six (translation, rotation).
#pragma once

#include <span>

#include "linalg/saddle_matrix.h"

namespace taut::stabilisation {

void column_norms(const linalg::SaddlePattern& pattern, std::span<const Real> K,
                  std::span<Real> k) noexcept;

void gershgorin(const linalg::SaddlePattern& pattern, std::span<const Real> K,
                std::span<Real> k) noexcept;

// M: its diagonal blocks are read, where translation and rotation do not couple. κ of a block is written
// to each of its three unknowns.
void block_bound(const linalg::SaddlePattern& pattern, std::span<const Real> K,
                 std::span<const Real> M, std::span<Real> kappa) noexcept;

}  // namespace taut::stabilisation
