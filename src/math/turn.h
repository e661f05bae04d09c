// Vectors rotated by unit quaternions, and quaternions normalised: the inner loops over all bodies.
#pragma once

#include <cmath>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::math {

// q v q⁻¹ = v + 2w u×v + 2 u×(u×v), u the vector part.
inline Vec3 turn(Real x, Real y, Real z, Real w, const Vec3& v) noexcept
{
    const Real tx = 2 * (y * v.z() - z * v.y());
    const Real ty = 2 * (z * v.x() - x * v.z());
    const Real tz = 2 * (x * v.y() - y * v.x());
    return {v.x() + w * tx + (y * tz - z * ty), v.y() + w * ty + (z * tx - x * tz),
            v.z() + w * tz + (x * ty - y * tx)};
}

inline Vec3 turn(const Quat& q, const Vec3& v) noexcept
{
    return turn(q.x(), q.y(), q.z(), q.w(), v);
}

inline Vec3 turn_back(const Quat& q, const Vec3& v) noexcept
{
    return turn(-q.x(), -q.y(), -q.z(), q.w(), v);
}

// Normalised. A quaternion that is off by round-off alone needs neither root nor division: the error is ⅜ of the square
// of |q|² − 1.
inline Quat made_unit(const Quat& q) noexcept
{
    const Real square = q.squaredNorm();
    const Real scale = std::abs(square - 1) < 1e-8 ? Real(1.5) - square / 2 : 1 / std::sqrt(square);
    return {scale * q.w(), scale * q.x(), scale * q.y(), scale * q.z()};
}

}  // namespace taut::math
