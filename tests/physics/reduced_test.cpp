// Reduced coordinates against multipliers in maximal coordinates: two derivations that share nothing but
// the description of the mechanism.
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/sanitized.h"

namespace taut::test {
namespace {

const char* const kTypes[] = {"hinge", "prismatic", "cylindrical",   "planar",        "universal",
                              "ball",  "weld",      "point_on_line", "point_on_plane"};

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    Real number(Real low, Real high)
    {
        return low + (high - low) * static_cast<Real>(engine_()) / static_cast<Real>(engine_.max());
    }
    int index(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }
    Vec3 vector(Real size)
    {
        return {number(-size, size), number(-size, size), number(-size, size)};
    }
    Quat rotation()
    {
        return Quat(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)).normalized();
    }

private:
    std::mt19937 engine_;
};

struct TreeOptions {
    unsigned seed = 1;
    const char* type = nullptr;  // of all joints; nullptr: any
    int bodies = 6;
    bool floating = false;
    bool kinematic = false;  // root
    bool gravity = true;
    bool spring = true;  // and a servo, where a hinge comes along
};

// Bodies at random poses, each hung on an earlier one. Joints close at the start, and a random speed is
// read by the first step as the nearest the joints allow.
World make_tree(const TreeOptions& options)
{
    Random random(options.seed);
    World world;
    if (!options.gravity) must(world.set_gravity(Vec3::Zero()));
    std::vector<BodyId> bodies;
    BodyId root = kWorld;
    if (options.kinematic) {
        BodyDef def;
        def.kind = BodyKind::Kinematic;
        def.centre_of_mass = {0.1, 0.2, 0};
        def.motion.shift[1] = Schedule::sine(0, 0.3, 0.8);
        def.motion.axis = {1, 2, 3};
        def.motion.angle = Schedule::sine(0, 0.5, 0.6);
        root = must(world.add_body(def));
    }
    for (int i = 0; i < options.bodies; ++i) {
        BodyDef def;
        def.mass = random.number(0.5, 2);
        // moments of a box
        const Vec3 side = Vec3::Constant(0.5) + random.vector(0.3);
        const Vec3 square = side.cwiseAbs2();
        def.inertia = (def.mass / 12 * (Vec3::Constant(square.sum()) - square)).asDiagonal();
        def.centre_of_mass = random.vector(0.1);
        def.pose = {random.vector(1), random.rotation()};
        def.velocity = {random.vector(0.5), random.vector(1)};
        const BodyId b = must(world.add_body(def));
        if (!(options.floating && i == 0)) {
            const BodyId parent = i == 0 ? root : bodies[random.index(i)];
            JointDef joint;
            joint.type = options.type ? options.type : kTypes[random.index(9)];
            joint.frames[0] = joint.frames[1] = {random.vector(1), random.rotation()};
            // either body may come first, but for lines and planes, which belong to the parent
            const bool turned = joint.type.rfind("point", 0) != 0 && random.index(2) == 1;
            joint.bodies = {turned ? b : parent, turned ? parent : b, kWorld};
            must(world.add_joint(joint));
            if (options.spring && joint.type == "hinge" && i % 2 == 0)
                must(world.add_joint(servo(joint, Schedule::sine(0, 0.5, 1), 5, 0.3)));
        }
        bodies.push_back(b);
    }
    if (options.spring) {
        SpringDef spring;
        spring.bodies = {bodies.front(), bodies.back()};
        spring.frames[0].p = {0, 0, 0.5};
        spring.frames[1].p = {1, 1, 0.5};
        spring.stiffness = 3;
        spring.damping = 0.2;
        must(world.add_spring(spring));
    }
    return world;
}

void run(World& world, const StepSettings& s, int steps)
{
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(s);
        ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
    }
}

StepSettings reduced(Real dt) { return settings(dt, Scheme::Reduced); }

