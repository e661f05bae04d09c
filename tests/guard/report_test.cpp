// What the guard says, its cap on solves, and that its history is part of the state.
#include <gtest/gtest.h>

#include <cmath>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

// A chain that whips: N = 40, light load, long steps.
Chain whip() { return make_chain({.links = 40, .ratio = 1, .turn = 0.3}); }

TEST(GuardReport, SaysWhatAStepCost)
{
    Chain chain = whip();
    int hard = 0;
    for (int i = 0; i < 300; ++i) {
        const StepReport report = chain.world.step({.dt = 0.1});
        ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
        EXPECT_TRUE(report.settled);
        EXPECT_GE(report.solves, 1);
        EXPECT_LE(report.residual_gap, 1e-5);
        if (report.halvings > 0) {
            EXPECT_NE(report.reason.find("sub-steps"), std::string_view::npos);
        }
        if (!report.reason.empty()) {
            ++hard;
            EXPECT_TRUE(report.restarts > 0 || report.halvings > 0 || report.gains_refused > 0);
        } else {
            EXPECT_EQ(report.restarts + report.halvings, 0);
            EXPECT_EQ(report.hardest_body, BodyId{});
        }
    }
    EXPECT_LT(hard, 100);
}

// A step that was refused because of its energy is not called fast, and the scheme that is named is the one that was refused.
TEST(GuardReport, NamesTheSchemeThatWouldHaveAddedEnergy)
{
    int by_two_step = 0;
    for (const Scheme scheme : {Scheme::Midpoint, Scheme::Adams})
        for (const int links : {5, 20})
            for (const Real ratio : {1.0, 1e2, 1e4})
                for (const Real turn : {0.3, 5.0}) {
                    Chain chain = make_chain({.links = links, .ratio = ratio, .turn = turn});
                    for (int i = 0; i < 200; ++i) {
                        const StepReport report =
                            chain.world.step({.dt = 0.1, .research = {.scheme = scheme}});
                        if (report.gains_refused == 0 || !report.settled) continue;
                        const std::string reason(report.reason);
                        const auto says = [&](const char* part) {
                            return reason.find(part) != std::string::npos;
                        };
                        const bool energy = says("would have added energy");
                        EXPECT_TRUE(energy || report.halvings > 0) << reason;
                        if (scheme == Scheme::Adams) {
                            EXPECT_FALSE(says("midpoint")) << reason;
                        }
                        by_two_step += says("the two-step scheme");
                    }
                }
    EXPECT_GT(by_two_step, 0);
}

TEST(GuardReport, EnergyChangeAddsUp)
{
    Chain chain = whip();
    const Real start = chain.world.energy().total();
    Real sum = 0;
    for (int i = 0; i < 100; ++i) sum += chain.world.step({}).energy_change;
    EXPECT_NEAR(sum, chain.world.energy().total() - start, 1e-9 * std::abs(start) + 1e-9);
}

// A step that finds no state leaves the world as it was, whatever it tried before it gave up.
class DivergedStep : public testing::TestWithParam<Scheme> {};
TEST_P(DivergedStep, LeavesTheStateToTheBit)
{
    for (const int before : {0, 30}) {
        World world;
        BodyId above = kWorld, last;
        for (int i = 0; i < 5; ++i) {
            BodyDef link;
            link.name = "link " + std::to_string(i);
            link.mass = 1e-9;
            link.inertia = Mat3::Identity() * 1e-11;
            link.pose.p = {0.1 * i + 0.05, 0, 0};
            last = must(world.add_body(link));
            must(world.add_joint(ball(above, last, {0.1 * i, 0, 0})));
            above = last;
        }
        const StepSettings settings{.dt = 1.0 / 60, .research = {.scheme = GetParam()}};
        for (int i = 0; i < before; ++i) ASSERT_EQ(world.step(settings).status, StepStatus::Ok);
        Wrench absurd;
        absurd.force = Vec3::Constant(9e99);
        absurd.torque = {1e99, 0, 0};
        must(world.set_wrench(last, absurd));
        const auto image = world.snapshot();
        const std::uint64_t hash = world.hash();
        ASSERT_EQ(world.step(settings).status, StepStatus::Diverged);
        EXPECT_EQ(world.hash(), hash) << before << " steps before";
        EXPECT_TRUE(world.snapshot() == image) << before << " steps before";
    }
}
INSTANTIATE_TEST_SUITE_P(Schemes, DivergedStep,
                         testing::Values(Scheme::Automatic, Scheme::Midpoint, Scheme::Adams,
                                         Scheme::Bdf2),
                         [](const auto& of) {
                             return std::string(choice_name(schemes(), of.param));
                         });

