// Distance of two convex cores, and the direction in which they are furthest from each other.
//
// Both routines look at the Minkowski difference M = { a − b }: its point nearest to the origin is the
// vector between the nearest points. `distance` walks towards it [Gilbert1988] and is
// exact apart; `deepest_plane` grows a polytope inside M [Bergen2001] until the face
// nearest to the origin lies on the surface of M, and is exact inside. Its first tetrahedron spans M
// and need not hold the origin, so it passes through touching without a seam.
#pragma once

#include "collision/core_shape.h"

namespace taut::collision {

struct Separation {
    Real distance = 0;            // of the cores: positive apart, negative depth
    Vec3 normal = Vec3::UnitZ();  // unit, from b to a
    Vec3 on_a = Vec3::Zero();     // nearest points; on_a − on_b = distance · normal
    Vec3 on_b = Vec3::Zero();
    bool known = false;  // false: beyond `reach`, or too near for a direction
};

// Apart by more than 1e-8 of the size: known. Nearer or overlapping: distance 0 and not known. Stops
// early, distance infinite and not known, as soon as it is sure to be beyond `reach`.
Separation distance(const Core& a, const Core& b, Real reach) noexcept;

// The supporting plane of M nearest to the origin: for overlapping cores the shortest way out. Cores
// that are flat together (segment in the plane of a triangle) are parted across that plane.
Separation deepest_plane(const Core& a, const Core& b) noexcept;

// Sizes of both: what distances are compared with.
Real common_size(const Core& a, const Core& b) noexcept;

}  // namespace taut::collision
