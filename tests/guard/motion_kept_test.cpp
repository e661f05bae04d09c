// Motion that the step resolves keeps its energy and its momentum.
#include <gtest/gtest.h>

#include <taut/joints.h>

#include "contact_scenes.h"
#include "mechanisms.h"
#include "support/mechanisms.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

using study::Cell;
using study::Kind;

struct Kept {
    Real energy = 0;   // share of the energy above that of the chain hanging at rest
    Real rise = 0;     // largest rise over the largest kinetic energy
    Real turning = 0;  // share of the angular momentum about the vertical
};

Kept swing(const Cell& cell, Real seconds, Scheme scheme = Scheme::Automatic)
{
    World world = study::build(cell);
    const Real start = world.energy().total(), turning = world.momentum().angular.z();
    Real drop = world.energy().kinetic();
    for (int i = 0; i < cell.links; ++i)
        drop += (i + 1 == cell.links ? cell.ratio : 1) * 9.81 * 0.1 * (i + 0.5);
    Kept kept;
    Real most = 0, kinetic = 0;
    for (Real t = 0; t < seconds; t += cell.dt) {
        EXPECT_EQ(world.step({.dt = cell.dt, .research = {.scheme = scheme}}).status,
                  StepStatus::Ok);
        most = std::max(most, world.energy().total() - start);
        kinetic = std::max(kinetic, world.energy().kinetic());
    }
    kept.energy = 1 + (world.energy().total() - start) / drop;
    kept.rise = most / kinetic;
    kept.turning = world.momentum().angular.z() / turning;
    return kept;
}

TEST(MotionKept, LightChainsKeepTheirEnergyAndTheirTurn)
{
    for (const Cell& cell :
         {Cell{Kind::Ball, 10, 1, 1.0 / 60, 0, 0.31}, Cell{Kind::Ball, 7, 3, 1.0 / 120, 0, 0.4},
          Cell{Kind::Hinge, 5, 2, 1.0 / 120, 0, 0.3}}) {
        const Kept kept = swing(cell, kSanitized ? 1 : 5);
        // the tolerance, ten times 1e-4 of the energy in motion per second, allows 5e-3 in 5 s
        EXPECT_NEAR(kept.energy, 1, 5e-3) << cell.links << " links";
        EXPECT_LE(kept.rise, 5e-3) << cell.links << " links";
        // A hinge on the ground takes torques about the vertical. The turn is slow beside the swing, by about a quarter, and the
        // same residuals are that much more of it.
        if (cell.kind == Kind::Ball) {
            EXPECT_NEAR(kept.turning, 1, 2e-2) << cell.links << " links";
        }
    }
}

// The load swings as it does on a massless chain, whatever its weight. At 1e5 the links are 1e-4 of it and have up to ten times their share in
// the energy, because they swing faster: 1e-3. Steps of 0.1 s lose half of the energy, and a loss that differs by as much in each of
// the five swings differs by 1e-2 in the end.
TEST(MotionKept, HeavyChainsSwingAlikeForAnyRatio)
{
    const Real first = swing({Kind::Ball, 10, 1e5, 1.0 / 60, 0, 0.3}, 4).energy;
    EXPECT_GE(first, 0.99);
    for (const Real ratio : {1e7, 1e9})
        EXPECT_NEAR(swing({Kind::Ball, 10, ratio, 1.0 / 60, 0, 0.3}, 4).energy, first, 1e-3)
            << ratio;
    const Real slow = swing({Kind::Ball, 10, 1e5, 0.1, 0, 0.3}, 10).energy;
    EXPECT_GE(slow, 0.5);
    EXPECT_NEAR(swing({Kind::Ball, 10, 1e9, 0.1, 0, 0.3}, 10).energy, slow, 1e-2);
}

