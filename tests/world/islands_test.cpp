// Parts of a world that nothing connects are solved as if each were alone, on any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr StepSettings kStep{.dt = 1.0 / 60};

struct Swinging {
    World world;
    std::vector<std::vector<BodyId>> chains;
};

// Hanging out sideways, each with a load, a drive, a spring and a hand of its own: nothing is shared but
// ground and time.
std::vector<BodyId> add_chain(World& world, int k)
{
    const Vec3 at(0, 2.0 * k - 15, 0);
    std::vector<BodyId> links;
    BodyDef hand;
    hand.kind = BodyKind::Kinematic;
    hand.pose.p = at;
    hand.motion.shift[2] = Schedule::sine(0, 0.02 * k, 0.7);
    BodyId previous = must(world.add_body(hand));
    for (int i = 0; i < 5; ++i) {
        const Real mass = i == 4 ? 50 + 10 * k : 1;
        BodyDef def;
        def.mass = mass;
        def.inertia = rod_inertia(mass, 0.3, 0.05);
        def.pose.p = at + Vec3(0.3 * (i + 0.5), 0, 0);
        links.push_back(must(world.add_body(def)));
        must(world.add_joint(
            i == 2 ? hinge(previous, links.back(), at + Vec3(0.3 * i, 0, 0), {0, 1, 0})
                   : ball(previous, links.back(), at + Vec3(0.3 * i, 0, 0))));
        previous = links.back();
    }
    SpringDef spring;
    spring.bodies = {kWorld, links.back()};
    spring.frames[0].p = at - Vec3(0, 0, 2);
    spring.frames[1].p = at + Vec3(1.5, 0, 0);
    spring.stiffness = 20;
    spring.rest = 1;
    must(world.add_spring(spring));
    must(world.add_load(
        {.name = "", .body = links[1], .force = {0, 3, 0}, .scale = Schedule::sine(0, 1, k)}));
    must(world.add_joint(motor(hinge(links[1], links[2], at + Vec3(0.6, 0, 0), {0, 1, 0}), 0.2)));
    return links;
}

Swinging many_chains(int count)
{
    Swinging out;
    for (int k = 0; k < count; ++k) out.chains.push_back(add_chain(out.world, k));
    return out;
}

void expect_same_bits(const World& a, BodyId in_a, const World& b, BodyId in_b)
{
    EXPECT_EQ(a.pose(in_a).p, b.pose(in_b).p);
    EXPECT_EQ(a.pose(in_a).q.coeffs(), b.pose(in_b).q.coeffs());
    EXPECT_EQ(a.velocity(in_a).linear, b.velocity(in_b).linear);
    EXPECT_EQ(a.velocity(in_a).angular, b.velocity(in_b).angular);
}

class SixteenChains : public testing::TestWithParam<Scheme> {};
TEST_P(SixteenChains, MoveBitByBitAsEachAlone)
{
    StepSettings step = kStep;
    step.research.scheme = GetParam();
    Swinging together = many_chains(16);
    StepReport report;
    for (int i = 0; i < 120; ++i) report = together.world.step(step);
    EXPECT_EQ(report.status, StepStatus::Ok) << report.reason;
    EXPECT_EQ(report.islands, 16);
    Real work = 0;
    for (int k = 0; k < 16; ++k) {
        World alone;
        const auto links = add_chain(alone, k);
        for (int i = 0; i < 120; ++i) EXPECT_EQ(alone.step(step).islands, 1);
        for (std::size_t i = 0; i < links.size(); ++i)
            expect_same_bits(together.world, together.chains[k][i], alone, links[i]);
        work += alone.work().total();
    }
    EXPECT_NEAR(together.world.work().total(), work, 1e-12 * std::abs(work));
}
INSTANTIATE_TEST_SUITE_P(Schemes, SixteenChains,
                         testing::Values(Scheme::Automatic, Scheme::Midpoint, Scheme::Adams,
                                         Scheme::Bdf2, Scheme::BackwardEuler, Scheme::AlphaBeta));

TEST(Islands, ChainsHaveTheSameBitsOnAnyNumberOfThreads)
{
    std::uint64_t one = 0;
    for (const int threads : {1, 2, 4, 0}) {
        StepSettings step = kStep;
        step.threads = threads;
        Swinging chains = many_chains(9);
        for (int i = 0; i < 120; ++i) chains.world.step(step);
        if (threads == 1) one = chains.world.hash();
        EXPECT_EQ(chains.world.hash(), one) << threads << " threads";
    }
}

