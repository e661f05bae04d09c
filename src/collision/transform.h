// A pose as rotation matrix and origin, for transforming many points. X_WB takes points of B to W.
#pragma once

#include <taut/types.h>

#include "collision/thresholds.h"
#include "core/namespaces.h"

namespace taut::collision {

struct Transform {
    Mat3 R = Mat3::Identity();
    Vec3 p = Vec3::Zero();

    Vec3 point(const Vec3& local) const noexcept { return R * local + p; }
    Vec3 vector(const Vec3& local) const noexcept { return R * local; }
    Vec3 point_to_local(const Vec3& world) const noexcept { return R.transpose() * (world - p); }
    Vec3 vector_to_local(const Vec3& world) const noexcept { return R.transpose() * world; }
};

inline Transform to_transform(const Pose& pose) noexcept
{
    return {pose.q.normalized().toRotationMatrix(), pose.p};
}

inline Transform operator*(const Transform& X_AB, const Transform& X_BC) noexcept
{
    return {X_AB.R * X_BC.R, X_AB.point(X_BC.p)};
}

inline Transform inverse(const Transform& X_AB) noexcept
{
    return {X_AB.R.transpose(), -(X_AB.R.transpose() * X_AB.p)};
}

// A unit vector along v, or `otherwise` where v is too short to have a direction.
inline Vec3 direction_or(const Vec3& v, const Vec3& otherwise) noexcept
{
    const Real largest = v.cwiseAbs().maxCoeff();
    if (!(largest > DirectionThresholds::kShortest)) return otherwise;
    return (v / largest).normalized();
}

// Some unit vector across v, the same for the same v. v need not be of unit length.
inline Vec3 any_across(const Vec3& v) noexcept
{
    int smallest = 0;
    v.cwiseAbs().minCoeff(&smallest);
    return direction_or(v.cross(Vec3::Unit(smallest)), Vec3::UnitX());
}

}  // namespace taut::collision