// Runge-Kutta 4 of both formulations from one state: (v⁺ − v)/h are their accelerations, and differ by h⁴
// and by round-off over h.
void expect_same_accelerations(const TreeOptions& options)
{
    World tree = make_tree(options);
    run(tree, reduced(2e-3), 100);  // somewhere in the middle of its motion
    const auto image = tree.snapshot();
    World other = make_tree(options);
    ASSERT_TRUE(other.restore(image).ok());

    constexpr Real h = 1e-4;
    run(tree, reduced(h), 1);
    run(other, settings(h, Scheme::Lagrange), 1);
    for (int b = 0; b < tree.body_count(); ++b) {
        const Twist v = tree.velocity(BodyId{b}), w = other.velocity(BodyId{b});
        EXPECT_LT((v.linear - w.linear).norm() / h, 1e-9) << options.seed << " body " << b;
        EXPECT_LT((v.angular - w.angular).norm() / h, 1e-9) << options.seed << " body " << b;
    }
    for (int j = 0; j < tree.joint_count(); ++j) {
        const auto a = tree.multipliers(JointId{j}), b = other.multipliers(JointId{j});
        for (std::size_t r = 0; r < a.size(); ++r)
            EXPECT_NEAR(a[r], b[r], 1e-8) << options.seed << " " << tree.type(JointId{j}) << r;
    }
}

TEST(Reduced, ArticulatedBodiesAccelerateAsMultipliersSay)
{
    for (const char* type : kTypes)
        for (unsigned seed = 1; seed <= (kSanitized ? 1 : 3); ++seed) {
            SCOPED_TRACE(type);
            expect_same_accelerations({.seed = seed, .type = type});
            expect_same_accelerations({.seed = seed, .type = type, .bodies = 4, .floating = true});
            expect_same_accelerations({.seed = seed, .type = type, .bodies = 4, .kinematic = true});
        }
    for (unsigned seed = 10; seed < (kSanitized ? 12 : 30); ++seed)
        expect_same_accelerations({.seed = seed, .bodies = 12});
}

TEST(Reduced, ParticlesHangOnPointJoints)
{
    const auto build = [] {
        World world;
        BodyDef bead;
        bead.kind = BodyKind::Particle;
        bead.pose.p = {0.5, 0, 0.1};
        bead.velocity.linear = {0.3, 0, -0.12};  // along the wire
        const BodyId a = must(world.add_body(bead));
        JointDef wire;
        wire.type = "point_on_line";
        wire.bodies = {kWorld, a, kWorld};
        wire.frames[0] = wire.frames[1] = frame_along(bead.pose.p, {1, 0, -0.4});
        must(world.add_joint(wire));
        BodyDef link;
        link.inertia = rod_inertia(1, 1, 0.05);
        link.pose.p = bead.pose.p + Vec3(0.5, 0, 0);
        link.velocity = {{0.3, 0.2, -0.12}, {0, 0, 0.4}};
        const BodyId b = must(world.add_body(link));
        must(world.add_joint(ball(a, b, bead.pose.p)));
        bead.pose.p = {3, 3, 3};
        must(world.add_body(bead));  // and one that flies
        return world;
    };
    World tree = build(), other = build();
    run(tree, reduced(1e-3), 1000);
    run(other, settings(1e-3, Scheme::PostStabilisation), 1000);
    for (int b = 0; b < 3; ++b)
        EXPECT_LT((tree.centre_of_mass(BodyId{b}) - other.centre_of_mass(BodyId{b})).norm(), 1e-9);
    EXPECT_LT(tree.joint_gap(), 1e-13);
}

TEST(Reduced, EnergyErrorIsOfFourthOrderAndJointsStayClosed)
{
    const auto error = [](Real h) {
        World world = make_tree({.seed = 5, .bodies = 8, .spring = false});
        run(world, reduced(h), 1);
        const Real start = world.energy().total();
        run(world, reduced(h), static_cast<int>(std::lround(0.4 / h)));
        EXPECT_LT(world.joint_gap(), 1e-12);
        EXPECT_LT(world.angular_gap(), 1e-12);
        return std::abs(world.energy().total() - start);
    };
    const Real coarse = error(4e-3), fine = error(2e-3);
    EXPECT_LT(fine, 1e-6);
    EXPECT_GT(std::log2(coarse / fine), 3.5);
}

