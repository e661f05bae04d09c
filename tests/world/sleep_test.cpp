// What has come to rest is left alone, and goes on as if it had never slept when something touches it.
#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr StepSettings kAwake{.dt = 1.0 / 60};
constexpr StepSettings kStep{.dt = 1.0 / 60, .sleep = true};

struct Stack {
    World world;
    std::vector<BodyId> boxes;
};

Stack make_stack(int boxes)
{
    Stack stack;
    add_floor(stack.world);
    for (int k = 0; k < boxes; ++k)
        stack.boxes.push_back(add_box(stack.world, 0.5, 2, {0, 0, 0.251 + 0.501 * k}));
    return stack;
}

void run(World& world, Real seconds, const StepSettings& step = kStep)
{
    const int steps = static_cast<int>(std::round(seconds / step.dt));
    for (int i = 0; i < steps; ++i) ASSERT_EQ(world.step(step).status, StepStatus::Ok);
}

TEST(Sleep, AStackFallsAsleepAndKeepsItsForces)
{
    Stack stack = make_stack(3);
    run(stack.world, 3);
    for (const BodyId box : stack.boxes) {
        EXPECT_TRUE(stack.world.asleep(box));
        EXPECT_EQ(stack.world.velocity(box).linear.norm(), 0);
    }
    const StepReport report = stack.world.step(kStep);
    EXPECT_EQ(report.asleep, 1);
    EXPECT_EQ(report.solves, 0);
    const Vec3 p = stack.world.pose(stack.boxes[2]).p;
    run(stack.world, 2);
    EXPECT_EQ(stack.world.pose(stack.boxes[2]).p, p);
    EXPECT_NEAR(p.z(), 1.25, 1e-5);
    Real force = 0;
    for (const ContactReading& c : stack.world.contacts())
        if (c.b == kWorld || c.a == kWorld) force += std::abs(c.force.z());
    EXPECT_NEAR(force, 6 * 9.81, 1e-3);
}

TEST(Sleep, OnlyOnRequest)
{
    Stack stack = make_stack(2);
    run(stack.world, 3, kAwake);
    EXPECT_FALSE(stack.world.asleep(stack.boxes[0]));
    run(stack.world, 1);
    EXPECT_TRUE(stack.world.asleep(stack.boxes[0]));
    EXPECT_GT(stack.world.step(kAwake).solves, 0);
    EXPECT_FALSE(stack.world.asleep(stack.boxes[0]));
}

// A ball is thrown at the stack when it has slept for a second, or has not.
TEST(Sleep, AStackThatIsHitMovesAsIfItHadNeverSlept)
{
    const auto hit = [](const StepSettings& step, std::vector<Vec3>& at) {
        Stack stack = make_stack(3);
        const BodyId ball = add_ball(stack.world, 0.2, 1, {-14, 0, 1}, {4, 0, 0});
        ASSERT_TRUE(stack.world.set_wrench(ball, {{0, 0, 9.81}, {0, 0, 0}}).ok());
        run(stack.world, 3, step);
        EXPECT_EQ(stack.world.asleep(stack.boxes[2]), step.sleep);
        EXPECT_FALSE(stack.world.asleep(ball));
        run(stack.world, 0.8, step);
        EXPECT_FALSE(stack.world.asleep(stack.boxes[2]));
        for (const BodyId box : stack.boxes) at.push_back(stack.world.pose(box).p);
    };
    std::vector<Vec3> slept, never;
    hit(kStep, slept);
    hit(kAwake, never);
    EXPECT_GT((never[2] - Vec3(0, 0, 1.25)).norm(), 0.02);
    for (std::size_t k = 0; k < never.size(); ++k)
        EXPECT_LE((slept[k] - never[k]).norm(), 1e-3) << "box " << k;
}

