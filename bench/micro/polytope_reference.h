// Gap of two convex shapes by trying everything, in long double: slow, and nothing in it iterates towards
// an answer except the rims of cylinders.
//
// Overlapping, the depth is the smallest over all face normals and all pairs of edge directions. Apart, the gap
// is the smallest over all corners above faces and all pairs of edges. A capsule is its segment less
// the radius. A cylinder is a prism whose rim is refined about the angle that faces the other shape,
// until the chord is nearer than 1e-12 of the radius to the arc.
#pragma once

#include "collision/shape.h"

namespace taut::collision {

struct ReferenceGap {
    Real gap = 0;                 // negative depth where they overlap [m]
    Vec3 normal = Vec3::UnitZ();  // unit, from b to a
};

ReferenceGap reference_gap(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
                           const Transform& X_WB);

}  // namespace taut::collision
