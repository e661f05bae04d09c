// Nearest points of a convex shape and any other one, for questions between steps.
#pragma once

#include "collision/core_shape.h"

namespace taut::collision {

struct Gap {
    Real distance = 0;            // [m]; negative: how deep the two are in each other
    Vec3 normal = Vec3::UnitZ();  // unit, from b to a
    Vec3 on_a = Vec3::Zero();     // nearest points; on_a − on_b = distance · normal
    Vec3 on_b = Vec3::Zero();
};

// Whether a, which must be convex and bounded, is at most `within` [m] from b; `out` is left alone where it is not. A mesh
// or height field is a surface without an inside: the distance is that of its nearest triangle, or, where a is in some of
// them, negative by what the deepest of these needs to be cleared. World frame.
bool closest(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
             const Transform& X_WB, Real within, Gap& out) noexcept;

}  // namespace taut::collision
