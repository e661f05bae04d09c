// Impacts of many bodies and of fast ones.
#include <gtest/gtest.h>

#include <cmath>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

BodyId add_bouncing_ball(World& world, Real radius, const Vec3& p, Real restitution)
{
    BodyDef def;
    def.mass = 1;
    def.inertia = Mat3::Identity() * (0.4 * radius * radius);
    def.pose.p = p;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, {.shape = Shape::sphere(radius), .restitution = restitution}));
    return body;
}

// A layer of balls falls on a plate that lies on the floor, all in one island: each comes up to e²H, whenever it arrives.
class Layer : public testing::TestWithParam<Real> {};
TEST_P(Layer, OfBallsComesUpToTheSquareOfRestitution)
{
    constexpr Real kBounce = 0.5, kRadius = 0.1;
    constexpr int kSide = 6;
    const Real staggered = GetParam();
    World world;
    add_floor(world);
    // So heavy that it is a wall to all balls at once: impulses run on to the floor when they have passed it (with 1000 kg
    // balls leave with e - 0.05). With e = 0 of its own against the floor: the larger restitution of a pair counts.
    add_box(world, {3, 3, 0.2}, 1e6, {{0, 0, 0.1}, Quat::Identity()});
    std::vector<BodyId> balls;
    std::vector<Real> drop, top(kSide * kSide, 0);
    for (int i = 0; i < kSide * kSide; ++i) {
        drop.push_back(0.4 + staggered * i / (kSide * kSide));
        balls.push_back(add_bouncing_ball(
            world, kRadius,
            {0.4 * (i % kSide - 2.5), 0.4 * (i / kSide - 2.5), 0.2 + kRadius + drop.back()},
            kBounce));
    }
    const StepSettings settings{.dt = 1.0 / 120};
    std::vector<char> up(balls.size(), 0);
    for (int step = 0; step < 75; ++step) {
        const StepReport report = world.step(settings);
        ASSERT_TRUE(report.settled) << step;
        for (std::size_t i = 0; i < balls.size(); ++i) {
            const Real height = world.pose(balls[i]).p.z() - 0.2 - kRadius;
            EXPECT_GE(height, -0.01 * kRadius);
            up[i] = up[i] || world.velocity(balls[i]).linear.z() > 0.1;
            if (up[i]) top[i] = std::max(top[i], height);
        }
    }
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const Real expected = kBounce * kBounce * drop[i];
        // a frame shows the top of a parabola by g(h/2)²/2 too low at most
        EXPECT_NEAR(top[i], expected, 0.01 * expected + kG / 8 * settings.dt * settings.dt) << i;
    }
}
INSTANTIATE_TEST_SUITE_P(Times, Layer, testing::Values(0.0, 0.1));

// A pile at rest of 48 balls in a bin, struck by a layer with e = 0.5: nothing passes through, nothing gains energy, all comes to rest.
TEST(Impact, ALayerThatBouncesOnAPileGainsNoEnergy)
{
    constexpr Real kRadius = 0.1;
    constexpr int kSide = 4, kLayers = 3;
    World world;
    add_floor(world);
    for (const Real sign : {1.0, -1.0})
        for (const int axis : {0, 1}) {
            ColliderDef wall{.shape = Shape::box({4, 4, 4})};
            wall.pose.p[axis] = sign * (2 + kSide * 1.02 * kRadius);
            must(world.add_collider(kWorld, wall));
        }
    std::vector<BodyId> balls;
    for (int i = 0; i < kSide * kSide * (kLayers + 1); ++i) {
        const int layer = i / (kSide * kSide);
        const Vec3 at(i % kSide - (kSide - 1) / 2.0, i / kSide % kSide - (kSide - 1) / 2.0, layer);
        Vec3 p = 2.02 * kRadius * at + Vec3(0, 0, kRadius);
        if (layer == kLayers) p.z() += 0.5;
        balls.push_back(add_bouncing_ball(world, kRadius, p, layer == kLayers ? 0.5 : 0));
    }
    const Real start = world.energy().total();
    Real fall = 0;
    for (int step = 0; step < 180; ++step) {
        const StepReport report = world.step({.dt = 1.0 / 60});
        ASSERT_EQ(report.status, StepStatus::Ok);
        fall = std::max(fall, world.energy().kinetic());
        EXPECT_LE(world.energy().total(), start + 5e-3 * fall) << step;
    }
    for (const BodyId ball : balls) {
        EXPECT_GE(world.pose(ball).p.z(), 0.99 * kRadius);
        EXPECT_LE(world.pose(ball).p.head<2>().cwiseAbs().maxCoeff(),
                  kSide * 1.02 * kRadius - 0.99 * kRadius);
    }
    EXPECT_LE(world.energy().kinetic(), 1e-3 * fall);
}

// A sheet of 2 mm, however fast and whichever way it faces, stops at a wall of 2 mm; up to 30 m/s also
// while it turns by half a radian a step.
class ThinSheet : public testing::TestWithParam<Real> {};
TEST_P(ThinSheet, DoesNotPassThroughAThinWall)
{
    const Real speed = GetParam();
    for (const Real turn : {0.0, speed < 100 ? 0.5 : 0.0})
        for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(1, 1, 1)})
            for (const Real angle : {0.0, 0.4, 1.2, M_PI / 2}) {
                World world;
                must(world.set_gravity(Vec3::Zero()));
                must(world.add_collider(kWorld, {.shape = Shape::box({0.002, 1000, 1000})}));
                const StepSettings settings{.dt = 1.0 / 60};
                const Quat q(Eigen::AngleAxisd(angle, axis.normalized()));
                const BodyId sheet =
                    add_box(world, {0.002, 0.3, 0.4}, 0.5, {{-1.3, 0, 0}, q}, 0.5,
                            {{speed, 0.2 * speed, 0},
                             turn / settings.dt * Vec3(0.3, 1, -0.5).normalized()});
                for (int step = 0; step < 30; ++step) {
                    const StepReport report = world.step(settings);
                    ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
                    ASSERT_LT(world.pose(sheet).p.x(), 0)
                        << speed << " " << turn << " " << axis.transpose() << " " << angle;
                }
            }
}
INSTANTIATE_TEST_SUITE_P(Speeds, ThinSheet, testing::Values(3.0, 30.0, 300.0));

}  // namespace
}  // namespace taut::test
