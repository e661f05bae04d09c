// What is pressed in: it comes out where there is a way, and stays calm where there is none.
#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr StepSettings kStep{.dt = 1.0 / 60};

Real deepest(const World& world)
{
    Real depth = 0;
    for (const ContactReading& c : world.contacts()) depth = std::max(depth, -c.gap);
    return depth;
}

struct Seen {
    int unsettled = 0;
    double solves = 0;
};
Seen run(World& world, int steps, const StepSettings& settings = kStep)
{
    Seen out;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        EXPECT_EQ(report.status, StepStatus::Ok) << report.reason;
        if (!report.settled) ++out.unsettled;
        out.solves += static_cast<double>(report.solves) / steps;
    }
    return out;
}

// Three boxes side by side on a floor, between walls that leave them 4 mm less than they need.
//
//     │▒┌───┐┌───┐┌───┐▒│
//     │▒│ 1 ││ 2 ││ 3 │▒│
World wedged()
{
    World world;
    add_floor(world);
    for (const Real side : {-1, 1})
        must(world.add_collider(kWorld,
                                {.shape = Shape::box({1, 1, 1}),
                                 .pose = {{side * (0.6 - 0.002 + 0.5), 0, 0.5}, Quat::Identity()},
                                 .friction = 0.5}));
    for (const int k : {-1, 0, 1}) add_box(world, 0.4, 10, {0.4 * k, 0, 0.2});
    return world;
}

TEST(Jam, StaysCalmAndSettles)
{
    World world = wedged();
    const Seen seen = run(world, 240);
    EXPECT_EQ(seen.unsettled, 0);
    // asked in vain to come out once in half a second, else one or two
    EXPECT_LE(seen.solves, 10);
    EXPECT_LE(world.energy().kinetic(), 1e-9);
    // two millimetres at the start, and a twentieth of that for 240 steps
    EXPECT_LE(deepest(world), 0.0021);
    for (int b = 0; b < 3; ++b) EXPECT_NEAR(world.pose(BodyId{b}).p.z(), 0.2, 1e-4);
}

// Recovery that has no solution is not tried again where nothing has moved since.
TEST(Jam, DoesNotAskAgainAtRest)
{
    World world = wedged();
    run(world, 120);
    int most = 0;
    for (int k = 0; k < 120; ++k) most = std::max(most, world.step(kStep).solves);
    EXPECT_LE(most, 5);
}

TEST(Jam, GoesOnWithTheSameBitsAfterRestore)
{
    World world = wedged();
    run(world, 10);
    const auto image = world.snapshot();
    run(world, 60);
    const auto once = world.snapshot();
    ASSERT_TRUE(world.restore(image).ok());
    run(world, 60);
    EXPECT_EQ(world.snapshot(), once);
}

TEST(PressedIn, ComesOutWhereThereIsAWay)
{
    World world;
    add_floor(world);
    const BodyId box = add_box(world, 0.4, 10, {0, 0, 0.198});
    const Seen seen = run(world, 240);
    EXPECT_EQ(seen.unsettled, 0);
    EXPECT_LE(seen.solves, 5);  // 4.2; in 64 parts a step it would be 57
    EXPECT_NEAR(world.pose(box).p.z(), 0.2, 2e-5);
    EXPECT_LE(world.velocity(box).linear.norm(), 1e-4);
}

// Few solves a step are no jam: what swings on the box swings on.
TEST(PressedIn, ACapOnSolvesStopsNobody)
{
    World world;
    add_floor(world);
    const BodyId base = add_box(world, {0.6, 0.6, 0.2}, 43, {{0, 0, 0.098}, Quat::Identity()});
    const BodyId arm = add_box(world, {0.05, 0.05, 0.4}, 0.5, {{0, 0.35, 1}, Quat::Identity()}, 0.5,
                               {{2.4, 0, 0}, {0, 12, 0}});
    must(world.add_joint(ball(base, arm, {0, 0.35, 0.8})));
    const Real before = world.energy().kinetic();
    for (int i = 0; i < 3; ++i) (void)world.step({.dt = 1.0 / 60, .max_solves = 1});
    EXPECT_GE(world.energy().kinetic(), 0.8 * before);
}

}  // namespace
}  // namespace taut::test
