// Moving surfaces: belts under boxes and balls, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

// A plane whose surface moves at `velocity` in its own axes.
void add_belt(World& world, const Vec3& velocity, Real friction = 0.5,
              const Quat& tilt = Quat::Identity(), Real restitution = 0)
{
    must(world.add_collider(kWorld, {.shape = Shape::plane(),
                                     .pose = {Vec3::Zero(), tilt},
                                     .friction = friction,
                                     .restitution = restitution,
                                     .surface_velocity = velocity}));
}

BodyId add_crate(World& world, Real mass, const Pose& pose, Real friction = 0.5)
{
    return add_box(world, {0.4, 0.4, 0.1}, mass, pose, friction);
}

// Returns by how much energy rose beyond the work fed in [J].
Real run(World& world, Real seconds, const StepSettings& settings)
{
    const auto balance = [&] { return world.energy().total() - world.work().total(); };
    Real lowest = balance(), rise = 0;
    const int steps = static_cast<int>(std::round(seconds / settings.dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        EXPECT_EQ(report.status, StepStatus::Ok) << report.reason;
        EXPECT_TRUE(report.settled) << i;
        rise = std::max(rise, balance() - lowest);
        lowest = std::min(lowest, balance());
    }
    return rise;
}

class Belt : public testing::TestWithParam<std::tuple<Scheme, Real>> {
protected:
    StepSettings settings() const
    {
        StepSettings out;
        out.research.scheme = std::get<0>(GetParam());
        out.dt = std::get<1>(GetParam());
        return out;
    }
};

// A box laid on a belt is accelerated by μg until it travels with the belt, which has slipped by v²/2μg under it. The belt
// feeds in m v²: one half is the box's, the other one is lost to friction.
TEST_P(Belt, AcceleratesABoxByFrictionAndThenCarriesIt)
{
    constexpr Real kMass = 2, kMu = 0.4, kSpeed = 1.5, kTime = 1;
    World world;
    add_belt(world, {kSpeed, 0, 0}, kMu);
    const BodyId box = add_crate(world, kMass, {{0, 0, 0.05}, Quat::Identity()}, kMu);
    const Real rise = run(world, kTime, settings());
    EXPECT_NEAR(world.velocity(box).linear.x(), kSpeed, 1e-6 * kSpeed);
    const Real slip = kSpeed * kTime - world.pose(box).p.x();
    const Real expected = kSpeed * kSpeed / (2 * kMu * kG);
    // the instant at which it sticks falls between two steps: half a step's way
    EXPECT_NEAR(slip, expected, 0.01 * expected + 0.5 * kSpeed * settings().dt);
    EXPECT_NEAR(world.pose(box).p.z(), 0.05, 1e-6);
    // bdf2 weights powers by 2/3 and 1/3: where a force ends, a sixth of a step of it is booked too little
    const Real fed = kMass * kSpeed * kSpeed, force = kMu * kMass * kG;
    const Real booking = 1.01 * force * kSpeed * settings().dt / 6 + 1e-6 * fed;
    EXPECT_NEAR(world.work().prescribed, fed, booking);
    EXPECT_EQ(world.work().motors, 0);
    EXPECT_LE(rise, booking);
    const Dissipation d = world.dissipation();
    EXPECT_NEAR(d.total(), fed / 2, booking);
    EXPECT_NEAR(d.numerical, 0, 3 * booking);  // backward Euler: m (μgh)²/2 a step
}

// A ball laid on a belt slides until it rolls, at 2/7 of the belt's speed.
TEST_P(Belt, RollsABallAtTwoSeventhsOfItsSpeed)
{
    constexpr Real kRadius = 0.1, kSpeed = 2;
    World world;
    add_belt(world, {0.6 * kSpeed, 0.8 * kSpeed, 0}, 0.4);
    const BodyId ball = add_ball(world, kRadius, 3, {0, 0, kRadius}, Vec3::Zero(), 0.4);
    run(world, 1, settings());
    const Twist u = world.velocity(ball);
    EXPECT_NEAR(u.linear.x(), 0.6 * kSpeed * 2 / 7, 1e-6);
    EXPECT_NEAR(u.linear.y(), 0.8 * kSpeed * 2 / 7, 1e-6);
    // backwards: its lowest point moves with the belt
    EXPECT_NEAR(u.angular.y() * kRadius, -0.6 * kSpeed * 5 / 7, 1e-6);
    EXPECT_NEAR(u.angular.x() * kRadius, 0.8 * kSpeed * 5 / 7, 1e-6);
}

// An inclined belt that runs uphill carries a box where tan a < μ, and where it is steeper the box slides down as on any slope.
TEST_P(Belt, CarriesABoxUphillBelowTheFrictionAngle)
{
    constexpr Real kSpeed = 0.5, kTime = 1, kMu = 0.5;
    for (const Real angle : {0.3, 0.45, 0.48, 0.7}) {
        World world;
        const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));  // x points downhill
        add_belt(world, {-kSpeed, 0, 0}, kMu, tilt);
        const BodyId box = add_crate(world, 3, {tilt * Vec3(0, 0, 0.05), tilt}, kMu);
        must(world.set_velocity(box, {tilt * Vec3(-kSpeed, 0, 0), Vec3::Zero()}));
        run(world, kTime, settings());
        const Real speed = world.velocity(box).linear.dot(tilt * Vec3::UnitX());
        const Real pull = kG * (std::sin(angle) - kMu * std::cos(angle));
        const Real expected = -kSpeed + std::max(pull, Real(0)) * kTime;
        EXPECT_NEAR(speed, expected, 1e-6 + 0.01 * std::max(pull, Real(0))) << angle;
    }
}