// One mechanism of many bodies: rods on ball joints and hinges, two on the end of each, one drive and a spring.
World large_tree(int bodies)
{
    World world;
    std::vector<BodyId> body;
    std::vector<Vec3> end;
    for (int k = 0; k < bodies; ++k) {
        const Vec3 along = Vec3(0.3 * std::sin(k), 0.3 * std::cos(1.7 * k), -1).normalized();
        const int parent = (k - 1) / 2;
        const Vec3 top = k == 0 ? Vec3(Vec3::Zero()) : end[parent];
        BodyDef def;
        def.inertia = Vec3(9e-4, 9e-4, k % 5 == 0 ? 5e-4 : 2e-4).asDiagonal();
        def.pose = {top + 0.05 * along, Quat::FromTwoVectors(Vec3(0, 0, -1), along)};
        body.push_back(must(world.add_body(def)));
        end.push_back(top + 0.1 * along);
        const BodyId on = k == 0 ? kWorld : body[parent];
        must(world.add_joint(k % 3 == 0 ? hinge(on, body[k], top, {0, 1, 0})
                                        : ball(on, body[k], top)));
    }
    must(world.add_joint(motor(hinge(body[3], body[7], end[3], {0, 1, 0}), 1)));
    SpringDef spring;
    spring.bodies = {body[11], body[bodies - 1]};
    spring.stiffness = 5;
    must(world.add_spring(spring));
    return world;
}

TEST(Islands, OneLargeTreeHasTheSameBitsOnAnyNumberOfThreads)
{
    std::uint64_t one = 0;
    for (const int threads : {1, 2, 3, 0}) {
        StepSettings step = kStep;
        step.threads = threads;
        World world = large_tree(1200);
        for (int i = 0; i < 10; ++i) {
            const StepReport report = world.step(step);
            EXPECT_TRUE(report.status == StepStatus::Ok && report.settled) << i;
            EXPECT_EQ(report.islands, 1);
        }
        if (threads == 1) one = world.hash();
        EXPECT_EQ(world.hash(), one) << threads << " threads";
    }
}

// One mechanism of much: led by a body that moves as told, with damped, elastic and breakable joints, and particles on rods.
World large_mixture(int bodies)
{
    World world;
    BodyDef leader;
    leader.kind = BodyKind::Kinematic;
    leader.pose.p = {0, 0, 1};
    leader.motion.shift[0] = Schedule::sine(0, 0.1, 0.5);
    BodyId previous = must(world.add_body(leader));
    for (int k = 0; k < bodies; ++k) {
        const Vec3 top(0.1 * (k % 40), 0.12 * (k / 40), 1), p = top + Vec3(0.05, 0, 0);
        BodyDef def;
        def.inertia = Vec3(2e-4, 9e-4, k % 5 == 0 ? 8e-4 : 9e-4).asDiagonal();
        def.pose.p = p;
        const BodyId body = must(world.add_body(def));
        JointDef joint =
            k % 3 == 0 ? hinge(previous, body, top, {0, 1, 0}) : ball(previous, body, top);
        if (k % 7 == 0) joint.damping_time = 0.01;
        if (k % 5 == 0) joint.compliance = 1e-6;
        if (k == 1) joint.break_force = 5;  // gives way soon
        must(world.add_joint(joint));
        if (k % 11 == 0) {
            BodyDef bob;
            bob.kind = BodyKind::Particle;
            bob.pose.p = p - Vec3(0, 0, 0.2);
            must(world.add_joint(rod(body, must(world.add_body(bob)), p, bob.pose.p)));
        }
        previous = body;
    }
    return world;
}

TEST(Islands, OneLargeMixtureHasTheSameBitsOnAnyNumberOfThreads)
{
    for (const Stabilisation stabilisation :
         {Stabilisation::Tension, Stabilisation::Symmetric, Stabilisation::Projected})
        for (const bool sleep : {false, true}) {
            std::uint64_t one = 0;
            for (const int threads : {1, 2, 3}) {
                StepSettings step = kStep;
                step.threads = threads;
                step.research.stabilisation = stabilisation;
                step.sleep = sleep;
                World world = large_mixture(700);
                for (int i = 0; i < 6; ++i) {
                    const StepReport report = world.step(step);
                    ASSERT_TRUE(report.status == StepStatus::Ok && report.settled) << i;
                }
                if (threads == 1) one = world.hash();
                EXPECT_EQ(world.hash(), one) << threads << " threads, sleep " << sleep;
                int broken = 0;
                for (int k = 0; k < world.joint_count(); ++k) broken += world.broken(JointId{k});
                EXPECT_EQ(broken, 1);
            }
        }
}

