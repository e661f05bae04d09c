// Shapes as collision detection sees them: those of include/taut/shapes.h, where hulls, meshes and height fields are prepared once
// and shared. Surfaces are exact: no shape is inflated by a margin.
//
// Whatever asks for a convex shape goes by its core (core_shape.h): a new convex kind is an overload of make_core().
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include <taut/shapes.h>

#include "collision/hull.h"
#include "collision/triangle_mesh.h"

namespace taut::collision {

using HullShape = std::shared_ptr<const Hull>;
using MeshShape = std::shared_ptr<const TriangleMesh>;
using HeightFieldShape = std::shared_ptr<const HeightField>;

// What stands for a kind of Shape: the kind itself, unless it is prepared.
template <class Kind>
struct Prepared {
    using type = Kind;
};
template <>
struct Prepared<Shape::Hull> {
    using type = HullShape;
};
template <>
struct Prepared<Shape::Mesh> {
    using type = MeshShape;
};
template <>
struct Prepared<Shape::HeightField> {
    using type = HeightFieldShape;
};

template <class Variant>
struct PreparedKinds;
template <class... Kind>
struct PreparedKinds<std::variant<Kind...>> {
    using type = std::variant<typename Prepared<Kind>::type...>;
    template <class Wanted>
    static constexpr int place() noexcept
    {
        int at = 0;
        static_cast<void>(((std::is_same_v<Wanted, Kind> || (++at, false)) || ...));
        return at;
    }
};
using ColliderShape = PreparedKinds<Shape::Variant>::type;

// The kind of a shape: its place in the list of all kinds. kKindOf<Shape::Box> is that of a box.
enum class ColliderShapeKind : int {};
template <class Kind>
inline constexpr ColliderShapeKind kKindOf{PreparedKinds<Shape::Variant>::place<Kind>()};
inline constexpr int kShapeKinds = static_cast<int>(Shape::kKinds);

inline ColliderShapeKind kind(const ColliderShape& shape) noexcept
{
    return static_cast<ColliderShapeKind>(shape.index());
}

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
