// The monitor on runs with known results.
#include "record/run_monitor.h"

#include <gtest/gtest.h>

#include <cmath>

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
    const RunSummary s = watch(world, {.dt = 0.01, .scheme = Scheme::BackwardEuler}, 100);
    EXPECT_EQ(s.status, RunStatus::Ok);
    EXPECT_EQ(s.steps, 100u);
    EXPECT_NEAR(s.simulated_seconds, 1, 1e-12);
    EXPECT_NEAR(s.kinetic_max, 9.81 * 9.81, 1e-9);
    EXPECT_EQ(s.energy_start, 0);
    EXPECT_NEAR(s.energy_kept, 1, 1e-12);
    EXPECT_EQ(s.state_hash.size(), 16u);
    EXPECT_EQ(s.scheme, "backward_euler");
    EXPECT_EQ(s.stabilisation, "tension");
}

// With β < ½ a free fall lags behind the parabola by g h t (½ − β), at the right speed: a spurious energy gain.
TEST(RunMonitor, DetectsSpuriousEnergy)
{
    World world = falling_stone();
    const StepSettings settings{.dt = 0.01, .scheme = Scheme::AlphaBeta, .alpha = 1, .beta = 0.25};
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
