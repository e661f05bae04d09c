// Pairs whose answer is known by hand, manifolds of bodies at rest, and bodies at 100 m/s.
#include <gtest/gtest.h>

#include <set>

#include "collision/samples.h"

namespace taut::collision::test {
namespace {

constexpr Real kRounding = 1e-12;
constexpr Real kPi = std::numbers::pi;

Transform at(Real x, Real y, Real z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

// Area of the quadrilateral or triangle of contact points seen along z.
Real spread_area(const SurfacePoints& p)
{
    Vec3 centre = Vec3::Zero();
    for (const auto& x : p) centre += x.on_b / static_cast<Real>(p.size());
    std::vector<Vec3> v;
    for (const auto& x : p) v.push_back(x.on_b - centre);
    std::sort(v.begin(), v.end(), [](const Vec3& a, const Vec3& b) {
        return std::atan2(a.y(), a.x()) < std::atan2(b.y(), b.x());
    });
    Real area = 0;
    for (std::size_t i = 0; i < v.size(); ++i) area += v[i].cross(v[(i + 1) % v.size()]).z() / 2;
    return area;
}

TEST(SphereSphere, GapIsDistanceLessRadii)
{
    const auto p = points_of(Shape::Sphere{1}, at(3, 0, 0), Shape::Sphere{0.5}, at(0, 0, 0), 2);
    ASSERT_EQ(p.size(), 1u);
    EXPECT_NEAR(p[0].gap, 1.5, kRounding);
    EXPECT_LT((p[0].normal - Vec3::UnitX()).norm(), kRounding);
    EXPECT_LT((p[0].on_b - Vec3(0.5, 0, 0)).norm(), kRounding);
    EXPECT_LT((p[0].on_a - Vec3(2, 0, 0)).norm(), kRounding);
}

TEST(SphereBox, CornerEdgeFaceAndInside)
{
    const Shape::Box box{Vec3(2, 4, 6)};
    const auto gap = [&](const Vec3& c) {
        return points_of(Shape::Sphere{0.5}, {Mat3::Identity(), c}, box, Transform{}, 9)[0].gap;
    };
    EXPECT_NEAR(gap({2, 3, 4}), std::sqrt(3.0) - 0.5, kRounding);
    EXPECT_NEAR(gap({4, 6, 0}), 5 - 0.5, kRounding);
    EXPECT_NEAR(gap({0, 0, 4}), 0.5, kRounding);
    EXPECT_NEAR(gap({0.9, 0, 0}), -0.1 - 0.5, kRounding);
}

TEST(CapsuleCapsule, ParallelGivesTheTwoEndsOfTheSharedStretch)
{
    const Transform lying = turned(Vec3::UnitY(), kPi / 2, {0.5, 0, 0.3});
    const Transform below = turned(Vec3::UnitY(), kPi / 2, {0, 0, 0});
    const auto p = points_of(Shape::Capsule{0.1, 2}, lying, Shape::Capsule{0.1, 2}, below, 0.2);
    ASSERT_EQ(p.size(), 2u);
    std::set<int> ends;
    for (const auto& x : p) {
        EXPECT_NEAR(x.gap, 0.1, kRounding);
        EXPECT_LT((x.normal - Vec3::UnitZ()).norm(), 1e-9);
        ends.insert(static_cast<int>(std::lround(10 * x.on_b.x())));
    }
    EXPECT_EQ(ends, (std::set<int>{-5, 10}));
}

TEST(CapsuleCapsule, CrossedGivesOnePoint)
{
    const auto p = points_of(Shape::Capsule{0.1, 2}, turned(Vec3::UnitY(), kPi / 2, {0, 0, 0.15}),
                             Shape::Capsule{0.1, 2}, turned(Vec3::UnitX(), kPi / 2, {0, 0, 0}), 0);
    ASSERT_EQ(p.size(), 1u);
    EXPECT_NEAR(p[0].gap, -0.05, kRounding);
    EXPECT_NEAR(std::abs(p[0].normal.z()), 1, kRounding);
}

TEST(CapsuleCapsule, EndToEndInOneLine)
{
    const auto p =
        points_of(Shape::Capsule{0.1, 2}, at(0, 0, 2.5), Shape::Capsule{0.1, 2}, at(0, 0, 0), 1);
    ASSERT_EQ(p.size(), 1u);
    EXPECT_NEAR(p[0].gap, 0.3, kRounding);
    EXPECT_LT((p[0].normal - Vec3::UnitZ()).norm(), kRounding);
}

TEST(CapsulePlane, LyingTouchesWithBothEnds)
{
    const auto p = points_of(Shape::Capsule{0.1, 2}, turned(Vec3::UnitY(), kPi / 2, {0, 0, 0.1}),
                             Shape::Plane{}, Transform{}, 1e-3);
    ASSERT_EQ(p.size(), 2u);
    for (const auto& x : p) EXPECT_NEAR(x.gap, 0, kRounding);
    EXPECT_NEAR((p[0].on_b - p[1].on_b).norm(), 2, kRounding);
}

TEST(CapsuleBox, LyingOnAFaceTouchesAlongWhatIsOverIt)
{
    const auto p = points_of(Shape::Capsule{0.1, 2}, turned(Vec3::UnitY(), kPi / 2, {0.5, 0, 1.1}),
                             Shape::Box{Vec3::Constant(2)}, Transform{}, 1e-3);
    ASSERT_EQ(p.size(), 2u);
    EXPECT_NEAR((p[0].on_b - p[1].on_b).norm(), 1.5, 1e-8);
    for (const auto& x : p) EXPECT_NEAR(x.gap, 0, kRounding);
}

TEST(CylinderPlane, OnItsSideTwoPointsOnItsCapFour)
{
    const auto side =
        points_of(Shape::Cylinder{0.5, 2}, turned(Vec3::UnitX(), kPi / 2, {0, 0, 0.5}),
                  Shape::Plane{}, Transform{}, 1e-3);
    ASSERT_EQ(side.size(), 2u);
    EXPECT_NEAR((side[0].on_b - side[1].on_b).norm(), 2, 1e-9);
    const auto cap =
        points_of(Shape::Cylinder{0.5, 2}, at(0, 0, 1), Shape::Plane{}, Transform{}, 1e-3);
    ASSERT_EQ(cap.size(), 4u);
    EXPECT_GT(spread_area(cap), 0.95 * 2 * 0.25);  // the square in the circle: 2 r²
    for (const auto& x : cap) EXPECT_NEAR(x.gap, 0, kRounding);
}

TEST(CylinderPlane, TiltedByAnyAngleHasItsLowestPoint)
{
    for (int i = 0; i <= 90; ++i) {
        const Real tilt = i * kPi / 180;
        const auto p = points_of(Shape::Cylinder{0.5, 2}, turned({1, 0.3, 0}, tilt, {0, 0, 2}),
                                 Shape::Plane{}, Transform{}, 3);
        EXPECT_NEAR(deepest(p).gap, 2 - std::cos(tilt) - 0.5 * std::sin(tilt), 1e-10) << i << "°";
    }
}

TEST(CylinderBox, StandingAndLyingHaveSeveralPoints)
{
    const Shape::Box table{Vec3(4, 4, 1)};
    for (Real gap : {1e-4, 0.0, -1e-4}) {
        const auto cap =
            points_of(Shape::Cylinder{0.5, 2}, at(0.2, 0.1, 1.5 + gap), table, Transform{}, 1e-3);
        ASSERT_EQ(cap.size(), 4u) << gap;
        EXPECT_GT(spread_area(cap), 0.9 * 2 * 0.25);
        for (const auto& x : cap) EXPECT_NEAR(x.gap, gap, 1e-11);
        const auto side =
            points_of(Shape::Cylinder{0.5, 2}, turned(Vec3::UnitX(), kPi / 2, {0, 0, 1 + gap}),
                      table, Transform{}, 1e-3);
        ASSERT_EQ(side.size(), 2u) << gap;
        for (const auto& x : side) EXPECT_NEAR(x.gap, gap, 1e-11);
    }
}

TEST(CylinderCylinder, StackedAndSideBySide)
{
    for (Real gap : {1e-4, 0.0, -1e-4}) {
        const auto stacked = points_of(Shape::Cylinder{0.5, 2}, at(0.1, 0, 2 + gap),
                                       Shape::Cylinder{0.6, 2}, Transform{}, 1e-3);
        ASSERT_EQ(stacked.size(), 4u) << gap;
        for (const auto& x : stacked) EXPECT_NEAR(x.gap, gap, 1e-11);
        const auto beside = points_of(Shape::Cylinder{0.5, 2}, at(1 + gap, 0, 0.3),
                                      Shape::Cylinder{0.5, 2}, Transform{}, 1e-3);
        ASSERT_EQ(beside.size(), 2u) << gap;
        for (const auto& x : beside) EXPECT_NEAR(x.gap, gap, 1e-7);
        EXPECT_NEAR((beside[0].on_b - beside[1].on_b).norm(), 1.7, 1e-6);
    }
}

TEST(BoxBox, RestingFaceOnFaceHasTheFourCornersOfTheOverlap)
{
    for (Real gap : {1e-4, 0.0, -1e-4}) {
        const auto p = points_of(Shape::Box{Vec3(2, 2, 1)}, at(0.5, 0.25, 1 + gap),
                                 Shape::Box{Vec3(2, 2, 1)}, Transform{}, 1e-3);
        ASSERT_EQ(p.size(), 4u) << gap;
        EXPECT_NEAR(spread_area(p), 1.5 * 1.75, 1e-8);
        for (const auto& x : p) {
            EXPECT_NEAR(x.gap, gap, kRounding);
            EXPECT_LT((x.normal - Vec3::UnitZ()).norm(), kRounding);
        }
    }
}

TEST(BoxBox, TurnedByFortyFiveDegreesHasFourWellSpreadPoints)
{
    // the overlap of two squares of side 2 is an octagon of area 8 (√2 − 1) = 3.31; the largest four of
    // its corners span 2.34
    const auto p =
        points_of(Shape::Box{Vec3::Constant(2)}, turned(Vec3::UnitZ(), kPi / 4, {0, 0, 2}),
                  Shape::Box{Vec3::Constant(2)}, Transform{}, 1e-3);
    ASSERT_EQ(p.size(), 4u);
    EXPECT_GT(spread_area(p), 2.2);
}

TEST(BoxBox, CrossedEdgesMeetInOnePoint)
{
    // two unit cubes on edge, one above the other, the edges crossing at right angles
    const Real h = std::sqrt(2.0);
    for (Real gap : {0.05, -0.05}) {
        const Transform upper = turned(Vec3::UnitX(), kPi / 4, {0.1, 0.2, 2 * h + gap});
        const Transform lower = turned(Vec3::UnitY(), kPi / 4, {0, 0, 0});
        const auto p = points_of(Shape::Box{Vec3::Constant(2)}, upper,
                                 Shape::Box{Vec3::Constant(2)}, lower, 0.1);
        ASSERT_EQ(p.size(), 1u) << gap;
        EXPECT_NEAR(p[0].gap, gap, 1e-12);
        EXPECT_LT((p[0].normal - Vec3::UnitZ()).norm(), 1e-9);
        EXPECT_LT((p[0].on_b - Vec3(0, 0.2, h)).norm(), 1e-9);
    }
}

TEST(BoxBox, ParallelEdgesMeetInTwoPoints)
{
    const Real h = std::sqrt(2.0);
    const Transform upper = turned(Vec3::UnitX(), kPi / 4, {0.5, 0, 2 * h + 0.01});
    const Transform lower = turned(Vec3::UnitX(), kPi / 4, {0, 0, 0});
    const auto p =
        points_of(Shape::Box{Vec3::Constant(2)}, upper, Shape::Box{Vec3::Constant(2)}, lower, 0.1);
    ASSERT_EQ(p.size(), 2u);
    EXPECT_NEAR((p[0].on_b - p[1].on_b).norm(), 1.5, 1e-9);
}

TEST(BoxBox, OverhangingAndTiltedByAHairKeepsItsPoints)
{
    // half over the edge of the table and not quite level: edges cross, yet it stands on a face
    const Transform X = turned({1, 0.7, 0.2}, 1e-4, {2, 0.3, 1});
    const auto p =
        points_of(Shape::Box{Vec3(2, 2, 1)}, X, Shape::Box{Vec3(4, 4, 1)}, Transform{}, 1e-3);
    EXPECT_EQ(p.size(), 4u);
    EXPECT_GT(spread_area(p), 1.9);
}

TEST(HullHull, CubesByTheirCornersBehaveLikeBoxes)
{
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? 1.0 : -1, i & 2 ? 1.0 : -1, i & 4 ? 1.0 : -1});
    const HullShape cube = make_hull(corners).hull;
    ASSERT_EQ(cube->faces.size(), 6u);
    for (Real gap : {1e-4, 0.0, -1e-4}) {
        const auto p = points_of(cube, at(0.5, 0.25, 2 + gap), cube, Transform{}, 1e-3);
        ASSERT_EQ(p.size(), 4u) << gap;
        EXPECT_NEAR(spread_area(p), 1.5 * 1.75, 1e-6);
        for (const auto& x : p) EXPECT_NEAR(x.gap, gap, kRounding);
    }
}

// A small motion, as between two steps of a body at rest, does not rename its points.
TEST(Persistence, FeaturesOfRestingBodiesKeepTheirNames)
{
    const Shape::Box table{Vec3(4, 4, 1)};
    const Transform top = at(0, 0, -0.5);
    const Transform lying = turned(Vec3::UnitX(), kPi / 2, {0, 0, 0});
    const HullShape six = prism(6, 0.5, 0.4);
    struct Rest {
        ColliderShape shape;
        Transform X;
        Real height;
    };
    const std::vector<Rest> resting{
        {Shape::Box{Vec3(0.6, 0.8, 1)}, turned(Vec3::UnitZ(), 0.3, {0, 0, 0}), 0.5},
        {Shape::Capsule{0.2, 1}, lying, 0.2},
        {Shape::Cylinder{0.5, 0.8}, lying, 0.5},
        {six, Transform{}, 0.4},
        {Shape::Sphere{0.5}, Transform{}, 0.5}};
    for (const ColliderShape& ground : {ColliderShape(table), ColliderShape(Shape::Plane{})})
        for (const Rest& r : resting) {
            const Transform& X_WB = kind(ground) == kKindOf<Shape::Plane> ? Transform{} : top;
            std::set<std::uint64_t> names;
            Random random(5);
            for (int step = 0; step < 50; ++step) {
                Transform X =
                    turned(random_direction(random), 1e-7, 1e-7 * random_direction(random)) * r.X;
                X.p.z() += r.height;
                const auto p = points_of(r.shape, X, ground, X_WB, 1e-3);
                std::set<std::uint64_t> now;
                for (const auto& x : p) now.insert(x.feature);
                EXPECT_EQ(now.size(), p.size()) << "two points of one name";
                if (step == 0) names = now;
                EXPECT_EQ(now, names) << kind_name(kind(r.shape)) << " on "
                                      << kind_name(kind(ground)) << ", step " << step;
            }
        }
}

// 100 m/s towards a plate of 1 cm at 60 steps a second: 1.67 m a step, and the gap is exact.
TEST(FastBodies, SeeAThinPlateBeforeTheyAreThroughIt)
{
    const Real reach = 100.0 / 60;
    const Shape::Box plate{Vec3(4, 4, 0.01)};
    for (Real start : {0.3, 0.9, 1.5}) {
        const Real gap = start;
        const auto check = [&](const ColliderShape& shape, const Transform& X, Real low) {
            Transform Y = X;
            Y.p.z() += 0.005 + low + gap;
            const auto p = points_of(shape, Y, plate, Transform{}, reach);
            ASSERT_FALSE(p.empty());
            EXPECT_NEAR(deepest(p).gap, gap, 1e-12) << kind_name(kind(shape));
            EXPECT_LT((deepest(p).normal - Vec3::UnitZ()).norm(), 1e-12);
        };
        check(Shape::Sphere{0.02}, Transform{}, 0.02);
        check(Shape::Capsule{0.02, 0.6}, turned(Vec3::UnitY(), 1.0, {0, 0, 0}),
              0.02 + 0.3 * std::cos(1.0));
        check(Shape::Box{Vec3(1, 1, 0.004)}, turned(Vec3::UnitY(), 0.4, {0, 0, 0}),
              0.5 * std::sin(0.4) + 0.002 * std::cos(0.4));
    }
}

// Coinciding centres, crossing segments, equal boxes inside each other: some unit normal, finite points.
TEST(Degenerate, GivesAFiniteUnitNormal)
{
    Random random(3);
    std::vector<ColliderShape> shapes{Shape::Sphere{1},
                                      Shape::Capsule{0.5, 0},
                                      Shape::Capsule{0.5, 2},
                                      Shape::Capsule{1e-3, 20},
                                      Shape::Box{Vec3::Constant(2)},
                                      Shape::Box{Vec3(2, 2, 0.0002)},
                                      Shape::Cylinder{1, 2},
                                      Shape::Cylinder{1, 0.0002},
                                      prism(6, 1, 1),
                                      random_hull(random, 20, Vec3::Ones())};
    for (const ColliderShape& a : shapes)
        for (const ColliderShape& b : shapes)
            for (const Transform& X : {Transform{}, at(0, 0, 1e-300), at(0, 0, 1e-17),
                                       at(1e-9, 0, 0), at(0, 0, 2), at(2, 0, 0)}) {
                const auto points = points_of(a, X, b, Transform{}, 0.1);
                for (const auto& p : points) {
                    EXPECT_TRUE(p.normal.allFinite() && p.on_a.allFinite() && p.on_b.allFinite());
                    EXPECT_NEAR(p.normal.norm(), 1, 1e-12);
                    EXPECT_TRUE(std::isfinite(p.gap));
                }
                if (X.p.norm() < 0.1) {
                    EXPECT_FALSE(points.empty())
                        << kind_name(kind(a)) << " in " << kind_name(kind(b));
                }
            }
}

// The same pair a thousand times smaller and larger: gaps scale with it.
TEST(Scale, FromMillimetresToKilometres)
{
    Random random(11);
    const Transform X = turned({1, 2, 3}, 0.7, {0.3, 0.2, 1.9});
    const auto pair_gap = [&](Real s, int i) {
        const Transform Y{X.R, X.p * s};
        const auto p = i == 0   ? points_of(Shape::Box{2 * (s * Vec3(1, 0.5, 0.3))}, Y,
                                            Shape::Box{2 * (s * Vec3::Ones())}, Transform{}, 5 * s)
                       : i == 1 ? points_of(Shape::Cylinder{s * 0.5, 2 * s}, Y,
                                            Shape::Box{2 * (s * Vec3::Ones())}, Transform{}, 5 * s)
                       : i == 2 ? points_of(Shape::Capsule{s * 0.1, 2 * s}, Y,
                                            Shape::Cylinder{s, 2 * s}, Transform{}, 5 * s)
                                : points_of(Shape::Cylinder{s * 0.5, 2 * (s * 0.7)}, Y,
                                            Shape::Cylinder{s, 2 * s}, Transform{}, 5 * s);
        return deepest(p).gap / s;
    };
    for (int i = 0; i < 4; ++i)
        for (Real s : {1e-3, 1e3}) EXPECT_NEAR(pair_gap(s, i), pair_gap(1, i), 1e-9) << i;
    // a millimetre ball over a kilometre of ground
    const auto p = points_of(Shape::Sphere{1e-3}, at(300, -200, 1e-3 + 1e-5),
                             Shape::Box{Vec3(1000, 1000, 1000)}, at(0, 0, -500), 1e-4);
    ASSERT_EQ(p.size(), 1u);
    EXPECT_NEAR(p[0].gap, 1e-5, 1e-12);
}

}  // namespace
}  // namespace taut::collision::test
