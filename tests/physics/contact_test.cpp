// Bodies that touch, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;
constexpr StepSettings kStep{.dt = 1.0 / 60};

struct Watched {
    Real rise = 0;    // of the energy, over the largest kinetic
    Real gained = 0;  // the same [J]
    int unsettled = 0;
    double solves = 0;
};
Watched run(World& world, Real seconds, const StepSettings& settings = kStep)
{
    Watched out;
    const Real start = world.energy().total() - world.work().total();
    Real most = 1e-12;
    const int steps = static_cast<int>(std::round(seconds / settings.dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        EXPECT_EQ(report.status, StepStatus::Ok) << report.reason;
        if (!report.settled) ++out.unsettled;
        out.solves += report.solves;
        most = std::max(most, world.energy().kinetic());
        out.rise = std::max(out.rise, world.energy().total() - world.work().total() - start);
    }
    out.gained = out.rise;
    out.rise /= most;
    out.solves /= steps;
    return out;
}

TEST(Contact, ABoxFallsAndRests)
{
    World world;
    add_floor(world);
    const BodyId box = add_box(world, {0.2, 0.3, 0.1}, 2, {{0, 0, 0.55}, Quat::Identity()});
    const Watched seen = run(world, 2);
    EXPECT_LE(seen.rise, 1e-3);
    EXPECT_EQ(seen.unsettled, 0);
    EXPECT_NEAR(world.pose(box).p.z(), 0.05, 1e-6);
    EXPECT_LE(world.velocity(box).linear.norm(), 1e-8);
    Vec3 force = Vec3::Zero();
    for (const ContactReading& c : world.contacts()) force += c.a == box ? c.force : -c.force;
    EXPECT_NEAR(force.z(), 2 * kG, 1e-6);
    EXPECT_LE(seen.solves, 1.5);
}

void must_step(World& world)
{
    const StepReport report = world.step(kStep);
    ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
    EXPECT_TRUE(report.settled) << report.reason;
}

class Incline : public testing::TestWithParam<Real> {};
TEST_P(Incline, HoldsBelowTheFrictionAngleAndSlidesAbove)
{
    const Real angle = GetParam();
    World world;
    const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    add_floor(world, 0.5, tilt);
    const BodyId box = add_box(world, {0.4, 0.4, 0.1}, 3, {tilt * Vec3(0, 0, 0.05), tilt});
    const Real t = 1;
    const Watched seen = run(world, t);
    EXPECT_EQ(seen.unsettled, 0);
    const Vec3 down = tilt * Vec3::UnitX();
    const Real way = world.pose(box).p.dot(down);
    const Real pull = kG * (std::sin(angle) - 0.5 * std::cos(angle));
    if (pull < 0)
        EXPECT_NEAR(way, 0, 1e-6);
    else {
        EXPECT_NEAR(world.velocity(box).linear.dot(down), pull * t, 0.01 * pull * t);
        EXPECT_NEAR(way, pull * t * t / 2, 0.03 * pull * t * t / 2);
    }
}
INSTANTIATE_TEST_SUITE_P(Angles, Incline, testing::Values(0.2, 0.44, 0.49, 0.7));

// Pushed without spin, a ball slides until 2v₀/7 is left in its spin: then it rolls with 5/7 of its speed.
TEST(Contact, ASlidingBallComesToRoll)
{
    World world;
    add_floor(world, 0.3);
    const BodyId ball = add_ball(world, 0.1, 1, {0, 0, 0.1}, {3, 1, 0}, 0.3);
    run(world, 2);
    const Vec3 v = world.velocity(ball).linear, w = world.velocity(ball).angular;
    EXPECT_NEAR(v.x(), 3 * 5.0 / 7, 0.02);
    EXPECT_NEAR(v.y(), 1 * 5.0 / 7, 0.02);
    EXPECT_NEAR(w.y() * 0.1, v.x(), 1e-3);
    EXPECT_NEAR(world.pose(ball).p.z(), 0.1, 1e-6);
}

// A rolling ball comes to rest after v²/2a, a = (ρ/r) g / (1 + 2/5) : torque ρ N against its spin.
TEST(Contact, RollingFrictionStopsABall)
{
    constexpr Real kRadius = 0.1, kRho = 0.005, kSpeed = 1;
    World world;
    must(world.add_collider(kWorld, {.shape = Shape::plane(),
                                     .friction = 0.8,
                                     .rolling_friction = kRho,
                                     .spinning_friction = kRho}));
    BodyDef def;
    def.mass = 2;
    def.inertia = Mat3::Identity() * (0.4 * 2 * kRadius * kRadius);
    def.pose.p = {0, 0, kRadius};
    def.velocity.linear = {0.6 * kSpeed, 0.8 * kSpeed, 0};
    def.velocity.angular = {-0.8 * kSpeed / kRadius, 0.6 * kSpeed / kRadius, 0};
    const BodyId ball = must(world.add_body(def));
    must(world.add_collider(ball, {.shape = Shape::sphere(kRadius),
                                   .friction = 0.8,
                                   .rolling_friction = kRho,
                                   .spinning_friction = kRho}));
    const Real slowing = kRho / kRadius * kG / 1.4;
    const Watched seen = run(world, kSpeed / slowing + 0.5);
    EXPECT_EQ(seen.unsettled, 0);
    const Vec3 way = world.pose(ball).p - def.pose.p;
    EXPECT_NEAR(std::hypot(way.x(), way.y()), kSpeed * kSpeed / (2 * slowing),
                0.02 * kSpeed * kSpeed / (2 * slowing));
    EXPECT_NEAR(way.y() / way.x(), 0.8 / 0.6, 0.01);  // straight on
    EXPECT_LE(world.velocity(ball).linear.norm(), 1e-6);
    EXPECT_LE(world.velocity(ball).angular.norm(), 1e-5);
    EXPECT_EQ(world.work().motors, 0);  // what is lost is lost, and no motor's work
}

// A force between sliding and static friction holds what rests and does not stop what slides.
TEST(Contact, StaticFrictionHoldsMoreThanSlidingFriction)
{
    for (const Real speed : {0.0, 1.0}) {
        World world;
        const ColliderDef plane{.shape = Shape::plane(), .friction = 0.3, .static_friction = 0.6};
        must(world.add_collider(kWorld, plane));
        const BodyId box = add_box(world, {0.3, 0.3, 0.1}, 1, {{0, 0, 0.05}, Quat::Identity()});
        // the box of the helper has one coefficient: sticking √(0.6·0.5), sliding √(0.3·0.5)
        const Real sticking = std::sqrt(0.6 * 0.5), sliding = std::sqrt(0.3 * 0.5);
        must(world.set_velocity(box, {{speed, 0, 0}, Vec3::Zero()}));
        const Real pull = (sticking + sliding) / 2 * kG;
        must(world.set_wrench(box, {{pull, 0, 0}, Vec3::Zero()}));
        const Watched seen = run(world, 1);
        EXPECT_EQ(seen.unsettled, 0) << speed;
        const Real expected = speed == 0 ? 0 : speed + (pull - sliding * kG) * 1;
        EXPECT_NEAR(world.velocity(box).linear.x(), expected, 0.01 * std::max(expected, Real(1e-3)))
            << speed;
    }
}

// A cylinder that rolls as fast as to turn by a radian a step stays on the ground, upright or leaning.
TEST(Contact, AFastCylinderRollsOnItsRims)
{
    constexpr Real kRadius = 0.1, kSpin = 60;
    World world;
    add_floor(world);
    BodyDef def;
    def.mass = 1;
    def.inertia = Vec3(0.0058, 0.0058, 0.005).asDiagonal();
    def.pose = {{0, 0, kRadius + 0.01},
                Quat(Eigen::AngleAxisd(M_PI / 2 + 0.02, Vec3::UnitX()))};  // axis nearly along y
    def.velocity = {{kSpin * kRadius, 0, 0}, {0, kSpin, 0}};
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = Shape::cylinder(kRadius, 0.2)}));
    for (int i = 0; i < 120; ++i) {
        world.step(kStep);
        EXPECT_GE(world.pose(body).p.z(), 0.99 * kRadius) << i;
    }
    EXPECT_NEAR(world.pose(body).p.z(), kRadius, 1e-3);
    EXPECT_NEAR(world.velocity(body).linear.norm(), kSpin * kRadius, 0.05 * kSpin * kRadius);
}

