// Springs, loads and prescribed motion.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

BodyId add_particle(World& world, const Vec3& at, Real mass)
{
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.mass = mass;
    def.pose.p = at;
    return must(world.add_body(def));
}

// The same spring below and above: as a force with its Jacobian, and as a compliant row.
TEST(Spring, StiffnessAndComplianceFormulationsAgree)
{
    struct Case {
        Scheme scheme;
        Real k, d;
    };
    for (const Case& c : {Case{Scheme::BackwardEuler, 100, 0}, Case{Scheme::BackwardEuler, 1e5, 20},
                          Case{Scheme::AlphaBeta, 100, 0}, Case{Scheme::AlphaBeta, 300, 5}}) {
        World force, row;
        const BodyId a = add_particle(force, {0, 0, -1.2}, 3),
                     b = add_particle(row, {0, 0, -1.2}, 3);
        SpringDef spring;
        spring.bodies = {kWorld, a};
        spring.frames[1].p = {0, 0, -1.2};
        spring.stiffness = c.k;
        spring.damping = c.d;
        spring.rest = 1;
        must(force.add_spring(spring));
        JointDef link = rod(kWorld, b, {0, 0, 0}, {0, 0, -1.2});
        link.parameters = {{"length", 1}};
        link.compliance = 1 / c.k;
        link.damping_time = c.d / c.k;
        must(row.add_joint(link));
        for (int i = 0; i < 300; ++i) {
            force.step(settings(1.0 / 60, c.scheme));
            row.step(settings(1.0 / 60, c.scheme));
            ASSERT_NEAR(force.pose(a).p.z(), row.pose(b).p.z(), 1e-9)
                << "k " << c.k << " step " << i;
        }
    }
}

TEST(Spring, MidpointSchemeKeepsTheEnergyOfAnOscillatorExactly)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId mass = add_particle(world, {0, 0, -1.3}, 2);
    SpringDef spring;
    spring.bodies = {kWorld, mass};
    spring.frames[1].p = {0, 0, -1.3};
    spring.stiffness = 2e3;
    spring.rest = 1;
    must(world.add_spring(spring));
    const Real before = world.energy().total();
    for (int i = 0; i < 10000; ++i)
        world.step(settings(1.0 / 60, Scheme::AlphaBeta, Stabilisation::None));
    EXPECT_NEAR(world.energy().total(), before, 1e-9 * before);
}

TEST(Spring, TorsionalOscillatorHasTheRightPeriod)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.inertia = Vec3(0.2, 0.3, 0.4).asDiagonal();
    def.velocity.angular = {0, 0, 8};
    const BodyId disc = must(world.add_body(def));
    const JointDef axle = hinge(kWorld, disc, Vec3::Zero(), Vec3::UnitZ());
    const JointId turning = must(world.add_joint(axle));
    SpringDef spring;
    spring.kind = SpringDef::Kind::Torsional;
    spring.bodies = {kWorld, disc};
    spring.frames = {axle.frames[0], axle.frames[1]};
    spring.stiffness = 0.4;  // ω = 1 rad/s: swings to 8 rad, more than a turn each way
    must(world.add_spring(spring));
    Real largest = 0;
    for (int i = 0; i < 6283; ++i) {
        world.step(settings(1e-3, Scheme::AlphaBeta));
        largest = std::max(largest, world.joint(turning).angle);
    }
    EXPECT_NEAR(largest, 8, 1e-5);
    EXPECT_NEAR(world.joint(turning).angle, 0, 8 * 2 * (2 * kPi - 6.283));
}

TEST(Load, ConstantForceDoesItsWorkAndNothingElse)
{
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta}) {
        World world;
        must(world.set_gravity(Vec3::Zero()));
        const BodyId body = add_particle(world, Vec3::Zero(), 4);
        LoadDef load;
        load.body = body;
        load.force = {8, 0, 0};
        must(world.add_load(load));
        for (int i = 0; i < 120; ++i) world.step(settings(1.0 / 60, scheme));
        EXPECT_NEAR(world.velocity(body).linear.x(), 4, 1e-12);
        // backward Euler loses ½m(Δv)² in each of the 120 steps
        const Real lost =
            scheme == Scheme::BackwardEuler ? 120 * 4 * (2.0 / 60) * (2.0 / 60) / 2 : 0;
        EXPECT_NEAR(world.work().loads, world.energy().kinetic() + lost, 1e-10);
    }
}

// A force fixed in the body at a lever spins it up: torque = lever × force.
TEST(Load, BodyForceAtAPointTurnsTheBody)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.inertia = 2 * Mat3::Identity();
    const BodyId body = must(world.add_body(def));
    LoadDef load;
    load.body = body;
    load.point = {0.5, 0, 0};
    load.force = {0, 4, 0};
    load.coordinates = Coordinates::Body;
    must(world.add_load(load));
    for (int i = 0; i < 100; ++i) world.step(settings(1e-3));
    EXPECT_NEAR(world.velocity(body).angular.z(), 0.1, 1e-9);
}

TEST(Prescribed, KinematicBodyIsWhereItIsToldAndItsWorkIsAccountedFor)
{
    World world;
    BodyDef def;
    def.kind = BodyKind::Kinematic;
    def.motion.shift[0] =
        Schedule::sine(-0.2, 0.2, 0.7, kPi / 2);  // starts gently: a jerk would lose energy
    def.motion.angle = Schedule::through({{0, 0}, {2, 1}}, Schedule::Kind::Smooth);
    def.motion.axis = Vec3::UnitY();
    const BodyId hand = must(world.add_body(def));
    BodyDef bob;
    bob.inertia = rod_inertia(1, 1, 0.05);
    bob.pose = {{0, 0, -0.5}, Quat::FromTwoVectors(Vec3::UnitX(), Vec3::UnitZ())};
    const BodyId rod_body = must(world.add_body(bob));
    must(world.add_joint(ball(hand, rod_body, Vec3::Zero())));
    const Real before = world.energy().total();
    Real largest = 0;
    for (int i = 0; i < 4000; ++i) {
        world.step(settings(1e-3, Scheme::AlphaBeta));
        const Real t = world.time();
        ASSERT_NEAR(world.pose(hand).p.x(), 0.2 * std::cos(2 * kPi * 0.7 * t) - 0.2, 1e-12);
        largest =
            std::max(largest, std::abs(world.energy().total() - before - world.work().total()));
    }
    // what is left over is the scheme's own error: second order, far below the energy that goes in and out
    EXPECT_LT(largest, 1e-3 * world.work().prescribed + 5e-3);
    EXPECT_LT(world.joint_gap(), 1e-5);
}

}  // namespace
}  // namespace taut::test
