#include "stabilisation/adaptive_damping.h"

#include <cmath>

#include "core/assert.h"

namespace taut::stabilisation {
namespace {

// 1/(J M⁻¹Jᵀ)
Real effective_mass(std::span<const Real> J, std::span<const Real> v) noexcept
{
    Real mobility = 0;
    for (std::size_t c = 0; c < J.size(); ++c) mobility += J[c] * v[c];
    return mobility > 0 && std::isfinite(mobility) ? 1 / mobility : 0;
}

}  // namespace

RowInertia row_inertia(std::span<const Real> J, std::span<const Real> v,
                       std::span<const Real> k) noexcept
{
    TAUT_ASSERT(J.size() == v.size() && J.size() == k.size());
    const Real mass = effective_mass(J, v);
    Real sum = 0;
    for (std::size_t c = 0; c < v.size(); ++c) sum += k[c] * v[c] * v[c];
    return {mass, mass * mass * sum};
}

RowInertia row_inertia_printed(std::span<const Real> J, std::span<const Real> v,
                               std::span<const Real> k) noexcept
{
    TAUT_ASSERT(J.size() == v.size() && J.size() == k.size());
    const Real mass = effective_mass(J, v);
    Real softness = 0;
    for (std::size_t c = 0; c < J.size(); ++c) {
        if (J[c] == 0) continue;
        if (k[c] == 0) return {mass, 0};
        softness += J[c] * J[c] / k[c];
    }
    return {mass, softness > 0 && std::isfinite(softness) ? 1 / softness : 0};
}

}  // namespace taut::stabilisation