// A ball slides fast along the top of a fixed bar: half a radius a step. It stays on the top, because the point of the axis that is
// nearest moves with it; the distance to a point that stays behind would let it sink by an eighth of the radius in each step.
TEST(Contact, ABallSlidesAlongABarWithoutSinking)
{
    World world;
    ColliderDef bar{.shape = Shape::capsule(0.1, 20), .friction = 0};
    bar.pose = {{8, 0, 0}, Quat(Eigen::AngleAxis<Real>(M_PI / 2, Vec3::UnitY()))};
    must(world.add_collider(kWorld, bar));
    BodyDef def;
    def.inertia = 4e-3 * Mat3::Identity();
    def.pose.p = {0, 0, 0.2};
    def.velocity.linear = {3, 0, 0};
    const BodyId ball = must(world.add_body(def));
    ColliderDef sphere{.shape = Shape::sphere(0.1), .friction = 0};
    must(world.add_collider(ball, sphere));
    for (int i = 0; i < 60; ++i) {
        must_step(world);
        ASSERT_NEAR(world.pose(ball).p.z(), 0.2, 1e-9) << i;
    }
    EXPECT_NEAR(world.pose(ball).p.x(), 3, 1e-9);
}

// Two bars crosswise, of which the upper one moves along itself: the nearest points stay at the lower one.
TEST(Contact, ABarSlidesOverAnotherWithoutSinking)
{
    World world;
    const Quat along_x(Eigen::AngleAxis<Real>(M_PI / 2, Vec3::UnitY())),
        along_y(Eigen::AngleAxis<Real>(M_PI / 2, Vec3::UnitX()));
    ColliderDef bar{.shape = Shape::capsule(0.05, 4), .friction = 0};
    for (const Real x : {-0.5, 0.5}) {
        bar.pose = {{x, 0, 0}, along_y};
        must(world.add_collider(kWorld, bar));
    }
    BodyDef def;
    def.inertia = Vec3(0.01, 1.3, 1.3).asDiagonal();
    def.pose.p = {0, 0, 0.1};
    def.velocity.linear = {3, 1, 0};
    const BodyId upper = must(world.add_body(def));
    bar.pose = {{0, 0, 0}, along_x};
    must(world.add_collider(upper, bar));
    for (int i = 0; i < 9; ++i) {  // then its centre passes the bar in front, and it tips over
        must_step(world);
        ASSERT_NEAR(world.pose(upper).p.z(), 0.1, 1e-9) << i;
    }
    EXPECT_NEAR(world.pose(upper).p.x(), 0.45, 1e-9);
    EXPECT_NEAR(world.pose(upper).p.y(), 0.15, 1e-9);
}

