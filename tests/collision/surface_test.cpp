// Meshes, height fields and hulls: no ghosts at inner edges, true normals at ridges.
#include <gtest/gtest.h>

#include "collision/samples.h"

namespace taut::collision::test {
namespace {

Transform at(Real x, Real y, Real z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

// n × n squares of the given side around the origin at z = f(x, y).
template <class F>
MeshShape grid_mesh(int n, Real side, F&& f)
{
    std::vector<Vec3> v;
    std::vector<std::array<int, 3>> t;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const Real x = (i - n / 2) * side, y = (j - n / 2) * side;
            v.push_back({x, y, f(x, y)});
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = a + n + 1;
            t.push_back({a, b, c});
            t.push_back({a, c, d});
        }
    return make_mesh(v, t).mesh;
}

TEST(FlatSurface, PushesStraightUpWhereverTheBodyStands)
{
    Random random(17);
    const MeshShape mesh = grid_mesh(20, 0.25, [](Real, Real) { return 0.0; });
    const HeightFieldShape field = flat_field(21, 0.25);
    const HullShape six = prism(6, 0.3, 0.2);
    for (int i = 0; i < 200; ++i) {
        const Real depth = uniform(random, -1e-3, 1e-3);
        const Real x = uniform(random, -1, 1), y = uniform(random, -1, 1);
        const Transform X_WM = at(0, 0, 0), X_WF = at(-2.5, -2.5, 0);
        for (const ColliderShape& shape :
             {ColliderShape(Shape::Sphere{0.2}), ColliderShape(Shape::Capsule{0.2, 0.6}),
              ColliderShape(Shape::Box{Vec3(0.6, 0.8, 0.4)}),
              ColliderShape(Shape::Cylinder{0.3, 0.4}), ColliderShape(six)}) {
            Transform X = turned(Vec3::UnitZ(), uniform(random, 0, 6), {x, y, 0});
            if (kind(shape) == kKindOf<Shape::Capsule>)
                X.R = X.R * turned(Vec3::UnitX(), 1.5707963267948966, {0, 0, 0}).R;
            X.p.z() = 0.2 - depth;
            const ColliderShape surfaces[2] = {ColliderShape(mesh), ColliderShape(field)};
            for (const ColliderShape& surface : surfaces) {
                const auto p = points_of(shape, X, surface,
                                         kind(surface) == kKindOf<Shape::Mesh> ? X_WM : X_WF, 2e-3);
                SCOPED_TRACE(kind_name(kind(shape)) + " on " + kind_name(kind(surface)) +
                             ", case " + std::to_string(i));
                ASSERT_FALSE(p.empty());
                EXPECT_LE(p.size(), 4u);
                for (const auto& q : p) EXPECT_LT((q.normal - Vec3::UnitZ()).norm(), 1e-9);
                EXPECT_NEAR(deepest(p).gap, -depth, 1e-9);
                if (kind(shape) == kKindOf<Shape::Box> || kind(shape) == kKindOf<Shape::Hull>) {
                    EXPECT_EQ(p.size(), 4u);
                }
                if (kind(shape) == kKindOf<Shape::Capsule>) {
                    EXPECT_GE(p.size(), 2u);
                }
            }
        }
    }
}

// A ridge at x = 0 with slopes of 45°: a ball above it is pushed straight up, a box that lies on it as well.
TEST(Ridge, AdmitsNormalsBetweenItsFaces)
{
    const MeshShape roof = grid_mesh(2, 1, [](Real x, Real) { return -std::abs(x); });
    for (Real gap : {1e-4, -1e-4}) {
        const auto ball =
            points_of(Shape::Sphere{0.2}, at(0, 0.3, 0.2 + gap), roof, Transform{}, 1e-3);
        ASSERT_FALSE(ball.empty());
        EXPECT_NEAR(deepest(ball).gap, gap, 1e-9);
        EXPECT_LT((deepest(ball).normal - Vec3::UnitZ()).norm(), 1e-6);
        const auto box = points_of(Shape::Box{Vec3(0.6, 0.6, 0.2)}, at(0.1, 0.2, 0.1 + gap), roof,
                                   Transform{}, 1e-3);
        ASSERT_FALSE(box.empty());
        EXPECT_NEAR(deepest(box).gap, gap, 1e-9) << gap;
        for (const auto& p : box) EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-6) << gap;
        EXPECT_GE(box.size(), 2u);
    }
}

TEST(Valley, HoldsABallFromBothSides)
{
    const MeshShape valley = grid_mesh(2, 1, [](Real x, Real) { return std::abs(x); });
    const auto p =
        points_of(Shape::Sphere{0.2}, at(0, 0.3, 0.2 * std::sqrt(2.0)), valley, Transform{}, 1e-6);
    ASSERT_EQ(p.size(), 2u);
    EXPECT_NEAR(p[0].normal.dot(p[1].normal), 0, 1e-9);
}

TEST(HeightField, HasSolidGroundBelow)
{
    const auto p =
        points_of(Shape::Sphere{0.1}, at(2.1, 2.3, -1), flat_field(11, 0.5), Transform{}, 0);
    ASSERT_FALSE(p.empty());
    EXPECT_NEAR(deepest(p).gap, -1.1, 1e-9);
    EXPECT_LT((deepest(p).normal - Vec3::UnitZ()).norm(), 1e-9);
}

TEST(MeshPlane, StandsOnItsLowestCorners)
{
    const MeshShape mesh = mesh_of(*prism(4, std::sqrt(2.0), 0.5));
    const auto p = points_of(mesh, at(0, 0, 0.5), Shape::Plane{}, Transform{}, 1e-3);
    ASSERT_EQ(p.size(), 4u);
    for (const auto& q : p) EXPECT_NEAR(q.gap, 0, 1e-12);
}

TEST(Hull, HoldsAllItsPointsAndEulerHolds)
{
    Random random(23);
    for (int i = 0; i < 30; ++i) {
        std::vector<Vec3> points;
        const int n = 4 + i * 8;
        for (int k = 0; k < n; ++k)
            points.push_back(std::pow(10.0, i % 7 - 3) * random_direction(random) *
                             uniform(random, 0.2, 1));
        const auto [hull, why] = make_hull(points);
        ASSERT_TRUE(hull) << why;
        const Real size = hull->box.half().norm();
        int edges = 0;
        for (const auto& f : hull->faces) {
            edges += f.count;
            for (const Vec3& p : points) EXPECT_LE(f.normal.dot(p), f.offset + 2e-9 * size);
        }
        EXPECT_EQ(static_cast<int>(hull->vertices.size()) - edges / 2 +
                      static_cast<int>(hull->faces.size()),
                  2);
    }
}

TEST(Hull, SaysWhyThereIsNone)
{
    EXPECT_FALSE(make_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).why.empty());
    EXPECT_FALSE(make_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}})
                     .why.empty());
    EXPECT_FALSE(make_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, std::nan("")}})
                     .why.empty());
}

TEST(Hull, FlatFacesOfARegularGridAreMerged)
{
    std::vector<Vec3> points;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            for (int k = 0; k < 6; ++k) points.push_back(Vec3(i, j, k) * 0.1);
    const auto hull = make_hull(points).hull;
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull->faces.size(), 6u);
    EXPECT_EQ(hull->vertices.size(), 8u);
}

}  // namespace
}  // namespace taut::collision::test
