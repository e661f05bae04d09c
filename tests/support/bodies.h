// Bodies and loads described by the few numbers that a test is about.
#pragma once

#include "support/mechanisms.h"

namespace taut::test {

struct Body {
    std::string name{};
    BodyKind kind = BodyKind::Rigid;
    Real mass = 1;
    Mat3 inertia = Mat3::Identity();
    Pose pose{};
    Twist velocity{};
};

inline BodyId add(World& world, const Body& body)
{
    BodyDef def;
    def.name = body.name;
    def.kind = body.kind;
    def.mass = body.mass;
    def.inertia = body.inertia;
    def.pose = body.pose;
    def.velocity = body.velocity;
    return must(world.add_body(def));
}

inline LoadDef push(BodyId body, const Vec3& force)
{
    LoadDef def;
    def.body = body;
    def.force = force;
    return def;
}

}  // namespace taut::test