struct StackCase {
    int boxes;
    Real ratio;
};
class Stack : public testing::TestWithParam<StackCase> {};
TEST_P(Stack, RestsWhateverIsOnTop)
{
    const auto [boxes, ratio] = GetParam();
    World world;
    add_floor(world);
    std::vector<BodyId> all;
    for (int i = 0; i < boxes; ++i)
        all.push_back(add_box(world, {1, 1, 1}, i + 1 == boxes ? ratio : 1,
                              {{0, 0, 0.5 + i}, Quat::Identity()}));
    const Watched seen = run(world, kSanitized ? 3 : 60);
    EXPECT_EQ(seen.unsettled, 0);
    // of the energy of a fall by a hundredth of a box
    Real heights = 0;
    for (const BodyId box : all) heights += world.mass(box) * kG * 0.01;
    EXPECT_LE(seen.gained, 1e-3 * heights);
    for (int i = 0; i < boxes; ++i) {
        const Vec3 p = world.pose(all[i]).p;
        EXPECT_NEAR(p.z(), 0.5 + i, 0.01) << i;
        EXPECT_LE(std::hypot(p.x(), p.y()), 1e-3) << i;
    }
    EXPECT_LE(seen.solves, 2);
}
INSTANTIATE_TEST_SUITE_P(Ratios, Stack,
                         testing::Values(StackCase{2, 1}, StackCase{2, 1e2}, StackCase{2, 1e4},
                                         StackCase{2, 1e6}, StackCase{10, 1}, StackCase{10, 1e2},
                                         StackCase{10, 1e4}, StackCase{10, 1e6}));

