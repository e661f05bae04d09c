// Motors, servos and transmissions against closed forms of the same scheme.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

BodyId add_wheel(World& world, const char* name, const Vec3& at, Real moment = 0.5)
{
    BodyDef def;
    def.name = name;
    def.mass = 2;
    def.inertia = Vec3(moment, moment, moment).asDiagonal();
    def.pose.p = at;
    return must(world.add_body(def));
}

// I ω⁺ = I ω − h k (α(θ⁺−t) + (1−α)(θ−t)) − h d (α ω⁺ + (1−α) ω),  θ⁺ = θ + h(β ω⁺ + (1−β) ω)
struct ServoRecurrence {
    Real moment, k, d, target, h, alpha, beta;
    Real angle = 0, rate = 0;

    void step()
    {
        const Real known = moment * rate -
                           h * k * (angle - target + alpha * h * (1 - beta) * rate) -
                           h * d * (1 - alpha) * rate;
        const Real next = known / (moment + h * alpha * (h * beta * k + d));
        angle += h * (beta * next + (1 - beta) * rate);
        rate = next;
    }
};

TEST(Servo, StepResponseEqualsTheClosedFormOfTheSameScheme)
{
    struct Case {
        Scheme scheme;
        Real alpha, beta, k, d, h;
    };
    for (const Case& c : {Case{Scheme::BackwardEuler, 1, 1, 50, 3, 1.0 / 60},
                          Case{Scheme::AlphaBeta, 0.5, 0.5, 50, 3, 1.0 / 60},
                          Case{Scheme::AlphaBeta, 0.75, 0.6, 5e4, 10, 0.01},
                          Case{Scheme::BackwardEuler, 1, 1, 0, 4, 0.1},
                          Case{Scheme::BackwardEuler, 1, 1, 1e9, 0, 0.01}}) {
        World world;
        must(world.set_gravity(Vec3::Zero()));
        const BodyId arm = add_wheel(world, "arm", Vec3::Zero());
        const JointDef axle = hinge(kWorld, arm, Vec3::Zero(), Vec3::UnitZ());
        must(world.add_joint(axle));
        const JointId drive = must(world.add_joint(servo(axle, 0.8, c.k, c.d)));
        StepSettings s = settings(c.h, c.scheme);
        s.research.alpha = c.alpha;
        s.research.beta = c.beta;
        ServoRecurrence exact{0.5, c.k, c.d, 0.8, c.h, c.alpha, c.beta};
        for (int i = 0; i < 200; ++i) {
            world.step(s);
            exact.step();
            ASSERT_NEAR(world.joint(drive).angle, exact.angle, 1e-10)
                << "step " << i << " k " << c.k;
        }
    }
}

TEST(Motor, HingeTurnsAtItsSpeedForManyTurnsWhateverHangsOnIt)
{
    World world;
    const BodyId wheel = add_wheel(world, "wheel", {0.3, 0, 0});
    const JointDef axle = hinge(kWorld, wheel, Vec3::Zero(), Vec3::UnitY());
    const JointId turning = must(world.add_joint(axle));
    must(world.add_joint(motor(axle, 12.0)));
    for (int i = 0; i < 600; ++i) ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    // the angle is the sum of rotations of 12/60 rad each: round-off and linearisation of the tilt rows
    EXPECT_NEAR(world.joint(turning).angle, 120, 1e-6);
    EXPECT_NEAR(world.joint(turning).angle_rate, 12, 1e-9);
}

TEST(Motor, WorkOfALiftingMotorIsTheGainInHeight)
{
    World world;
    const BodyId load = add_wheel(world, "load", Vec3::Zero());
    const JointDef guide = prismatic(kWorld, load, Vec3::Zero(), Vec3::UnitZ());
    must(world.add_joint(guide));
    // slide of body 1 against body 0 along +z
    const JointId lift = must(world.add_joint(motor(guide, 0.5)));
    for (int i = 0; i < 240; ++i) world.step(settings(1.0 / 60));
    EXPECT_NEAR(world.joint(lift).slide, 2, 1e-9);
    // m g z, and m v² for the jerk of the first step: half of it is motion, half is lost
    EXPECT_NEAR(world.work().motors, 2 * 9.81 * 2 + 2 * 0.25, 1e-8);
    EXPECT_NEAR(world.joint(lift).force.z(), 2 * 9.81, 1e-6);
}

TEST(Transmission, GearKeepsItsRatioForManyTurns)
{
    World world;
    const BodyId small = add_wheel(world, "small", {0, 0, 0}, 0.1),
                 large = add_wheel(world, "large", {0.4, 0, 0}, 0.9);
    const JointDef axle_1 = hinge(kWorld, small, {0, 0, 0}, Vec3::UnitZ());
    const JointDef axle_2 = hinge(kWorld, large, {0.4, 0, 0}, Vec3::UnitZ());
    const JointId first = must(world.add_joint(axle_1)), second = must(world.add_joint(axle_2));
    JointDef gear;
    gear.type = "gear";
    gear.bodies = {kWorld, small, large};
    gear.frames = {axle_1.frames[0], axle_1.frames[1], axle_2.frames[0], axle_2.frames[1]};
    gear.parameters = {{"radius_1", 0.1}, {"radius_2", 0.3}};
    must(world.add_joint(gear));
    must(world.add_joint(motor(axle_1, 9.0)));
    for (int i = 0; i < 1200; ++i) ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    EXPECT_NEAR(world.joint(first).angle, 180, 1e-6);
    EXPECT_NEAR(world.joint(second).angle, -60, 1e-6);
}

