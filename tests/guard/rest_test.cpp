// Bodies at rest stay there, cheaply, at any step; what nothing drives gains no energy. Short samples of the studies
// resting_scenes and undriven_energy.
#include <gtest/gtest.h>

#include <vector>

#include "contact_scenes.h"
#include "must.h"
#include "resting.h"
#include "study.h"

namespace taut::study {
namespace {

TEST(AtRest, SettlesAtAnyStepWithAHandfulOfSolves)
{
    // planks, ladders near their friction limit, stacks, arches, a chain and beads over a drum
    for (const std::uint64_t seed : {500, 501, 502, 503, 504, 506, 509, 511, 516})
        for (const Real dt : {1e-5, 1e-4, 1e-3, 1.0 / 60, 0.1}) {
            RestingScene scene = resting_scene(seed);
            const RestOutcome seen = watch_rest(scene.world, {.dt = dt}, 600, 150);
            EXPECT_TRUE(seen.rests())
                << scene.story << ", seed " << seed << ", dt " << dt << ": unsettled "
                << seen.unsettled << ", solves " << seen.median_solves << " " << seen.most_solves;
            // below, a ladder at its limit takes more than 150 steps until it repeats itself to the bit
            EXPECT_TRUE(seen.still || dt < 1e-3)
                << scene.story << ", seed " << seed << ", dt " << dt;
            // it stood from the start: what it moves by is the accuracy of the first solves
            EXPECT_LE(seen.moved, RestOutcome::kMostMoved)
                << scene.story << ", seed " << seed << ", dt " << dt;
        }
}

// A force far below the tolerance of the contact solver still moves what friction does not hold.
TEST(AtRest, GivesWayToASmallForceWhereNothingHoldsIt)
{
    World world;
    add_floor(world, 0);
    const BodyId puck = add_solid(world, {.shape = Shape::box({0.2, 0.2, 0.1}), .friction = 0},
                                  {{0, 0, 0.05}, Quat::Identity()}, 2);
    constexpr Real kDt = 1.0 / 100, kPush = 3e-6;  // [s], [m/s²]
    for (int k = 0; k < 100; ++k) (void)world.step({.dt = kDt});
    ASSERT_TRUE(world.set_wrench(puck, {.force = {2 * kPush, 0, 0}}).ok());
    for (int k = 0; k < 100; ++k) (void)world.step({.dt = kDt});
    EXPECT_NEAR(world.velocity(puck).linear.x(), kPush, 0.01 * kPush);
}

// Stored energy appeared in joints that are stiff and damped: these mechanisms gained up to a million times their kinetic energy.
TEST(Undriven, KeepsItsEnergyAndMovesAsItsVelocitiesSay)
{
    std::vector<std::uint64_t> seeds = {900001002, 900001034, 900001363, 900001487, 900001852};
    for (std::uint64_t s = 700; s < 740; ++s) seeds.push_back(s);
    for (const std::uint64_t seed : seeds) {
        RandomScene scene = random_scene(seed);
        if (!is_undriven(scene)) continue;
        const MotionCheck seen = check_motion(scene.world, {.dt = scene.dt}, 20);
        EXPECT_TRUE(seen.finite) << "seed " << seed;
        EXPECT_LE(seen.rise, 0.005) << "seed " << seed << ": " << scene.story;
        EXPECT_EQ(seen.unexplained, 0) << "seed " << seed << ": " << scene.story;
    }
}

}  // namespace
}  // namespace taut::study
