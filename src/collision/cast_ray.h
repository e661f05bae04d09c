// Where a ray enters a shape.
//
// Solids (plane, sphere, capsule, box, cylinder, hull) are entered from outside; a ray that begins inside one meets it at
// once, with a normal against the ray. Meshes and height fields are surfaces without an inside: they are met from either
// side, with the normal against the ray. All by closed forms, and exact to round-off.
#pragma once

#include "collision/shape.h"

namespace taut::collision {

struct Ray {
    Vec3 from = Vec3::Zero();
    Vec3 translation = Vec3::Zero();  // from its begin to its end
};

struct RayHit {
    Real fraction = 0;  // of the ray's translation
    Vec3 normal = Vec3::UnitZ();
    int triangle = -1;  // of a mesh or height field
};

// Whether the ray meets the shape with a fraction of at most `most`. Frame of X; `hit` is left alone where it does not.
bool cast_ray(const ColliderShape& shape, const Transform& X, const Ray& ray, Real most,
              RayHit& hit) noexcept;

}  // namespace taut::collision
