// Joints whose rows are dependent: a straight row of planks between two walls, held by more joints than it needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

enum class End { OneBall, TwoBalls, Hinge };

struct Bridge {
    World world;
    std::vector<BodyId> planks;
    std::vector<JointId> at_walls;
    Real weight = 0;
};

// Planks end to end in no special direction of the plane, both ends on the ground.
Bridge make_bridge(int planks, Real length, Real width, Real mass, End end)
{
    Bridge bridge;
    const Quat q(Eigen::AngleAxis<Real>(0.7, Vec3::UnitZ()));
    const Vec3 across = q * Vec3(0, width / 2, 0);
    const auto join = [&](BodyId a, BodyId b, const Vec3& p) {
        if (end == End::TwoBalls) {
            must(bridge.world.add_joint(ball(a, b, p - across)));
            must(bridge.world.add_joint(ball(a, b, p + across)));
        } else {
            must(bridge.world.add_joint(end == End::Hinge ? hinge(a, b, p, across.normalized())
                                                          : ball(a, b, p)));
        }
    };
    for (int i = 0; i < planks; ++i) {
        BodyDef def;
        def.name = "plank" + std::to_string(i + 1);
        def.mass = mass;
        def.inertia = mass / 12 *
                      Vec3(width * width, length * length, length * length + width * width)
                          .asDiagonal()
                          .toDenseMatrix();
        def.pose = {q * Vec3(length * (i + 0.5), 0, 0), q};
        bridge.planks.push_back(must(bridge.world.add_body(def)));
        join(i == 0 ? kWorld : bridge.planks[i - 1], bridge.planks[i], q * Vec3(length * i, 0, 0));
    }
    join(bridge.planks.back(), kWorld, q * Vec3(length * planks, 0, 0));
    bridge.weight = planks * mass * 9.81;
    return bridge;
}

// The weight would call for an infinite tension. The planks sag by less than a thousandth, and steps stay cheap.
TEST(Loops, AStraightBridgeCarriesItsWeight)
{
    for (const End end : {End::OneBall, End::TwoBalls, End::Hinge})
        for (const Real dt : {1.0 / 240, 1.0 / 60, 1.0 / 30}) {
            Bridge bridge = make_bridge(5, 0.7, 1.2, 13, end);
            int factorisations = 0, solves = 0;
            constexpr int kSteps = 120;
            for (int i = 0; i < kSteps; ++i) {
                const StepReport report = bridge.world.step({.dt = dt});
                ASSERT_EQ(report.status, StepStatus::Ok);
                EXPECT_TRUE(report.settled) << "step " << i << " of " << dt << " s";
                factorisations += report.solves - report.back_substitutions;
                solves += report.solves;
            }
            EXPECT_LE(solves, 7 * kSteps) << dt << " s, end " << static_cast<int>(end);
            EXPECT_LE(factorisations, 6 * kSteps) << dt << " s, end " << static_cast<int>(end);
            for (const BodyId plank : bridge.planks) {
                EXPECT_NEAR(bridge.world.centre_of_mass(plank).z(), 0, 1e-3 * 5 * 0.7);
                EXPECT_LE(bridge.world.velocity(plank).linear.norm(), 1e-2);
            }
            EXPECT_LE(bridge.world.joint_gap(), 1e-6 * 5 * 0.7);
        }
}

// Twenty planks: what they hang in is the compliance of their joints, which is not of the mechanism. They come to rest, and substitutions count
// as well: a scheme that damps nothing took 11 to 43 solves a step, for ever.
TEST(Loops, ALongStraightBridgeComesToRest)
{
    for (const End end : {End::OneBall, End::TwoBalls}) {
        Bridge bridge = make_bridge(20, 0.7, 1.2, 13, end);
        int solves = 0;
        constexpr int kSteps = 480;
        for (int i = 0; i < kSteps; ++i) {
            const StepReport report = bridge.world.step({.dt = 1.0 / 240});
            EXPECT_TRUE(report.settled) << "step " << i;
            solves += report.solves;
        }
        EXPECT_LE(solves, 6 * kSteps) << "end " << static_cast<int>(end);
        EXPECT_LE(bridge.world.energy().kinetic(), 1e-6) << "end " << static_cast<int>(end);
    }
}