// A rod that turns at 20 rad/s on a hinge at its end, without gravity.
struct TurningRod {
    World world;
    BodyId rod;
    TurningRod()
    {
        must(world.set_gravity(Vec3::Zero()));
        BodyDef def;
        def.mass = 1.3;
        def.inertia = Vec3(1e-4, 0.02, 0.02).asDiagonal();
        def.pose.p = {0.3, 0, 0};
        def.velocity = {{0, 0.3 * 20, 0}, {0, 0, 20}};
        rod = must(world.add_body(def));
        must(world.add_joint(hinge(kWorld, rod, Vec3::Zero(), Vec3::UnitZ())));
    }
};

TEST(MotionKept, ARodOnAHingeKeepsItsSpeed)
{
    TurningRod turning;
    World& world = turning.world;
    const BodyId rod = turning.rod;
    for (int i = 0; i < 600; ++i) ASSERT_TRUE(world.step({}).settled);
    EXPECT_NEAR(world.velocity(rod).angular.z(), 20, 0.1);
}

// Velocities at the ends of steps fit the joint for good: without a correction they differ by 1.2 % from the mean after 100 s.
TEST(MotionKept, ARodOnAHingeHasTheVelocityOfItsJointForLong)
{
    TurningRod turning;
    World& world = turning.world;
    const BodyId rod = turning.rod;
    const Real energy = world.energy().total();
    Real misfit = 0;
    for (int i = 0; i < (kSanitized ? 600 : 6000); ++i) {
        world.step({});
        const Twist v = world.velocity(rod);
        misfit = std::max(misfit, std::abs(v.linear.norm() / (0.3 * v.angular.z()) - 1));
    }
    EXPECT_LE(misfit, 2e-3);
    EXPECT_NEAR(world.energy().total(), energy, 1e-4 * energy);
}

// A particle on a rope of one metre turns about a vertical axis as a conical pendulum, the rope at sixty degrees. It does not
// rotate, and the rope carries force all the time.
TEST(MotionKept, WhatCirclesOnARopeKeepsItsEnergy)
{
    for (const Real dt : {1.0 / 60, 1.0 / 200}) {
        for (const Real speed : {1.0, 2.5}) {  // over that of the pendulum
            World world;
            const Vec3 at(std::sin(1.0), 0, -std::cos(1.0));
            BodyDef def;
            def.kind = BodyKind::Particle;
            def.mass = 2;
            def.pose.p = at;
            def.velocity.linear.y() = speed * std::sqrt(9.81 / std::cos(1.0)) * at.x();
            const BodyId bob = must(world.add_body(def));
            must(world.add_joint(rope(kWorld, bob, Vec3::Zero(), at)));
            const Real energy = world.energy().total();
            Real kinetic = world.energy().kinetic();
            for (int i = 0; i < std::lround(10 / dt); ++i) {
                ASSERT_TRUE(world.step({.dt = dt}).settled) << i;
                kinetic = std::max(kinetic, world.energy().kinetic());
                ASSERT_LE(world.energy().total() - energy, 5e-3 * kinetic) << i;
            }
            EXPECT_NEAR(world.energy().total(), energy, 0.01 * kinetic) << dt << " " << speed;
            EXPECT_NEAR(world.pose(bob).p.norm(), 1, 1e-6);
        }
    }
}

// A frame that carries a rotor and a heavy chain is one island, which the midpoint scheme does not take. How much of its speed the rotor
// keeps in 10 s.
Real rotor_beside_heavy_chain(Real dt, Real speed, Real ratio)
{
    World world;
    BodyDef def;
    def.name = "frame";
    def.mass = 80;
    def.inertia = Vec3(7, 8, 9).asDiagonal();
    const BodyId frame = must(world.add_body(def));
    must(world.add_joint(weld(kWorld, frame, Vec3::Zero())));
    def.name = "rotor";
    def.mass = 1.3;
    def.inertia = Vec3(1e-4, 0.02, 0.02).asDiagonal();
    def.pose.p = {1.3, 0, 0};
    def.velocity = {{0, 0.3 * speed, 0}, {0, 0, speed}};
    const BodyId rotor = must(world.add_body(def));
    must(world.add_joint(hinge(frame, rotor, Vec3(1, 0, 0), Vec3::UnitZ())));
    BodyId above = frame;
    for (int i = 0; i < 10; ++i) {
        const Vec3 top(-1, 0, -0.1 * i);
        BodyDef link;
        link.name = "link " + std::to_string(i);
        link.mass = i == 9 ? ratio : 1;
        link.inertia = link.mass * Vec3(0.01 / 12, 0.01 / 12, 1e-4).asDiagonal();
        link.pose.p = top - Vec3(0, 0, 0.05);
        const BodyId below = must(world.add_body(link));
        must(world.add_joint(ball(above, below, top)));
        above = below;
    }
    for (int i = 0; i < std::lround(10 / dt); ++i) EXPECT_TRUE(world.step({.dt = dt}).settled);
    return world.velocity(rotor).angular.z() / speed;
}

