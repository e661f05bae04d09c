// Shapes: what a body looks like to contacts, queries, mass properties and drawing. Each is in a frame of its own, about its centre
// unless its kind says otherwise.
//
// The variant below is the only list of all kinds. Names in scene files and in the protocol of the viewer, the schema, the reader,
// snapshots and exporters follow from it and from fields(); CONTRIBUTING.md says what a new kind needs besides.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <taut/result.h>
#include <taut/types.h>

namespace taut {

// What describes one member of a kind of shape to those that read and write all of them.
template <class Kind, class Value>
struct ShapeField {
    std::string_view name;
    std::string_view unit;
    std::string_view summary;
    Value Kind::*member;
    // Whole numbers: smallest and largest value. Lists: smallest number of items. Lengths: 0 is allowed where `fewest` is below 0.
    int fewest = 0;
    int most = 0;
};
template <class Kind, class Value>
constexpr ShapeField<Kind, Value> shape_field(std::string_view name, std::string_view unit,
                                              std::string_view summary, Value Kind::*member,
                                              int fewest = 0, int most = 0)
{
    return {name, unit, summary, member, fewest, most};
}

// The kinds of shape, as members of Shape: Shape::Box and so on.
struct ShapeKinds {
    using Triangle = std::array<int, 3>;  // indices of points, counter-clockwise seen from outside

    struct Sphere {
        Real radius = 0.5;  // [m]

        static constexpr std::string_view kName = "sphere";
        static constexpr std::string_view kSummary = "ball about its centre";
        static constexpr auto fields()
        {
            return std::tuple{shape_field("radius", "m", "radius", &Sphere::radius)};
        }
        bool operator==(const Sphere&) const = default;
    };

    // Along z: a cylinder with hemispherical ends.
    struct Capsule {
        Real radius = 0.5;  // [m]
        Real length = 1;    // of the straight part, between the centres of the ends; may be 0 [m]

        static constexpr std::string_view kName = "capsule";
        static constexpr std::string_view kSummary = "cylinder with hemispherical ends, along z";
        static constexpr auto fields()
        {
            return std::tuple{
                shape_field("radius", "m", "", &Capsule::radius),
                shape_field("length", "m", "of the straight part", &Capsule::length, -1)};
        }
        bool operator==(const Capsule&) const = default;
    };

    struct Box {
        Vec3 size = Vec3::Ones();  // full edge lengths along x, y, z [m]

        static constexpr std::string_view kName = "box";
        static constexpr std::string_view kSummary = "cuboid";
        static constexpr auto fields()
        {
            return std::tuple{shape_field("size", "m", "full edge lengths", &Box::size)};
        }
        bool operator==(const Box&) const = default;
    };

    // Along z.
    struct Cylinder {
        Real radius = 0.5;  // [m]
        Real length = 1;    // [m]

        static constexpr std::string_view kName = "cylinder";
        static constexpr std::string_view kSummary = "cylinder along z";
        static constexpr auto fields()
        {
            return std::tuple{shape_field("radius", "m", "", &Cylinder::radius),
                              shape_field("length", "m", "", &Cylinder::length)};
        }
        bool operator==(const Cylinder&) const = default;
    };

    // The convex hull of points; those inside are ignored.
    struct Hull {
        std::vector<Vec3> points;  // [m]

        static constexpr std::string_view kName = "hull";
        static constexpr std::string_view kSummary = "convex hull of points";
        static constexpr auto fields()
        {
            return std::tuple{shape_field(
                "points", "m", "points whose convex hull is the shape; interior points are ignored",
                &Hull::points, 4)};
        }
        bool operator==(const Hull&) const = default;
    };

    // A surface of triangles; it has a volume where it is closed.
    struct Mesh {
        std::vector<Vec3> points;  // [m]
        std::vector<Triangle> triangles;

        static constexpr std::string_view kName = "mesh";
        static constexpr std::string_view kSummary =
            "triangle mesh, counter-clockwise seen from outside; it has a mass if it is closed";
        static constexpr auto fields()
        {
            return std::tuple{shape_field("points", "m", "", &Mesh::points),
                              shape_field("triangles", "", "indices into points, starting at 0",
                                          &Mesh::triangles)};
        }
        bool operator==(const Mesh&) const = default;
    };

