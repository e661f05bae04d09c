#include "geometry/shape_solids.h"

#include <map>

#include "collision/hull.h"
#include "core/text.h"

namespace taut::geometry {
namespace {

using Box3 = Eigen::AlignedBox<Real, 3>;

// Whether every edge belongs to two triangles, once in each direction.
bool is_closed(const std::vector<Shape::Triangle>& triangles)
{
    std::map<std::pair<int, int>, int> sides;
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    for (const auto& [side, times] : sides) {
        const auto back = sides.find({side.second, side.first});
        if (times != 1 || back == sides.end()) return false;
    }
    return !sides.empty();
}

bool refers_to_points(const Shape::Mesh& mesh)
{
    const auto count = static_cast<int>(mesh.points.size());
    for (const auto& triangle : mesh.triangles)
        for (const int corner : triangle)
            if (corner < 0 || corner >= count) return false;
    return true;
}

struct AsSolid {
    MassProperties operator()(const Shape::Sphere& s) const { return sphere_properties(s.radius); }
    MassProperties operator()(const Shape::Capsule& s) const
    {
        return capsule_properties(s.radius, s.length);
    }
    MassProperties operator()(const Shape::Box& s) const { return box_properties(s.size); }
    MassProperties operator()(const Shape::Cylinder& s) const
    {
        return cylinder_properties(s.radius, s.length);
    }
    MassProperties operator()(const Shape::Hull& s) const
    {
        const auto surface = convex_mesh(s.points);
        if (!surface) return {};
        return polyhedron_properties(surface->points, surface->triangles);
    }
    MassProperties operator()(const Shape::Mesh& s) const
    {
        if (!refers_to_points(s) || !is_closed(s.triangles)) return {};
        return polyhedron_properties(s.points, s.triangles);
    }
    MassProperties operator()(const Shape::HeightField&) const { return {}; }
    MassProperties operator()(const Shape::Plane&) const { return {}; }
};

Box3 about_origin(const Vec3& half) { return Box3(-half, half); }

Box3 around(const std::vector<Vec3>& points)
{
    Box3 box;
    for (const Vec3& point : points) box.extend(point);
    return box;
}

struct AsBox {
    Box3 operator()(const Shape::Sphere& s) const { return about_origin(Vec3::Constant(s.radius)); }
    Box3 operator()(const Shape::Capsule& s) const
    {
        return about_origin({s.radius, s.radius, s.length / 2 + s.radius});
    }
    Box3 operator()(const Shape::Box& s) const { return about_origin(s.size / 2); }
    Box3 operator()(const Shape::Cylinder& s) const
    {
        return about_origin({s.radius, s.radius, s.length / 2});
    }
    Box3 operator()(const Shape::Hull& s) const { return around(s.points); }
    Box3 operator()(const Shape::Mesh& s) const { return around(s.points); }
    Box3 operator()(const Shape::HeightField& s) const
    {
        Box3 box;
        for (const Real height : s.heights) {
            box.extend(Vec3(0, 0, height));
            box.extend(Vec3((s.columns - 1) * s.spacing, (s.rows - 1) * s.spacing, height));
        }
        return box;
    }
    Box3 operator()(const Shape::Plane&) const { return {}; }
};

}  // namespace

MassProperties shape_properties(const Shape& shape) { return shape.visit(AsSolid{}); }

Box3 shape_box(const Shape& shape) { return shape.visit(AsBox{}); }

}  // namespace taut::geometry

namespace taut {

// Faces with more than three corners are split into triangle fans.
Result<Shape::Mesh> convex_mesh(std::span<const Vec3> points)
{
    const auto made = collision::make_hull(points);
    if (!made.hull) return Error{core::text("convex hull: ", made.why)};
    Shape::Mesh mesh;
    mesh.points = made.hull->vertices;
    for (const auto& face : made.hull->faces) {
        const int* corner = &made.hull->loops[static_cast<std::size_t>(face.first)];
        for (int k = 2; k < face.count; ++k)
            mesh.triangles.push_back({corner[0], corner[k - 1], corner[k]});
    }
    return mesh;
}

}  // namespace taut
