// A mass on a rod of 2 m released from horizontal, against the closed form.
#include <cmath>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;
constexpr Real kLength = 2;

// 4 √(L/g) K(sin 45°): amplitude 90°.
Real exact_period() { return 4 * std::sqrt(kLength / kG) * std::comp_ellint_1(std::sqrt(0.5)); }

struct Pendulum {
    World world;
    BodyId bob;
    JointId rod_id;
};

Pendulum make_pendulum()
{
    Pendulum p;
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.pose.p = {kLength, 0, 0};
    p.bob = must(p.world.add_body(def));
    p.rod_id = must(p.world.add_joint(rod(kWorld, p.bob, {0, 0, 0}, {kLength, 0, 0})));
    return p;
}

// From the release to the turning point on the same side, one swing there and back.
Real measure_period(const StepSettings& s)
{
    Pendulum p = make_pendulum();
    const auto spin = [&] {
        const Vec3 x = p.world.centre_of_mass(p.bob), v = p.world.velocity(p.bob).linear;
        return x.z() * v.x() - x.x() * v.z();
    };
    int turns = 0;
    Real before = 0;
    while (p.world.time() < 5) {
        EXPECT_EQ(p.world.step(s).status, StepStatus::Ok);
        const Real now = spin();
        if (before != 0 && (before > 0) != (now > 0) && ++turns == 2)
            return p.world.time() - s.dt * now / (now - before);
        before = now;
    }
    return -1;
}

Real period_error(const StepSettings& s)
{
    return std::abs(measure_period(s) / exact_period() - 1);
}

TEST(Pendulum, PeriodOfBackwardEulerIsRightToHalfAPercentAndOfFirstOrder)
{
    const Real fine = period_error(settings(1e-3)), coarse = period_error(settings(2e-3));
    EXPECT_LT(fine, 5e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.15);
}

TEST(Pendulum, PeriodOfTheMidpointSchemeIsRightToOneInAHundredThousandAndOfSecondOrder)
{
    const auto with = [](Real dt) { return settings(dt, Scheme::AlphaBeta, Stabilisation::Exact); };
    const Real fine = period_error(with(1e-3)), coarse = period_error(with(2e-3));
    EXPECT_LT(fine, 1e-5);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
}

// At the bottom m g + m v²/L = 3 m g, whatever the length.
TEST(Pendulum, RodPullsThreeTimesTheWeightAtTheBottom)
{
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta}) {
        Pendulum p = make_pendulum();
        const StepSettings s = settings(1e-4, scheme);
        Real largest = 0;
        while (p.world.time() < 1) {
            p.world.step(s);
            largest = std::max(largest, -p.world.multipliers(p.rod_id)[0]);
        }
        // backward Euler has lost h ω² of the energy by then: first order, 1e-3 at this step
        EXPECT_NEAR(largest, 3 * kG, (scheme == Scheme::AlphaBeta ? 1e-5 : 2e-3) * 3 * kG);
    }
}

// In the plane of the hinge nothing distinguishes it from a ball joint.
TEST(Pendulum, HingeAndBallSwingAlike)
{
    const auto swing = [](const char* kind) {
        World world;
        BodyDef def;
        def.inertia = rod_inertia(1, 1, 0.02);
        def.pose.p = {0.5, 0, 0};
        const BodyId b = must(world.add_body(def));
        if (std::string_view(kind) == "ball")
            must(world.add_joint(ball(kWorld, b, {0, 0, 0})));
        else
            must(world.add_joint(hinge(kWorld, b, {0, 0, 0}, {0, 1, 0})));
        for (int i = 0; i < 1000; ++i) world.step(settings(1e-3));
        return world.centre_of_mass(b);
    };
    EXPECT_LT((swing("ball") - swing("hinge")).norm(), 1e-9);
}

}  // namespace
}  // namespace taut::test