    // Heights over a grid in x and y; the first point of the grid is the origin.
    struct HeightField {
        int columns = 0;            // points along x
        int rows = 0;               // points along y
        Real spacing = 1;           // along x and y [m]
        std::vector<Real> heights;  // row by row [m]

        static constexpr std::string_view kName = "height_field";
        static constexpr std::string_view kSummary =
            "heights over a grid of points in x and y; the first point is the origin of the shape; "
            "no mass";
        static constexpr auto fields()
        {
            return std::tuple{
                shape_field("columns", "", "points along x", &HeightField::columns, 2, 1000),
                shape_field("rows", "", "points along y", &HeightField::rows, 2, 1000),
                shape_field("spacing", "m", "", &HeightField::spacing),
                shape_field("heights", "m", "of all points, row by row", &HeightField::heights, 4)};
        }
        bool operator==(const HeightField&) const = default;
    };

    // The half space below z = 0; fixed and kinematic bodies only.
    struct Plane {
        static constexpr std::string_view kName = "plane";
        static constexpr std::string_view kSummary =
            "half space below z = 0 of the shape; fixed and kinematic bodies only";
        static constexpr auto fields() { return std::tuple{}; }
        bool operator==(const Plane&) const = default;
    };
};

class Shape : public ShapeKinds {
public:
    // Pairs of colliders are searched in this order: the convex kinds first, planes last.
    using Variant = std::variant<Sphere, Capsule, Box, Cylinder, Hull, Mesh, HeightField, Plane>;
    static constexpr std::size_t kKinds = std::variant_size_v<Variant>;

    Shape() = default;  // a sphere
    template <class Kind, class = std::enable_if_t<std::is_constructible_v<Variant, Kind> &&
                                                   !std::is_same_v<std::decay_t<Kind>, Shape>>>
    Shape(Kind&& kind) : variant_(std::forward<Kind>(kind))
    {}

    static Shape sphere(Real radius) { return Sphere{radius}; }
    static Shape capsule(Real radius, Real length) { return Capsule{radius, length}; }
    static Shape box(const Vec3& size) { return Box{size}; }
    static Shape cylinder(Real radius, Real length) { return Cylinder{radius, length}; }
    static Shape hull(std::vector<Vec3> points) { return Hull{std::move(points)}; }
    static Shape mesh(std::vector<Vec3> points, std::vector<Triangle> triangles)
    {
        return Mesh{std::move(points), std::move(triangles)};
    }
    static Shape height_field(int columns, int rows, Real spacing, std::vector<Real> heights)
    {
        return HeightField{columns, rows, spacing, std::move(heights)};
    }
    static Shape plane() { return Plane{}; }

    // Calls f with the kind. f is an overload set, from which the compiler misses a kind that was forgotten.
    template <class F>
    decltype(auto) visit(F&& f) const
    {
        return std::visit(std::forward<F>(f), variant_);
    }
    // Its kind by name ("box") and by type.
    std::string_view kind_name() const noexcept
    {
        return visit([](const auto& kind) { return std::decay_t<decltype(kind)>::kName; });
    }
    template <class Kind>
    bool is() const noexcept
    {
        return std::holds_alternative<Kind>(variant_);
    }
    // Null where it is of another kind.
    template <class Kind>
    const Kind* as() const noexcept
    {
        return std::get_if<Kind>(&variant_);
    }
    const Variant& variant() const noexcept { return variant_; }

    bool operator==(const Shape& other) const { return variant_ == other.variant_; }

private:
    Variant variant_;
};

// Calls f(kind) with a default-constructed shape of each kind, in the order of the list.
template <class F>
void visit_shape_kinds(F&& f)
{
    [&]<std::size_t... i>(std::index_sequence<i...>)
    {
        (f(std::variant_alternative_t<i, Shape::Variant>{}), ...);
    }
    (std::make_index_sequence<Shape::kKinds>{});
}

// Calls f(field) with each field of a kind.
template <class Kind, class F>
void visit_shape_fields(const Kind&, F&& f)
{
    std::apply([&](const auto&... field) { (f(field), ...); }, Kind::fields());
}

// The surface of the convex hull of points: its corners, and its faces as triangles. An error where the points span no volume.
Result<Shape::Mesh> convex_mesh(std::span<const Vec3> points);

}  // namespace taut
