// Boxes, balls and a floor for tests of what touches.
#pragma once

#include "support/mechanisms.h"

namespace taut::test {

inline BodyId add_box(World& world, const Vec3& size, Real mass, const Pose& pose,
                      Real friction = 0.5, const Twist& velocity = {})
{
    BodyDef def;
    def.mass = mass;
    const Vec3 s = size.cwiseProduct(size);
    def.inertia = (mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())).asDiagonal();
    def.pose = pose;
    def.velocity = velocity;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = Shape::box(size), .friction = friction}));
    return body;
}

// A cube.
inline BodyId add_box(World& world, Real edge, Real mass, const Vec3& p,
                      const Quat& q = Quat::Identity())
{
    return add_box(world, Vec3::Constant(edge), mass, {p, q});
}

inline BodyId add_ball(World& world, Real radius, Real mass, const Vec3& p, const Vec3& v,
                       Real friction = 0.5)
{
    BodyDef def;
    def.mass = mass;
    def.inertia = Mat3::Identity() * (0.4 * mass * radius * radius);
    def.pose.p = p;
    def.velocity.linear = v;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = Shape::sphere(radius), .friction = friction}));
    return body;
}

inline void add_floor(World& world, Real friction = 0.5, const Quat& tilt = Quat::Identity())
{
    must(world.add_collider(
        kWorld, {.shape = Shape::plane(), .pose = {Vec3::Zero(), tilt}, .friction = friction}));
}

}  // namespace taut::test
