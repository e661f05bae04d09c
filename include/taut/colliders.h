// Colliders: shapes with surface properties that are attached to bodies and take part in contact.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <taut/types.h>

namespace taut {

enum class ShapeKind {
    Plane,     // half space below z = 0 of its frame; fixed and kinematic bodies only
    Sphere,    // radius
    Capsule,   // radius, length: along z, between the centres of the end caps
    Box,       // size: full edge lengths along x, y, z
    Cylinder,  // radius, length: along z
    Hull,      // convex hull of points
    Mesh,      // points, triangles: outward by the right-hand rule
    HeightField,  // heights over a grid of columns × rows, spacing along x and y, the first at the origin
};

struct ColliderDef {
    ShapeKind shape = ShapeKind::Sphere;
    Pose pose{};  // of the shape, in body axes from the body's origin
    Real radius = 0.5;
    Real length = 1;
    Vec3 size = Vec3::Ones();
    std::vector<Vec3> points{};
    std::vector<std::array<int, 3>> triangles{};
    int columns = 0, rows = 0;
    Real spacing = 1;
    std::vector<Real> heights{};  // row by row

    // Coefficients of friction of a pair are the geometric mean of those of its two surfaces.
    Real friction = 0.5;        // kinetic [-]
    Real static_friction = -1;  // [-]; negative: equal to friction
    Real rolling_friction = 0;  // rolling resistance: torque over normal force [m]
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
    Real friction = 0.5;         // kinetic [-]
    Real static_friction = -1;   // [-]; negative: equal to friction
    Real rolling_friction = 0;   // [m]
    Real spinning_friction = 0;  // [m]
    Real restitution = 0;        // [-]
};

}  // namespace taut
