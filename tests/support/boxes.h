// Boxes, balls and a floor for tests of what touches.
#pragma once

#include "support/mechanisms.h"

namespace taut::test {

inline BodyId add_box(World& world, Real edge, Real mass, const Vec3& p,
                      const Quat& q = Quat::Identity())
{
    BodyDef def;
    def.mass = mass;
    def.inertia = Mat3::Identity() * (mass * edge * edge / 6);
    def.pose = {p, q};
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = ShapeKind::Box, .size = Vec3::Constant(edge)}));
    return body;
}

inline BodyId add_ball(World& world, Real radius, Real mass, const Vec3& p, const Vec3& v)
{
    BodyDef def;
    def.mass = mass;
    def.inertia = Mat3::Identity() * (0.4 * mass * radius * radius);
    def.pose.p = p;
    def.velocity.linear = v;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = ShapeKind::Sphere, .radius = radius}));
    return body;
}

inline void add_floor(World& world)
{
    must(world.add_collider(kWorld, {.shape = ShapeKind::Plane}));
}

}  // namespace taut::test