TEST(MotionKept, ARotorBesideAHeavyChainKeepsItsSpeed)
{
    EXPECT_NEAR(rotor_beside_heavy_chain(1.0 / 60, 20, 1e4), 1, 0.01);
    EXPECT_NEAR(rotor_beside_heavy_chain(1.0 / 60, 9, 1e7), 1, 0.01);
    EXPECT_NEAR(rotor_beside_heavy_chain(1.0 / 240, 30, 1e6), 1, 0.01);
    EXPECT_NEAR(rotor_beside_heavy_chain(0.1, 5, 1e5), 1, 0.01);
}

// A heavy table that stands on the ground by its four corners.
struct Bench {
    World world;
    BodyId table;
    Bench()
    {
        study::add_floor(world, 0.6);
        table = study::add_solid(world, {.shape = Shape::box({1, 1, 0.1})},
                                 {{0, 0, 0.05}, Quat::Identity()}, 50);
    }
    BodyId add(Real mass, const Vec3& inertia, const Vec3& p, const Twist& velocity)
    {
        BodyDef def;
        def.name = "part " + std::to_string(world.body_count());
        def.mass = mass;
        def.inertia = inertia.asDiagonal();
        def.pose.p = p;
        def.velocity = velocity;
        return must(world.add_body(def));
    }
    // Share of the energy that is left after 10 s. All axes are vertical, so that gravity does no work.
    Real energy_kept()
    {
        const Real start = world.energy().total();
        const Real kinetic = world.energy().kinetic();
        for (int i = 0; i < 600; ++i) {
            EXPECT_TRUE(world.step({}).settled) << "step " << i;
        }
        return 1 + (world.energy().total() - start) / kinetic;
    }
};

TEST(MotionKept, AMachineThatStandsOnTheGroundKeepsItsMotion)
{
    const Vec3 up = Vec3::UnitZ();
    Bench fan;
    constexpr Real kSpeed = 15;
    const BodyId blade =
        fan.add(1, {0.01, 0.01, 0.02}, {0.02, 0, 0.5}, {{0, 0.02 * kSpeed, 0}, {0, 0, kSpeed}});
    must(fan.world.add_joint(hinge(fan.table, blade, {0, 0, 0.5}, up)));
    EXPECT_GE(fan.energy_kept(), 0.98);
    EXPECT_NEAR(fan.world.velocity(blade).angular.z(), kSpeed, 0.01 * kSpeed);

    Bench crank;
    const Vec3 axis(0, 0, 0.3), pin(0, 0.1, 0.3), block(0.4, 0, 0.3);
    const Vec3 rod = pin - block, pin_speed = Vec3(0, 0, 6).cross(pin - axis);
    const Vec3 block_speed(rod.dot(pin_speed) / rod.x(), 0, 0);
    const BodyId wheel = crank.add(2, {0.02, 0.02, 0.04}, axis, {Vec3::Zero(), Vec3(0, 0, 6)});
    const BodyId link = crank.add(
        0.4, {4e-3, 4e-3, 4e-3}, (pin + block) / 2,
        {(pin_speed + block_speed) / 2, rod.cross(pin_speed - block_speed) / rod.squaredNorm()});
    const BodyId slider = crank.add(0.5, {1e-3, 1e-3, 1e-3}, block, {block_speed, Vec3::Zero()});
    must(crank.world.add_joint(hinge(crank.table, wheel, axis, up)));
    must(crank.world.add_joint(hinge(wheel, link, pin, up)));
    must(crank.world.add_joint(ball(link, slider, block)));
    must(crank.world.add_joint(prismatic(crank.table, slider, block, Vec3::UnitX())));
    EXPECT_GE(crank.energy_kept(), 0.98);
}

