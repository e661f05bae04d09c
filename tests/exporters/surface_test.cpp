// Triangle meshes of shapes are closed, oriented outward and have the right volume.
#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "exporters/surface.h"

namespace taut::test {
namespace {

Vec3 widen(const RenderMesh::Point& p) { return {p[0], p[1], p[2]}; }

Shape::Mesh tetrahedron()
{
    return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
}

// Volume by Gauss's theorem; it is wrong for open or inverted meshes.
Real volume(const RenderMesh& surface)
{
    Real sum = 0;
    for (const auto& [a, b, c] : surface.corners)
        sum +=
            widen(surface.points[a]).dot(widen(surface.points[b]).cross(widen(surface.points[c]))) /
            6;
    return sum;
}

void expect_sound(const RenderMesh& surface)
{
    ASSERT_EQ(surface.points.size(), surface.normals.size());
    ASSERT_FALSE(surface.corners.empty());
    for (const auto& normal : surface.normals) EXPECT_NEAR(widen(normal).norm(), 1, 1e-6);
    for (const auto& [a, b, c] : surface.corners) {
        const Vec3 area = (widen(surface.points[b]) - widen(surface.points[a]))
                              .cross(widen(surface.points[c]) - widen(surface.points[a]));
        EXPECT_GT(area.norm(), 0);
        for (const auto corner : {a, b, c})
            EXPECT_GT(area.normalized().dot(widen(surface.normals[corner])), 0.5);
    }
}

// Whether every edge belongs to two triangles with opposite directions; points are compared by position.
bool closed(const RenderMesh& surface)
{
    std::map<std::pair<RenderMesh::Point, RenderMesh::Point>, int> sides;
    for (const auto& t : surface.corners)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto &a = surface.points[t[k]], &b = surface.points[t[(k + 1) % 3]];
            ++sides[{a, b}];
            --sides[{b, a}];
        }
    for (const auto& [side, balance] : sides)
        if (balance != 0) return false;
    return true;
}

TEST(Surface, SolidsAreClosedAndHaveTheRightVolume)
{
    constexpr Real pi = std::numbers::pi;
    const Real radius = 0.3, length = 0.8;
    const Real ball = 4 * pi / 3 * std::pow(radius, 3), rod = pi * radius * radius * length;
    struct Case {
        Shape shape;
        Real volume, within;
    };
    // 32 corners lose 1 − sin(2π/32)/(2π/32) = 0.64 % of a circle; rings, half as many, another 0.96 % of a ball
    const Case cases[] = {
        {Shape::box({1, 2, 3}), 6, 1e-6},
        {Shape::sphere(radius), ball, 0.0165},
        {Shape::capsule(radius, length), ball + rod, 0.01},
        {Shape::cylinder(radius, length), rod, 0.0065},
        {Shape::hull(tetrahedron().points), 1.0 / 6, 1e-6},
        {Shape(tetrahedron()), 1.0 / 6, 1e-6},
    };
    for (const auto& [shape, expected, within] : cases) {
        SCOPED_TRACE(shape.kind_name());
        const RenderMesh surface = make_surface(shape, 1);
        expect_sound(surface);
        EXPECT_TRUE(closed(surface));
        EXPECT_NEAR(volume(surface) / expected, 1, within);
    }
}

TEST(Surface, BoundingSpheresContainTheirShapes)
{
    const Shape field = Shape::height_field(3, 2, 0.5, {0, 1, 0, 2, 0, -1});
    for (const Shape& shape :
         {Shape::box({1, 2, 3}), field, Shape::sphere(0.3), Shape::capsule(0.3, 1),
          Shape::cylinder(0.3, 1), Shape(tetrahedron())}) {
        const BoundingBall ball = bounding_ball(shape);
        Real furthest = 0;
        for (const auto& point : make_surface(shape, 1).points)
            furthest = std::max(furthest, (widen(point) - ball.centre).norm());
        EXPECT_LE(furthest, ball.radius * (1 + 1e-6));
        EXPECT_GT(furthest, 0.9 * ball.radius);
    }
}

TEST(Surface, HeightFieldsFaceUp)
{
    const Shape field = Shape::height_field(3, 2, 0.5, {0, 0.1, 0, 0.2, 0, 0.1});
    const RenderMesh surface = make_surface(field, 1);
    expect_sound(surface);
    EXPECT_EQ(surface.corners.size(), 4u);
    for (const auto& normal : surface.normals) EXPECT_GT(normal[2], 0.5f);
}

TEST(Surface, PlanesAreSquares)
{
    const RenderMesh surface = make_surface(Shape::plane(), 10);
    expect_sound(surface);
    EXPECT_EQ(surface.corners.size(), 2u);
    for (const auto& point : surface.points) EXPECT_FLOAT_EQ(std::abs(point[0]), 5);
    EXPECT_FLOAT_EQ(surface.normals[0][2], 1);
}

// A hard edge has two normals; a bend of a few degrees has one.
TEST(Surface, MeshesAreSmoothAtSmallAngles)
{
    const auto bent = [](Real height) {
        Shape::Mesh shape;
        shape.points = {{0, 0, 0}, {0, 1, 0}, {1, 0, height}, {-1, 0, height}};
        shape.triangles = {{0, 2, 1}, {0, 1, 3}};
        return make_surface(shape, 1);
    };
    EXPECT_EQ(bent(0.1).points.size(), 4u);
    EXPECT_EQ(bent(1).points.size(), 6u);
}

TEST(Surface, DegenerateTrianglesAreOmitted)
{
    Shape::Mesh shape = tetrahedron();
    shape.triangles.push_back({1, 1, 2});
    const RenderMesh surface = make_surface(shape, 1);
    EXPECT_EQ(surface.corners.size(), 4u);
    expect_sound(surface);
}

}  // namespace
}  // namespace taut::test
