// Colliders: shapes with surface properties that are attached to bodies and take part in contact.
#pragma once

#include <cstdint>
#include <optional>

#include <taut/shapes.h>
#include <taut/types.h>

namespace taut {

struct ColliderDef {
    Shape shape{};
    Pose pose{};  // of the shape, in body axes from the body's origin

    // Coefficients of friction of a pair are the geometric mean of those of its two surfaces.
    Real friction = 0.5;                    // kinetic [-]
    std::optional<Real> static_friction{};  // [-]; default: equal to friction
    Real rolling_friction = 0;              // rolling resistance: torque over normal force [m]
    // torsional friction: torque about the normal over normal force [m]
    Real spinning_friction = 0;
    Real restitution = 0;  // a pair uses the larger of its two values [-]
    // Velocity of the surface against its body, as of a conveyor belt, in the axes of the shape; its part across the normal
    // drives what touches it by friction [m/s].
    Vec3 surface_velocity = Vec3::Zero();
    std::uint32_t groups = 1;  // collision groups of the collider, one bit each
    // groups it collides with; the masks of both colliders must agree
    std::uint32_t collides_with = ~0u;
    // A sensor has no contacts and exerts no force: events tell what overlaps it at the end of each step.
    bool sensor = false;
    std::uint64_t user_data = 0;  // the engine does not read it
};

// The surface of one pair of colliders, in place of what their descriptions combine to.
struct SurfacePair {
    Real friction = 0.5;                    // kinetic [-]
    std::optional<Real> static_friction{};  // [-]; default: equal to friction
    Real rolling_friction = 0;              // [m]
    Real spinning_friction = 0;             // [m]
    Real restitution = 0;                   // [-]
};

}  // namespace taut
