// The public surface: what it refuses, and that a refusal changes nothing.
#include <limits>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

void expect_refused(const Result<BodyId>& result, const char* words)
{
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
}

TEST(World, RefusesBodiesThatCannotExist)
{
    World world;
    const auto with = [](auto change) {
        BodyDef def;
        def.name = "box";
        change(def);
        return def;
    };
    expect_refused(world.add_body(with([](BodyDef& d) { d.mass = -1; })), "mass is -1");
    expect_refused(world.add_body(with([](BodyDef& d) { d.mass = kNan; })), "mass");
    expect_refused(world.add_body(with([](BodyDef& d) { d.inertia = Vec3(1, 1, 3).asDiagonal(); })),
                   "no real body");
    expect_refused(world.add_body(with([](BodyDef& d) { d.inertia = Vec3(1, 0, 1).asDiagonal(); })),
                   "above zero");
    expect_refused(world.add_body(with([](BodyDef& d) { d.inertia(0, 1) = 0.5; })), "symmetric");
    expect_refused(world.add_body(with([](BodyDef& d) { d.pose.p.x() = kNan; })), "pose");
    expect_refused(world.add_body(with([](BodyDef& d) { d.pose.q = Quat(2, 0, 0, 0); })),
                   "length 2");
    expect_refused(world.add_body(with([](BodyDef& d) { d.velocity.angular.y() = kNan; })),
                   "velocity");
    EXPECT_EQ(world.body_count(), 0);
    must(world.add_body(with([](BodyDef&) {})));
    expect_refused(world.add_body(with([](BodyDef&) {})), "already");
}

TEST(World, RefusesJointsThatMakeNoSense)
{
    World world;
    BodyDef def;
    const BodyId a = must(world.add_body(def)), b = must(world.add_body(def));
    const auto refused = [&](const JointDef& joint, const char* words) {
        const auto result = world.add_joint(joint);
        ASSERT_FALSE(result.ok()) << words;
        EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
    };
    JointDef joint = ball(a, b, Vec3::Zero());
    joint.type = "bal";
    refused(joint, "no joint type 'bal'");
    refused(ball(a, a, Vec3::Zero()), "with itself");
    refused(ball(a, BodyId{17}, Vec3::Zero()), "none of this world's");
    refused(ball(kWorld, kWorld, Vec3::Zero()), "itself");
    joint = ball(a, b, Vec3::Zero());
    joint.compliance = -1;
    refused(joint, "compliance");
    joint = ball(a, b, Vec3::Zero());
    joint.row_compliance = {0, 0};
    refused(joint, "has 3 rows");
    joint = ball(a, b, {kNan, 0, 0});
    refused(joint, "finite");
    joint = ball(a, b, Vec3::Zero());
    joint.parameters = {{"pitch", 1}};
    refused(joint, "no parameter 'pitch'");
    BodyDef point;
    point.kind = BodyKind::Particle;
    const BodyId p = must(world.add_body(point));
    refused(hinge(a, p, Vec3::Zero(), Vec3::UnitX()), "particle");
    refused(ball(a, p, {1, 0, 0}), "particle");
    EXPECT_EQ(world.joint_count(), 0);
    EXPECT_EQ(world.row_count(), 0);
}

TEST(World, RefusesSettingsThatMakeNoSense)
{
    Chain chain = make_chain({});
    const std::uint64_t before = chain.world.hash();
    const auto refused = [&](auto change) {
        StepSettings s;
        change(s);
        const StepReport report = chain.world.step(s);
        EXPECT_EQ(report.status, StepStatus::Refused);
        EXPECT_FALSE(report.reason.empty());
        EXPECT_EQ(chain.world.hash(), before);
    };
    refused([](StepSettings& s) { s.dt = 0; });
    refused([](StepSettings& s) { s.dt = kNan; });
    refused([](StepSettings& s) { s.dt = -1; });
    refused([](StepSettings& s) {
        s.research.scheme = Scheme::AlphaBeta;
        s.research.alpha = 0;
    });
    refused([](StepSettings& s) {
        s.research.scheme = Scheme::AlphaBeta;
        s.research.beta = 1.5;
    });
    refused([](StepSettings& s) {
        s.research.stabilisation = Stabilisation::Exact;
        s.research.solver = Solver::Ldlt;
    });
}