// Chains that nothing holds, thrown and tumbling, at the default tolerance: momentum is kept whatever the residuals are.
TEST(MotionKept, MomentumOfFreeChainsIsKept)
{
    for (const int links : {2, 5, 10}) {
        World world;  // under gravity
        BodyId before = kWorld;
        for (int i = 0; i < links; ++i) {
            BodyDef def;
            def.name = "link " + std::to_string(i);
            def.inertia = Vec3(0.01, 0.03, 0.035).asDiagonal();
            def.pose.p = {0.2 * i, 0, 0};
            def.velocity = {Vec3(1, 2, 3).cross(def.pose.p), Vec3(1, 2, 3)};
            const BodyId link = must(world.add_body(def));
            if (i > 0) must(world.add_joint(ball(before, link, {0.2 * i - 0.1, 0, 0})));
            before = link;
        }
        const auto about_centre = [&] {
            Vec3 c = Vec3::Zero();
            for (int i = 0; i < links; ++i) c += world.centre_of_mass(BodyId{i}) / links;
            const Momentum m = world.momentum();
            return Vec3(m.angular - c.cross(m.linear));
        };
        const Vec3 angular = about_centre();
        const Momentum start = world.momentum();
        const Real energy = world.energy().total(), kinetic = world.energy().kinetic();
        for (int i = 0; i < 600; ++i) {
            ASSERT_EQ(world.step({}).status, StepStatus::Ok);
            const Real t = world.time();
            const Vec3 linear = start.linear + Vec3(0, 0, -9.81 * links * t);
            // rounding of 600 steps, of a momentum that grows to 98 N s a link
            ASSERT_LE((world.momentum().linear - linear).norm(), 1e-9 * links) << i;
            ASSERT_LE((about_centre() - angular).norm(), 1e-6 * angular.norm()) << i;
            ASSERT_LE(world.energy().total() - energy, 5e-3 * kinetic) << i;
        }
    }
}

// Free jointed bodies: nothing outside acts on them.
TEST(MotionKept, AngularMomentumOfAFreePairIsKept)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.inertia = Vec3(0.01, 0.03, 0.035).asDiagonal();
    def.pose.p = {0.2, 0, 0};
    def.velocity = {{0, 0, 0}, {1, 2, 3}};
    const BodyId a = must(world.add_body(def));
    def.name = "other";
    def.mass = 2;
    def.pose.p = {-0.1, 0, 0};
    // the common point, at the origin, moves alike on both
    def.velocity.angular = {-1, 0.5, 2};
    const Vec3 at_a = Vec3(1, 2, 3).cross(Vec3(-0.2, 0, 0));
    def.velocity.linear = at_a - Vec3(-1, 0.5, 2).cross(Vec3(0.1, 0, 0));
    const BodyId b = must(world.add_body(def));
    must(world.add_joint(ball(a, b, Vec3::Zero())));
    const Vec3 before = world.momentum().angular;
    const Real energy = world.energy().total();
    for (int i = 0; i < 300; ++i) world.step({.dt = 1.0 / 120, .tolerance = 1e-9});
    EXPECT_LE((world.momentum().angular - before).norm(), 1e-6 * before.norm());
    EXPECT_NEAR(world.energy().total(), energy, 1e-6 * energy);
}