INSTANTIATE_TEST_SUITE_P(Steps, Belt,
                         testing::Combine(testing::Values(Scheme::Automatic, Scheme::Bdf2,
                                                          Scheme::BackwardEuler),
                                          testing::Values(1e-3, 1.0 / 240, 1.0 / 60, 1.0 / 30)));

// The velocity is in the axes of the shape and moves with its body: a turned belt on a free cart pushes the cart back.
TEST(MovingSurface, OnAFreeCartKeepsMomentum)
{
    constexpr Real kSpeed = 1, kCart = 4, kBox = 1;
    const Quat turned(Eigen::AngleAxisd(0.7, Vec3::UnitZ()));
    World world;
    add_floor(world, 0);
    const BodyId cart =
        add_box(world, {6, 6, 0.2}, kCart, {{0, 0, 0.1}, turned}, 0);  // glides on the floor
    const Quat in_cart(Eigen::AngleAxisd(-0.4, Vec3::UnitZ()));
    must(world.add_collider(cart, {.shape = Shape::box({4, 4, 0.1}),
                                   .pose = {{0, 0, 0.15}, in_cart},
                                   .surface_velocity = {kSpeed, 0, 0}}));
    const BodyId box =
        add_crate(world, kBox, {{0, 0, 0.25}, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ()))});
    run(world, 1, {.dt = 1.0 / 240});
    const Vec3 along(std::cos(0.3), std::sin(0.3), 0);
    const Vec3 v = world.velocity(box).linear, back = world.velocity(cart).linear;
    // with more than four contacts in motion the step takes convex steps, which leave a thousandth
    EXPECT_LE((kBox * v + kCart * back).norm(), 1e-3 * kBox * kSpeed);
    EXPECT_NEAR((v - back).dot(along), kSpeed, 1e-3 * kSpeed);
    EXPECT_LE((v - v.dot(along) * along).norm(), 1e-3 * kSpeed);
}

