// Boxes along the axes of whatever frame they are in.
#pragma once

#include <limits>

#include "collision/transform.h"

namespace taut::collision {

struct Aabb {
    Vec3 low = Vec3::Constant(std::numeric_limits<Real>::infinity());
    Vec3 high = Vec3::Constant(-std::numeric_limits<Real>::infinity());

    Vec3 centre() const noexcept { return (low + high) / 2; }
    Vec3 half() const noexcept { return (high - low) / 2; }
    bool empty() const noexcept { return low.x() > high.x(); }

    void add(const Vec3& p) noexcept
    {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    void add(const Aabb& other) noexcept
    {
        low = low.cwiseMin(other.low);
        high = high.cwiseMax(other.high);
    }
};

// Boxes that only touch do meet.
inline bool overlap(const Aabb& a, const Aabb& b) noexcept
{
    return a.low.x() <= b.high.x() && b.low.x() <= a.high.x() && a.low.y() <= b.high.y() &&
           b.low.y() <= a.high.y() && a.low.z() <= b.high.z() && b.low.z() <= a.high.z();
}

// Zero where they meet [m].
inline Real box_distance(const Aabb& a, const Aabb& b) noexcept
{
    return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0).norm();
}

inline Aabb grown(const Aabb& box, Real by) noexcept
{
    return {box.low - Vec3::Constant(by), box.high + Vec3::Constant(by)};
}

// The box around a box that was turned and moved.
inline Aabb moved(const Aabb& box, const Transform& X) noexcept
{
    const Vec3 centre = X.point(box.centre());
    const Vec3 half = X.R.cwiseAbs() * box.half();
    return {centre - half, centre + half};
}

}  // namespace taut::collision