TEST(Reduced, FreeTreeKeepsItsMomentaToFourthOrder)
{
    const auto error = [](Real h) {
        World world = make_tree({.seed = 7, .floating = true, .gravity = false});
        run(world, reduced(h), 1);
        const Momentum start = world.momentum();
        run(world, reduced(h), static_cast<int>(std::lround(1 / h)));
        return (world.momentum().linear - start.linear).norm() +
               (world.momentum().angular - start.angular).norm();
    };
    const Real coarse = error(2e-3), fine = error(1e-3);
    EXPECT_LT(fine, 1e-8);
    EXPECT_GT(std::log2(coarse / fine), 3.5);
}

// Work of a kinematic root and of a servo is what the energy gains.
TEST(Reduced, WorkIsTheGainOfEnergy)
{
    World world = make_tree({.seed = 4, .type = "hinge", .kinematic = true, .spring = false});
    run(world, reduced(1e-3), 1);
    const Real start = world.energy().total() - world.work().total();
    run(world, reduced(1e-3), 1000);
    EXPECT_GT(std::abs(world.work().prescribed), 0.1);
    EXPECT_NEAR(world.energy().total() - world.work().total(), start, 1e-7);
}

// The engine's second-order scheme comes nearer with the square of its step.
void expect_engine_agrees(const std::function<World()>& build, Real accuracy)
{
    const auto engine = [&](Real h) {
        World world = build();
        run(world, settings(h, Scheme::AlphaBeta, Stabilisation::Exact),
            static_cast<int>(std::lround(0.5 / h)));
        return world;
    };
    World tree = build();
    run(tree, reduced(1e-3), 500);
    const World coarse = engine(1e-3), fine = engine(5e-4);
    const auto distance = [&](const World& other) {
        Real sum = 0;
        for (int b = 0; b < tree.body_count(); ++b)
            sum += (tree.centre_of_mass(BodyId{b}) - other.centre_of_mass(BodyId{b})).norm();
        return sum;
    };
    EXPECT_LT(distance(fine), accuracy);
    EXPECT_NEAR(std::log2(distance(coarse) / distance(fine)), 2, 0.3);
}

TEST(Reduced, DoublePendulumAgreesWithTheMidpointScheme)
{
    expect_engine_agrees([] { return std::move(make_chain({.links = 2, .length = 1}).world); },
                         1e-5);
}

TEST(Reduced, SpatialTreeAgreesWithTheMidpointScheme)
{
    expect_engine_agrees(
        [] {
            World world = make_tree({.seed = 12, .bodies = 5, .spring = true});
            run(world, reduced(1e-3), 1);  // speeds that the joints allow
            return world;
        },
        1e-4);
}

TEST(Reduced, WhatIsNoOpenTreeIsRefusedWithAReason)
{
    const auto chain = [] { return make_chain({.links = 2}); };
    const auto refused = [](World& world, const char* word) {
        const std::uint64_t before = world.hash();
        const StepReport report = world.step({.research = {.scheme = Scheme::Reduced}});
        EXPECT_EQ(report.status, StepStatus::Refused);
        EXPECT_NE(report.reason.find(word), std::string_view::npos) << report.reason;
        EXPECT_EQ(world.hash(), before);
    };
    Chain loop = chain();
    must(loop.world.add_joint(ball(kWorld, loop.links[1], {0.2, 0, 0})));
    refused(loop.world, "loop");

    Chain soft = make_chain({.links = 2, .compliance = 1e-6});
    refused(soft.world, "compliance");

    Chain driven = chain();
    must(driven.world.add_joint(
        motor(hinge(kWorld, driven.links[0], Vec3::Zero(), Vec3::UnitY()), 1.0)));
    refused(driven.world, "velocity");

    Chain strut = chain();
    BodyDef def;
    def.pose.p = {5, 0, 0};
    const BodyId far = must(strut.world.add_body(def));
    must(strut.world.add_joint(rod(kWorld, far, {4, 0, 0}, {5, 0, 0})));
    refused(strut.world, "hinge");

    Chain open = chain();
    must(open.world.set_pose(open.links[1], {{0.2, 0, 0}, Quat::Identity()}));
    refused(open.world, "open");
}

}  // namespace
}  // namespace taut::test
