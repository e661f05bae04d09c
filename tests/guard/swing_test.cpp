// What the default step keeps of a motion, against closed forms, conservation and its own order.
#include <gtest/gtest.h>

#include <cmath>

#include "study.h"
#include "support/mechanisms.h"

namespace taut::test {
namespace {

// 10 links, the last 1e4 times as heavy, released horizontally while turning: in space, 60 Hz.
TEST(Swing, KeepsItsEnergyAndItsTurnAboutTheVertical)
{
    Chain chain = make_chain({.ratio = 1e4, .turn = 0.3});
    const Real turn = chain.world.momentum().angular.z();
    Real most = 0, late = 0, turn_after_10 = 0;
    for (int i = 0; i < 1200; ++i) {
        ASSERT_EQ(chain.world.step({}).status, StepStatus::Ok);
        const Real kinetic = chain.world.energy().kinetic();
        most = std::max(most, kinetic);
        if (i >= 1080) late = std::max(late, kinetic);
        if (i == 599) turn_after_10 = chain.world.momentum().angular.z();
    }
    EXPECT_GE(late, 0.95 * most);
    EXPECT_NEAR(turn_after_10, turn, 0.02 * turn);
}

// Of the swing's energy, after 40 s.
Real loss_of_cable_pendulum(const StepSettings& settings)
{
    World world = study::cable_pendulum();
    return 1 - study::kept_of_swing(world, settings, 40, 7);
}

TEST(Swing, CablePendulumHardlyLosesAnything)
{
    EXPECT_LE(loss_of_cable_pendulum({.dt = 0.01}), 0.002);
}

TEST(Swing, CablePendulumLosesTwoFifthsWithOneSolveOfTheSymmetricForm)
{
    const Real loss = loss_of_cable_pendulum(
        {.dt = 0.01,
         .research = {.scheme = Scheme::BackwardEuler, .stabilisation = Stabilisation::Symmetric}});
    EXPECT_NEAR(loss, 0.38, 0.05);  // a third; the papers report "nearly 40 %" of a cable like it
}

// Moments (1, 2, 3) about the middle axis: the flips of the closed form, T = 4K(m)/… for 200 s at 60 Hz.
TEST(FreeBody, FlipsWithTheRightPeriodAt60Hz)
{
    World world;
    BodyDef def;
    def.inertia = Vec3(1, 2, 3).asDiagonal();
    def.velocity.angular = Vec3(0.01, 1, 0.01);
    const BodyId body = must(world.add_body(def));
    must(world.set_gravity(Vec3::Zero()));
    // zeros of the component about the middle body axis, one per half period
    Real before = 1;
    std::vector<Real> zeros;
    for (int i = 0; i < 12000; ++i) {
        world.step({});
        const Real now = (world.pose(body).q.conjugate() * world.velocity(body).angular).y();
        if (before * now < 0) zeros.push_back(world.time() - now / (now - before) / 60);
        before = now;
    }
    ASSERT_GE(zeros.size(), 10u);
    // Euler's solution for |L|² above 2T·I₂: the middle component is sn(p t, k)
    const Real twice_T = 1e-4 + 2 + 3e-4, L2 = 1e-4 + 4 + 9e-4;
    const Real p = std::sqrt((3 - 2) * (L2 - twice_T * 1) / (1 * 2 * 3));
    const Real k = std::sqrt((2 - 1) * (twice_T * 3 - L2) / ((3 - 2) * (L2 - twice_T * 1)));
    const Real period = 2 * std::comp_ellint_1(k) / p;
    EXPECT_NEAR((zeros.back() - zeros.front()) / static_cast<Real>(zeros.size() - 1), period,
                0.005 * period);
    EXPECT_NEAR(world.energy().kinetic(), twice_T / 2, 1e-9);
}

// An open tree that falls from rest into space: hinges about two axes, a universal, a ball.
World branching_tree()
{
    World world;
    const auto add = [&](const char* name, const Vec3& p, Real mass) {
        BodyDef def;
        def.name = name;
        def.mass = mass;
        def.inertia = rod_inertia(mass, 0.5, 0.1);
        def.pose.p = p;
        return must(world.add_body(def));
    };
    const BodyId a = add("a", {0.25, 0, 0}, 2), b = add("b", {0.75, 0, 0}, 1),
                 c = add("c", {1.25, 0, 0}, 1.5), d = add("d", {0.5, 0.25, 0}, 0.7);
    const auto join = [&](JointDef joint, const char* name) {
        joint.name = name;
        must(world.add_joint(joint));
    };
    join(hinge(kWorld, a, {0, 0, 0}, {0, 1, 0}), "root");
    join(universal(a, b, {0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}), "cross");
    join(ball(b, c, {1, 0, 0}), "ball");
    join(hinge(a, d, {0.5, 0, 0}, {1, 0, 0}), "side");
    return world;
}

Vec3 tip_after(Real seconds, const StepSettings& settings)
{
    World world = branching_tree();
    const long steps = std::lround(seconds / settings.dt);
    for (long i = 0; i < steps; ++i) EXPECT_EQ(world.step(settings).status, StepStatus::Ok);
    return world.centre_of_mass(*world.find_body("c"));
}

TEST(GuardedStep, IsOfSecondOrder)
{
    const auto with = [](Real dt) { return StepSettings{.dt = dt}; };
    const Vec3 reference = tip_after(0.5, with(1.0 / 16000));
    const Real coarse = (tip_after(0.5, with(1.0 / 500)) - reference).norm();
    const Real fine = (tip_after(0.5, with(1.0 / 1000)) - reference).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << coarse << " " << fine;
}

TEST(ClosedLoops, StayClosedAt60Hz)
{
    // a parallelogram of four spatial hinges: three rows too many
    World world;
    const auto bar = [&](const char* name, const Vec3& p, const Quat& q) {
        BodyDef def;
        def.name = name;
        def.inertia = rod_inertia(1, 1, 0.05);
        def.pose = {p, q};
        return must(world.add_body(def));
    };
    const Quat up = Quat::FromTwoVectors(Vec3::UnitX(), Vec3(1, 0, 1));
    const Vec3 crank(std::sqrt(0.5), 0, std::sqrt(0.5));
    const BodyId left = bar("left", crank / 2, up),
                 right = bar("right", Vec3(1, 0, 0) + crank / 2, up),
                 coupler = bar("coupler", Vec3(0.5, 0, 0) + crank, Quat::Identity());
    int number = 0;
    for (JointDef joint :
         {hinge(kWorld, left, {0, 0, 0}, {0, 1, 0}), hinge(kWorld, right, {1, 0, 0}, {0, 1, 0}),
          hinge(left, coupler, crank, {0, 1, 0}),
          hinge(right, coupler, Vec3(1, 0, 0) + crank, {0, 1, 0})}) {
        joint.name = "hinge" + std::to_string(++number);
        must(world.add_joint(joint));
    }
    Real gap = 0;
    for (int i = 0; i < 1200; ++i) {
        ASSERT_EQ(world.step({}).status, StepStatus::Ok);
        gap = std::max(gap, world.joint_gap() / world.size());
    }
    EXPECT_LE(gap, 1e-6);
}

}  // namespace
}  // namespace taut::test
