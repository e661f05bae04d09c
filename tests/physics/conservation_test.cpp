// Momentum of free systems, gaps of closed loops: what must stay, and at which order it may not.
#include <cmath>

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

TEST(Momentum, LinearMomentumOfAFreeJointedSystemStaysTo1em12Over10000Steps)
{
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta}) {
        Chain chain = make_chain({.links = 5, .ratio = 3, .turn = 2, .anchored = false});
        must(chain.world.set_gravity(Vec3::Zero()));
        must(chain.world.set_velocity(chain.links[0], {{0, 1, 2}, {3, 1, 0}}));
        const Vec3 before = chain.world.momentum().linear;
        for (int i = 0; i < 10000; ++i) chain.world.step(settings(1.0 / 240, scheme));
        EXPECT_LT((chain.world.momentum().linear - before).norm(), 1e-12 * before.norm());
    }
}

// Three links that tumble freely, from velocities that their joints allow.
Real angular_momentum_error(Scheme scheme, Real dt)
{
    Chain chain = make_chain({.links = 3, .anchored = false});
    must(chain.world.set_gravity(Vec3::Zero()));
    Vec3 joint_velocity = Vec3::Zero();
    const std::array<Vec3, 3> spins = {Vec3(0.5, 2, 1), Vec3(1, -1, 2), Vec3(0.2, 0.5, -1.5)};
    for (int i = 0; i < 3; ++i) {
        const Vec3 half(0.05, 0, 0);
        must(chain.world.set_velocity(chain.links[i],
                                      {joint_velocity + spins[i].cross(half), spins[i]}));
        joint_velocity += spins[i].cross(2 * half);
    }
    const Vec3 before = chain.world.momentum().angular;
    const int steps = static_cast<int>(std::lround(1 / dt));
    for (int i = 0; i < steps; ++i) chain.world.step(settings(dt, scheme, Stabilisation::Exact));
    return (chain.world.momentum().angular - before).norm() / before.norm();
}

TEST(Momentum, AngularMomentumOfAFreeJointedSystemConvergesWithTheSchemesOrder)
{
    const auto order = [](Scheme scheme) {
        return std::log2(angular_momentum_error(scheme, 1e-3) /
                         angular_momentum_error(scheme, 5e-4));
    };
    EXPECT_NEAR(order(Scheme::BackwardEuler), 1, 0.15);
    EXPECT_NEAR(order(Scheme::AlphaBeta), 2, 0.15);
}

// A four-bar of four spatial hinges, all axes along y: three rows more than independent ones.
World four_bar()
{
    World world;
    const auto bar = [&](const char* name, const Vec3& from, const Vec3& to) {
        const Vec3 along = to - from;
        BodyDef def;
        def.name = name;
        def.inertia = rod_inertia(1, along.norm(), 0.02);
        def.pose = {(from + to) / 2, Quat::FromTwoVectors(Vec3::UnitX(), along)};
        return must(world.add_body(def));
    };
    const Vec3 a(0, 0, 0), b(0.2, 0, 0.4), c(1.1, 0, 0.7), d(1, 0, 0), y = Vec3::UnitY();
    const BodyId crank = bar("crank", a, b), coupler = bar("coupler", b, c),
                 rocker = bar("rocker", c, d);
    must(world.add_joint(hinge(kWorld, crank, a, y)));
    must(world.add_joint(hinge(crank, coupler, b, y)));
    must(world.add_joint(hinge(coupler, rocker, c, y)));
    must(world.add_joint(hinge(rocker, kWorld, d, y)));
    return world;
}

Real loop_gap(Scheme scheme, Real dt, int steps)
{
    World world = four_bar();
    Real gap = 0;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(world.step(settings(dt, scheme)).status, StepStatus::Ok);
        if (i > steps / 2) gap = std::max(gap, world.joint_gap());
    }
    return gap;
}

TEST(ClosedLoop, JointGapIsOfSecondOrderInTheStep)
{
    // one second of the same swing
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta}) {
        const Real coarse = loop_gap(scheme, 1e-3, 1000), fine = loop_gap(scheme, 5e-4, 2000);
        EXPECT_GT(coarse, 0);
        EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
    }
}

TEST(ClosedLoop, JointGapDoesNotDriftOver100000Steps)
{
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta}) {
        World world = four_bar();
        const StepSettings s = settings(1e-3, scheme);
        Real early = 0, late = 0;
        const int steps = kSanitized ? 6000 : 100000;
        for (int i = 0; i < steps; ++i) {
            ASSERT_EQ(world.step(s).status, StepStatus::Ok);
            Real& gap = i < 2000 ? early : late;
            if (i < 2000 || i >= steps - 2000) gap = std::max(gap, world.joint_gap());
        }
        // backward Euler has come to rest by then; the midpoint scheme swings on with the same gap
        EXPECT_LE(late, scheme == Scheme::BackwardEuler && !kSanitized ? early : 1.2 * early);
    }
}

// Four vertical legs under one table: three rows would do. The load must be shared, not guessed.
TEST(Redundant, TableOnFourLegsSharesItsWeight)
{
    World world;
    BodyDef def;
    def.mass = 40;
    def.inertia = Vec3(5, 5, 9).asDiagonal();
    const BodyId table = must(world.add_body(def));
    std::vector<JointId> legs;
    for (const Real x : {-1.0, 1.0})
        for (const Real y : {-1.0, 1.0}) {
            JointDef leg;
            leg.type = "point_on_plane";
            leg.bodies = {kWorld, table, kWorld};
            leg.frames[0] = leg.frames[1] = {{x, y, 0}, Quat::Identity()};
            legs.push_back(must(world.add_joint(leg)));
        }
    for (int i = 0; i < 100; ++i) ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    for (const JointId leg : legs)
        EXPECT_NEAR(world.joint(leg).force.z(), 40 * 9.81 / 4, 1e-6 * 40 * 9.81);
    EXPECT_LT(std::abs(world.pose(table).p.z()), 1e-9);
}

}  // namespace
}  // namespace taut::test
