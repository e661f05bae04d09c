// Bodies that touch, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;
constexpr StepSettings kStep{.dt = 1.0 / 60};

struct Watched {
    Real rise = 0;
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
    out.rise /= most;
    out.solves /= steps;
    return out;
}

BodyId add_box(World& world, const Vec3& size, Real mass, const Pose& pose, Real friction = 0.5)
{
    BodyDef def;
    def.mass = mass;
    const Vec3 s = size.cwiseProduct(size);
    def.inertia = (mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())).asDiagonal();
    def.pose = pose;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = ShapeKind::Box, .size = size, .friction = friction}));
    return body;
}

BodyId add_ball(World& world, Real radius, Real mass, const Vec3& p, const Vec3& v,
                Real friction = 0.5)
{
    BodyDef def;
    def.mass = mass;
    def.inertia = Mat3::Identity() * (0.4 * mass * radius * radius);
    def.pose.p = p;
    def.velocity.linear = v;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body,
                            {.shape = ShapeKind::Sphere, .radius = radius, .friction = friction}));
    return body;
}

void add_ground(World& world, Real friction = 0.5, const Quat& tilt = Quat::Identity())
{
    must(world.add_collider(
        kWorld, {.shape = ShapeKind::Plane, .pose = {Vec3::Zero(), tilt}, .friction = friction}));
}

TEST(Contact, ABoxFallsAndRests)
{
    World world;
    add_ground(world);
    const BodyId box = add_box(world, {0.2, 0.3, 0.1}, 2, {{0, 0, 0.55}, Quat::Identity()});
    const Watched seen = run(world, 2);
    EXPECT_LE(seen.rise, 1e-3);
    EXPECT_EQ(seen.unsettled, 0);
    EXPECT_NEAR(world.pose(box).p.z(), 0.05, 1e-6);
    EXPECT_LE(world.velocity(box).linear.norm(), 1e-8);
    Vec3 force = Vec3::Zero();
    for (const ContactReading& c : world.contacts()) force += c.a == box ? c.force : -c.force;
    EXPECT_NEAR(force.z(), 2 * kG, 1e-6);
    std::printf("box at rest: %.2f solves a step\n", seen.solves);
}

class Incline : public testing::TestWithParam<Real> {};
TEST_P(Incline, HoldsBelowTheFrictionAngleAndSlidesAbove)
{
    const Real angle = GetParam();
    World world;
    const Quat tilt(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    add_ground(world, 0.5, tilt);
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
    add_ground(world, 0.3);
    const BodyId ball = add_ball(world, 0.1, 1, {0, 0, 0.1}, {3, 1, 0}, 0.3);
    run(world, 2);
    const Vec3 v = world.velocity(ball).linear, w = world.velocity(ball).angular;
    EXPECT_NEAR(v.x(), 3 * 5.0 / 7, 0.02);
    EXPECT_NEAR(v.y(), 1 * 5.0 / 7, 0.02);
    EXPECT_NEAR(w.y() * 0.1, v.x(), 1e-3);
    EXPECT_NEAR(world.pose(ball).p.z(), 0.1, 1e-6);
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
    add_ground(world);
    std::vector<BodyId> all;
    for (int i = 0; i < boxes; ++i)
        all.push_back(add_box(world, {1, 1, 1}, i + 1 == boxes ? ratio : 1,
                              {{0, 0, 0.5 + i}, Quat::Identity()}));
    const Watched seen = run(world, 10);
    EXPECT_EQ(seen.unsettled, 0);
    for (int i = 0; i < boxes; ++i) {
        const Vec3 p = world.pose(all[i]).p;
        EXPECT_NEAR(p.z(), 0.5 + i, 0.01) << i;
        EXPECT_LE(std::hypot(p.x(), p.y()), 1e-3) << i;
    }
    std::printf("%d boxes, top %g: %.2f solves a step\n", boxes, ratio, seen.solves);
}
INSTANTIATE_TEST_SUITE_P(Ratios, Stack,
                         testing::Values(StackCase{2, 1}, StackCase{2, 1e4}, StackCase{2, 1e6},
                                         StackCase{10, 1}, StackCase{10, 1e4}, StackCase{10, 1e6}));

TEST(Contact, SnapshotsGoOnWithTheSameBits)
{
    World world;
    add_ground(world);
    for (int i = 0; i < 4; ++i)
        add_box(world, {0.3, 0.2, 0.1}, 1,
                {{0.05 * i, 0, 0.2 + 0.15 * i}, Quat(Eigen::AngleAxisd(0.3 * i, Vec3::UnitY()))});
    for (int i = 0; i < 40; ++i) world.step(kStep);
    const auto image = world.snapshot();
    for (int i = 0; i < 40; ++i) world.step(kStep);
    const auto hash = world.hash();
    must(world.restore(image));
    for (int i = 0; i < 40; ++i) world.step(kStep);
    EXPECT_EQ(world.hash(), hash);
}

}  // namespace
}  // namespace taut::test
