// What every pair of shapes must do, whatever they are: no kind of pair can be left out, the list is the
// product of all kinds. Sizes are of order one metre; failures print the seed.
#include <gtest/gtest.h>

#include <tuple>

#include "collision/samples.h"

namespace taut::collision::test {
namespace {

constexpr Real kReach = 0.6;
// nearest points of curved shapes are iterated; a face stands for an edge up to 1e-6 of the size, and
// inside each other up to 2 % of the depth (manifold.cpp)
constexpr Real kGap = 3e-6;
constexpr Real kDepthShare = 0.025;
constexpr Real kOnSurface = 2e-8;

using Kinds = std::tuple<int, int>;

class EveryPair : public ::testing::TestWithParam<Kinds> {
protected:
    struct Case {
        Sample a, b;
        Transform X_WA, X_WB;
        Real gap = 0;  // smallest found [m]
        int seed = 0;
    };

    // Two shapes in random poses, between a third of a metre apart and a tenth into each other.
    static Case make_case(int seed, bool apart)
    {
        Random random(static_cast<unsigned>(7919 * seed + 13));
        const auto [ka, kb] = GetParam();
        Case c;
        c.seed = seed;
        c.a = sample(static_cast<ColliderShapeKind>(ka), seed, random);
        c.b = sample(static_cast<ColliderShapeKind>(kb), seed / 2, random);
        c.X_WA = random_frame(random, 1);
        c.X_WB = random_frame(random, 1);
        const Real wanted = apart ? uniform(random, 0.001, 0.3) : uniform(random, -0.1, 0);
        const bool flat_a = kind(c.a.solid) == kKindOf<Shape::Plane>,
                   flat_b = kind(c.b.solid) == kKindOf<Shape::Plane>;
        const Vec3 n = flat_b   ? Vec3(c.X_WB.R.col(2))
                       : flat_a ? Vec3(-c.X_WA.R.col(2))
                                : random_direction(random);
        centre_field(c.a, c.X_WA), centre_field(c.b, c.X_WB);
        const Real now = flat_a || flat_b
                             ? signed_distance(c.a.solid, c.X_WA, c.b.solid, c.X_WB)
                             : separation_along(n, c.a.solid, c.X_WA, c.b.solid, c.X_WB);
        c.X_WA.p += n * (wanted - now);
        return c;
    }

    // A field begins at a corner: move it so that its middle is where the frame was.
    static void centre_field(const Sample& s, Transform& X)
    {
        if (kind(s.shape) == kKindOf<Shape::HeightField>) X.p = X.point({-10, -10, 0});
    }

    static bool supported()
    {
        const auto [ka, kb] = GetParam();
        return can_collide(static_cast<ColliderShapeKind>(ka), static_cast<ColliderShapeKind>(kb));
    }
    static bool kind_is(int k, ColliderShapeKind s) { return k == static_cast<int>(s); }
    static bool has_mesh()
    {
        const auto [ka, kb] = GetParam();
        return kind_is(ka, kKindOf<Shape::Mesh>) || kind_is(kb, kKindOf<Shape::Mesh>);
    }
    static Real slack(Real truth) { return kGap + (truth < 0 ? -kDepthShare * truth : 0); }

