// The least damping that keeps an explicit step stable under the geometric stiffness.
//
// One degree of freedom, symplectic Euler with stiffness k and implicit damping b:
//     (m + h b) v⁺ = m v − h k x,   x⁺ = x + h v⁺        stable  ⇔  b ≥ (h²k − 4m)/(2h)
// so that nothing is needed up to h²k/m = 4, and beyond it [Andrews2017, eq. 11]
//     b = (h²k − 4αm)/(2h)                               on the edge for α = 1, inside for α < 1.
// This holds for implicit damping. With the explicit one of [Andrews2017, eq. 8] damping shrinks the stable
// region, and that b is unstable whenever it is not zero.
//
// In constraint space, one row with effective mass m′ = 1/(J M⁻¹Jᵀ):
//     corrected   k′ = m′² J M⁻¹K_d M⁻¹Jᵀ: of the motion M⁻¹Jᵀ, which the row's own force makes. Finite.
//     printed     k′ = 1/(J K_d⁻¹ Jᵀ) [Andrews2017, sec. 4.3]: where the row moves a freedom with k_d = 0
//                 its limit is zero, which is every row of a ball; where k_d = 0 throughout it is
//                 undefined. Both are taken as zero: such a row is left undamped.
// The damping b′ of λ = −φ/C − b′φ̇ changes the row to J v⁺ + Σ μ = −Γ φ/h with
//     corrected   Γ = 1/(1 + Cb′/h),      Σ = Γ C/h²
//     printed     Γ = 1/((1 + C/h) b′)    [Andrews2017, eq. 16, 17]: not of one unit, infinite for
//                 b′ → 0, where we leave the row as it is.
#pragma once

#include <algorithm>
#include <span>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::stabilisation {

// b ≥ 0 of one freedom; any unit as long as h²k and m are of one.
inline Real critical_damping(Real k, Real m, Real h, Real alpha) noexcept
{
    return std::max(Real(0), (h * h * k - 4 * alpha * m) / (2 * h));
}

// Effective mass and stiffness of a row. Columns are those of the degrees of freedom that the row moves.
struct RowInertia {
    Real mass = 0;       // m′; 0 where the row moves nothing
    Real stiffness = 0;  // k′
};

// J: one row; v = M⁻¹Jᵀ on the same columns; k: diagonal of K_d there.
RowInertia row_inertia(std::span<const Real> J, std::span<const Real> v,
                       std::span<const Real> k) noexcept;
RowInertia row_inertia_printed(std::span<const Real> J, std::span<const Real> v,
                               std::span<const Real> k) noexcept;

// Γ of a row with compliance C; Σ = Γ C/h².
inline Real row_relaxation(Real compliance, Real damping, Real h) noexcept
{
    return 1 / (1 + compliance * damping / h);
}
inline Real row_relaxation_printed(Real compliance, Real damping, Real h) noexcept
{
    return damping > 0 ? 1 / ((1 + compliance / h) * damping) : 1;
}

}  // namespace taut::stabilisation