TEST(World, CentreOfMassAwayFromTheOriginHangsBelowItsHinge)
{
    World world;
    BodyDef def;
    def.inertia = Vec3(0.1, 0.1, 0.1).asDiagonal();
    def.centre_of_mass = {0, 0, -0.5};
    const BodyId b = must(world.add_body(def));
    const JointId j = must(world.add_joint(ball(kWorld, b, Vec3::Zero())));
    for (int i = 0; i < 60; ++i) world.step(settings(1.0 / 60));
    EXPECT_LT(world.pose(b).p.norm(), 1e-12);
    EXPECT_NEAR(world.joint(j).force.z(), 9.81, 1e-9);
    EXPECT_NEAR(world.centre_of_mass(b).z(), -0.5, 1e-12);
}

// Reaction of a clamped cantilever: weight at the tip and its moment about the clamp, in any axes.
TEST(World, JointReadingsAreForceAndTorqueAtTheJointInTheAxesAskedFor)
{
    World world;
    BodyDef def;
    def.mass = 3;
    def.pose = {{2, 0, 0}, Quat(Eigen::AngleAxis<Real>(0.7, Vec3::UnitZ()))};
    const BodyId b = must(world.add_body(def));
    const JointId clamp = must(world.add_joint(weld(kWorld, b, Vec3::Zero())));
    for (int i = 0; i < 10; ++i) world.step(settings(1.0 / 60));
    const JointReading r = world.joint(clamp);
    EXPECT_LT((r.force - Vec3(0, 0, 3 * 9.81)).norm(), 1e-8);
    EXPECT_LT((r.torque - Vec3(0, -2 * 3 * 9.81, 0)).norm(), 1e-8);
    const Vec3 turned = world.pose(b).q.conjugate() * r.torque;
    EXPECT_LT((world.joint(clamp, Axes::Body1).torque - turned).norm(), 1e-9);
}

TEST(World, RefusesWhatHasNoEffect)
{
    World world;
    BodyDef def;
    const BodyId a = must(world.add_body(def));
    JointDef joint = hinge(kWorld, a, Vec3::Zero(), Vec3::UnitZ());
    joint.max_force = 5;  // of drives
    EXPECT_FALSE(world.add_joint(joint).ok());
    joint.max_force = std::numeric_limits<Real>::infinity();
    EXPECT_FALSE(world.add_joint(limits(joint, 1, -1)).ok());
    JointDef drive = motor(joint, 1);
    drive.angular_compliance = 1e-3;
    EXPECT_FALSE(world.add_joint(drive).ok());
    EXPECT_FALSE(world.add_joint(rod(kWorld, a, Vec3::Zero(), Vec3::Zero())).ok());
    EXPECT_EQ(world.joint_count(), 0);
}

// Moving a body by hand is seen by every reading at once, and by the next step.
TEST(World, SetPoseIsSeenByReadingsAndKept)
{
    World world;
    BodyDef point;
    point.kind = BodyKind::Particle;
    point.pose.p = {1, 0, 0};
    const BodyId p = must(world.add_body(point));
    JointDef link = rod(kWorld, p, Vec3::Zero(), {1, 0, 0});
    link.compliance = 1e-3;
    must(world.add_joint(link));
    must(world.set_gravity(Vec3::Zero()));
    must(world.set_pose(p, {{1.1, 0, 0}, Quat(Eigen::AngleAxis<Real>(1, Vec3::UnitX()))}));
    EXPECT_NEAR(world.energy().joints, 0.1 * 0.1 / 2e-3, 1e-9);
    EXPECT_NEAR(world.joint_gap(), 0, 1e-12);
    for (int i = 0; i < 3; ++i) {
        world.step(settings(1e-3));
        EXPECT_EQ(world.pose(p).q.coeffs(), Quat::Identity().coeffs())
            << "a particle has no orientation";
    }
}

