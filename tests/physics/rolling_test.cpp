// Rolling, sliding and spinning bodies against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

void run(World& world, Real seconds, const StepSettings& settings)
{
    const int steps = static_cast<int>(std::round(seconds / settings.dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
        ASSERT_TRUE(report.settled) << i;
    }
}

BodyId add_cylinder(World& world, Real radius, Real length, const Pose& pose, const Twist& velocity,
                    Real friction)
{
    BodyDef def;
    const Real across = radius * radius / 4 + length * length / 12;
    def.inertia = Vec3(across, across, radius * radius / 2).asDiagonal();
    def.mass = 1;
    def.pose = pose;
    def.velocity = velocity;
    const BodyId body = must(world.add_body(def));
    must(
        world.add_collider(body, {.shape = Shape::cylinder(radius, length), .friction = friction}));
    return body;
}

const Quat kLying(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()));  // the axis of a cylinder along y

// A plate on the floor is pushed by F, with n balls at rest on it. It slides, they roll on it: a ball that rolls drags by 2/7 of its
// mass, so that
//     (M + 2n m/7) a = F − μ (M + n m) g,     each ball: 2a/7, whatever its place and whatever the direction of the push
class PushedPlate : public testing::TestWithParam<std::tuple<Real, Real>> {};
TEST_P(PushedPlate, RollsTwentyFiveBallsByTheClosedForm)
{
    const auto [direction, dt] = GetParam();
    // convex steps leave a part of the change of an impulse: 3e-7 m/s of 1.5 measured
    constexpr Real kAllowed = 1e-6;
    constexpr Real kPlate = 10, kBall = 1, kPush = 150, kRadius = 0.5, kMu = 0.4;
    const Vec3 along(std::cos(direction), std::sin(direction), 0);
    for (const Real sign : {1.0, -1.0}) {
        World world;
        add_floor(world, kMu);
        const BodyId plate =
            add_box(world, {20, 20, 0.1}, kPlate, {{0, 0, 0.05}, Quat::Identity()}, kMu);
        std::vector<BodyId> balls;
        // √(1.6 · 0.4): 0.8 between ball and plate
        for (int i = 0; i < 25; ++i)
            balls.push_back(add_ball(world, kRadius, kBall,
                                     {2.0 * (i % 5 - 2), 2.0 * (i / 5 - 2), 0.1 + kRadius},
                                     Vec3::Zero(), 1.6));
        must(world.set_wrench(plate, {sign * kPush * along, Vec3::Zero()}));
        constexpr Real kTime = 2;
        run(world, kTime, {.dt = dt});
        const Real a = (kPush - kMu * (kPlate + 25 * kBall) * kG) / (kPlate + 25 * kBall * 2 / 7);
        const Vec3 speed = sign * a * kTime * along;
        EXPECT_LE((world.velocity(plate).linear - speed).norm(), kAllowed) << dt;
        for (const BodyId ball : balls) {
            const Twist u = world.velocity(ball);
            EXPECT_LE((u.linear - 2.0 / 7 * speed).norm(), kAllowed);
            EXPECT_LE((u.angular * kRadius + 5.0 / 7 * Vec3::UnitZ().cross(speed)).norm(),
                      kAllowed);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Directions, PushedPlate,
                         testing::Combine(testing::Values(0.0, M_PI / 4, 1.1),
                                          testing::Values(1.0 / 60, 1.0 / 240)));

// Without a push from outside, a ball that slides and spins about the vertical goes straight on and keeps that spin.
TEST(Rolling, SpinAboutTheNormalDoesNotTurnASlidingBall)
{
    constexpr Real kRadius = 0.1, kSpin = 40;
    World world;
    add_floor(world, 0.3);
    const BodyId ball = add_ball(world, kRadius, 1, {0, 0, kRadius}, {2, 0, 0}, 0.3);
    must(world.set_velocity(ball, {{2, 0, 0}, {0, 0, kSpin}}));
    run(world, 1, {.dt = 1.0 / 60});
    const Twist u = world.velocity(ball);
    EXPECT_NEAR(u.linear.x(), 2 * 5.0 / 7, 1e-8);
    EXPECT_NEAR(world.pose(ball).p.y(), 0, 1e-10);
    EXPECT_NEAR(u.linear.y(), 0, 1e-10);
    EXPECT_NEAR(u.angular.z(), kSpin, 1e-8);
}

// Torsional friction stops a ball that spins in place: dω/dt = −ρ g/(2r²/5).
TEST(Rolling, SpinningFrictionStopsATopAtTheRateOfItsTorque)
{
    constexpr Real kRadius = 0.1, kRho = 0.004, kSpin = 10;
    World world;
    const auto surface = [&](const Shape& shape) {
        return ColliderDef{.shape = shape, .friction = 0.5, .spinning_friction = kRho};
    };
    must(world.add_collider(kWorld, surface(Shape::plane())));
    BodyDef def;
    def.mass = 3;
    def.inertia = Mat3::Identity() * (0.4 * 3 * kRadius * kRadius);
    def.pose.p = {0, 0, kRadius};
    def.velocity.angular = {0, 0, kSpin};
    const BodyId ball = must(world.add_body(def));
    must(world.add_collider(ball, surface(Shape::sphere(kRadius))));
    const Real slowing = kRho * kG / (0.4 * kRadius * kRadius);
    const StepSettings settings{.dt = 1.0 / 60};
    run(world, 0.5, settings);
    EXPECT_NEAR(world.velocity(ball).angular.z(), kSpin - slowing * 0.5, 1e-6);
    run(world, 1, settings);
    EXPECT_NEAR(world.velocity(ball).angular.norm(), 0, 1e-8);
    EXPECT_NEAR((world.pose(ball).p - def.pose.p).norm(), 0, 1e-6);
}

// A square plate spins on its four corners, however they share its weight: torque μ m g d with d half of its diagonal, I = m d²/3·…
//     dω/dt = −μ g d/((a² + a²)/12) = −6 μ g/(√2 a)
TEST(Rolling, ASpinningSquareSlowsDownByTheFrictionOfItsCorners)
{
    constexpr Real kEdge = 0.4, kMu = 0.5, kSpin = 20;
    for (const Real dt : {1.0 / 240, 1.0 / 60}) {
        World world;
        add_floor(world, kMu);
        const BodyId box =
            add_box(world, {kEdge, kEdge, 0.1}, 2, {{0, 0, 0.05}, Quat::Identity()}, kMu);
        must(world.set_velocity(box, {Vec3::Zero(), {0, 0, kSpin}}));
        const Real slowing = 6 * kMu * kG / (std::sqrt(2) * kEdge);
        const Real time = 0.2;
        run(world, time, {.dt = dt});
        // friction opposes the slip at the end of each step: across the way of a corner by ωh/2, and
        // that part is lost
        EXPECT_NEAR(world.velocity(box).angular.z(), kSpin - slowing * time, 0.02 * slowing * time);
        run(world, 1, {.dt = dt});
        EXPECT_LE(world.velocity(box).angular.norm(), 1e-7);
        EXPECT_LE(world.pose(box).p.head<2>().norm(), 1e-3);
    }
}

// Set down with backspin of more than a radian a step, a cylinder slides until it rolls: v = (2 v₀ + r ω₀)/3.
class SpunCylinder : public testing::TestWithParam<Real> {};
TEST_P(SpunCylinder, ComesToRollAtTheSpeedOfItsMomentum)
{
    constexpr Real kRadius = 0.1, kMu = 0.5;
    for (const Real spin : {100.0, -100.0}) {
        World world;
        add_floor(world, kMu);
        const Vec3 start(2, 0, 0);
        const BodyId roll = add_cylinder(world, kRadius, 0.2, {{0, 0, kRadius}, kLying},
                                         {start, {0, spin, 0}}, kMu);
        run(world, 2, {.dt = GetParam()});
        const Real speed = (2 * start.x() + kRadius * spin) / 3;
        const Twist u = world.velocity(roll);
        EXPECT_NEAR(u.linear.x(), speed, 1e-6);
        EXPECT_NEAR(u.angular.y() * kRadius, speed, 1e-6);
        EXPECT_NEAR(world.pose(roll).p.z(), kRadius, 1e-6);
        EXPECT_NEAR(world.pose(roll).p.y(), 0, 1e-6);
    }
}
INSTANTIATE_TEST_SUITE_P(Steps, SpunCylinder, testing::Values(1e-3, 1.0 / 240, 1.0 / 60, 1.0 / 30));

// Down a slope a ball takes 5/7 and a cylinder 2/3 of g sin a, as long as they roll.
TEST(Rolling, BallAndCylinderRollDownASlope)
{
    constexpr Real kAngle = 0.3, kTime = 1, kRadius = 0.1;
    const Quat tilt(Eigen::AngleAxisd(kAngle, Vec3::UnitY()));
    World world;
    add_floor(world, 0.8, tilt);
    const BodyId ball = add_ball(world, kRadius, 2, tilt * Vec3(0, 1, kRadius), Vec3::Zero(), 0.8);
    const BodyId roll =
        add_cylinder(world, kRadius, 0.3, {tilt * Vec3(0, -1, kRadius), tilt * kLying}, {}, 0.8);
    run(world, kTime, {.dt = 1.0 / 60});
    const Vec3 down = tilt * Vec3::UnitX();
    const Real pull = kG * std::sin(kAngle) * kTime;
    EXPECT_NEAR(world.velocity(ball).linear.dot(down), pull * 5 / 7, 1e-8);
    EXPECT_NEAR(world.velocity(roll).linear.dot(down), pull * 2 / 3, 1e-8);
}

}  // namespace
}  // namespace taut::test
