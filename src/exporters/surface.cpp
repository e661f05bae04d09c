#include "exporters/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

namespace taut::exporters {

namespace {

constexpr Real kPi = std::numbers::pi;
constexpr int kAround = 32;  // vertices per circle
constexpr int kQuarter = 8;  // rings between equator and pole of a sphere

RenderMesh::Point narrow(const Vec3& v)
{
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

class SurfaceMaker {
public:
    std::uint32_t add(const Vec3& point, const Vec3& normal)
    {
        surface_.points.push_back(narrow(point));
        surface_.normals.push_back(narrow(normal));
        return static_cast<std::uint32_t>(surface_.points.size() - 1);
    }

    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c)
    {
        surface_.corners.push_back({a, b, c});
    }

    // A parallelogram about `centre` with half edges u and v; it faces along u × v.
    void quad(const Vec3& centre, const Vec3& u, const Vec3& v)
    {
        const Vec3 normal = u.cross(v).normalized();
        const std::uint32_t a = add(centre - u - v, normal);
        add(centre + u - v, normal);
        add(centre + u + v, normal);
        add(centre - u + v, normal);
        triangle(a, a + 1, a + 2);
        triangle(a, a + 2, a + 3);
    }

    // A ring of vertices about z; the seam has two vertices.
    std::uint32_t ring(Real radius, Real z, Real normal_out, Real normal_up)
    {
        const auto first = static_cast<std::uint32_t>(surface_.points.size());
        for (int i = 0; i <= kAround; ++i) {
            const Real angle = 2 * kPi * (i % kAround) / kAround;
            const Vec3 out(std::cos(angle), std::sin(angle), 0);
            add(radius * out + z * Vec3::UnitZ(), normal_out * out + normal_up * Vec3::UnitZ());
        }
        return first;
    }

    // Triangles between two rings, the second above the first; degenerate triangles at poles are omitted.
    void strip(std::uint32_t low, std::uint32_t high, bool low_is_pole, bool high_is_pole)
    {
        for (std::uint32_t i = 0; i < kAround; ++i) {
            if (!low_is_pole) triangle(low + i, low + i + 1, high + i + 1);
            if (!high_is_pole) triangle(low + i, high + i + 1, high + i);
        }
    }

    void disc(Real radius, Real z, Real side)
    {
        const std::uint32_t centre = add({0, 0, z}, {0, 0, side});
        const std::uint32_t rim = ring(radius, z, 0, side);
        for (std::uint32_t i = 0; i < kAround; ++i)
            if (side > 0)
                triangle(centre, rim + i, rim + i + 1);
            else
                triangle(centre, rim + i + 1, rim + i);
    }

    RenderMesh take() { return std::move(surface_); }

private:
    RenderMesh surface_;
};

RenderMesh box(const Vec3& edges)
{
    SurfaceMaker maker;
    for (int axis = 0; axis < 3; ++axis)
        for (const Real side : {-1.0, 1.0}) {
            const int next = (axis + 1) % 3, last = (axis + 2) % 3;
            maker.quad(side * edges[axis] / 2 * Vec3::Unit(axis),
                       side * edges[next] / 2 * Vec3::Unit(next),
                       edges[last] / 2 * Vec3::Unit(last));
        }
    return maker.take();
}

// A capsule with a straight part of `length`; a sphere if that is zero.
RenderMesh capsule(Real radius, Real length)
{
    SurfaceMaker maker;
    std::uint32_t below = 0;
    bool first = true, below_is_pole = true;
    const auto put = [&](int step, Real shift) {
        const Real latitude = kPi / 2 * step / kQuarter;
        const bool pole = std::abs(step) == kQuarter;
        const Real out = pole ? 0 : std::cos(latitude), up = std::sin(latitude);
        const std::uint32_t ring = maker.ring(radius * out, radius * up + shift, out, up);
        if (!first) maker.strip(below, ring, below_is_pole, pole);
        below = ring;
        below_is_pole = pole;
        first = false;
    };
    for (int step = -kQuarter; step <= 0; ++step) put(step, -length / 2);
    for (int step = length > 0 ? 0 : 1; step <= kQuarter; ++step) put(step, length / 2);
    return maker.take();
}

RenderMesh cylinder(Real radius, Real length)
{
    SurfaceMaker maker;
    const std::uint32_t low = maker.ring(radius, -length / 2, 1, 0);
    const std::uint32_t high = maker.ring(radius, length / 2, 1, 0);
    maker.strip(low, high, false, false);
    maker.disc(radius, -length / 2, -1);
    maker.disc(radius, length / 2, 1);
    return maker.take();
}

RenderMesh square(Real edge)
{
    SurfaceMaker maker;
    maker.quad(Vec3::Zero(), edge / 2 * Vec3::UnitX(), edge / 2 * Vec3::UnitY());
    return maker.take();
}

// Normals are smoothed across edges with an angle below `crease`; other edges are kept hard.
// Degenerate triangles are omitted.
RenderMesh creased(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
                   Real crease)
{
    std::vector<Vec3> areas;  // along the normals
    std::vector<std::vector<std::size_t>> at(points.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        areas.push_back((points[b] - points[a]).cross(points[c] - points[a]) / 2);
        for (const int corner : triangles[t]) at[corner].push_back(t);
    }

    SurfaceMaker maker;
    const Real alike = std::cos(crease);
    std::map<std::pair<int, RenderMesh::Point>, std::uint32_t> made;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (!(areas[t].norm() > 0)) continue;
        const Vec3 own = areas[t].normalized();
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const int corner = triangles[t][k];
            Vec3 sum = Vec3::Zero();
            for (const std::size_t other : at[corner])
                if (areas[other].dot(own) >= alike * areas[other].norm()) sum += areas[other];
            const Vec3 normal = sum.normalized();
            const auto [place, is_new] = made.try_emplace({corner, narrow(normal)}, 0);
            if (is_new) place->second = maker.add(points[corner], normal);
            corners[k] = place->second;
        }
        maker.triangle(corners[0], corners[1], corners[2]);
    }
    return maker.take();
}