// With a cap the step is bounded, and what is handed out never explodes.
TEST(GuardCap, BoundsTheWorkAndAddsNoEnergy)
{
    for (const int cap : {1, 2, 4}) {
        Chain chain = make_chain({.links = 10, .ratio = 1e6, .turn = 0.3});
        const Real start = chain.world.energy().total();
        int unsettled = 0;
        Real rise = 0, lowest = 0;
        for (int i = 0; i < 600; ++i) {
            const StepReport report = chain.world.step({.dt = 1.0 / 60, .max_solves = cap});
            ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
            EXPECT_LE(report.solves, cap);
            if (!report.settled) {
                ++unsettled;
                EXPECT_NE(report.reason.find("maximum number of solves"), std::string_view::npos);
            }
            rise = std::max(rise, (chain.world.energy().total() - start) / chain.drop);
            lowest = std::min(lowest, chain.world.centre_of_mass(chain.links.back()).z());
        }
        EXPECT_LE(rise, 0.01) << "cap " << cap << ", unsettled " << unsettled;
        EXPECT_LT(lowest, -0.8) << "cap " << cap << ": it must fall, not wait";
        EXPECT_LE(chain.world.joint_gap(), 0.01) << "cap " << cap;
    }
}

TEST(GuardCap, OneSolveModeStaysAvailable)
{
    Chain chain = make_chain({.ratio = 100});
    for (int i = 0; i < 60; ++i) {
        const StepReport report =
            chain.world.step({.dt = 1.0 / 240, .research = {.scheme = Scheme::BackwardEuler}});
        ASSERT_EQ(report.solves, 1);
    }
    // and backward Euler may settle as well
    const StepReport report = chain.world.step(
        {.dt = 1.0 / 240, .max_solves = 50, .research = {.scheme = Scheme::BackwardEuler}});
    EXPECT_EQ(report.status, StepStatus::Ok);
    EXPECT_TRUE(report.settled);
}

// A load on a rod, attached to a light chain that hangs still. One solve a step does not hold it for long: the report says
// so as soon as joints are open, and the guarded step holds it.
TEST(OneSolveReport, SaysThatJointsCameApart)
{
    for (const bool guarded : {false, true}) {
        Chain chain = make_chain({.links = 4, .ratio = 3});
        World& world = chain.world;
        StepSettings settings{.dt = 0.0075, .research = {.scheme = Scheme::BackwardEuler}};
        if (guarded) settings = {.dt = settings.dt};
        for (int i = 0; i < 60; ++i) ASSERT_EQ(world.step(settings).status, StepStatus::Ok);
        BodyDef load;
        load.mass = 5e4;
        load.inertia = Mat3(500 * Mat3::Identity());
        const Vec3 end = world.centre_of_mass(chain.links.back());
        load.pose.p = end + Vec3(0.15, -0.1, -0.2);
        const BodyId body = must(world.add_body(load));
        must(world.add_joint(rod(chain.links.back(), body, end + Vec3(0, 0, -0.05), load.pose.p)));
        bool came_apart = false;
        for (int i = 0; i < 400; ++i) {
            const StepReport report = world.step(settings);
            ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
            const bool open = world.joint_gap() > 0.1 * world.size();
            came_apart = came_apart || open;
            if (!guarded) {
                EXPECT_GE(report.residual_gap, world.joint_gap());
            }
            if (open) {
                ASSERT_FALSE(report.settled) << i << ": " << world.joint_gap() << " m";
                ASSERT_NE(report.reason.find("open"), std::string_view::npos);
            }
        }
        EXPECT_EQ(came_apart, !guarded);
    }
}