// Dropped from height H, a ball comes up to e²H, then e⁴H, …
class Bounce : public testing::TestWithParam<Real> {};
TEST_P(Bounce, ComesUpToTheSquareOfRestitution)
{
    const Real e = GetParam(), H = 1, radius = 0.1;
    World world;
    must(world.add_collider(kWorld, {.shape = Shape::plane(), .restitution = e}));
    const BodyId ball = add_ball(world, radius, 1, {0, 0, H + radius}, Vec3::Zero());
    std::vector<Real> tops;
    Real before = H, top = 0;
    bool up = false;
    for (int i = 0; i < 240; ++i) {
        const StepReport report = world.step(kStep);
        ASSERT_TRUE(report.settled) << i;
        const Real z = world.pose(ball).p.z() - radius;
        EXPECT_GE(z, -1e-6);
        if (z > before) up = true, top = z;
        if (z < before && up) tops.push_back(top), up = false;
        before = z;
    }
    if (e == 0) {
        EXPECT_TRUE(tops.empty() || tops[0] < 1e-6);
        EXPECT_NEAR(before, 0, 1e-6);
        return;
    }
    ASSERT_GE(tops.size(), 3u);
    // what a frame shows of a parabola is lower than its top by g(h/2)²/2 at most
    Real expected = H;
    for (int k = 0; k < 3; ++k) {
        expected *= e * e;
        EXPECT_NEAR(tops[k], expected, 0.01 * expected + kG / 8 * kStep.dt * kStep.dt) << k;
    }
}
INSTANTIATE_TEST_SUITE_P(Restitutions, Bounce, testing::Values(0.0, 0.5, 0.8, 1.0));

// Five balls on rods: the first one is let go, the last one swings up to the same height, three stay.
TEST(Contact, NewtonsCradlePassesTheLastBallOn)
{
    constexpr Real kRadius = 0.05, kLength = 1, kAngle = 0.5;
    constexpr int kBalls = 5;
    World world;
    std::vector<BodyId> balls;
    for (int i = 0; i < kBalls; ++i) {
        const Vec3 pivot(2 * kRadius * i, 0, kLength);
        const Real lean = i == 0 ? -kAngle : 0;
        BodyDef def;
        def.mass = 1;
        def.inertia = Mat3::Identity() * (0.4 * kRadius * kRadius);
        def.pose.p = pivot + kLength * Vec3(std::sin(lean), 0, -std::cos(lean));
        def.pose.q = Quat(Eigen::AngleAxisd(-lean, Vec3::UnitY()));
        balls.push_back(must(world.add_body(def)));
        must(world.add_joint(hinge(kWorld, balls.back(), pivot, Vec3::UnitY())));
        must(world.add_collider(
            balls.back(), {.shape = Shape::sphere(kRadius), .friction = 0, .restitution = 1}));
    }
    Real highest_last = 0, most_inner = 0;
    int impacts = 0;
    for (int i = 0; i < 100; ++i) {  // 1.67 s: the first hits at 0.51 s, the last is up at 1.02 s
        const StepReport report = world.step(kStep);
        EXPECT_TRUE(report.settled) << i;
        impacts += report.impacts;
        highest_last = std::max(highest_last, world.pose(balls.back()).p.z());
        for (int k = 1; k + 1 < kBalls; ++k)
            most_inner = std::max(most_inner, world.pose(balls[k]).p.z());
    }
    const Real height = kLength * (1 - std::cos(kAngle));
    EXPECT_GE(impacts, 1);
    EXPECT_NEAR(highest_last, height, 0.03 * height);
    EXPECT_LE(most_inner, 0.01 * height);
}

