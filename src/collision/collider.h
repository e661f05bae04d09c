// Colliders: shapes that bodies carry. A body may carry several.
#pragma once

#include <cstdint>
#include <span>

#include "collision/shape.h"

namespace taut::collision {

struct Collider {
    int body = 0;
    Pose pose;  // of the shape, in body axes
    ColliderShape shape = Shape::Sphere{};
    std::uint32_t groups = 1;           // groups it belongs to
    std::uint32_t collides_with = ~0u;  // groups it meets; both sides must agree
    int material = 0;
    Real margin = 0;      // contacts are found at least this far ahead [m]
    bool sensor = false;  // it has no contacts
};

// What the search needs to know of a body. Origin and axes are those in which colliders are posed and
// contact points come out; `velocity.linear` is that of this origin.
struct BodyState {
    Pose pose;
    Twist velocity;
    bool movable = true;  // false: two such bodies never meet
    bool present = true;  // false: it meets nothing
};

// Greatest speed at which the shape's surface can move towards anything that rests, apart from the
// velocity of the body's origin: |ω| times the furthest distance from that origin [m/s].
Real turning_speed(const Collider& collider, const Twist& velocity) noexcept;

// Box of the collider over a step: where it is, moved along its velocity, grown by what turning
// adds and by `margin`.
//
//     +-----+ - - - - +
//     |  o  |  v dt   :      a step of half a turn and more reaches every point of the sphere
//     +-----+ - - - - +      around the body's origin, and not more
Aabb swept_aabb(const Collider& collider, const BodyState& body, const Transform& X_WS, Real dt,
                Real margin) noexcept;

}  // namespace taut::collision