TEST(GuardHistory, IsPartOfTheSnapshot)
{
    Chain chain = whip();
    for (int i = 0; i < 77; ++i) chain.world.step({});
    const auto image = chain.world.snapshot();
    for (int i = 0; i < 50; ++i) chain.world.step({});
    const auto hash = chain.world.hash();
    ASSERT_TRUE(chain.world.restore(image).ok());
    for (int i = 0; i < 50; ++i) chain.world.step({});
    EXPECT_EQ(chain.world.hash(), hash);
}

// A particle of 1 kg in a world without gravity.
BodyId add_weightless(World& world, const Vec3& p, const Vec3& v)
{
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.pose.p = p;
    def.velocity.linear = v;
    must(world.set_gravity(Vec3::Zero()));
    return must(world.add_body(def));
}

// A constant force on a body that already moves: its work is no energy from nothing.
TEST(GuardLedger, KnowsTheWorkOfLoads)
{
    World world;
    const BodyId body = add_weightless(world, Vec3::Zero(), {10, 0, 0});
    must(world.set_wrench(body, {{1000, 0, 0}, Vec3::Zero()}));
    for (int i = 0; i < 60; ++i) {
        const StepReport report = world.step({});
        ASSERT_EQ(report.solves, 1);
        ASSERT_EQ(report.gains_refused, 0);
    }
    EXPECT_NEAR(world.velocity(body).linear.x(), 1010, 1e-6);
    EXPECT_NEAR(world.work().loads, world.energy().kinetic() - 50, 1e-6 * 5e5);
    // a force that ends is no gain either
    must(world.set_wrench(body, {Vec3::Zero(), Vec3::Zero()}));
    for (int i = 0; i < 10; ++i) EXPECT_EQ(world.step({}).halvings, 0);
    EXPECT_GE(world.velocity(body).linear.x(), 1010 - 1e-6);
}

TEST(GuardLedger, IsReadAnewWhenGravityChanges)
{
    Chain chain = make_chain({.links = 3, .ratio = 10});
    for (int i = 0; i < 30; ++i) chain.world.step({});
    must(chain.world.set_gravity({0, 0, 9.81}));
    for (int i = 0; i < 30; ++i) {
        const StepReport report = chain.world.step({});
        EXPECT_EQ(report.gains_refused, 0) << "step " << i;
    }
}

// A joint that is stretched at the start pulls at once: it is elastic, not open.
TEST(CompliantStart, PullsFromTheFirstStep)
{
    World world;
    const Vec3 start(1.2, 0, 0);
    const BodyId body = add_weightless(world, start, Vec3::Zero());
    JointDef joint;
    joint.type = "distance";
    joint.bodies = {kWorld, body, kWorld};
    joint.frames[1].p = start;
    joint.compliance = 0.01;
    joint.parameters = {{"length", 1}};
    must(world.add_joint(joint));
    world.step({});
    // midpoint: v = −h (x/C)/(m + h²/4C); exact: −x ω sin ωh, ω² = 1/mC
    const Real h = 1.0 / 60, expected = -h * (0.2 / 0.01) / (1 + h * h / 0.04);
    EXPECT_NEAR(world.velocity(body).linear.x(), expected, 1e-3 * std::abs(expected));
    EXPECT_NEAR(expected, -0.2 * 10 * std::sin(10 * h), 1e-2 * std::abs(expected));
}

// Joints that start apart are drawn together, not thrown.
TEST(CarelessStart, IsDrawnTogether)
{
    World world;
    BodyDef def;
    def.mass = 1;
    def.inertia = Mat3::Identity() * 0.01;
    def.pose.p = {0, 0, -1};
    const BodyId body = must(world.add_body(def));
    JointDef joint = ball(kWorld, body, {0, 0, 0});
    joint.frames[1].p = {0.1, 0, 0};  // ten centimetres beside the anchor
    must(world.add_joint(joint));
    const Real open = world.joint_gap();
    EXPECT_NEAR(open, 0.1, 1e-12);
    Real fastest = 0;
    for (int i = 0; i < 180; ++i) {
        ASSERT_EQ(world.step({}).status, StepStatus::Ok);
        fastest = std::max(fastest, world.velocity(body).linear.norm());
    }
    EXPECT_LE(world.joint_gap(), 1e-5);
    EXPECT_LE(fastest, 3);  // closing at once would take 6 m/s
}

}  // namespace
}  // namespace taut::test
