// Same bits again: on repeat, after restore at any step, and never from a damaged image.
#include <random>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

// Loops, drives, springs, prescribed motion and many turns: all that a state can hold.
World busy_world()
{
    Chain chain = make_chain({.links = 6, .ratio = 1e3, .turn = 0.3});
    World world = std::move(chain.world);
    BodyDef wheel;
    wheel.name = "wheel";
    wheel.inertia = Vec3(1, 2, 2.5).asDiagonal();
    wheel.pose.p = {0, 2, 0};
    const BodyId w = must(world.add_body(wheel));
    const JointDef axle = hinge(kWorld, w, {0, 2, 0}, {1, 1, 0});
    must(world.add_joint(axle));
    must(world.add_joint(motor(axle, Schedule::sine(5, 3, 0.5))));
    BodyDef hand;
    hand.name = "hand";
    hand.kind = BodyKind::Kinematic;
    hand.motion.shift[2] = Schedule::sine(0, 0.1, 1);
    const BodyId h = must(world.add_body(hand));
    SpringDef spring;
    spring.bodies = {h, w};
    spring.frames[1].p = {0, 2.2, 0};
    spring.stiffness = 30;
    spring.damping = 1;
    spring.rest = 2;
    must(world.add_spring(spring));
    return world;
}

TEST(Determinism, ARepeatedRunHasTheSameHash)
{
    const auto run = [] {
        World world = busy_world();
        for (int i = 0; i < 300; ++i) world.step(settings(1.0 / 60));
        return world.hash();
    };
    EXPECT_EQ(run(), run());
}

TEST(Determinism, RestoringAtAnyOf50RandomStepsLeadsToTheSameBits)
{
    constexpr int kSteps = 300;
    std::mt19937 random(5);
    std::uniform_int_distribution<int> pick(0, kSteps - 1);
    World world = busy_world();
    std::vector<std::vector<std::byte>> images;
    for (int i = 0; i < kSteps; ++i) {
        images.push_back(world.snapshot());
        ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    }
    const std::uint64_t end = world.hash();
    for (int k = 0; k < 50; ++k) {
        const int at = pick(random);
        World other = busy_world();
        ASSERT_TRUE(other.restore(images[at]).ok());
        EXPECT_EQ(other.steps(), static_cast<std::uint64_t>(at));
        for (int i = at; i < kSteps; ++i) other.step(settings(1.0 / 60));
        ASSERT_EQ(other.hash(), end) << "restored at step " << at;
    }
}

TEST(Snapshot, RestoresByteForByte)
{
    World world = busy_world();
    for (int i = 0; i < 20; ++i) world.step(settings(1.0 / 60));
    const auto image = world.snapshot();
    world.step(settings(1.0 / 60));
    ASSERT_TRUE(world.restore(image).ok());
    EXPECT_EQ(world.snapshot(), image);
}

TEST(Snapshot, ADamagedTruncatedOrForeignImageIsRefusedAndNothingChanges)
{
    World world = busy_world();
    for (int i = 0; i < 20; ++i) world.step(settings(1.0 / 60));
    const auto image = world.snapshot();
    world.step(settings(1.0 / 60));
    const std::uint64_t before = world.hash();

    std::mt19937 random(3);
    for (int k = 0; k < 200; ++k) {  // one flipped bit anywhere
        auto damaged = image;
        damaged[random() % damaged.size()] ^= std::byte(1u << (random() % 8));
        EXPECT_FALSE(world.restore(damaged).ok());
    }
    for (const std::size_t size :
         {std::size_t(0), std::size_t(7), std::size_t(40), image.size() / 2, image.size() - 1})
        EXPECT_FALSE(world.restore(std::span(image).first(size)).ok()) << size;
    auto longer = image;
    longer.push_back(std::byte(0));
    EXPECT_FALSE(world.restore(longer).ok());
    EXPECT_FALSE(world.restore(make_chain({}).world.snapshot()).ok());
    // the same mechanism with other lengths is another mechanism
    EXPECT_FALSE(make_chain({.length = 0.2}).world.restore(make_chain({}).world.snapshot()).ok());
    EXPECT_EQ(world.hash(), before);
}

// A ball on the ground: what it touches with is part of the mechanism.
World ball_on_ground(const ColliderDef& ball, const ColliderDef& ground)
{
    World world;
    BodyDef def;
    def.pose.p = {0, 0, 0.6};
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, ball));
    must(world.add_collider(kWorld, ground));
    return world;
}

TEST(Snapshot, AnImageOfOtherCollidersIsRefused)
{
    const ColliderDef ball{.shape = ShapeKind::Sphere, .radius = 0.5};
    const ColliderDef ground{.shape = ShapeKind::Plane};
    World world = ball_on_ground(ball, ground);
    for (int i = 0; i < 30; ++i) world.step(settings(1.0 / 60));
    const auto image = world.snapshot();

    World same = ball_on_ground(ball, ground);
    ASSERT_TRUE(same.restore(image).ok());
    for (int i = 0; i < 30; ++i) {
        world.step(settings(1.0 / 60));
        same.step(settings(1.0 / 60));
    }
    EXPECT_EQ(same.hash(), world.hash());

    const auto refuses = [&](World other) { return !other.restore(image).ok(); };
    const auto changed = [](ColliderDef def, auto change) {
        change(def);
        return def;
    };
    using Def = ColliderDef;
    EXPECT_TRUE(refuses(ball_on_ground(changed(ball, [](Def& d) { d.radius = 0.4; }), ground)));
    EXPECT_TRUE(refuses(ball_on_ground(changed(ball, [](Def& d) { d.friction = 0.4; }), ground)));
    EXPECT_TRUE(
        refuses(ball_on_ground(changed(ball, [](Def& d) { d.restitution = 0.4; }), ground)));
    EXPECT_TRUE(refuses(ball_on_ground(changed(ball, [](Def& d) { d.groups = 2; }), ground)));
    EXPECT_TRUE(refuses(ball_on_ground(ball, changed(ground, [](Def& d) { d.pose.p.z() = -1; }))));
    EXPECT_TRUE(refuses(ball_on_ground(ball, {.shape = ShapeKind::Box})));
    World more = ball_on_ground(ball, ground);
    must(more.add_collider(kWorld, ground));
    EXPECT_TRUE(refuses(std::move(more)));
}

}  // namespace
}  // namespace taut::test