TEST(Transmission, ScrewAdvancesByItsPitch)
{
    World world;
    const BodyId nut = add_wheel(world, "nut", Vec3::Zero());
    JointDef screw;
    screw.type = "screw";
    screw.bodies = {kWorld, nut, kWorld};
    screw.frames[0] = screw.frames[1] = frame_along(Vec3::Zero(), Vec3::UnitX());
    screw.parameters = {{"pitch", 0.02}};
    const JointId thread = must(world.add_joint(screw));
    JointDef turn = screw;
    turn.parameters.clear();
    turn.type = "hinge_motor";
    turn.target = 2 * kPi;
    must(world.add_joint(turn));
    for (int i = 0; i < 600; ++i) ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    EXPECT_NEAR(world.joint(thread).angle, 20 * kPi, 1e-6);
    EXPECT_NEAR(world.joint(thread).slide, 10 * 0.02, 1e-6);  // right-hand thread
}

TEST(Transmission, RackMovesByTheRollOfItsPinion)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId pinion = add_wheel(world, "pinion", {0, 0, 0}),
                 rack = add_wheel(world, "rack", {0, -0.1, 0});
    const JointDef axle = hinge(kWorld, pinion, {0, 0, 0}, Vec3::UnitZ());
    const JointDef guide = prismatic(kWorld, rack, {0, -0.1, 0}, Vec3::UnitX());
    const JointId turning = must(world.add_joint(axle)), sliding = must(world.add_joint(guide));
    JointDef teeth;
    teeth.type = "rack_and_pinion";
    teeth.bodies = {kWorld, pinion, rack};
    teeth.frames = {axle.frames[0], axle.frames[1], guide.frames[0], guide.frames[1]};
    teeth.parameters = {{"radius", 0.1}};
    must(world.add_joint(teeth));
    must(world.add_joint(motor(axle, 3.0)));
    for (int i = 0; i < 600; ++i) ASSERT_EQ(world.step(settings(1.0 / 60)).status, StepStatus::Ok);
    EXPECT_NEAR(world.joint(turning).angle, 30, 1e-7);
    EXPECT_NEAR(world.joint(sliding).slide, 3, 1e-7);
}

// More than half a turn in a step, up to five turns: every turn is counted, and the wheels keep their speeds.
TEST(Transmission, GearsCountTurnsHoweverFastTheyAre)
{
    for (const Scheme scheme :
         {Scheme::Automatic, Scheme::Bdf2, Scheme::BackwardEuler, Scheme::AlphaBeta})
        for (const Real speed : {100.0, 250.0, -754.0, 1900.0}) {
            World world;
            must(world.set_gravity(Vec3::Zero()));
            const BodyId small = add_wheel(world, "small", {0, 0, 0}),
                         large = add_wheel(world, "large", {0.4, 0, 0});
            const JointDef axle_1 = hinge(kWorld, small, {0, 0, 0}, Vec3::UnitZ());
            const JointDef axle_2 = hinge(kWorld, large, {0.4, 0, 0}, Vec3::UnitZ());
            const JointId first = must(world.add_joint(axle_1)),
                          second = must(world.add_joint(axle_2));
            JointDef gear;
            gear.type = "gear";
            gear.bodies = {kWorld, small, large};
            gear.frames = {axle_1.frames[0], axle_1.frames[1], axle_2.frames[0], axle_2.frames[1]};
            gear.parameters = {{"radius_1", 0.1}, {"radius_2", 0.3}};
            must(world.add_joint(gear));
            must(world.set_velocity(small, {Vec3::Zero(), {0, 0, speed}}));
            must(world.set_velocity(large, {Vec3::Zero(), {0, 0, -speed / 3}}));
            StepSettings step = settings(1.0 / 60);
            step.research.scheme = scheme;
            for (int i = 0; i < 120; ++i) ASSERT_EQ(world.step(step).status, StepStatus::Ok);
            const Real tolerance = 1e-9 * std::abs(speed);
            EXPECT_NEAR(world.joint(first).angle, 2 * speed, 10 * tolerance) << speed;
            EXPECT_NEAR(world.joint(second).angle, -2 * speed / 3, 10 * tolerance) << speed;
            EXPECT_NEAR(world.velocity(small).angular.z(), speed, tolerance);
            EXPECT_NEAR(world.velocity(large).angular.z(), -speed / 3, tolerance);
        }
}

}  // namespace
}  // namespace taut::test
