// The monitor on runs with known results.
#include "record/run_monitor.h"

#include <gtest/gtest.h>

#include <cmath>

#include <taut/joints.h>

namespace taut::test {
namespace {

World falling_stone()
{
    World world;
    BodyDef stone;
    stone.name = "stone";
    stone.mass = 2;
    EXPECT_TRUE(world.add_body(stone).ok());
    return world;
}

RunSummary watch(World& world, const StepSettings& settings, int steps)
{
    RunMonitor monitor(world, settings, static_cast<std::uint64_t>(steps));
    for (int i = 0; i < steps; ++i) monitor.observe(world, world.step(settings));
    return monitor.summary(world);
}

// Backward Euler in free fall: v = −g t exactly, so the kinetic energy is largest at the end.
TEST(RunMonitor, MeasuresTheEnergyOfAFreeFall)
{
    World world = falling_stone();
    const RunSummary s =
        watch(world, {.dt = 0.01, .research = {.scheme = Scheme::BackwardEuler}}, 100);
    EXPECT_EQ(s.status, RunStatus::Ok);
    EXPECT_EQ(s.steps, 100u);
    EXPECT_NEAR(s.simulated_seconds, 1, 1e-12);
    EXPECT_NEAR(s.kinetic_max, 9.81 * 9.81, 1e-9);
    EXPECT_EQ(s.energy_start, 0);
    EXPECT_NEAR(s.energy_kept, 1, 1e-12);
    EXPECT_EQ(s.state_hash.size(), 16u);
    EXPECT_EQ(s.settings.research.scheme, Scheme::BackwardEuler);
    EXPECT_EQ(s.settings.research.stabilisation, Stabilisation::Tension);
}

// With β < ½ a free fall lags behind the parabola by g h t (½ − β), at the right speed: a spurious energy gain.
TEST(RunMonitor, DetectsSpuriousEnergy)
{
    World world = falling_stone();
    const StepSettings settings{
        .dt = 0.01, .research = {.scheme = Scheme::AlphaBeta, .alpha = 1, .beta = 0.25}};
    const RunSummary s = watch(world, settings, 100);
    ASSERT_EQ(s.status, RunStatus::Ok) << s.reason;
    const Real gain = 2 * 9.81 * (9.81 * 0.01 * 1 * 0.25);
    EXPECT_NEAR(s.energy_rise_max_relative, gain / s.kinetic_max, 1e-9);
    EXPECT_NEAR(s.dissipation.numerical, -gain, 1e-9);
    EXPECT_NEAR(s.numerical_dissipation_relative, -gain / s.kinetic_max, 1e-9);
}

// The verdict goes by what the scheme took of the energy throughput: that is more than there ever was at a time where
// friction takes away what was fed in.
TEST(RunMonitor, TheVerdictNamesLossesAndGainsOfTheScheme)
{
    RunSummary s;
    EXPECT_EQ(verdict_name(s), "ok");
    s.numerical_dissipation_relative = 0.06;
    EXPECT_EQ(verdict_name(s), "energy_lost");
    s.numerical_dissipation_relative = -0.06;
    EXPECT_EQ(verdict_name(s), "energy_gained");
    s.status = RunStatus::Diverged;
    EXPECT_EQ(verdict_name(s), "diverged");
}

// A rod on a hinge at 20 rad/s, which bdf2 brakes at 1/60 s, and a free flywheel of 100 kg that nothing brakes: apart from each
// other they are two islands.
World rotor_beside_a_flywheel()
{
    World world;
    EXPECT_TRUE(world.set_gravity(Vec3::Zero()).ok());
    BodyDef rod;
    rod.name = "rod";
    rod.mass = 1;
    rod.inertia = Vec3(0.02, 0.02, 0.02).asDiagonal();
    rod.pose.p = Vec3(0.5, 0, 0);
    rod.velocity.linear = Vec3(0, 10, 0);
    rod.velocity.angular = Vec3(0, 0, 20);
    const BodyId id = *world.add_body(rod);
    EXPECT_TRUE(world.add_joint(hinge(kWorld, id, Vec3::Zero(), Vec3::UnitZ())).ok());
    BodyDef wheel;
    wheel.name = "flywheel";
    wheel.mass = 100;
    wheel.inertia = Vec3(10, 10, 20).asDiagonal();
    wheel.pose.p = Vec3(0, 0, 5);
    wheel.velocity.angular = Vec3(0, 0, 30);
    EXPECT_TRUE(world.add_body(wheel).ok());
    return world;
}

TEST(RunMonitor, ABrakedRotorShowsBesideAHeavyFlywheel)
{
    for (const Scheme scheme : {Scheme::Bdf2, Scheme::BackwardEuler}) {
        World world = rotor_beside_a_flywheel();
        const RunSummary s = watch(world, {.dt = 1.0 / 60, .research = {.scheme = scheme}}, 300);
        const BodyId rod = *world.find_body("rod");
        const Real before = (10.0 * 10 + 0.02 * 20 * 20) / 2;
        const Real lost = 1 - world.kinetic_energy(rod) / before;
        EXPECT_GT(lost, 0.2);
        EXPECT_NEAR(s.numerical_dissipation_relative, lost, 1e-6);
        EXPECT_EQ(s.numerical_dissipation_body, "rod");
        EXPECT_EQ(verdict_name(s), "energy_lost");
        // of the whole world it is less than the limit
        EXPECT_LT(s.dissipation.numerical / s.energy_throughput, kMostNumericalDissipation);
    }
    World world = rotor_beside_a_flywheel();
    EXPECT_EQ(verdict_name(watch(world, {.dt = 1.0 / 60}, 300)), "ok");
}

// 80 steps at 0.01 s of a pendulum that turns fast, and a stone that falls beside it. In the middle some of them in a row are
// allowed one solve each, which does not settle the pendulum: always less than half of all.
RunSummary watch_hurried_pendulum(int hurried)
{
    World world = falling_stone();
    BodyDef bob;
    bob.name = "bob";
    bob.inertia = Mat3::Identity() * 1e-3;
    bob.pose.p = Vec3(1, 0, 0);
    bob.velocity = {Vec3(0, 20, 0), Vec3(0, 0, 20)};
    const BodyId id = *world.add_body(bob);
    EXPECT_TRUE(world.add_joint(ball(kWorld, id, Vec3::Zero())).ok());
    RunMonitor monitor(world, {.dt = 0.01}, 80);
    for (int i = 0; i < 80; ++i)
        monitor.observe(world, world.step({.dt = 0.01,
                                           .max_solves = i >= 40 && i < 40 + hurried ? 1 : 0,
                                           .tolerance = 1e-9,
                                           .research = {.scheme = Scheme::Bdf2}}));
    return monitor.summary(world);
}

TEST(RunMonitor, AStretchOfUnsettledStepsIsUnsettled)
{
    const RunSummary few = watch_hurried_pendulum(kUnsettled.fewest_steps - 1);
    EXPECT_GT(few.unsettled_steps, 0u);
    EXPECT_EQ(few.status, RunStatus::Ok) << few.reason;
    const RunSummary many = watch_hurried_pendulum(2 * kUnsettled.steps);
    EXPECT_LT(2 * many.unsettled_steps, many.steps);
    EXPECT_GE(many.unsettled_stretch, static_cast<std::uint64_t>(kUnsettled.steps));
    EXPECT_EQ(many.status, RunStatus::Unsettled);
    EXPECT_NE(many.reason.find("'bob'"), std::string::npos) << many.reason;
}

// One solve without geometric stiffness does not hold a pendulum together at a tenth of its period.
TEST(RunMonitor, JointsThatComeOpenAreUnsettled)
{
    World world;
    BodyDef bob;
    bob.mass = 1;
    bob.inertia = Mat3::Identity() * 1e-3;
    bob.pose.p = Vec3(1, 0, 0);
    const BodyId id = *world.add_body(bob);
    ASSERT_TRUE(world.add_joint(ball(kWorld, id, Vec3::Zero())).ok());
    const StepSettings settings{
        .dt = 0.15,
        .research = {.scheme = Scheme::BackwardEuler, .stabilisation = Stabilisation::None}};
    RunMonitor monitor(world, settings, 40);
    for (int i = 0; i < 40; ++i) {
        monitor.observe(world, world.step(settings));
        if (monitor.summary(world).joint_gap_max_relative > kUnsettled.gap) break;
    }
    const RunSummary s = monitor.summary(world);
    ASSERT_GT(s.joint_gap_max_relative, kUnsettled.gap);
    EXPECT_EQ(s.status, RunStatus::Unsettled);
    EXPECT_LT(2 * s.unsettled_steps, s.steps);
    EXPECT_NE(s.reason.find("tenth"), std::string::npos) << s.reason;
}

TEST(RunMonitor, WorkOfLoadsIsNotARise)
{
    World world;
    ASSERT_TRUE(world.set_gravity(Vec3::Zero()).ok());
    BodyDef cart;
    cart.name = "cart";
    const BodyId id = *world.add_body(cart);
    LoadDef push;
    push.body = id;
    push.force = Vec3(3, 0, 0);
    ASSERT_TRUE(world.add_load(push).ok());
    const RunSummary s = watch(world, {.dt = 0.01}, 100);
    // ½ m v² with v = F t / m
    EXPECT_NEAR(s.kinetic_max, 4.5, 1e-9);
    EXPECT_GE(s.work_end, s.energy_end - 1e-9);
    EXPECT_EQ(s.energy_rise_max_relative, 0);
}

TEST(RunMonitor, ReportsRefusedSettings)
{
    World world = falling_stone();
    const RunSummary s = watch(world, {.dt = -1}, 3);
    EXPECT_EQ(s.status, RunStatus::Refused);
    EXPECT_FALSE(s.reason.empty());
    EXPECT_EQ(s.steps, 0u);
}

TEST(RunMonitor, EnergyKeptIsUndefinedBeforeTheLastTenth)
{
    World world = falling_stone();
    const StepSettings settings{.dt = 0.01};
    RunMonitor monitor(world, settings, 100);
    for (int i = 0; i < 50; ++i) monitor.observe(world, world.step(settings));
    EXPECT_TRUE(std::isnan(monitor.summary(world).energy_kept));
}

}  // namespace
}  // namespace taut::test