// One large mechanism beside small ones has everybody's help; what is put back side by side does not depend on who does.
TEST(Islands, ALargeTreeBesideLooseBoxesHasTheSameBitsOnAnyNumberOfThreads)
{
    for (const bool sleep : {false, true}) {
        std::uint64_t one = 0;
        for (const int threads : {1, 2, 3}) {
            StepSettings step = kStep;
            step.threads = threads;
            step.sleep = sleep;
            World world = large_tree(1200);
            for (int k = 0; k < 5; ++k) add_box(world, 0.3, 1, {50.0 + k, 0, 0}, Quat::Identity());
            for (int i = 0; i < 10; ++i) {
                const StepReport report = world.step(step);
                ASSERT_EQ(report.status, StepStatus::Ok);
                EXPECT_EQ(report.islands, 6);
            }
            if (threads == 1) one = world.hash();
            EXPECT_EQ(world.hash(), one) << threads << " threads, sleep " << sleep;
        }
    }
}

// A chain that is cut in several stretches of four pieces each, and packs of ball joints that threads share.
TEST(Islands, ALongChainHasTheSameBitsOnAnyNumberOfThreads)
{
    std::uint64_t one = 0;
    for (const int threads : {1, 2, 3}) {
        StepSettings step = kStep;
        step.threads = threads;
        World world;
        BodyId previous = kWorld;
        for (int k = 0; k < 1100; ++k) {
            BodyDef def;
            def.inertia = Vec3(2e-4, 9e-4, 9e-4).asDiagonal();
            def.pose.p = {0.1 * k + 0.05, 0, 0};
            const BodyId body = must(world.add_body(def));
            must(world.add_joint(ball(previous, body, {0.1 * k, 0, 0})));
            previous = body;
        }
        for (int i = 0; i < 10; ++i) {
            const StepReport report = world.step(step);
            ASSERT_TRUE(report.status == StepStatus::Ok && report.settled) << i;
        }
        if (threads == 1) one = world.hash();
        EXPECT_EQ(world.hash(), one) << threads << " threads";
    }
}

// Boxes and balls rain on a floor: islands merge and split all the time.
World rain(int bodies)
{
    World world;
    add_floor(world);
    std::mt19937 random(11);
    std::uniform_real_distribution<Real> any(-1, 1);
    for (int k = 0; k < bodies; ++k) {
        const Vec3 p(0.5 * (k % 2) + 0.05 * any(random), 0.5 * (k / 2 % 2) + 0.05 * any(random),
                     0.4 + 0.5 * (k / 4) + 0.02 * k);
        const Quat q(1, 0.1 * any(random), 0.1 * any(random), 0.1 * any(random));
        if (k % 2 == 0)
            add_box(world, 0.3, 1 + k % 3, p, q.normalized());
        else
            add_ball(world, 0.15, 1 + k % 3, p, Vec3::Zero());
    }
    return world;
}

TEST(Islands, FallingBoxesHaveTheSameBitsOnAnyNumberOfThreads)
{
    std::vector<std::uint64_t> one;
    int most = 0, least = 100;
    for (const int threads : {1, 2, 4}) {
        StepSettings step = kStep;
        step.threads = threads;
        World world = rain(10);
        for (int i = 0; i < 75; ++i) {
            const StepReport report = world.step(step);
            ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
            most = std::max(most, report.islands);
            least = std::min(least, report.islands);
            if (threads == 1) one.push_back(world.hash());
            ASSERT_EQ(world.hash(), one[i]) << threads << " threads, step " << i;
        }
    }
    EXPECT_GE(most, 9);
    EXPECT_LE(least, 6);
}

TEST(Islands, RestoringMidwayLeadsToTheSameBits)
{
    for (const bool sleep : {false, true}) {
        StepSettings step = kStep;
        step.sleep = sleep;
        World world = rain(6);
        std::vector<std::vector<std::byte>> images;
        for (int i = 0; i < 90; ++i) {
            images.push_back(world.snapshot());
            world.step(step);
        }
        const std::uint64_t end = world.hash();
        for (const int at : {0, 1, 17, 33, 52, 80}) {
            World other = rain(6);
            other.step(step);  // a past of its own
            ASSERT_TRUE(other.restore(images[at]).ok());
            EXPECT_EQ(other.snapshot(), images[at]);
            for (int i = at; i < 90; ++i) other.step(step);
            EXPECT_EQ(other.hash(), end) << "restored at step " << at << ", sleep " << sleep;
        }
    }
}

// Two balls meet head on, without bouncing, and go on together; momentum goes from one to the other, and
// what they do before is what each does alone.
TEST(Islands, MergeWhereBodiesMeet)
{
    World world;
    must(world.set_gravity(Vec3::Zero()).ok() ? Result<int>(0) : Result<int>(Error{"gravity"}));
    const BodyId a = add_ball(world, 0.1, 1, {-1, 0, 0}, {2, 0, 0});
    const BodyId b = add_ball(world, 0.1, 3, {1, 0, 0}, {0, 0, 0});
    EXPECT_EQ(world.step(kStep).islands, 2);
    int islands = 2;
    for (int i = 0; i < 120; ++i) {
        const StepReport report = world.step(kStep);
        ASSERT_EQ(report.status, StepStatus::Ok);
        EXPECT_EQ(world.velocity(a).linear.y(), 0);
        islands = std::min(islands, report.islands);
    }
    EXPECT_EQ(islands, 1);
    EXPECT_NEAR(world.momentum().linear.x(), 2, 1e-9);
    EXPECT_NEAR(world.velocity(b).linear.x(), 0.5, 1e-6);
}

