// What nothing connects does not influence each other: retries, tolerances, and numbers out of range.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr StepSettings kStep{.dt = 1.0 / 60};

using Bodies = std::vector<BodyId>;
using Build = std::function<Bodies(World&)>;

// --- mechanisms, each far from the others ---

// A pendulum of two links on a kinematic hand; no colliders.
Bodies add_swing(World& world)
{
    BodyDef hand;
    hand.kind = BodyKind::Kinematic;
    hand.pose.p = {0, 40, 9};
    hand.motion.shift[0] = Schedule::sine(0, 0.1, 0.9);
    const BodyId on = must(world.add_body(hand));
    BodyDef def;
    def.mass = 3;
    def.pose.p = {0.5, 40, 9};
    const BodyId a = must(world.add_body(def));
    def.mass = 200;
    def.pose.p = {1.5, 40, 9};
    const BodyId b = must(world.add_body(def));
    must(world.add_joint(ball(on, a, {0, 40, 9})));
    must(world.add_joint(hinge(a, b, {1, 40, 9}, {0, 1, 0})));
    return {a, b};
}

// A stack that is hit by a ball.
Bodies add_stack(World& world)
{
    Bodies out;
    for (int k = 0; k < 3; ++k)
        out.push_back(add_box(world, 0.5, 1 + 20 * k, Vec3(30, 0, 0.25 + 0.5 * k)));
    out.push_back(add_ball(world, 0.2, 0.5, {28, 0.05, 1}, {6, 0, 2}));
    return out;
}

// A bar that turns over on the ground: it meets surfaces that no search expects.
Bodies add_bar(World& world, const Vec3& at, const Vec3& spin)
{
    return {add_box(world, {1, 0.05, 0.07}, 2, {at, Quat::Identity()}, 0.4, {{0.3, 0, -1}, spin})};
}

struct Case {
    std::vector<Build> watched, others;
};