TEST(World, AddingToARunningWorldIsTakenUpByTheNextStep)
{
    Chain chain = make_chain({.links = 3});
    for (int i = 0; i < 10; ++i) chain.world.step(settings(1.0 / 60));
    BodyDef def;
    def.pose.p = chain.world.centre_of_mass(chain.links.back()) + Vec3(0, 0, -1);
    const BodyId late = must(chain.world.add_body(def));
    must(chain.world.add_joint(
        ball(chain.links.back(), late, chain.world.centre_of_mass(chain.links.back()))));
    for (int i = 0; i < 60; ++i)
        ASSERT_EQ(chain.world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    EXPECT_LT(chain.world.joint_gap(), 1e-2);
}

// What is handed out is what was described: from the body's origin though its centre of mass is elsewhere.
TEST(World, FramesOfJointsAndSpringsComeBackAsGiven)
{
    World world;
    BodyDef def;
    def.name = "arm";
    def.centre_of_mass = {0.3, 0, 0.1};
    def.pose = {{1, 2, 3}, Quat(Eigen::AngleAxis<Real>(0.7, Vec3(1, 1, 0).normalized()))};
    const BodyId arm = must(world.add_body(def));
    JointDef joint;
    joint.type = "hinge";
    joint.bodies = {kWorld, arm, kWorld};
    joint.coordinates = Coordinates::Body;
    const Quat turn(Eigen::AngleAxis<Real>(0.2, Vec3::UnitY()));
    joint.frames = {JointFrame{{1, 2, 3}, turn}, JointFrame{{0.5, 0, -1}, turn}, {}, {}};
    const JointId hinge = must(world.add_joint(joint));
    SpringDef spring;
    spring.name = "pull";
    spring.kind = SpringDef::Kind::Torsional;
    spring.bodies = {arm, kWorld};
    spring.coordinates = Coordinates::Body;
    spring.frames = {joint.frames[1], joint.frames[0]};
    const SpringId pull = must(world.add_spring(spring));

    for (int side = 0; side < 2; ++side) {
        const JointFrame a = world.frame(hinge, side), b = world.frame(pull, 1 - side);
        EXPECT_LT((a.p - joint.frames[side].p).norm(), 1e-15);
        EXPECT_LT(a.q.angularDistance(turn), 1e-7);
        EXPECT_LT((b.p - joint.frames[side].p).norm(), 1e-15);
    }
    EXPECT_EQ(world.name(pull), "pull");
    EXPECT_EQ(world.kind(pull), SpringDef::Kind::Torsional);
    EXPECT_EQ(world.bodies(pull)[0], arm);
    EXPECT_EQ(world.bodies(pull)[1], kWorld);
    EXPECT_EQ(world.frame(hinge, 7).p, Vec3::Zero());
    EXPECT_THROW((void)world.name(SpringId{5}), BadAccess);
}

// A platform that rises at 1 m/s is 2 m up after two seconds, and rises on from there.
TEST(World, SetTimePutsKinematicBodiesWhereTheyAreThen)
{
    World world;
    BodyDef def;
    def.kind = BodyKind::Kinematic;
    def.motion.shift[2] = Schedule::through({{0, 0}, {10, 10}});
    const BodyId lift = must(world.add_body(def));
    must(world.set_time(2));
    EXPECT_EQ(world.time(), 2);
    EXPECT_NEAR(world.pose(lift).p.z(), 2, 1e-12);
    world.step(settings(0.1));
    EXPECT_NEAR(world.time(), 2.1, 1e-12);
    EXPECT_NEAR(world.pose(lift).p.z(), 2.1, 1e-12);
    EXPECT_FALSE(world.set_time(kNan).ok());
}

// A running sum of 0.003 would be off by 1e-9 s.
TEST(World, TimeIsTheCountOfStepsTimesTheirLength)
{
    World world;
    BodyDef ball;
    ball.name = "ball";
    must(world.add_body(ball));
    for (int i = 0; i < 30'000; ++i) world.step(settings(0.003));
    EXPECT_EQ(world.time(), 30'000 * 0.003);
    // a snapshot keeps the count
    const auto image = world.snapshot();
    for (int i = 0; i < 1000; ++i) world.step(settings(0.003));
    EXPECT_EQ(world.time(), 31'000 * 0.003);
    must(world.restore(image));
    for (int i = 0; i < 1000; ++i) world.step(settings(0.003));
    EXPECT_EQ(world.time(), 31'000 * 0.003);
    // steps of another length, and a time that is set, start another count
    world.step(settings(0.1));
    EXPECT_EQ(world.time(), 31'000 * 0.003 + 0.1);
    must(world.set_time(5));
    world.step(settings(0.003));
    EXPECT_EQ(world.time(), 5 + 0.003);
}

// --- descriptions at the edge of what a double holds ---

TEST(World, SchedulesThatGiveNoNumberAreRefused)
{
    World world;
    BodyDef def;
    def.kind = BodyKind::Kinematic;
    for (const Schedule& bad :
         {Schedule::sine(0, 2, 3e307), Schedule::sine(0, 1e150, 1), Schedule::sine(-1e200, 1, 1),
          Schedule::through({{0, -1e308}, {1, 1e308}}, Schedule::Kind::Smooth)}) {
        def.motion.shift[1] = bad;
        EXPECT_FALSE(world.add_body(def).ok());
    }
    def.motion.shift[1] = Schedule::sine(0, 2, 7e20);
    const auto refused = world.add_body(def);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("frequency of its schedule is 7e+20 Hz"),
              std::string::npos);
    def.motion.shift[1] = Schedule::sine(0, 2, 1e15);
    const BodyId body = must(world.add_body(def));
    world.step({});
    EXPECT_TRUE(world.pose(body).p.allFinite());
}

TEST(World, TimeThatStopsTheClockIsRefused)
{
    World world;
    must(world.add_body({}));
    for (const Real time : {3e16, -2e9, 1e300}) EXPECT_FALSE(world.set_time(time).ok());
    must(world.set_time(9e8));
    const Real before = world.time();
    EXPECT_EQ(world.step({.dt = 1e-3}).status, StepStatus::Ok);
    EXPECT_GT(world.time(), before);
    EXPECT_EQ(world.step({.dt = 1e-9}).status, StepStatus::Refused);
}

TEST(World, RotationWithoutEndIsRefusedForColliders)
{
    World world;
    ColliderDef def;
    def.shape = Shape::capsule(0.5, 1);
    def.pose.q.z() = -std::numeric_limits<Real>::infinity();
    EXPECT_FALSE(world.add_collider(kWorld, def).ok());
    def.pose.q.z() = 1e300;  // its square is not a double
    EXPECT_FALSE(world.add_collider(kWorld, def).ok());
}

TEST(World, ContactsAreReadAgainAfterRestore)
{
    World world;
    must(world.add_collider(kWorld, {.shape = Shape::plane()}));
    BodyDef def;
    def.pose.p = {0, 0, 0.4};
    const BodyId ball = must(world.add_body(def));
    must(world.add_collider(ball, {.shape = Shape::sphere(0.4)}));
    for (int i = 0; i < 8; ++i) world.step({});
    const std::vector<ContactReading> before = world.contacts();
    ASSERT_EQ(before.size(), 1u);
    const std::vector<std::byte> image = world.snapshot();
    world.step({});
    must(world.restore(image));
    const std::vector<ContactReading> after = world.contacts();
    ASSERT_EQ(after.size(), 1u);
    EXPECT_EQ(after[0].b, before[0].b);
    EXPECT_EQ(after[0].point, before[0].point);
    EXPECT_EQ(after[0].normal, before[0].normal);
    EXPECT_EQ(after[0].force, before[0].force);
    EXPECT_EQ(after[0].gap, before[0].gap);
    EXPECT_GT(after[0].force.norm(), 9);  // m g = 9.81 N
}

TEST(World, OneThatWasMovedFromIsEmpty)
{
    World first;
    must(first.add_body({}));
    World second = std::move(first);
    EXPECT_EQ(first.body_count(), 0);
    EXPECT_EQ(first.step({}).status, StepStatus::Ok);
    EXPECT_EQ(second.body_count(), 1);
    must(first.add_body({}));
    must(first.add_body({}));
    second = std::move(first);
    EXPECT_EQ(second.body_count(), 2);
    EXPECT_EQ(first.body_count(), 0);
    EXPECT_NE(second.hash(), first.hash());
}

}  // namespace
}  // namespace taut::test