std::vector<Vec3> field_points(const Shape::HeightField& field)
{
    std::vector<Vec3> points;
    for (int j = 0; j < field.rows; ++j)
        for (int i = 0; i < field.columns; ++i)
            points.emplace_back(i * field.spacing, j * field.spacing,
                                field.heights[static_cast<std::size_t>(j) * field.columns + i]);
    return points;
}

RenderMesh height_field(const Shape::HeightField& field)
{
    const std::vector<Vec3> points = field_points(field);
    std::vector<std::array<int, 3>> triangles;
    for (int j = 0; j + 1 < field.rows; ++j)
        for (int i = 0; i + 1 < field.columns; ++i) {
            // cells are split along the same diagonal as in collision detection
            const int a = j * field.columns + i, b = a + 1, d = a + field.columns, c = d + 1;
            triangles.push_back({a, b, c});
            triangles.push_back({a, c, d});
        }
    return creased(points, triangles, kPi / 3);
}

BoundingBall around(std::span<const Vec3> points)
{
    if (points.empty()) return {};
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    BoundingBall ball{(low + high) / 2, 0};
    for (const Vec3& p : points) ball.radius = std::max(ball.radius, (p - ball.centre).norm());
    return ball;
}

struct MakeSurface {
    static constexpr Real kFlat = 0.5 * kPi / 180;  // only coplanar faces are smoothed
    static constexpr Real kCrease = 30 * kPi / 180;
    Real plane_edge;

    RenderMesh operator()(const Shape::Sphere& s) const { return capsule(s.radius, 0); }
    RenderMesh operator()(const Shape::Capsule& s) const { return capsule(s.radius, s.length); }
    RenderMesh operator()(const Shape::Box& s) const { return box(s.size); }
    RenderMesh operator()(const Shape::Cylinder& s) const { return cylinder(s.radius, s.length); }
    RenderMesh operator()(const Shape::Hull& s) const
    {
        const auto surface = convex_mesh(s.points);
        return surface ? creased(surface->points, surface->triangles, kFlat) : RenderMesh{};
    }
    RenderMesh operator()(const Shape::Mesh& s) const
    {
        return creased(s.points, s.triangles, kCrease);
    }
    RenderMesh operator()(const Shape::HeightField& s) const { return height_field(s); }
    RenderMesh operator()(const Shape::Plane&) const { return square(plane_edge); }
};

struct MakeBall {
    BoundingBall operator()(const Shape::Sphere& s) const { return {Vec3::Zero(), s.radius}; }
    BoundingBall operator()(const Shape::Capsule& s) const
    {
        return {Vec3::Zero(), s.radius + s.length / 2};
    }
    BoundingBall operator()(const Shape::Box& s) const { return {Vec3::Zero(), s.size.norm() / 2}; }
    BoundingBall operator()(const Shape::Cylinder& s) const
    {
        return {Vec3::Zero(), std::hypot(s.radius, s.length / 2)};
    }
    BoundingBall operator()(const Shape::Hull& s) const { return around(s.points); }
    BoundingBall operator()(const Shape::Mesh& s) const { return around(s.points); }
    BoundingBall operator()(const Shape::HeightField& s) const { return around(field_points(s)); }
    BoundingBall operator()(const Shape::Plane&) const { return {}; }
};

}  // namespace

RenderMesh make_surface(const Shape& shape, Real plane_edge)
{
    return shape.visit(MakeSurface{plane_edge});
}

BoundingBall bounding_ball(const Shape& shape) { return shape.visit(MakeBall{}); }

}  // namespace taut::exporters