// A boom of 5e4 kg on a hinge is let go 20° above the pose in which a cable of twelve segments of 1 kg holds it: it falls freely, with
// the cable nearly unloaded, into the cable.
TEST(Loops, ABoomThatFallsIntoItsLightCableIsCaught)
{
    constexpr int kSegments = 12;
    constexpr Real kLength = 10, kRaised = 0.35, kBoom = 5e4;  // [m], [rad], [kg]
    const Vec3 top(0, 0, 6), tip(kLength * std::cos(kRaised), 0, kLength * std::sin(kRaised));
    const Real segment = std::hypot(kLength, top.z()) / kSegments;
    World world;
    BodyDef def;
    def.mass = kBoom;
    def.inertia = rod_inertia(kBoom, kLength, 0.5);
    def.pose = {tip / 2, Quat(Eigen::AngleAxis<Real>(-kRaised, Vec3::UnitY()))};
    const BodyId boom = must(world.add_body(def));
    must(world.add_joint(hinge(kWorld, boom, Vec3::Zero(), Vec3::UnitY())));
    // the slack cable in a zigzag from the top to the tip
    const Vec3 along = (tip - top) / kSegments, aside = along.cross(Vec3::UnitY()).normalized();
    const Real out = std::sqrt(segment * segment - along.squaredNorm()) / 2;
    const auto knot = [&](int i) -> Vec3 {
        const Real side = i == 0 || i == kSegments ? 0 : i % 2 == 0 ? -out : out;
        return top + i * along + side * aside;
    };
    BodyId above = kWorld;
    for (int i = 0; i < kSegments; ++i) {
        const Vec3 from = knot(i), to = knot(i + 1);
        BodyDef link;
        link.mass = 1;
        link.inertia = rod_inertia(1, (to - from).norm(), 0.02);
        link.pose = {(from + to) / 2, Quat::FromTwoVectors(Vec3::UnitX(), to - from)};
        const BodyId below = must(world.add_body(link));
        must(world.add_joint(ball(above, below, from)));
        above = below;
    }
    must(world.add_joint(ball(above, boom, tip)));
    int solves = 0;
    constexpr int kSteps = 480;
    Real kinetic = 0, rise = 0;
    const Real start = world.energy().total();
    for (int i = 0; i < kSteps; ++i) {
        const StepReport report = world.step({.dt = 1.0 / 240});
        ASSERT_EQ(report.status, StepStatus::Ok);
        EXPECT_TRUE(report.settled) << "step " << i;
        solves += report.solves;
        kinetic = std::max(kinetic, world.energy().kinetic());
        rise = std::max(rise, world.energy().total() - start);
        EXPECT_LE(world.joint_gap(), 1e-6 * kLength);
    }
    EXPECT_LE(rise, 1e-6 * kinetic);
    EXPECT_LE(
        solves,
        25 * kSteps);  // 17, of which up to 164 in one step once the links have been thrown about
}

// Seven particles on a straight line of ropes, or of rods.
TEST(Loops, AStraightRopeCarriesItsWeight)
{
    for (const bool ropes : {true, false}) {
        World world;
        std::vector<BodyId> ids = {kWorld};
        const Vec3 step(0.4, 0.3, 0);
        for (int i = 1; i <= 7; ++i) {
            BodyDef def;
            def.name = "p" + std::to_string(i);
            def.kind = BodyKind::Particle;
            def.mass = 0.3;
            def.pose.p = i * step;
            ids.push_back(must(world.add_body(def)));
        }
        ids.push_back(kWorld);
        for (int i = 0; i <= 7; ++i) {
            const Vec3 a = i * step, b = (i + 1) * step;
            must(world.add_joint(ropes ? rope(ids[i], ids[i + 1], a, b)
                                       : rod(ids[i], ids[i + 1], a, b)));
        }
        int solves = 0;
        for (int i = 0; i < 120; ++i) {
            const StepReport report = world.step({.dt = 1.0 / 60});
            EXPECT_TRUE(report.settled) << "step " << i << ", ropes " << ropes;
            solves += report.solves - report.back_substitutions;
        }
        EXPECT_LE(solves, 6 * 120) << "ropes " << ropes;
        for (int i = 1; i <= 7; ++i) EXPECT_NEAR(world.centre_of_mass(ids[i]).z(), 0, 4e-3);
    }
}

// Joints that repeat each other at poses that are not singular yield by next to nothing.
TEST(Loops, RedundantJointsAreRigid)
{
    World world;
    BodyDef def;
    def.mass = 1000;
    def.inertia = Mat3::Identity() * 100;
    def.pose.p = {0, 0, -1};
    const BodyId body = must(world.add_body(def));
    for (const Real x : {-1.0, 0.0, 1.0}) must(world.add_joint(ball(kWorld, body, {x, 0, 0})));
    for (int i = 0; i < 60; ++i) {
        const StepReport report = world.step({.dt = 1.0 / 60});
        EXPECT_TRUE(report.settled);
        EXPECT_LE(report.solves, 2);
    }
    // ε g h² of one joint
    EXPECT_LE(world.joint_gap(), 1e-8 * 9.81 / 3600);
}

}  // namespace
}  // namespace taut::test
