// One-sided rows, caps and joints that break, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;
constexpr StepSettings kStep{.dt = 1.0 / 60};

// Steps and watches that nothing is gained, over the largest kinetic energy seen.
struct Watched {
    Real rise = 0;
    int unsettled = 0;
};
Watched run(World& world, Real seconds, const StepSettings& settings = kStep)
{
    Watched out;
    const Real start = world.energy().total() - world.work().total();
    Real most = 1e-12;
    for (int i = 0; i < static_cast<int>(std::round(seconds / settings.dt)); ++i) {
        const StepReport report = world.step(settings);
        EXPECT_EQ(report.status, StepStatus::Ok) << report.reason;
        if (!report.settled) ++out.unsettled;
        most = std::max(most, world.energy().kinetic());
        out.rise = std::max(out.rise, world.energy().total() - world.work().total() - start);
    }
    out.rise /= most;
    return out;
}

BodyDef block(Real mass, const Vec3& p)
{
    BodyDef def;
    def.mass = mass;
    def.inertia = Mat3::Identity() * (mass / 600);  // a cube of 0.1 m
    def.pose.p = p;
    return def;
}

TEST(Rope, FallsFreelyWhileSlackAndHangsByItsWeight)
{
    World world;
    const BodyId load = must(world.add_body(block(5, {0, 0, -0.2})));
    const JointId line = must(world.add_joint(rope(kWorld, load, {0, 0, 0}, {0, 0, -0.2}, 1)));
    for (int i = 0; i < 20; ++i) world.step(kStep);
    const Real t = world.time();
    EXPECT_NEAR(world.centre_of_mass(load).z(), -0.2 - kG * t * t / 2, 0.02);
    EXPECT_FALSE(world.joint(line).loaded);
    const Watched seen = run(world, 3);
    EXPECT_LE(seen.rise, 1e-3);
    EXPECT_EQ(seen.unsettled, 0);
    EXPECT_NEAR(world.centre_of_mass(load).z(), -1, 1e-6);
    EXPECT_TRUE(world.joint(line).loaded);
    EXPECT_NEAR(world.multipliers(line)[0], 5 * kG, 1e-6 * 5 * kG);
}

// Thrown upwards on its rope, the load leaves the circle where the tension would turn negative.
TEST(Rope, GoesSlackOnTheWayUp)
{
    World world;
    BodyDef def = block(1, {0, 0, -1});
    const Real v0 = std::sqrt(3.5 * kG);  // leaves at cos θ = −1/2
    def.velocity.linear = {v0, 0, 0};
    const BodyId load = must(world.add_body(def));
    const JointId line = must(world.add_joint(rope(kWorld, load, {0, 0, 0}, {0, 0, -1})));
    Real height = -1;
    bool slack = false;
    for (int i = 0; i < 600 && !slack; ++i) {
        world.step({.dt = 1.0 / 600});
        height = world.centre_of_mass(load).z();
        slack = !world.joint(line).loaded;
    }
    EXPECT_TRUE(slack);
    EXPECT_NEAR(height, 0.5, 0.01);
}

class Lever : public testing::TestWithParam<Real> {};

// A weight at the end of a light lever comes down on its stop and stays there.
TEST_P(Lever, IsHeldByItsStop)
{
    const Real ratio = GetParam();
    World world;
    BodyDef lever;
    lever.mass = 1;
    lever.inertia = rod_inertia(1, 1, 0.02);
    lever.pose.p = {0.5, 0, 0};
    const BodyId a = must(world.add_body(lever));
    const BodyId b = must(world.add_body(block(ratio, {1, 0, 0})));
    JointDef pivot = hinge(kWorld, a, {0, 0, 0}, {0, 1, 0});
    must(world.add_joint(pivot));
    must(world.add_joint(weld(a, b, {1, 0, 0})));
    const JointId stop = must(world.add_joint(limits(pivot, -1, 0.3)));
    const Watched seen = run(world, 4);
    EXPECT_LE(seen.rise, 1e-3);
    EXPECT_EQ(seen.unsettled, 0);
    EXPECT_NEAR(world.joint(stop).angle, 0.3, 1e-6);
    const Real torque = (ratio + 0.5) * kG * std::cos(0.3);
    EXPECT_NEAR(world.multipliers(stop)[1], torque, 1e-6 * torque);
    EXPECT_EQ(world.multipliers(stop)[0], 0);
    EXPECT_LE(world.velocity(b).linear.norm(), 1e-6);
}
INSTANTIATE_TEST_SUITE_P(Ratios, Lever, testing::Values(1, 1e3, 1e6),
                         [](const auto& at) { return "ratio" + std::to_string(int(at.param)); });