// A ball that drops on a belt gets the friction of the impact as well: μ(1 + e)v across it, as long as it slips.
TEST(MovingSurface, DrivesWhatBouncesOnIt)
{
    constexpr Real kRadius = 0.1, kMu = 0.1, kBounce = 0.5, kHeight = 0.5, kMass = 2;
    World world;
    add_belt(world, {3, 0, 0}, kMu, Quat::Identity(), kBounce);
    const BodyId ball =
        add_ball(world, kRadius, kMass, {0, 0, kRadius + kHeight}, Vec3::Zero(), kMu);
    const Real speed = std::sqrt(2 * kG * kHeight);
    run(world, speed / kG + 0.1, {.dt = 1.0 / 240});
    const Real kick = kMu * (1 + kBounce) * speed;
    EXPECT_NEAR(world.velocity(ball).linear.x(), kick, 1e-3 * kick);
    EXPECT_NEAR(world.velocity(ball).angular.y() * kRadius, -2.5 * kick, 3e-3 * kick);
    EXPECT_NEAR(world.work().prescribed, kMass * kick * 3, 1e-2 * kMass * kick * 3);
}

// Held by a wall, a box is still, but the belt under it runs on: it does not fall asleep, and friction loses what the belt does.
TEST(MovingSurface, KeepsWhatItSlipsUnderAwake)
{
    constexpr Real kMass = 2, kMu = 0.4, kSpeed = 0.8;
    for (const Real speed : {kSpeed, Real(0)}) {
        World world;
        add_belt(world, {speed, 0, 0}, kMu);
        must(world.add_collider(kWorld, {.shape = Shape::box({0.2, 2, 1}),
                                         .pose = {{0.5, 0, 0.5}, Quat::Identity()},
                                         .friction = 0}));
        const BodyId box = add_crate(world, kMass, {{0.2, 0, 0.05}, Quat::Identity()}, kMu);
        const StepSettings settings{.dt = 1.0 / 60, .sleep = true};
        run(world, 2, settings);
        EXPECT_EQ(world.asleep(box), speed == 0);
        const Real before = world.dissipation().friction, fed = world.work().prescribed;
        run(world, 1, settings);
        EXPECT_NEAR(world.pose(box).p.x(), 0.2, 1e-6);
        const Real power = kMu * kMass * kG * speed;
        EXPECT_NEAR(world.dissipation().friction - before, power, 1e-3 * power + 1e-9);
        EXPECT_NEAR(world.work().prescribed - fed, power, 1e-3 * power + 1e-9);
    }
}

// A cylinder between two belts that run against each other turns in place: ω = v/r.
TEST(MovingSurface, TurnsACylinderBetweenTwoBelts)
{
    constexpr Real kRadius = 0.1, kSpeed = 0.5;
    World world;
    add_belt(world, {kSpeed, 0, 0});
    BodyDef def;
    def.mass = 1;
    def.inertia = Vec3(0.0058, 0.0058, 0.005).asDiagonal();
    def.pose = {{0, 0, kRadius}, Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitX()))};
    const BodyId roll = must(world.add_body(def));
    must(world.add_collider(roll, {.shape = Shape::cylinder(kRadius, 0.2)}));
    // a plate on top, which only moves up and down, with a belt on its lower side
    const BodyId plate =
        add_box(world, {2, 2, 0.1}, 5, {{0, 0, 2 * kRadius + 0.15}, Quat::Identity()});
    must(world.add_collider(plate, {.shape = Shape::box({2, 2, 0.1}),
                                    .pose = {{0, 0, -0.1}, Quat::Identity()},
                                    .surface_velocity = {-kSpeed, 0, 0}}));
    must(world.add_joint(prismatic(kWorld, plate, {0, 0, 2 * kRadius + 0.15}, Vec3::UnitZ())));
    run(world, 2, {.dt = 1.0 / 60});
    EXPECT_NEAR(world.velocity(roll).angular.y() * kRadius, -kSpeed, 1e-5);
    EXPECT_NEAR(world.velocity(roll).linear.norm(), 0, 1e-5);
}

}  // namespace
}  // namespace taut::test
