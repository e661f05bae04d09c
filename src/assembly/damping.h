// Stabilisations that judge K̃ of all joints together, at the multipliers of the last step or iterate.
//
//   diagonal             M̃ = M + h²K_d,  K_d: column norms of the assembled K̃
//   inertial_damping     M̃ = M + hB,     b_i = (h²k_i − 4αm_i)₊/(2h): a force −Bv⁺ on every freedom
//   rotational_damping   the same, rotations only
//   block_damping        M̃_a = (1 + ½(h²κ_a − 4α)₊) M_a per translation and per rotation of a body
//   constraint_damping   λ = −φ/C − b′φ̇ for position rows that are compliant; a hard row (C = 0) is held
//                        already, and no finite b′ changes it
// M̃ has no blocks between bodies then, whatever joints there are. Formulas: stabilisation/adaptive_damping.h,
// diagonal_bound.h. Springs are forces of their own and keep the positive part of their stiffness in H.
// The adaptive damping of Andrews et al. is claimed in US patent 10,713,400: it is here to be compared with.
#pragma once

#include "assembly/linearise.h"

namespace taut::assembly {

// K += blocks, on the bodies that move.
template <int kBodies>
void add_to_assembled(const StepModel& model, const Layout& layout,
                      const std::array<BodyIndex, kBodies>& bodies,
                      const std::array<PairPlace, 3>& pairs, const StiffnessBlocks<kBodies>& blocks,
                      std::vector<Real>& K) noexcept
{
    for (int s = 0; s < kBodies; ++s)
        for (int t = 0; t < kBodies; ++t) {
            const int rows = model.bodies[bodies[s]].freedoms();
            const int cols = model.bodies[bodies[t]].freedoms();
            if (rows == 0 || cols == 0) continue;
            const int at = s == t  ? layout.block(bodies[s])
                           : s < t ? pairs[pair_slot(s, t)].forward
                                   : pairs[pair_slot(s, t)].backward;
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < cols; ++c) K[at + r * cols + c] += blocks.block[s][t](r, c);
        }
}

// Changes H, or Σ and the right-hand sides of rows, and keeps what it did in work.damping.
void apply_assembled(const StepModel& model, const SchemeWeights& scheme,
                     Stabilisation stabilisation, const Layout& layout,
                     Linearisation& work) noexcept;

}  // namespace taut::assembly