void expect_same_motion(const Case& c, const StepSettings& settings, int steps)
{
    World with, without;
    add_floor(with), add_floor(without);
    // the others stand between the watched ones, so that indices differ, too
    Bodies in_with, in_without;
    const auto append = [](Bodies& to, const Bodies& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    for (std::size_t k = 0; k < std::max(c.watched.size(), c.others.size()); ++k) {
        if (k < c.others.size()) c.others[k](with);
        if (k >= c.watched.size()) continue;
        append(in_with, c.watched[k](with));
        append(in_without, c.watched[k](without));
    }
    for (int i = 0; i < steps; ++i) {
        with.step(settings);
        without.step(settings);
        for (std::size_t k = 0; k < in_with.size(); ++k) {
            const Pose x = with.pose(in_with[k]), y = without.pose(in_without[k]);
            const Twist v = with.velocity(in_with[k]), w = without.velocity(in_without[k]);
            ASSERT_EQ(x.p, y.p) << "body " << k << ", step " << i;
            ASSERT_EQ(x.q.coeffs(), y.q.coeffs()) << "body " << k << ", step " << i;
            ASSERT_EQ(v.linear, w.linear) << "body " << k << ", step " << i;
            ASSERT_EQ(v.angular, w.angular) << "body " << k << ", step " << i;
        }
    }
}

std::vector<Build> some_bars(int seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> spin(-120, 120), height(0.3, 1.2);
    std::vector<Build> out;
    for (int k = 0; k < 3; ++k) {
        const Vec3 at(-20.0 - 15 * k, 3.0 * k, height(random));
        const Vec3 w(spin(random), spin(random), spin(random));
        out.push_back([=](World& world) { return add_bar(world, at, w); });
    }
    return out;
}

// --- retries ---

TEST(Independence, BarsThatTurnOverChangeNothingElse)
{
    for (int seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(seed);
        expect_same_motion({{add_swing, add_stack}, some_bars(seed)}, kStep, 60);
    }
}

TEST(Independence, HoldsForStepsOfOneSolveAndWithSleep)
{
    StepSettings one = kStep, sleeping = kStep, few = kStep;
    one.research.scheme = Scheme::BackwardEuler;
    sleeping.sleep = true;
    few.max_solves = 4;
    for (const StepSettings& step : {one, sleeping, few})
        expect_same_motion({{add_swing, add_stack}, some_bars(7)}, step, 60);
}

// Each of several that are retried takes the parts that it needs, not those of the others.
TEST(Independence, EachOfSeveralRetriedBarsMovesAsIfItWereAlone)
{
    for (int seed = 11; seed <= 14; ++seed) {
        SCOPED_TRACE(seed);
        const std::vector<Build> bars = some_bars(seed);
        for (const Build& one : bars) {
            Case c{{one}, {}};
            for (const Build& other : bars)
                if (&other != &one) c.others.push_back(other);
            expect_same_motion(c, kStep, 60);
        }
    }
}

// The reports of these runs must show retries: otherwise nothing was tested.
TEST(Independence, TheBarsAreRetried)
{
    World world;
    add_floor(world);
    for (const Build& bar : some_bars(1)) bar(world);
    int most = 0;
    for (int i = 0; i < 60; ++i) most = std::max(most, world.step(kStep).solves);
    EXPECT_GT(most, 15);
}

// A body that was not retried is met by one that is: both end up outside each other.
TEST(Independence, ARetriedBodyFindsThoseThatAreDone)
{
    for (const Real gap : {0.02, 0.1, 0.3}) {
        World world;
        add_floor(world);
        add_bar(world, {0, 0, 0.45}, {0, 70, 0});
        add_box(world, 0.3, 1, {0.5 + 0.15 + gap, 0, 0.15});
        for (int i = 0; i < 120; ++i) {
            ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
            for (const ContactReading& c : world.contacts()) EXPECT_GT(c.gap, -0.01) << gap;
        }
    }
}

// --- random mechanisms that share a moving plate ---

Real uniform(std::mt19937& random, Real low, Real high)
{
    return std::uniform_real_distribution<Real>(low, high)(random);
}

BodyId add_plate(World& world, std::mt19937& random)
{
    BodyDef def;
    def.kind = BodyKind::Kinematic;
    def.pose.p = {0, 0, -0.2};
    def.motion.shift[2] = Schedule::sine(0, 0.15, uniform(random, 0.5, 3));
    def.motion.shift[0] = Schedule::sine(0, 0.3, uniform(random, 0.2, 2));
    def.motion.axis = Vec3::UnitZ();
    def.motion.angle = Schedule::sine(0, 0.3, uniform(random, 0.2, 2));
    const BodyId plate = must(world.add_body(def));
    must(world.add_collider(plate, {.shape = Shape::box({400, 400, 0.3}), .friction = 0.6}));
    return plate;
}

// Boxes that tumble on the plate, some of them jointed: to each other, with a torsional spring and a joint that may break,
// or to the plate.
Bodies add_heap(World& world, BodyId plate, const Vec3& at, unsigned seed)
{
    std::mt19937 random(seed);
    const Real restitution = seed % 3 == 0 ? uniform(random, 0.2, 0.9) : 0;
    const Real rolling = seed % 3 == 1 ? 0.01 : 0;
    Bodies out;
    const auto box = [&](const Vec3& p) {
        const auto spin = [&] { return uniform(random, -40, 40); };
        BodyDef def;
        def.mass = uniform(random, 0.2, 20);
        def.inertia = Mat3::Identity() * (0.05 * def.mass);
        def.pose.p = at + p;
        def.velocity = {{0, 0, -1}, {spin(), spin(), spin()}};
        out.push_back(must(world.add_body(def)));
        ColliderDef collider;
        const Vec3 size{uniform(random, 0.05, 1), uniform(random, 0.03, 0.4),
                        uniform(random, 0.03, 0.4)};
        collider.shape = Shape::box(size);
        collider.restitution = restitution;
        collider.rolling_friction = rolling;
        must(world.add_collider(out.back(), collider));
        return out.back();
    };
    const BodyId a = box({0, 0, 1}), b = box({0.6, 0, 1.1});
    if (seed % 4 == 0) box({0.2, 0.1, 1.8});
    if (seed % 4 == 1) {
        JointDef joint = hinge(a, b, at + Vec3(0.3, 0, 1), {0, 1, 0});
        joint.break_force = uniform(random, 50, 800);
        must(world.add_joint(joint));
        SpringDef spring;
        spring.kind = SpringDef::Kind::Torsional;
        spring.bodies = {a, b};
        spring.frames = {joint.frames[0], joint.frames[1]};
        spring.stiffness = 20;
        must(world.add_spring(spring));
    }
    if (seed % 4 == 2) must(world.add_joint(ball(plate, a, at + Vec3(0, 0, 1.5))));
    return out;
}

TEST(Independence, HoldsOnAMovingPlateWithBreakingJointsAndImpacts)
{
    for (unsigned seed = 1; seed <= 16; ++seed) {
        StepSettings step{.dt = seed % 2 == 0 ? 1.0 / 60 : 1.0 / 25};
        step.sleep = seed % 5 == 0;
        if (seed % 5 == 1) step.max_solves = 5;
        World with, without;
        std::array<Bodies, 2> watched;
        for (World* world : {&with, &without}) {
            std::mt19937 random(seed);
            const BodyId plate = add_plate(*world, random);
            if (world == &with) {
                add_heap(*world, plate, {-40, 3, 0}, 4 * seed + 1);
                add_heap(*world, plate, {-60, -30, 0}, 7 * seed + 2);
            }
            watched[world == &with ? 0 : 1] = add_heap(*world, plate, {40, 0, 0}, seed);
        }
        for (int i = 0; i < 45; ++i) {
            with.step(step);
            without.step(step);
            for (std::size_t k = 0; k < watched[0].size(); ++k) {
                const BodyId x = watched[0][k], y = watched[1][k];
                ASSERT_EQ(with.pose(x).p, without.pose(y).p) << "seed " << seed << ", step " << i;
                ASSERT_EQ(with.pose(x).q.coeffs(), without.pose(y).q.coeffs()) << seed;
                ASSERT_EQ(with.velocity(x).linear, without.velocity(y).linear) << seed;
                ASSERT_EQ(with.velocity(x).angular, without.velocity(y).angular) << seed;
            }
        }
    }
}

// A body far away that stands still, and one that flies: neither has to do with a chain.
TEST(Independence, ASingleMechanismMovesAsBesideOthers)
{
    for (const Real far : {1e3, 1e6, 1e9}) {
        World alone, beside;
        Bodies a = add_swing(alone), b = add_swing(beside);
        BodyDef other;
        other.pose.p = {far, 0, 0};
        must(beside.add_body(other));
        other.kind = BodyKind::Fixed;
        must(beside.add_body(other));
        for (int i = 0; i < 120; ++i) {
            alone.step(kStep);
            beside.step(kStep);
            ASSERT_EQ(alone.pose(a[1]).p, beside.pose(b[1]).p) << far << " m, step " << i;
        }
    }
}

TEST(Independence, ASnapshotBetweenRetriesGoesOnWithTheSameBits)
{
    const auto build = [](World& world) {
        add_floor(world);
        add_swing(world);
        for (const Build& bar : some_bars(3)) bar(world);
    };
    World world, copy;
    build(world), build(copy);
    for (int i = 0; i < 60; ++i) {
        const auto image = world.snapshot();
        world.step(kStep);
        ASSERT_TRUE(copy.restore(image).ok());
        copy.step(kStep);
        ASSERT_EQ(world.hash(), copy.hash()) << "step " << i;
    }
}

// --- numbers out of range ---

struct Absurd {
    const char* name;
    std::function<BodyId(World&)> add;
};

BodyDef far_body()
{
    BodyDef def;
    def.name = "far";
    def.pose.p = {0, -60, 3};
    return def;
}

std::vector<Absurd> absurdities()
{
    const auto body = [](const std::function<void(BodyDef&)>& change) {
        return [=](World& world) {
            BodyDef def = far_body();
            change(def);
            const BodyId id = must(world.add_body(def));
            must(world.add_collider(id, {.shape = Shape::box(Vec3::Ones())}));
            return id;
        };
    };
    return {
        {"velocity", body([](BodyDef& def) {
             def.velocity.linear = {3e150, 0, 0};
         })},
        {"velocity towards the others", body([](BodyDef& def) {
             def.velocity.linear = {0, 1e140, 0};
         })},
        {"spin", body([](BodyDef& def) {
             def.velocity.angular = {0, 2e155, 1};
         })},
        {"mass", body([](BodyDef& def) { def.mass = 5e-324; })},
        {"wrench",
         [=](World& world) {
             const BodyId id = must(world.add_body(far_body()));
             EXPECT_TRUE(world.set_wrench(id, {{0, 4e250, 0}, {0, 0, 0}}).ok());
             return id;
         }},
    };
}

TEST(Quarantine, OneBodyOutOfRangeIsFrozenAndNamedAndTheOthersGoOn)
{
    for (const Absurd& absurd : absurdities()) {
        SCOPED_TRACE(absurd.name);
        World with, without;
        add_floor(with), add_floor(without);
        const BodyId far = absurd.add(with);
        Bodies a = add_swing(with), b = add_swing(without);
        for (const BodyId id : add_stack(with)) a.push_back(id);
        for (const BodyId id : add_stack(without)) b.push_back(id);
        const Pose start = with.pose(far);
        for (int i = 0; i < 60; ++i) {
            const StepReport report = with.step(kStep);
            without.step(kStep);
            ASSERT_EQ(report.status, StepStatus::Ok) << i;
            ASSERT_EQ(report.frozen, 1) << i;
            ASSERT_EQ(report.hardest_body, far) << i;
            ASSERT_FALSE(report.settled);
            ASSERT_FALSE(report.reason.empty());
            for (std::size_t k = 0; k < a.size(); ++k) {
                ASSERT_EQ(with.pose(a[k]).p, without.pose(b[k]).p) << k << ", step " << i;
                ASSERT_EQ(with.pose(a[k]).q.coeffs(), without.pose(b[k]).q.coeffs()) << k;
                ASSERT_EQ(with.velocity(a[k]).linear, without.velocity(b[k]).linear) << k;
                ASSERT_EQ(with.velocity(a[k]).angular, without.velocity(b[k]).angular) << k;
            }
        }
        // the world restores its own image, and goes on with the same bits
        const auto image = with.snapshot();
        with.step(kStep);
        const std::uint64_t later = with.hash();
        ASSERT_TRUE(with.restore(image).ok()) << with.restore(image).error().message;
        EXPECT_TRUE(with.frozen(far));
        with.step(kStep);
        EXPECT_EQ(with.hash(), later);
        EXPECT_TRUE(with.frozen(far));
        EXPECT_FALSE(with.frozen(a[0]));
        EXPECT_EQ(with.pose(far).p, start.p);
        EXPECT_TRUE(std::isfinite(with.energy().total()));
    }
}

TEST(Quarantine, EndsWhenTheBodyIsSetFromOutside)
{
    World world;
    const BodyId far = must(world.add_body(far_body()));
    must(world.add_body(BodyDef{}));
    ASSERT_TRUE(world.set_velocity(far, {{1e160, 0, 0}, {0, 0, 0}}).ok());
    for (int i = 0; i < 5; ++i) EXPECT_EQ(world.step(kStep).frozen, 1);
    ASSERT_TRUE(world.set_velocity(far, {{2, 0, 0}, {0, 0, 0}}).ok());
    const StepReport report = world.step(kStep);
    EXPECT_EQ(report.frozen, 0);
    EXPECT_TRUE(report.settled);
    EXPECT_NEAR(world.pose(far).p.x(), 2.0 / 60, 1e-12);
}

TEST(Quarantine, EndsWhenTheForceIsTakenAway)
{
    World world;
    const BodyId far = must(world.add_body(far_body()));
    must(world.add_body(BodyDef{}));
    ASSERT_TRUE(world.set_wrench(far, {{0, 4e250, 0}, {0, 0, 0}}).ok());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(world.step(kStep).frozen, 1);
    ASSERT_TRUE(world.set_wrench(far, {}).ok());
    EXPECT_EQ(world.step(kStep).frozen, 0);
    EXPECT_LT(world.pose(far).p.z(), 3);
}

TEST(Quarantine, NamesTheBodyThatTheForceActsOn)
{
    World world;
    BodyDef light = far_body();
    light.name = "light";
    light.mass = 1e-3;
    const BodyId a = must(world.add_body(light)), b = must(world.add_body(far_body()));
    must(world.add_joint(ball(a, b, light.pose.p)));
    must(world.add_body(BodyDef{}));
    ASSERT_TRUE(world.set_wrench(b, {{4e250, 0, 0}, {0, 0, 0}}).ok());
    const StepReport report = world.step(kStep);
    EXPECT_EQ(report.frozen, 1);
    EXPECT_EQ(report.hardest_body, b);
}

TEST(Quarantine, IsPartOfASnapshot)
{
    World world;
    BodyDef weightless = far_body();
    weightless.mass = 5e-324;
    const BodyId far = must(world.add_body(weightless));
    must(world.add_body(BodyDef{}));
    world.step(kStep);
    ASSERT_TRUE(world.frozen(far));
    const auto image = world.snapshot();
    world.step(kStep);
    const std::uint64_t later = world.hash();
    ASSERT_TRUE(world.set_velocity(far, {}).ok());
    EXPECT_FALSE(world.frozen(far));
    ASSERT_TRUE(world.restore(image).ok());
    EXPECT_TRUE(world.frozen(far));
    world.step(kStep);
    EXPECT_EQ(world.hash(), later);
}

// Where nothing is left to go on, the world stays as it is.
TEST(Quarantine, AWorldOfOneIslandDivergesAsAWhole)
{
    World world;
    const BodyId only = must(world.add_body(far_body()));
    ASSERT_TRUE(world.set_velocity(only, {{1e160, 0, 0}, {0, 0, 0}}).ok());
    const std::uint64_t before = world.hash();
    const StepReport report = world.step(kStep);
    EXPECT_EQ(report.status, StepStatus::Diverged);
    EXPECT_EQ(report.frozen, 0);
    EXPECT_EQ(world.hash(), before);
    EXPECT_EQ(world.time(), 0);
}

TEST(Quarantine, WhereAllIslandsDivergeTheWorldStaysAsItIs)
{
    for (const bool colliders : {false, true}) {
        World world;
        for (const Real x : {0.0, 50.0}) {
            BodyDef def = far_body();
            def.name.clear();
            def.pose.p.x() = x;
            def.velocity.linear = {0, 1e160, 0};
            const BodyId id = must(world.add_body(def));
            if (colliders) must(world.add_collider(id, {.shape = Shape::box(Vec3::Ones())}));
        }
        const std::uint64_t before = world.hash();
        for (int i = 0; i < 3; ++i) EXPECT_EQ(world.step(kStep).status, StepStatus::Diverged);
        EXPECT_EQ(world.hash(), before) << colliders;
        EXPECT_EQ(world.steps(), 0u);
    }
}

}  // namespace
}  // namespace taut::test
