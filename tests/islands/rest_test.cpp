// When an island falls asleep, and what becomes of its energy.
#include "islands/rest.h"

#include <gtest/gtest.h>

#include "islands/island_settings.h"
#include "model/builder.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

using islands::Island;
using islands::IslandParts;
using islands::kRest;

constexpr Real kStep = 0.125;  // [s]: a sum of them is exact

// One particle of 2 kg; all of it is one island.
struct Scene {
    Model model;
    State before = make_state();
    StepRows rows;
    Island island;
    IslandMemory memory;

    explicit Scene(Schedule scale = 1)
    {
        BodyDef def;
        def.kind = BodyKind::Particle;
        def.mass = 2;
        must(add_body(model, before, def));
        LoadDef load;
        load.body = BodyId{0};
        load.force = {1, 0, 0};
        load.scale = scale;
        must(add_load(model, load));
        rows.load_joints(model);
        IslandParts parts;
        parts.bodies = {kGround, BodyIndex(1)};
        parts.loads = {0};
        std::vector<BodyIndex> local(2);
        island.assemble({model, rows}, parts, local);
        island.gather({model, rows}, before, memory);
    }
    // The island after a step that ended with this velocity.
    void end_with(Real v)
    {
        island.state.v[1] = {v, 0, 0};
        islands::update_rest(island, before, kStep, memory);
        before.v[1] = island.state.v[1];
        before.time += kStep;
    }
};

TEST(Rest, AnIslandFallsAsleepAfterTheTimeWithoutMotionAndNotBefore)
{
    Scene scene;
    const int steps = static_cast<int>(kRest.time / kStep);
    for (int k = 1; k < steps; ++k) {
        scene.end_with(0);
        EXPECT_EQ(scene.memory.asleep, 0) << k;
    }
    scene.end_with(0);
    EXPECT_EQ(scene.memory.asleep, 1);
}

TEST(Rest, MotionBeginsTheTimeAnew)
{
    Scene scene;
    scene.end_with(0);
    EXPECT_EQ(scene.memory.still, kStep);
    scene.end_with(2 * kRest.speed * scene.island.rows.size);
    EXPECT_EQ(scene.memory.still, 0);
}

// A pendulum at its turning point: the velocity is zero now, and was not before.
TEST(Rest, WhatIsAcceleratedIsNotAtRest)
{
    Scene scene;
    scene.before.v[1] = {2 * kRest.acceleration * 9.81 * kStep, 0, 0};
    scene.end_with(0);
    EXPECT_EQ(scene.memory.still, 0);
}

TEST(Rest, ALoadThatChangesKeepsAnIslandAwake)
{
    Scene scene(Schedule::through({{0, 1}, {100, 2}}));
    scene.end_with(0);
    EXPECT_EQ(scene.memory.still, 0);
    EXPECT_TRUE(islands::schedules_change(scene.island.model, 0, kStep));
    EXPECT_FALSE(islands::schedules_change(scene.island.model, 101, kStep))
        << "the table has ended";
}

TEST(Rest, KineticEnergyOfAnIslandPutToSleepIsBookedAsNumerical)
{
    Scene scene;
    State& state = scene.before;
    state.v[1] = {3, 0, 0};
    state.division.island_of = {-1, 0};
    state.division.islands.resize(1);
    state.division.islands[0].h = kStep;
    const Real taken = islands::put_to_sleep(scene.model, state, 0);
    EXPECT_EQ(taken, 9) << "½ · 2 kg · (3 m/s)²";
    EXPECT_EQ(state.v[1], Vec3(Vec3::Zero()));
    EXPECT_EQ(state.division.islands[0].asleep, 1);
    EXPECT_EQ(state.division.islands[0].h, 0) << "no past when it wakes";
    EXPECT_EQ(state.division.islands[0].dissipation.numerical, 9);
    EXPECT_EQ(state.last_step.dissipation.numerical, 9);
}

}  // namespace
}  // namespace taut::test