TEST(Sleep, APlatformThatBeginsToMoveWakesWhatStandsOnIt)
{
    World world;
    BodyDef platform;
    platform.kind = BodyKind::Kinematic;
    platform.motion.shift[2] =
        Schedule::through({{3, 0}, {4, 0.5}}, Schedule::Kind::Smooth);  // still until then
    const BodyId lift = must(world.add_body(platform));
    must(world.add_collider(
        lift, {.shape = Shape::box({2, 2, 0.2}), .pose = {{0, 0, -0.1}, Quat::Identity()}}));
    const BodyId box = add_box(world, 0.5, 2, {0, 0, 0.26});
    run(world, 2.9);
    EXPECT_TRUE(world.asleep(box));
    run(world, 0.6);
    EXPECT_FALSE(world.asleep(box));
    EXPECT_NEAR(world.pose(box).p.z() - world.pose(lift).p.z(), 0.25, 1e-4);
    run(world, 2);
    EXPECT_TRUE(world.asleep(box));
    EXPECT_NEAR(world.pose(box).p.z(), 0.75, 1e-4);
}

TEST(Sleep, WhatIsSetFromOutsideWakes)
{
    const auto wakes = [](auto&& change) {
        Stack stack = make_stack(1);
        run(stack.world, 2);
        EXPECT_TRUE(stack.world.asleep(stack.boxes[0]));
        change(stack.world, stack.boxes[0]);
        EXPECT_FALSE(stack.world.asleep(stack.boxes[0]));
        const Real z = stack.world.pose(stack.boxes[0]).p.z();
        run(stack.world, 0.2);
        EXPECT_GT(stack.world.pose(stack.boxes[0]).p.z(), z + 0.01);
    };
    wakes([](World& w, BodyId) { EXPECT_TRUE(w.set_gravity({0, 0, 1}).ok()); });
    wakes([](World& w, BodyId b) { EXPECT_TRUE(w.set_wrench(b, {{0, 0, 25}, {0, 0, 0}}).ok()); });
    wakes([](World& w, BodyId b) { EXPECT_TRUE(w.set_velocity(b, {{0, 0, 2}, {0, 0, 0}}).ok()); });
    wakes([](World& w, BodyId b) {
        must(w.add_load({.name = "", .body = b, .force = {0, 0, 25}}));
    });
}

// A load that is scheduled to come wakes what sleeps, in the step in which it comes.
TEST(Sleep, AScheduledLoadWakes)
{
    Stack stack = make_stack(1);
    must(stack.world.add_load(
        {.name = "",
         .body = stack.boxes[0],
         .force = {0, 0, 30},
         .scale = Schedule::through({{0, 0}, {3, 1}}, Schedule::Kind::Steps)}));
    run(stack.world, 2.9);
    EXPECT_TRUE(stack.world.asleep(stack.boxes[0]));
    run(stack.world, 0.4);
    EXPECT_FALSE(stack.world.asleep(stack.boxes[0]));
    EXPECT_GT(stack.world.pose(stack.boxes[0]).p.z(), 0.26);
}

// Slow is not still: a long pendulum with a small swing stands nearly still at each turning point.
TEST(Sleep, ASlowPendulumNeverSleeps)
{
    World world;
    BodyDef bob;
    bob.kind = BodyKind::Particle;
    const Real length = 40, swing = 1e-4;
    bob.pose.p = {length * std::sin(swing), 0, -length * std::cos(swing)};
    const BodyId body = must(world.add_body(bob));
    must(world.add_joint(rod(kWorld, body, {0, 0, 0}, bob.pose.p)));
    run(world, 30);
    EXPECT_FALSE(world.asleep(body));
}

TEST(Sleep, HasTheSameBitsOnAnyNumberOfThreads)
{
    std::uint64_t one = 0;
    for (const int threads : {1, 2, 4}) {
        StepSettings step = kStep;
        step.threads = threads;
        Stack stack = make_stack(2);
        add_box(stack.world, 0.3, 1, {3, 0, 0.2});
        const BodyId ball = add_ball(stack.world, 0.2, 1, {-10, 0, 0.7}, {4, 0, 0});
        ASSERT_TRUE(stack.world.set_wrench(ball, {{0, 0, 9.81}, {0, 0, 0}}).ok());
        run(stack.world, 3, step);
        if (threads == 1) one = stack.world.hash();
        EXPECT_EQ(stack.world.hash(), one) << threads << " threads";
    }
}

}  // namespace
}  // namespace taut::test