// A pendulum of two links on a joint that cannot bear them: the lower one falls freely, the upper one swings
// on without it.
TEST(Islands, AJointThatBreaksSplitsAnIsland)
{
    World world;
    const auto link = [&](Real z) {
        BodyDef def;
        def.mass = 2;
        def.inertia = rod_inertia(2, 0.4, 0.1);
        def.pose = {{0, 0, z}, Quat::Identity()};
        return must(world.add_body(def));
    };
    const BodyId upper = link(-0.5), lower = link(-1);
    must(world.add_joint(ball(kWorld, upper, {0, 0, 0})));
    JointDef weak = ball(upper, lower, {0, 0, -0.75});
    weak.break_force = 10;
    const JointId joint = must(world.add_joint(weak));
    EXPECT_EQ(world.step(kStep).islands, 1);
    ASSERT_TRUE(world.joint(joint).broken);
    const Real v = world.velocity(lower).linear.z();
    for (int i = 0; i < 60; ++i) EXPECT_EQ(world.step(kStep).islands, 2);
    EXPECT_NEAR(world.velocity(lower).linear.z(), v - 9.81, 1e-9);
    EXPECT_NEAR(world.pose(upper).p.norm(), 0.5, 1e-6);
    EXPECT_TRUE(world.joint(joint).broken);
}

// Energy of a frictionless flight is kept to the scheme's error while islands are merged and split by
// contacts that never carry a force.
TEST(Islands, PassingByChangesNothing)
{
    World world, alone;
    for (World* w : {&world, &alone}) add_floor(*w);
    const BodyId a = add_ball(world, 0.1, 1, {-1, 0, 2}, {2, 0, 3});
    add_ball(world, 0.1, 1, {1, 0.2000001, 2}, {-2, 0, 3});
    const BodyId c = add_ball(alone, 0.1, 1, {-1, 0, 2}, {2, 0, 3});
    bool met = false;
    for (int i = 0; i < 48; ++i) {
        met = world.step(kStep).islands == 1 || met;
        alone.step(kStep);
    }
    EXPECT_TRUE(met);
    EXPECT_LE((world.pose(a).p - alone.pose(c).p).norm(), 1e-9);
}

// What is set from outside is felt by its own island only: the others do not even lose their past.
TEST(Islands, AKickIsFeltByItsOwnIslandOnly)
{
    Swinging left_alone = many_chains(3), kicked = many_chains(3);
    for (int i = 0; i < 60; ++i) {
        left_alone.world.step(kStep);
        kicked.world.step(kStep);
        if (i == 30) {
            ASSERT_TRUE(
                kicked.world.set_velocity(kicked.chains[1][2], {{0, 1, 0}, {0, 0, 0}}).ok());
        }
    }
    for (const int k : {0, 2})
        for (std::size_t i = 0; i < 5; ++i)
            expect_same_bits(left_alone.world, left_alone.chains[k][i], kicked.world,
                             kicked.chains[k][i]);
    EXPECT_NE(left_alone.world.pose(left_alone.chains[1][4]).p,
              kicked.world.pose(kicked.chains[1][4]).p);
}

TEST(Islands, HardestBodyAndDampingAreThoseOfTheWorld)
{
    Swinging chains = many_chains(4);
    StepSettings step = kStep;
    step.research.stabilisation = Stabilisation::InertialDamping;
    step.research.scheme = Scheme::BackwardEuler;
    for (int i = 0; i < 30; ++i) chains.world.step(step);
    World alone;
    const auto links = add_chain(alone, 3);
    for (int i = 0; i < 30; ++i) alone.step(step);
    for (std::size_t i = 0; i < links.size(); ++i) {
        EXPECT_EQ(chains.world.damping(chains.chains[3][i]).linear, alone.damping(links[i]).linear);
        EXPECT_EQ(chains.world.damping(chains.chains[3][i]).angular,
                  alone.damping(links[i]).angular);
    }
    EXPECT_FALSE(chains.world.damping(JointId{8}).empty());
}

TEST(Islands, RefusesANumberOfThreadsThatMakesNoSense)
{
    World world;
    for (const int threads : {-1, 257})
        EXPECT_EQ(world.step({.threads = threads}).status, StepStatus::Refused);
    for (const int threads : {0, 256})
        EXPECT_EQ(world.step({.threads = threads}).status, StepStatus::Ok);
}

}  // namespace
}  // namespace taut::test