TEST(Motor, StallsAtItsCap)
{
    World world;
    BodyDef arm;
    arm.mass = 2;
    arm.inertia = rod_inertia(2, 1, 0.02);
    arm.pose.p = {0.5, 0, 0};
    const BodyId a = must(world.add_body(arm));
    const JointDef pivot = hinge(kWorld, a, {0, 0, 0}, {0, -1, 0});  // turns upwards
    must(world.add_joint(pivot));
    JointDef drive = motor(pivot, 1);
    const Real weight = 2 * kG * 0.5;
    drive.max_force = 0.5 * weight;
    const JointId m = must(world.add_joint(drive));
    const Watched seen = run(world, 0.05, {.dt = 1e-3});
    // it gives all it has, and the arm sinks with what is missing
    EXPECT_NEAR(world.multipliers(m)[0], 0.5 * weight, 1e-9 * weight);
    EXPECT_TRUE(world.joint(m).capped);
    const Real inertia = 2 * (1.0 / 3 + 0.02 * 0.02 / 4);
    EXPECT_NEAR(world.joint(m).angle_rate, -0.5 * weight / inertia * 0.05,
                0.02 * weight / inertia * 0.05);
    EXPECT_LE(seen.rise, 1e-2);

    // with enough to spare it runs at its speed
    World strong;
    const BodyId s = must(strong.add_body(arm));
    const JointDef same = hinge(kWorld, s, {0, 0, 0}, {0, -1, 0});
    must(strong.add_joint(same));
    drive = motor(same, 1);
    drive.max_force = 2 * weight;
    const JointId n = must(strong.add_joint(drive));
    run(strong, 1);
    EXPECT_NEAR(strong.joint(n).angle_rate, 1, 1e-6);
    EXPECT_FALSE(strong.joint(n).capped);
}

TEST(Slide, StopsAtItsEnd)
{
    World world;
    const BodyId load = must(world.add_body(block(3, {0, 0, 0})));
    const JointDef rail = prismatic(kWorld, load, {0, 0, 0}, {0, 0, 1});
    must(world.add_joint(rail));
    const JointId ends = must(world.add_joint(limits(rail, -0.7, 0.2)));
    const Watched seen = run(world, 2);
    EXPECT_LE(seen.rise, 1e-3);
    EXPECT_NEAR(world.joint(ends).slide, -0.7, 1e-9);
    EXPECT_NEAR(world.multipliers(ends)[0], 3 * kG, 1e-6);
}

TEST(Breaking, LetsGoAtItsLoadAndForGood)
{
    World world;
    const BodyId load = must(world.add_body(block(10, {0, 0, -1})));
    JointDef hook = ball(kWorld, load, {0, 0, -1});
    hook.break_force = 150;
    const JointId joint = must(world.add_joint(hook));
    run(world, 0.5);
    EXPECT_FALSE(world.joint(joint).broken);
    EXPECT_NEAR(world.joint(joint).force.norm(), 10 * kG, 1e-6);
    must(world.set_wrench(load, {{0, 0, -100}, {0, 0, 0}}));
    world.step(kStep);
    EXPECT_TRUE(world.joint(joint).broken);
    must(world.set_wrench(load, {}));
    const auto image = world.snapshot();
    const Real z = world.centre_of_mass(load).z(), v = world.velocity(load).linear.z();
    for (int i = 0; i < 60; ++i) world.step(kStep);
    EXPECT_NEAR(world.centre_of_mass(load).z(), z + v - kG / 2, 0.1);
    EXPECT_EQ(world.joint(joint).force.norm(), 0);
    EXPECT_EQ(world.joint_gap(), 0);

    const auto hash = world.hash();
    must(world.restore(image));
    EXPECT_TRUE(world.joint(joint).broken);
    for (int i = 0; i < 60; ++i) world.step(kStep);
    EXPECT_EQ(world.hash(), hash);
}

// Ten links that may bend by 10° each: the chain hangs over like a rod of limited bend.
TEST(Limits, HoldInAChainUnderAHeavyLoad)
{
    World world;
    std::vector<JointId> stops;
    BodyId before = kWorld;
    for (int i = 0; i < 10; ++i) {
        BodyDef link;
        link.mass = i == 9 ? 1e4 : 1;
        link.inertia = rod_inertia(link.mass, 0.1, 0.02);
        link.pose.p = {0.1 * i + 0.05, 0, 0};
        const BodyId body = must(world.add_body(link));
        const JointDef joint = hinge(before, body, {0.1 * i, 0, 0}, {0, 1, 0});
        must(world.add_joint(joint));
        stops.push_back(must(world.add_joint(limits(joint, -0.17, 0.17))));
        before = body;
    }
    const Watched seen = run(world, 10);
    EXPECT_LE(seen.rise, 1e-2);
    EXPECT_EQ(seen.unsettled, 0);
    for (const JointId stop : stops) EXPECT_LE(std::abs(world.joint(stop).angle), 0.17 + 1e-5);
    EXPECT_LE(world.joint_gap(), 1e-5);
}

TEST(Laws, ClassicalMethodsRefuseThem)
{
    World world;
    const BodyId load = must(world.add_body(block(5, {0, 0, -0.2})));
    must(world.add_joint(rope(kWorld, load, {0, 0, 0}, {0, 0, -0.2}, 1)));
    EXPECT_EQ(world.step({.research = {.scheme = Scheme::Shake}}).status, StepStatus::Refused);
}

}  // namespace
}  // namespace taut::test