    // Calls check(case, points) for the cases in which there are points; that there are is the claim of
    // the first test.
    template <class F>
    static void for_cases(F&& check)
    {
        if (!supported()) return;
        for (int seed = 0; seed < 60; ++seed) {
            // a surface has no inside to come out of
            Case c = make_case(seed, has_mesh() || seed % 3 != 0);
            const SurfacePoints points = points_of(c.a.shape, c.X_WA, c.b.shape, c.X_WB, kReach);
            SCOPED_TRACE("seed " + std::to_string(seed) + ": " + c.a.name + " and " + c.b.name);
            c.gap = points.empty() ? kReach : deepest(points).gap;
            check(c, points);
            if (HasFailure()) return;
        }
    }
};

TEST_P(EveryPair, SmallestGapIsTheSignedDistance)
{
    for_cases([](const Case& c, const SurfacePoints& points) {
        std::vector<Vec3> hints;
        for (const auto& p : points) hints.push_back(p.normal);
        const Real truth = signed_distance(c.a.solid, c.X_WA, c.b.solid, c.X_WB, hints);
        EXPECT_EQ(points.empty(), truth > kReach);
        if (!points.empty()) {
            EXPECT_NEAR(c.gap, truth, slack(truth));
        }
    });
}

TEST_P(EveryPair, PointsLieOnTheSurfacesAndSpanTheGap)
{
    for_cases([](const Case& c, const SurfacePoints& points) {
        for (const auto& p : points) {
            EXPECT_NEAR(p.normal.norm(), 1, 1e-12);
            EXPECT_LE(p.gap, kReach);
            EXPECT_LT((p.on_a - p.on_b - p.gap * p.normal).norm(), 2e-9);
            // none outside; a clipped point of a tilted capsule lies a little inside
            EXPECT_LT(height_over(c.a.solid, c.X_WA.point_to_local(p.on_a)), kOnSurface);
            EXPECT_LT(height_over(c.b.solid, c.X_WB.point_to_local(p.on_b)), kOnSurface);
        }
        if (points.empty()) return;
        const auto& p = deepest(points);
        EXPECT_NEAR(height_over(c.a.solid, c.X_WA.point_to_local(p.on_a)), 0, slack(c.gap));
        EXPECT_NEAR(height_over(c.b.solid, c.X_WB.point_to_local(p.on_b)), 0, slack(c.gap));
        EXPECT_LE(points.size(), has_mesh() ? 24u : 4u);
    });
}

TEST_P(EveryPair, SwappingTheTwoTurnsTheNormal)
{
    for_cases([](const Case& c, const SurfacePoints& points) {
        const auto other = points_of(c.b.shape, c.X_WB, c.a.shape, c.X_WA, kReach);
        ASSERT_EQ(other.empty(), points.empty());
        if (points.empty()) return;
        EXPECT_NEAR(deepest(other).gap, c.gap, slack(c.gap));
        if (c.gap > 0.01) {
            EXPECT_LT((deepest(other).normal + deepest(points).normal).norm(), 1e-2);
        }
    });
}

TEST_P(EveryPair, MovingBothMovesTheAnswer)
{
    for_cases([](const Case& c, const SurfacePoints& points) {
        Random random(static_cast<unsigned>(c.seed));
        const Transform X = random_frame(random, 10);
        const auto other = points_of(c.a.shape, X * c.X_WA, c.b.shape, X * c.X_WB, kReach);
        ASSERT_EQ(other.empty(), points.empty());
        if (points.empty()) return;
        EXPECT_NEAR(deepest(other).gap, c.gap, slack(c.gap));
        if (c.gap > 0.01) {
            EXPECT_LT((deepest(other).normal - X.R * deepest(points).normal).norm(), 1e-2);
        }
    });
}

TEST_P(EveryPair, MovingApartAlongTheNormalRaisesTheGap)
{
    for_cases([](const Case& c, const SurfacePoints& points) {
        if (points.empty()) return;
        const auto& p = deepest(points);
        const Real step = 1e-2;
        Transform X_WA = c.X_WA;
        X_WA.p += step * p.normal;
        const auto after = points_of(c.a.shape, X_WA, c.b.shape, c.X_WB, kReach + step);
        ASSERT_FALSE(after.empty());
        EXPECT_NEAR(deepest(after).gap, p.gap + step, 2 * slack(c.gap) + 1e-5);
    });
}

TEST_P(EveryPair, NothingBeyondReachAndNothingMissingWithin)
{
    for_cases([](const Case& c, const SurfacePoints& points) {
        const Real gap = c.gap;
        if (points.empty() || gap <= 1e-3) return;
        EXPECT_TRUE(points_of(c.a.shape, c.X_WA, c.b.shape, c.X_WB, gap * 0.999 - 1e-5).empty());
        EXPECT_FALSE(points_of(c.a.shape, c.X_WA, c.b.shape, c.X_WB, gap * 1.001 + 1e-5).empty());
    });
}

std::string pair_name(const ::testing::TestParamInfo<Kinds>& info)
{
    return kind_name(static_cast<ColliderShapeKind>(std::get<0>(info.param))) + "_and_" +
           kind_name(static_cast<ColliderShapeKind>(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryPair,
                         ::testing::Combine(::testing::Range(0, kShapeKinds),
                                            ::testing::Range(0, kShapeKinds)),
                         pair_name);

}  // namespace
}  // namespace taut::collision::test
