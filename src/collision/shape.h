// Shapes: constant descriptions of surfaces, each in a frame of its own.
//
//   plane      the half space z ≤ 0; z is the outward normal
//   sphere     about the origin
//   capsule    segment from −h z to +h z, rounded by r; h = 0 is a sphere
//   box        half edges along x, y, z
//   cylinder   radius r about z, caps at ±h
//   hull       convex polyhedron (hull.h)
//   mesh, height field   one-sided surfaces (triangle_mesh.h)
// Surfaces are exact: no shape is inflated by a margin.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "collision/hull.h"
#include "collision/triangle_mesh.h"

namespace taut::collision {

struct PlaneShape {};
struct SphereShape {
    Real radius = 1;  // [m]
};
struct CapsuleShape {
    Real radius = 1;       // [m]
    Real half_length = 1;  // of the straight part [m]
};
struct BoxShape {
    Vec3 half = Vec3::Ones();  // [m]
};
struct CylinderShape {
    Real radius = 1;       // [m]
    Real half_length = 1;  // [m]
};
using HullShape = std::shared_ptr<const Hull>;
using MeshShape = std::shared_ptr<const TriangleMesh>;
using HeightFieldShape = std::shared_ptr<const HeightField>;

// The order is that of the pair table in narrow_phase.cpp.
using ColliderShape = std::variant<PlaneShape, SphereShape, CapsuleShape, BoxShape, CylinderShape,
                                   HullShape, MeshShape, HeightFieldShape>;
enum class ColliderShapeKind { Plane, Sphere, Capsule, Box, Cylinder, Hull, Mesh, HeightField };
inline constexpr int kShapeKinds = static_cast<int>(std::variant_size_v<ColliderShape>);

inline ColliderShapeKind kind(const ColliderShape& shape) noexcept
{
    return static_cast<ColliderShapeKind>(shape.index());
}
std::string_view name(ColliderShapeKind kind) noexcept;

// Empty if the shape is one: sizes finite and above zero (a capsule may have no straight part), hull, mesh
// or field present. Otherwise what is wrong with it.
std::string why_invalid(const ColliderShape& shape);

// Box around the shape in its own frame. A plane has none: infinite in all directions.
Aabb local_box(const ColliderShape& shape) noexcept;
// Box around the shape in the frame in which it has pose X. Tight for all but meshes and fields.
Aabb box_at(const ColliderShape& shape, const Transform& X) noexcept;
// Greatest distance of a point of the shape from the origin of its frame; infinite for a plane.
Real reach_from_origin(const ColliderShape& shape) noexcept;

// Point of a convex, bounded shape that lies furthest along d (frame of the shape, any length).
// Zero for planes, meshes and fields, which have none.
Vec3 support(const ColliderShape& shape, const Vec3& d) noexcept;

}  // namespace taut::collision
