// Tunnelling of bodies through each other within a step.
#include "collision/tunnelling.h"

#include <gtest/gtest.h>

#include <cmath>

namespace taut::collision {
namespace {

Collider box(const Vec3& size)
{
    Collider out;
    out.shape = Shape::Box{size};
    return out;
}

const Collider kSheet = box({4, 4, 0.002}), kPlate = box({0.3, 0.2, 0.002});
constexpr Real kBoth = 0.002;
const BodyWay kStill{};

BodyWay way(const Vec3& from, const Vec3& to, const Vec3& turn, const Quat& q = Quat::Identity())
{
    const Real angle = turn.norm();
    const Quat last = angle > 0 ? Quat(Eigen::AngleAxis<Real>(angle, turn / angle)) * q : q;
    return way_between({from, q}, {to, last}, turn, 1);
}

bool passes(const Collider& a, const BodyWay& of_a, const Collider& b, const BodyWay& of_b = kStill)
{
    const bool one = pass_through({&a, &of_a, 0.2}, {&b, &of_b, 3}, kBoth);
    EXPECT_EQ(one, pass_through({&b, &of_b, 3}, {&a, &of_a, 0.2}, kBoth));
    return one;
}

TEST(Tunnelling, ABodyThatEndsOnTheOtherSideHasPassed)
{
    for (const Vec3& turn : {Vec3(0, 0, 0), Vec3(2.5, 0, 0), Vec3(0.3, -7, 1), Vec3(0, 0, 40)}) {
        EXPECT_TRUE(passes(kPlate, way({0, 0, 0.3}, {0.5, 0, -0.4}, turn), kSheet)) << turn;
        EXPECT_FALSE(passes(kPlate, way({0, 0, 0.5}, {0.5, 0, 0.3}, turn), kSheet)) << turn;
    }
}

TEST(Tunnelling, ABodyThatGoesAroundAnEdgeHasNot)
{
    // above the sheet, past its edge at x = 2, and below it far outside
    EXPECT_FALSE(passes(kPlate, way({1, 0, 0.5}, {5, 0, -0.3}, {0, 0, 0}), kSheet));
    EXPECT_TRUE(passes(kPlate, way({-3, 0, 0.5}, {3, 0, -0.5}, {0, 0, 0}), kSheet));
}

TEST(Tunnelling, ASheetThatTurnsOverWithWhatLiesOnItIsNotPassed)
{
    const BodyWay over = way({0, 0, 0}, {0, 0, 0}, {M_PI, 0, 0});
    // half a turn about the x axis: as a chord the way of the plate leads through the sheet, which a step of half a turn is taken for
    EXPECT_FALSE(passes(kPlate, way({0, 0, 0.01}, {0, 0, -0.01}, {M_PI, 0, 0}), kSheet, over));
    EXPECT_TRUE(passes(kPlate, way({0, 0, 0.3}, {0, 0, 0.3}, {0, 0, 0}), kSheet, over));
}

TEST(Tunnelling, WholeTurnsAreCounted)
{
    const Vec3 w(0, 15, 0);
    const Quat q(Eigen::AngleAxis<Real>(15, Vec3::UnitY()));
    EXPECT_LT((way_between({}, {Vec3::Zero(), q}, w, 1).turn - w).norm(), 1e-12);
    EXPECT_LT((way_between({}, {Vec3::Zero(), q}, -w, 1).turn - Vec3(0, 15 - 10 * M_PI, 0)).norm(),
              1e-12);
    EXPECT_EQ(way_between({}, {}, Vec3::Zero(), 1).turn, Vec3::Zero());
}

}  // namespace
}  // namespace taut::collision
