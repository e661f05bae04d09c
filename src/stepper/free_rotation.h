// Where a body turns to in one step if no torque acts on it, with its angular momentum kept exactly.
//
// In body axes Λ = Rᵀ L, Ω = I⁻¹ Λ. One step of length h with weight β of the new momentum solves
//
//     Λ⁺ − Λ = −½ h̃ Ω × (Λ + Λ⁺),      Ω = I⁻¹ (β Λ⁺ + (1−β) Λ)                              (1)
//     R⁺ = R exp([hΩ]ₓ),               ½ h̃ |Ω| = tan(½ h |Ω|)
//
// (1) is the Cayley form of Λ⁺ = exp(−hΩ) Λ: no trigonometry inside the Newton loop. It gives
//   * R⁺ Λ⁺ = R Λ: world angular momentum is kept to round-off for any h;
//   * E⁺ − E = −(β − ½) ΔΛᵀ I⁻¹ ΔΛ: never a gain for β ≥ ½, exact conservation for β = ½. Both hold
//     for whatever h̃ is used, because Ω·ΔΛ = 0 whatever its size.
// Large h|Ω| is cut into sub-steps of at most one radian; a spin about a principal axis needs none.
// Where even that does not settle the body turns about L itself, which changes neither E nor L.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::stepper {

struct FreeRotation {
    Quat q_new;  // orientation after the step, body → world
    Vec3 turn;   // ∫ω dt of the step, world axes, many turns included [rad]
    Vec3 w_new;  // I(R⁺)⁻¹ L, world axes [rad/s]
};

// `beta` in [½, 1] keeps the energy bound; smaller values are computed all the same.
FreeRotation rotate_free(const Mat3& inertia, const Mat3& inverse_inertia, const Quat& q,
                         const Vec3& w, Real h, Real beta) noexcept;

}  // namespace taut::stepper
