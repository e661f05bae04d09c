// Whether two bodies pass through each other within a step, wherever they end.
//
//     n ↑  ╱ a           the direction from b to a turns with the bodies as long as they go around
//     ────╳──── b        each other; where they pass it is reversed from one moment to the next
//     n ↓  ╲ a
//
// Positions go straight and turns go evenly from the start to the end. Where the direction ends on the side on which it began, as
// each of the bodies sees it, nothing passed; only else the way is walked. Convex, bounded shapes alone: planes have no other side.
#pragma once

#include "collision/collider.h"

namespace taut::collision {

// A body on its way through a step.
struct BodyWay {
    Pose from, to;
    Vec3 turn = Vec3::
        Zero();  // rotation vector from one to the other, world axes: may be more than a turn [rad]
};

// The way of a body that ends with angular velocity `w` after a step of `dt`: of all rotations that lead from pose to pose the
// one nearest to w dt.
BodyWay way_between(const Pose& from, const Pose& to, const Vec3& w, Real dt) noexcept;

// A collider, the way of its body, and the radius about the centre of mass of the body that holds it [m].
struct MovingCollider {
    const Collider* collider = nullptr;
    const BodyWay* way = nullptr;
    Real reach = 0;
};

// `thickness`: of both together [m]. False where they start deeper in each other than half of the thinner one can be.
bool pass_through(const MovingCollider& a, const MovingCollider& b, Real thickness) noexcept;

}  // namespace taut::collision