// A ball hits the edge of a door with e = 1. At a stop that holds it the door is a wall; away from it, or driven off the
// stop, it swings: ball m, door I about its hinge, w = 2 m v r/(I + m r²).
TEST(Contact, ADoorIsAWallAtItsStop)
{
    constexpr Real kReach = 0.9, kSpeed = 2;
    struct Case {
        Real lower, upper;
        bool held;
    };
    // the ball flies along +y and turns the door, which points along x, by a positive angle
    for (const auto& [lower, upper, held] :
         {Case{0, 1.5, false}, Case{-1.5, 0, true}, Case{-1, 1, false}}) {
        World world;
        must(world.set_gravity(Vec3::Zero()));
        BodyDef def;
        def.mass = 3;
        def.inertia = Vec3(0.25, 0.25 + 1e-3, 0.25).asDiagonal();
        def.pose.p = {0.5, 0, 0};
        const BodyId door = must(world.add_body(def));
        const JointDef pivot = hinge(kWorld, door, {0, 0, 0}, {0, 0, 1});
        must(world.add_joint(pivot));
        must(world.add_joint(limits(pivot, lower, upper)));
        must(world.add_collider(
            door, {.shape = Shape::box({1, 0.04, 1}), .friction = 0, .restitution = 1}));
        const BodyId ball = add_ball(world, 0.05, 1, {kReach, -0.3, 0}, {0, kSpeed, 0}, 0);
        run(world, 0.3);
        const Real inertia = 0.25 + 3 * 0.25;
        const Real spin = held ? 0 : 2 * kSpeed * kReach / (inertia + kReach * kReach);
        EXPECT_NEAR(world.velocity(door).angular.z(), spin, 0.01 * kSpeed) << lower;
        EXPECT_NEAR(world.velocity(ball).linear.y(), held ? -kSpeed : spin * kReach - kSpeed,
                    0.01 * kSpeed)
            << lower;
    }
}

// A bat that moves as told from one moment to the next: a ball with e = 1 leaves at twice its speed.
TEST(Contact, ABatThatStartsFromRestHitsAtItsSpeed)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef bat;
    bat.kind = BodyKind::Kinematic;
    bat.motion.shift[0] = Schedule::through({{0, 0}, {10, 30}}, Schedule::Kind::Linear);
    const BodyId body = must(world.add_body(bat));
    must(world.add_collider(body,
                            {.shape = Shape::box({0.1, 1, 1}), .friction = 0, .restitution = 1}));
    const BodyId ball = add_ball(world, 0.1, 1, {0.155, 0, 0}, Vec3::Zero(), 0);
    run(world, 0.5);
    EXPECT_NEAR(world.velocity(ball).linear.x(), 6, 0.02);
}

// … and one that begins to turn does not pass through what is in its way.
TEST(Contact, ABarThatBeginsToTurnSweepsABallAlong)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef bar;
    bar.kind = BodyKind::Kinematic;
    bar.motion.angle = Schedule::through({{0, 0}, {10, 100}}, Schedule::Kind::Linear);
    const BodyId body = must(world.add_body(bar));
    must(world.add_collider(body, {.shape = Shape::box({2, 0.05, 0.2})}));
    const BodyId ball = add_ball(world, 0.05, 1, {0.8, 0.12, 0}, Vec3::Zero(), 0);
    run(world, 0.1);
    EXPECT_GT(world.velocity(ball).linear.norm(), 5);
}

TEST(Contact, SnapshotsGoOnWithTheSameBits)
{
    World world;
    add_floor(world);
    for (int i = 0; i < 4; ++i)
        add_box(world, {0.3, 0.2, 0.1}, 1,
                {{0.05 * i, 0, 0.2 + 0.15 * i}, Quat(Eigen::AngleAxisd(0.3 * i, Vec3::UnitY()))});
    for (int i = 0; i < 40; ++i) world.step(kStep);
    const auto image = world.snapshot();
    for (int i = 0; i < 40; ++i) world.step(kStep);
    const auto hash = world.hash();
    must(world.restore(image));
    EXPECT_FALSE(world.contacts().empty());
    for (int i = 0; i < 40; ++i) world.step(kStep);
    EXPECT_EQ(world.hash(), hash);
}

}  // namespace
}  // namespace taut::test
