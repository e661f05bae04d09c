// When a convex shape that moves along a straight line, without turning, first touches another one.
//
// The gap of two convex shapes is a convex function of the way, so supporting planes bound the contact from one side:
// each step goes as far as the plane across the nearest points allows, and never too far. It is Newton's method.
#pragma once

#include "collision/core_shape.h"

namespace taut::collision {

struct ShapeHit {
    Real fraction = 0;            // of the translation
    Vec3 normal = Vec3::UnitZ();  // unit, out of b
    Vec3 point = Vec3::Zero();    // where the two touch, on b
};

// Whether a, which must be convex and bounded, touches b with a fraction of at most `most`. Shapes that touch or overlap at
// the start do so at 0, whichever way a moves. Meshes and height fields are met from either side. World frame; `hit` is
// left alone where a misses b.
bool cast_shape(const ColliderShape& a, const Transform& X_WA, const Vec3& translation,
                const ColliderShape& b, const Transform& X_WB, Real most, ShapeHit& hit) noexcept;

}  // namespace taut::collision
