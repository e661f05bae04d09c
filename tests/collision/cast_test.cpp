// Closest points against brute force over directions, and casts of shapes against bisection on the gap.
#include <gtest/gtest.h>

#include "collision/cast_ray.h"
#include "collision/cast_shape.h"
#include "collision/closest.h"
#include "ray_oracle.h"

namespace taut::collision::test {
namespace {

constexpr unsigned kSeed = 20262;

bool is_surface(ColliderShapeKind k)
{
    return k == kKindOf<Shape::Mesh> || k == kKindOf<Shape::HeightField>;
}

// Gap of a convex shape and the nearest of all triangles, each measured alone.
Real gap_to_triangles(const ColliderShape& a, const Transform& X_WA,
                      const std::vector<std::array<Vec3, 3>>& triangles, const Transform& X_WB)
{
    Real least = 1e300;
    const Transform X_BA = inverse(X_WB) * X_WA;
    for (const auto& c : triangles) {
        const MeshShape one = make_mesh(c, std::vector<std::array<int, 3>>{{0, 1, 2}}).mesh;
        Gap gap;
        if (closest(a, X_BA, one, {}, 1e6, gap)) least = std::min(least, gap.distance);
    }
    return least;
}

class PairOfKinds : public testing::TestWithParam<std::tuple<int, int>> {};

std::string pair_name(const testing::TestParamInfo<std::tuple<int, int>>& one)
{
    const auto [a, b] = one.param;
    return kind_name(static_cast<ColliderShapeKind>(a)) + "_" +
           kind_name(static_cast<ColliderShapeKind>(b));
}

struct Scene {
    Sample a, b;
    Transform X_WA, X_WB;
    std::vector<std::array<Vec3, 3>> triangles;
    std::string where;
};

Scene random_scene(int a, int b, int i, Random& random)
{
    Scene s;
    s.a = sample(static_cast<ColliderShapeKind>(a), i, random);
    s.b = sample(static_cast<ColliderShapeKind>(b), i + 1, random);
    if (b == static_cast<int>(kKindOf<Shape::HeightField>)) s.b.shape = hilly_field(random, 5, 0.4);
    s.X_WB = random_frame(random, 1);
    s.X_WA = random_frame(random, 1);
    s.X_WA.p = s.X_WB.p + uniform(random, 0, 3) * random_direction(random);
    s.triangles = triangles_of(s.b.shape);
    s.where =
        s.a.name + " " + s.b.name + " case " + std::to_string(i) + " seed " + std::to_string(kSeed);
    return s;
}

// The points lie on both surfaces, and their distance is the gap: of convex shapes as a search over directions finds it.
// Tolerance: the search of the oracle stops at steps of 1e-11 rad, and finds maxima with edges to 1e-7 m.
TEST_P(PairOfKinds, ClosestPointsAreAsFarApartAsTheSurfaces)
{
    const auto [a, b] = GetParam();
    const bool surface = is_surface(static_cast<ColliderShapeKind>(b));
    Random random(kSeed + 100 * a + b);
    Real worst = 0;
    for (int i = 0; i < 60; ++i) {
        const Scene s = random_scene(a, b, i, random);
        Gap gap;
        ASSERT_TRUE(closest(s.a.shape, s.X_WA, s.b.shape, s.X_WB, 1e3, gap)) << s.where;
        EXPECT_NEAR(gap.normal.norm(), 1, 1e-12) << s.where;
        EXPECT_LT((gap.on_a - gap.on_b - gap.distance * gap.normal).norm(), 1e-7) << s.where;
        const Real expected =
            surface ? gap_to_triangles(s.a.shape, s.X_WA, s.triangles, s.X_WB)
                    : signed_distance(s.a.shape, s.X_WA, s.b.shape, s.X_WB, {gap.normal});
        worst = std::max(worst, std::abs(gap.distance - expected));
        EXPECT_NEAR(gap.distance, expected, 1e-7) << s.where;
        if (surface && a != static_cast<int>(kKindOf<Shape::Hull>)) {
            // no point of the shape is nearer to a triangle than the gap says, and its own point is on one
            for (const auto& c : s.triangles) {
                const Vec3 x = s.X_WB.point((c[0] + c[1] + c[2]) / 3);
                EXPECT_GT(height_over(s.a.shape, s.X_WA.point_to_local(x)), gap.distance - 1e-9)
                    << s.where;
            }
        }
        if (!surface) {
            EXPECT_NEAR(height_over(s.a.shape, s.X_WA.point_to_local(gap.on_a)), 0, 1e-6)
                << s.where;
            EXPECT_NEAR(height_over(s.b.shape, s.X_WB.point_to_local(gap.on_b)), 0, 1e-6)
                << s.where;
        }
        // a limit below the gap finds nothing, one above it the same
        Gap again;
        EXPECT_FALSE(closest(s.a.shape, s.X_WA, s.b.shape, s.X_WB, gap.distance - 1e-6, again));
        ASSERT_TRUE(closest(s.a.shape, s.X_WA, s.b.shape, s.X_WB, gap.distance + 1e-6, again));
        EXPECT_NEAR(again.distance, gap.distance, 1e-12) << s.where;
    }
    std::printf("largest difference %.1e m\n", worst);
}

Real gap_after(const Scene& s, const Vec3& way, Real t)
{
    Transform there = s.X_WA;
    there.p += t * way;
    Gap gap;
    return closest(s.a.shape, there, s.b.shape, s.X_WB, 1e3, gap) ? gap.distance : 1e300;
}

constexpr int kWalk = 200;

// The first time of contact, by walking in steps of 1/200 of the way and bisecting the first that touches. A contact that
// lasts for less than a step can be missed by the walk, but not by the cast.
Real first_touch(const Scene& s, const Vec3& way)
{
    for (int k = 0; k <= kWalk; ++k) {
        if (gap_after(s, way, Real(k) / kWalk) > 0) continue;
        Real apart = std::max(Real(k - 1) / kWalk, Real(0)), touching = Real(k) / kWalk;
        for (int i = 0; i < 60; ++i) {
            const Real middle = (apart + touching) / 2;
            (gap_after(s, way, middle) > 0 ? apart : touching) = middle;
        }
        return touching;
    }
    return 1e300;
}

// Tolerance: the gap of shapes without rounding is known to 1e-8 of their size of 4 m, as a time over the speed along the
// normal; the cast itself is off by 1e-12 m.
TEST_P(PairOfKinds, CastTouchesWhenBisectionOnTheGapSaysSo)
{
    const auto [a, b] = GetParam();
    Random random(kSeed + 100 * a + b + 7);
    int hits = 0, brief = 0;
    Real worst = 0;
    for (int i = 0; i < 300; ++i) {
        const Scene s = random_scene(a, b, i, random);
        const Vec3 target = s.X_WB.p + 0.7 * random_direction(random);
        const Vec3 way = uniform(random, 0.2, 2) * (target - s.X_WA.p);
        ShapeHit hit;
        const bool met = cast_shape(s.a.shape, s.X_WA, way, s.b.shape, s.X_WB, 1, hit);
        const Real expected = first_touch(s, way);
        if (!met) {
            EXPECT_GT(expected, 1) << s.where;
            continue;
        }
        ++hits;
        // at the hit the two touch
        const Real gap = gap_after(s, way, hit.fraction);
        if (hit.fraction > 0) {
            EXPECT_NEAR(gap, 0, 2e-7) << s.where;
        } else {
            EXPECT_LE(gap, 0) << s.where;
        }
        // and they did not before
        if (expected > hit.fraction + 1.0 / kWalk) {
            ++brief;
        } else {
            const Real speed = std::max(std::abs(hit.normal.dot(way)), Real(1e-3));
            worst = std::max(worst, std::abs(hit.fraction - expected) * speed);
            EXPECT_NEAR(hit.fraction, expected, 2e-7 / speed) << s.where;
        }
        if (hit.fraction == 0) continue;
        for (int k = 1; k < 20; ++k)
            EXPECT_GT(gap_after(s, way, hit.fraction * (1 - k / 20.0) - 1e-6), 0)
                << s.where << " before " << hit.fraction;
        EXPECT_LE(hit.normal.dot(way), 0) << s.where;
        if (is_surface(static_cast<ColliderShapeKind>(b))) continue;
        EXPECT_NEAR(height_over(s.b.shape, s.X_WB.point_to_local(hit.point)), 0, 2e-6) << s.where;
    }
    EXPECT_GT(hits, 100);
    EXPECT_LT(brief, 0.05 * hits);
    std::printf("%d hits; largest error %.1e m\n", hits, worst);
}

INSTANTIATE_TEST_SUITE_P(AllShapes, PairOfKinds,
                         testing::Combine(testing::Range(static_cast<int>(kKindOf<Shape::Sphere>),
                                                         static_cast<int>(kKindOf<Shape::Hull>) +
                                                             1),
                                          testing::Range(0, kShapeKinds)),
                         pair_name);

// A ball of vanishing radius is a ray.
TEST(ShapeCast, OfASmallBallIsARay)
{
    Random random(kSeed);
    const Shape::Sphere ball{1e-7};
    int hits = 0;
    for (int i = 0; i < 400; ++i) {
        const auto which = static_cast<ColliderShapeKind>(i % kShapeKinds);
        const Sample s = sample(which, i, random);
        const Transform X = random_frame(random, 1);
        const Vec3 from = X.p + 4 * random_direction(random);
        const Vec3 way = 2 * (X.p + 0.3 * random_direction(random) - from);
        RayHit ray;
        ShapeHit cast;
        const bool met = cast_ray(s.shape, X, {from, way}, 1, ray);
        ASSERT_EQ(met, cast_shape(ball, {Mat3::Identity(), from}, way, s.shape, X, 1, cast))
            << s.name << " case " << i << " seed " << kSeed;
        if (!met) continue;
        ++hits;
        // the ball touches earlier by its radius over the cosine of the slope
        const Real cosine = std::abs(ray.normal.dot(way)) / way.norm();
        EXPECT_NEAR(ray.fraction * way.norm(), cast.fraction * way.norm(), 1e-6 / cosine) << s.name;
    }
    EXPECT_GT(hits, 200);
}

}  // namespace
}  // namespace taut::collision::test
