// Joints whose rows are dependent: a straight row of planks between two walls, held by more joints than it needs.
#include <gtest/gtest.h>

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
            int solves = 0;
            constexpr int kSteps = 120;
            for (int i = 0; i < kSteps; ++i) {
                const StepReport report = bridge.world.step({.dt = dt});
                ASSERT_EQ(report.status, StepStatus::Ok);
                EXPECT_TRUE(report.settled) << "step " << i << " of " << dt << " s";
                solves += report.solves - report.back_substitutions;
            }
            EXPECT_LE(solves, 6 * kSteps) << dt << " s, end " << static_cast<int>(end);
            for (const BodyId plank : bridge.planks) {
                EXPECT_NEAR(bridge.world.centre_of_mass(plank).z(), 0, 1e-3 * 5 * 0.7);
                EXPECT_LE(bridge.world.velocity(plank).linear.norm(), 1e-2);
            }
            EXPECT_LE(bridge.world.joint_gap(), 1e-6 * 5 * 0.7);
        }
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