// Snapshots in the middle of each scheme go on with the same bits.
TEST(MotionKept, EverySchemeGoesOnAfterASnapshot)
{
    for (const Scheme scheme : {Scheme::Automatic, Scheme::Midpoint, Scheme::Adams, Scheme::Bdf2}) {
        World world = study::build({Kind::Ball, 6, 20, 1.0 / 60, 0, 0.3});
        const StepSettings settings{.research = {.scheme = scheme}};
        for (int i = 0; i < 40; ++i) world.step(settings);
        const auto image = world.snapshot();
        for (int i = 0; i < 40; ++i) world.step(settings);
        const auto hash = world.hash();
        ASSERT_TRUE(world.restore(image).ok());
        for (int i = 0; i < 40; ++i) world.step(settings);
        EXPECT_EQ(world.hash(), hash) << choice_name(schemes(), scheme);
    }
}

// A crank about x, a rod with balls at its ends, and a block that slides along x; how far the crank has turned [rad].
Real slider_crank_turn(Real dt, Real seconds)
{
    const Vec3 axis(0, 0.12, 0.1), pin = axis + Vec3(0, 0, 0.09);
    const Vec3 block(std::sqrt(0.35 * 0.35 - pin.squaredNorm()), 0, 0);
    const Vec3 rod = pin - block, pin_speed = Vec3(8, 0, 0).cross(pin - axis);
    const Vec3 block_speed(rod.dot(pin_speed) / rod.x(), 0, 0);
    World world;
    const auto add = [&](Real mass, const Vec3& inertia, const Vec3& p, const Twist& velocity) {
        BodyDef def;
        def.mass = mass;
        def.inertia = inertia.asDiagonal();
        def.pose.p = p;
        def.velocity = velocity;
        return must(world.add_body(def));
    };
    const BodyId crank = add(0.2, {2e-4, 4e-5, 2e-4}, axis, {Vec3::Zero(), Vec3(8, 0, 0)});
    const BodyId link = add(
        0.4, {4e-3, 4e-3, 4e-3}, (pin + block) / 2,
        {(pin_speed + block_speed) / 2, rod.cross(pin_speed - block_speed) / rod.squaredNorm()});
    const BodyId slider = add(3, Vec3::Constant(2e-4), block, {block_speed, Vec3::Zero()});
    must(world.add_joint(hinge(kWorld, crank, axis, Vec3::UnitX())));
    must(world.add_joint(ball(crank, link, pin)));
    must(world.add_joint(ball(link, slider, block)));
    must(world.add_joint(prismatic(kWorld, slider, block, Vec3::UnitX())));
    Real turned = 0;
    Vec3 before = Vec3::UnitZ();
    for (int i = 0; i < std::lround(seconds / dt); ++i) {
        EXPECT_TRUE(world.step({.dt = dt}).settled);
        const Vec3 now = world.pose(crank).q * Vec3::UnitZ();
        turned += std::atan2(before.cross(now).x(), before.dot(now));
        before = now;
    }
    return turned;
}

TEST(MotionKept, ASliderCrankTurnsAsInShortSteps)
{
    const Real turned = slider_crank_turn(1.0 / 60, 5), expected = slider_crank_turn(1e-3, 5);
    EXPECT_GT(expected, 30);
    EXPECT_NEAR(turned, expected, 0.02 * expected);
}

TEST(MotionKept, TheDefaultIsOfSecondOrderFromTheFirstStepOn)
{
    constexpr Real kSeconds = 0.1;  // later on sub-steps are shorter than 1/60 s
    const Real exact = slider_crank_turn(1.0 / 12000, kSeconds);
    const auto error = [&](Real dt) { return std::abs(slider_crank_turn(dt, kSeconds) - exact); };
    const Real coarse = error(1.0 / 60), middle = error(1.0 / 120), fine = error(1.0 / 240);
    EXPECT_GT(fine, 1e-7);
    EXPECT_NEAR(std::log2(coarse / middle), 2, 0.1);
    EXPECT_NEAR(std::log2(middle / fine), 2, 0.1);
}

}  // namespace
}  // namespace taut::test
