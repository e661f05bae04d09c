// Convex shapes as the generic pair sees them: a core, which is a point, segment, box, cylinder,
// polyhedron or triangle, rounded by a radius. Spheres and capsules thereby become points and segments,
// whose distances are exact where those of their surfaces would have to be iterated.
//
// A feature is the part of a core that faces a direction: a corner, a side or a flat face. It always
// holds the support point, so that what is clipped from it holds the deepest point.
#pragma once

#include <array>
#include <cstdint>

#include "collision/shape.h"

namespace taut::collision {

struct Core {
    enum class Kind { Point, Segment, Box, Cylinder, Hull, Triangle };

    Kind kind = Kind::Point;
    Transform X;               // of the shape, in the working frame
    Real radius = 0;           // of the rounding [m]
    Vec3 half = Vec3::Zero();  // box: half edges; segment: (0, 0, h); cylinder: (r, r, h)
    const Hull* hull = nullptr;
    std::array<Vec3, 3> corner;  // of a triangle, working frame
    Vec3 normal = Vec3::UnitZ();

    Vec3 centre() const noexcept;  // a point inside
    Real size() const noexcept;    // of the order of the core's longest extent
};

// One overload for each convex kind, in its own frame. A shape without one is a plane or a surface.
Core make_core(const Shape::Sphere& sphere) noexcept;
Core make_core(const Shape::Capsule& capsule) noexcept;
Core make_core(const Shape::Box& box) noexcept;
Core make_core(const Shape::Cylinder& cylinder) noexcept;
Core make_core(const HullShape& hull) noexcept;

template <class Kind>
concept HasCore = requires(const Kind& shape)
{
    make_core(shape).radius;
};

bool is_convex(ColliderShapeKind kind) noexcept;

// The shape must be convex and bounded.
Core make_core(const ColliderShape& shape, const Transform& X) noexcept;
Core make_core(const SurfaceTriangle& triangle, const Transform& X) noexcept;

// Point of the core furthest along d, both in the working frame.
Vec3 support(const Core& core, const Vec3& d) noexcept;

struct Feature {
    static constexpr int kMaxCorners = 64;  // of larger faces an evenly spread choice

    int count = 0;      // 1 corner, 2 ends of a side, or a polygon, counter-clockwise from outside
    bool flat = false;  // a face: `normal` is its outward normal
    int id = 0;         // face of the shape
    Vec3 normal = Vec3::Zero();
    std::array<Vec3, kMaxCorners> corner;
    std::array<std::uint16_t, kMaxCorners> tag;  // names corner k, and the side from k to k + 1
};

// What of the core faces the unit direction d.
void facing_feature(const Core& core, const Vec3& d, Feature& f) noexcept;

}  // namespace taut::collision
