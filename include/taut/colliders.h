// Surfaces that bodies carry: what they touch each other with.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <taut/types.h>

namespace taut {

enum class ShapeKind {
    Plane,     // half space below z = 0 of its frame; fixed and kinematic bodies only
    Sphere,    // radius
    Capsule,   // radius, length: along z, between the centres of its round ends
    Box,       // size: its edges along x, y, z
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

    // Of two surfaces the root of the product of their coefficients counts.
    Real friction = 0.5;                // while they slide [-]
    Real static_friction = -1;          // before they slide [-]; negative: the same
    Real rolling_friction = 0;          // torque against rolling over normal force [m]
    Real spinning_friction = 0;         // torque about the normal over normal force [m]
    Real restitution = 0;               // of two surfaces the larger counts [-]
    std::uint32_t groups = 1;           // groups it belongs to, one bit each
    std::uint32_t collides_with = ~0u;  // groups it meets; both sides must agree
};

}  // namespace taut
