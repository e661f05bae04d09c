// Commands to a running world, one by one, against closed forms.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "support/bodies.h"
#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// What the books leave open: constant, whatever was commanded.
Real balance(const World& world)
{
    return world.energy().total() - world.work().total() + world.dissipation().total();
}

struct Wheel {
    World world;
    BodyId body;
    JointDef axle;
    Real inertia = 2;  // about the axle [kg m²]
};

// On an axle along y, without gravity.
Wheel make_wheel()
{
    Wheel out;
    must(out.world.set_gravity(Vec3::Zero()));
    out.body = add(out.world, {.name = "wheel", .inertia = Vec3(1.5, 2, 1.5).asDiagonal()});
    out.axle = hinge(kWorld, out.body, Vec3::Zero(), Vec3::UnitY());
    must(out.world.add_joint(out.axle));
    return out;
}

// --- drives ---

TEST(MotorCommand, SpeedIsReachedInTheNextStepAndItsWorkIsBooked)
{
    Wheel wheel = make_wheel();
    World& world = wheel.world;
    const JointId drive = must(world.add_joint(motor(wheel.axle, 2)));
    for (int i = 0; i < 5; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(drive).angle_rate, 2, 1e-9);
    const Real before = balance(world), kinetic = world.energy().kinetic();
    must(world.set_target(drive, 5));
    EXPECT_NEAR(world.joint(drive).angle_rate, 2, 1e-9) << "between steps nothing moves";
    world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(drive).angle_rate, 5, 1e-9);
    EXPECT_NEAR(world.energy().kinetic() - kinetic, wheel.inertia * (25 - 4) / 2, 1e-6);
    EXPECT_NEAR(balance(world), before, 1e-9 * world.energy().kinetic());
    must(world.follow_schedule(drive));
    world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(drive).angle_rate, 2, 1e-9);
}

TEST(MotorCommand, ForceCapBoundsTheAcceleration)
{
    Wheel wheel = make_wheel();
    World& world = wheel.world;
    JointDef def = motor(wheel.axle, 100);
    def.max_force = 3;
    const JointId drive = must(world.add_joint(def));
    for (int i = 0; i < 50; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(drive).angle_rate, 3 / wheel.inertia * 0.5, 1e-6);
    must(world.set_max_force(drive, 8));
    const Real before = world.joint(drive).angle_rate;
    for (int i = 0; i < 50; ++i) world.step({.dt = 0.01});
    // a force that jumps is weighted with the one before it in the first step, which costs half of that step at most
    const Real half_step = (8 - 3) / wheel.inertia * 0.01 / 2;
    EXPECT_NEAR(world.joint(drive).angle_rate - before, 8 / wheel.inertia * 0.5, 1.001 * half_step);
    EXPECT_TRUE(world.joint(drive).capped);
}

TEST(ServoCommand, TargetAndStiffnessGiveTheAngleOfRest)
{
    // a rod of 2 kg on a horizontal axle: m g r cos(angle) against the servo
    World world;
    const BodyId rod = add(world, {.mass = 2,
                                   .inertia = Vec3(0.1, 0.2, 0.2).asDiagonal(),
                                   .pose = {{0.5, 0, 0}, Quat::Identity()}});
    const JointDef axle = hinge(kWorld, rod, Vec3::Zero(), Vec3::UnitY());
    must(world.add_joint(axle));
    const JointId drive = must(world.add_joint(servo(axle, 0, 400, 80)));
    const auto rest = [&] {
        for (int i = 0; i < 1500; ++i) world.step({.dt = 0.01});
        return world.joint(drive).angle;
    };
    // about y a positive angle lowers the rod
    const auto torque = [](Real angle) { return 2 * kG * 0.5 * std::cos(angle); };
    const Real first = rest();
    EXPECT_NEAR(400 * first, torque(first), 1e-3);
    must(world.set_target(drive, -0.4));
    const Real second = rest();
    EXPECT_NEAR(400 * (second + 0.4), torque(second), 1e-3);
    must(world.set_servo(drive, 150, 60));
    const Real third = rest();
    EXPECT_NEAR(150 * (third + 0.4), torque(third), 1e-3);
    EXPECT_GT(std::abs(third - second), 0.02);
}

TEST(LimitsCommand, BodyRestsOnTheStopThatWasCommanded)
{
    World world;
    const BodyId lift = add(world, {.mass = 3});
    const JointDef slide = prismatic(kWorld, lift, Vec3::Zero(), Vec3::UnitZ());
    must(world.add_joint(slide));
    const JointId stops = must(world.add_joint(limits(slide, -0.1, 0.1)));
    for (int i = 0; i < 200; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(stops).slide, -0.1, 1e-4);
    must(world.set_limits(stops, -0.3, 0.1));
    for (int i = 0; i < 200; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(stops).slide, -0.3, 1e-4);
    // a stop that is raised takes the body with it within the time of recovery, 0.1 s
    must(world.set_limits(stops, -0.2, 0.1));
    for (int i = 0; i < 200; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(world.joint(stops).slide, -0.2, 1e-4);
}

// --- springs ---

TEST(SpringCommand, RestLengthAndStiffnessShiftTheEquilibrium)
{
    World world;
    const BodyId load =
        add(world, {.kind = BodyKind::Particle, .mass = 4, .pose = {{0, 0, -2}, Quat::Identity()}});
    SpringDef def;
    def.bodies = {kWorld, load};
    def.frames[1].p = {0, 0, -2};
    def.stiffness = 200;
    def.damping = 60;
    def.rest = 1;
    const SpringId spring = must(world.add_spring(def));
    const auto rest = [&] {
        for (int i = 0; i < 2000; ++i) world.step({.dt = 0.01});
        return -world.centre_of_mass(load).z();
    };
    // the damped swing is over after 20 s; the tolerance of the step leaves less than a micrometre
    EXPECT_NEAR(rest(), 1 + 4 * kG / 200, 1e-6);
    const Real before = balance(world);
    must(world.set_rest(spring, 1.5));
    EXPECT_NEAR(balance(world), before, 1e-12 * 4 * kG * 2) << "the energy put in is booked";
    EXPECT_NEAR(rest(), 1.5 + 4 * kG / 200, 1e-6);
    must(world.set_stiffness(spring, 500));
    EXPECT_NEAR(rest(), 1.5 + 4 * kG / 500, 1e-6);
    // loads and springs lose what the scheme loses: books close to rounding
    EXPECT_NEAR(balance(world), before, 1e-9 * 4 * kG * 2);
}

TEST(SpringCommand, DampingSetsTheDecayOfTheSwing)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId load = add(
        world, {.kind = BodyKind::Particle, .mass = 1, .pose = {{1.1, 0, 0}, Quat::Identity()}});
    SpringDef def;
    def.bodies = {kWorld, load};
    def.frames[1].p = {1.1, 0, 0};
    def.stiffness = 100;
    def.rest = 1;
    const SpringId spring = must(world.add_spring(def));
    must(world.set_damping(spring, 2));
    Real peak = 0;
    for (int i = 0; i < 4000; ++i) {
        world.step({.dt = 0.001});
        if (i >= 3000) peak = std::max(peak, std::abs(world.centre_of_mass(load).x() - 1));
    }
    // envelope 0.1 e^(−c t/2m) at 3 s, up to the period of 0.63 s later: between these two
    EXPECT_LT(peak, 0.1 * std::exp(-3.0) * 1.02);
    EXPECT_GT(peak, 0.1 * std::exp(-3.7));
}

// --- forces and impulses ---

TEST(ForceCommand, ActsForTheNextStepAlone)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId body = add(world, {.mass = 2, .inertia = Vec3(0.25, 0.5, 0.6).asDiagonal()});
    must(world.apply_force(body, {3, 0, 0}, {0, 0, 0.5}));
    must(world.apply_force(body, {1, 0, 0}));
    must(world.apply_torque(body, {0, 0.5, 0}));
    world.step({.dt = 0.01});
    // Δv = F h/m, Δω = (r × F + T) h/I; turning by 1e-4 rad changes the arm by its square
    EXPECT_NEAR(world.velocity(body).linear.x(), 4 * 0.01 / 2, 1e-12);
    EXPECT_NEAR(world.velocity(body).angular.y(), 2 * 0.01 / 0.5, 1e-9);
    const Twist after = world.velocity(body);
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR((world.velocity(body).linear - after.linear).norm(), 0, 1e-12);
    EXPECT_NEAR((world.velocity(body).angular - after.angular).norm(), 0, 1e-9);
    EXPECT_NEAR(world.work().loads, world.energy().kinetic(), 1e-9);
}

TEST(ForceCommand, AddsToTheWrenchThatStays)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId body = add(world, {.mass = 1});
    must(world.set_wrench(body, {{0, 2, 0}, Vec3::Zero()}));
    must(world.apply_force(body, {0, 3, 0}));
    world.step({.dt = 0.1});
    EXPECT_NEAR(world.velocity(body).linear.y(), 0.5, 1e-12);
    world.step({.dt = 0.1});
    EXPECT_NEAR(world.velocity(body).linear.y(), 0.7, 1e-12);
}

TEST(ForceCommand, WaitsWhereTheStepWasRefused)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId body = add(world, {.mass = 1});
    must(world.apply_force(body, {1, 0, 0}));
    const std::uint64_t before = world.hash();
    EXPECT_EQ(world.step({.dt = -1}).status, StepStatus::Refused);
    EXPECT_EQ(world.hash(), before);
    world.step({.dt = 0.1});
    EXPECT_NEAR(world.velocity(body).linear.x(), 0.1, 1e-12);
}

TEST(ImpulseCommand, ChangesMomentumExactlyAndItsWorkIsBooked)
{
    World world;
    const Quat q(Eigen::AngleAxis<Real>(0.7, Vec3(1, 2, 3).normalized()));
    const BodyId body = add(world, {.mass = 2.5,
                                    .inertia = Vec3(1, 2, 2.5).asDiagonal(),
                                    .pose = {{1, 2, 3}, q},
                                    .velocity = {{1, 0, -1}, {0.5, 1, 2}}});
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.01});
    const Momentum before = world.momentum();
    const Real books = balance(world);
    const Vec3 impulse(3, -4, 5), point = world.centre_of_mass(body) + Vec3(0.1, 0.2, -0.3);
    must(world.apply_impulse(body, impulse, point));
    must(world.apply_angular_impulse(body, {1, 0, -2}));
    const Momentum after = world.momentum();
    const Vec3 turned = point.cross(impulse) + Vec3(1, 0, -2);
    EXPECT_LT((after.linear - before.linear - impulse).norm(), 1e-13 * impulse.norm());
    EXPECT_LT((after.angular - before.angular - turned).norm(), 1e-12 * after.angular.norm());
    EXPECT_NEAR(balance(world), books, 1e-12 * world.energy().kinetic());
    for (int i = 0; i < 100; ++i) world.step({.dt = 0.01});
    EXPECT_NEAR(balance(world), books, 1e-9 * world.energy().kinetic());
}

// --- kinematic bodies ---

// A platform that carries a box, and a fixed floor below.
struct Lift {
    World world;
    BodyId platform, load;
};

Lift make_lift()
{
    Lift out;
    out.platform = add(out.world, {.name = "platform", .kind = BodyKind::Kinematic});
    must(out.world.add_collider(out.platform, {.shape = Shape::box({2, 2, 0.2})}));
    out.load = add_box(out.world, 0.5, 10, {0, 0, 0.35});
    return out;
}

TEST(KinematicCommand, TargetCarriesALoadAndItsWorkIsBooked)
{
    Lift lift = make_lift();
    World& world = lift.world;
    for (int i = 0; i < 60; ++i) world.step({});
    const Real start = world.centre_of_mass(lift.load).z(), books = balance(world);
    const Real work = world.work().prescribed;
    // up by 1 m and along by 0.5 m in 2 s, without a jerk
    constexpr int kSteps = 120;
    Pose target;
    for (int i = 1; i <= kSteps; ++i) {
        const Real s = static_cast<Real>(i) / kSteps, smooth = s * s * (3 - 2 * s);
        target.p = {0.5 * smooth, 0, smooth};
        must(world.set_kinematic_target(lift.platform, target));
        ASSERT_EQ(world.step({}).status, StepStatus::Ok);
        EXPECT_LT((world.pose(lift.platform).p - target.p).norm(), 1e-12);
    }
    for (int i = 0; i < 60; ++i) world.step({});  // it stays there
    EXPECT_LT((world.pose(lift.platform).p - target.p).norm(), 1e-12);
    EXPECT_EQ(world.velocity(lift.platform).linear, Vec3(Vec3::Zero()));
    EXPECT_NEAR(world.centre_of_mass(lift.load).z() - start, 1, 1e-4);
    EXPECT_NEAR(world.centre_of_mass(lift.load).x(), 0.5, 1e-3);  // friction: it creeps a little
    EXPECT_NEAR(world.work().prescribed - work, 10 * kG, 0.01 * 10 * kG);
    EXPECT_NEAR(balance(world), books, 1e-6 * 10 * kG);
}

TEST(KinematicCommand, VelocityIsThatOfTheBodyAndOfWhatItCarries)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId arm = add(world, {.kind = BodyKind::Kinematic});
    const BodyId load = add(world, {.mass = 3, .pose = {{1, 0, 0}, Quat::Identity()}});
    must(world.add_joint(weld(arm, load, {1, 0, 0})));
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.01});
    const Twist turn{{0, 0, 0.2}, {0, 0, 2}};
    must(world.set_kinematic_velocity(arm, turn));
    for (int i = 0; i < 100; ++i) world.step({.dt = 0.01});
    EXPECT_LT((world.velocity(arm).linear - turn.linear).norm(), 1e-9);
    EXPECT_LT((world.velocity(arm).angular - turn.angular).norm(), 1e-9);
    EXPECT_NEAR(world.pose(arm).p.z(), 0.2, 1e-12);
    // the load is on the circle, at the end of 2 rad; (ωh)² of its velocity is the chord's
    const Vec3 at(std::cos(2), std::sin(2), 0.2);
    EXPECT_LT((world.centre_of_mass(load) - at).norm(), 1e-5);
    EXPECT_NEAR(world.velocity(load).linear.head<2>().norm(), 2, 2 * 4e-4);
    must(world.set_kinematic_velocity(arm, {}));
    const Vec3 stop = world.pose(arm).p;
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.01});
    EXPECT_EQ(world.pose(arm).p, stop);
}

TEST(KinematicCommand, ScheduleGoesOnWhereItWouldBe)
{
    World world;
    BodyDef def;
    def.kind = BodyKind::Kinematic;
    def.motion.shift[0] = Schedule::through({{0, 0}, {10, 10}});
    const BodyId body = must(world.add_body(def));
    add(world, {});  // of an island: the velocity of a kinematic body is the mean of the step
    for (int i = 0; i < 10; ++i) world.step({.dt = 0.1});
    EXPECT_NEAR(world.pose(body).p.x(), 1, 1e-12);
    must(world.set_kinematic_target(body, {{1, 5, 0}, Quat::Identity()}));
    world.step({.dt = 0.1});
    EXPECT_NEAR(world.pose(body).p.y(), 5, 1e-12);
    EXPECT_NEAR(world.velocity(body).linear.y(), 50, 1e-9);
    must(world.follow_schedule(body));
    world.step({.dt = 0.1});
    EXPECT_NEAR(world.pose(body).p.x(), 1.2, 1e-12);
    EXPECT_NEAR(world.pose(body).p.y(), 0, 1e-12);
}

// --- on and off ---

TEST(EnableCommand, ReleasedPendulumFallsFreelyAndIsCaughtAgain)
{
    World world;
    const BodyId bob = add(world, {.mass = 2, .pose = {{1, 0, 0}, Quat::Identity()}});
    const JointId pin = must(world.add_joint(ball(kWorld, bob, Vec3::Zero())));
    for (int i = 0; i < 30; ++i) world.step({.dt = 0.01});
    const Vec3 p = world.centre_of_mass(bob), v = world.velocity(bob).linear;
    const Real books = balance(world);
    must(world.set_enabled(pin, false));
    EXPECT_FALSE(world.enabled(pin));
    for (int i = 0; i < 20; ++i) world.step({.dt = 0.01});
    const Vec3 fall = p + 0.2 * v + Vec3(0, 0, -kG / 2 * 0.04);
    // the first steps after a change are of first order: g h²/2 of each
    EXPECT_LT((world.centre_of_mass(bob) - fall).norm(), kG * 1e-4);
    EXPECT_EQ(world.joint(pin).force, Vec3(Vec3::Zero()));
    EXPECT_EQ(world.joint_gap(), 0);
    EXPECT_NEAR(balance(world), books, 1e-6 * 2 * kG);
    must(world.set_enabled(pin, true));
    EXPECT_GT(world.joint_gap(), 0.01);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
    EXPECT_LT(world.joint_gap(), 1e-6);
    EXPECT_NEAR(balance(world), books, 1e-6 * 2 * kG);
}

TEST(EnableCommand, DisabledBodyStaysAndMeetsNothing)
{
    World world;
    add_floor(world);
    const BodyId lower = add_box(world, 1, 1, {0, 0, 0.5});
    const BodyId upper = add_box(world, 1, 1, {0, 0, 1.5});
    for (int i = 0; i < 60; ++i) world.step({});
    const Pose at = world.pose(lower);
    const Real books = balance(world);
    must(world.set_enabled(lower, false));
    EXPECT_NEAR(balance(world), books, 1e-9);
    for (int i = 0; i < 120; ++i) ASSERT_EQ(world.step({}).status, StepStatus::Ok);
    EXPECT_EQ(world.pose(lower).p, at.p);
    EXPECT_NEAR(world.centre_of_mass(upper).z(), 0.5, 1e-4) << "it fell through to the floor";
    for (const ContactReading& contact : world.contacts())
        EXPECT_TRUE(contact.a != lower && contact.b != lower);
    must(world.set_velocity(upper, {{0, 3, 0}, Vec3::Zero()}));
    for (int i = 0; i < 60; ++i) world.step({});
    must(world.set_enabled(lower, true));
    for (int i = 0; i < 120; ++i) ASSERT_EQ(world.step({}).status, StepStatus::Ok);
    EXPECT_NEAR(world.centre_of_mass(lower).z(), 0.5, 1e-3);
}

TEST(EnableCommand, DisabledBodyTakesNoForce)
{
    Wheel wheel = make_wheel();
    must(wheel.world.set_enabled(wheel.body, false));
    const Status force = wheel.world.apply_force(wheel.body, Vec3::UnitX());
    ASSERT_FALSE(force.ok());
    EXPECT_EQ(force.error().message, "body 'wheel' is disabled");
    EXPECT_FALSE(wheel.world.apply_impulse(wheel.body, Vec3::UnitX()).ok());
}

TEST(EnableCommand, ClassicalMethodsRefuseAndSayWhy)
{
    Wheel wheel = make_wheel();
    must(wheel.world.set_enabled(wheel.body, false));
    const StepReport report = wheel.world.step({.research = {.scheme = Scheme::Shake}});
    EXPECT_EQ(report.status, StepStatus::Refused);
    EXPECT_NE(report.reason.find("disabled"), std::string_view::npos);
}

TEST(SleepCommand, IslandSleepsAndWakesByCommand)
{
    World world;
    add_floor(world);
    const BodyId box = add_box(world, 1, 1, {0, 0, 0.5});
    EXPECT_FALSE(world.sleep(box).ok()) << "there are no islands before the first step";
    StepSettings s;
    s.sleep = true;
    world.step(s);
    const Real books = balance(world);
    must(world.sleep(box));
    EXPECT_TRUE(world.asleep(box));
    EXPECT_NEAR(balance(world), books, 1e-12);
    EXPECT_EQ(world.step(s).asleep, 1);
    must(world.wake(box));
    EXPECT_FALSE(world.asleep(box));
    EXPECT_EQ(world.step(s).asleep, 0);
    must(world.sleep(box));
    must(world.apply_force(box, {0, 0, 1}));
    EXPECT_FALSE(world.asleep(box)) << "a force wakes it";
}

TEST(SleepCommand, CommandWakesWhereItActsAndNowhereElse)
{
    World world;
    std::array<BodyId, 2> wheels;
    std::array<JointId, 2> drives;
    for (int k = 0; k < 2; ++k) {
        wheels[k] = add(world, {.pose = {{3.0 * k, 0, 0}, Quat::Identity()}});
        const JointDef axle = hinge(kWorld, wheels[k], {3.0 * k, 0, 0}, Vec3::UnitY());
        must(world.add_joint(axle));
        drives[k] = must(world.add_joint(motor(axle, 0)));
    }
    StepSettings s;
    s.sleep = true;
    for (int i = 0; i < 60; ++i) world.step(s);
    ASSERT_TRUE(world.asleep(wheels[0]) && world.asleep(wheels[1]));
    must(world.set_target(drives[1], 1));
    world.step(s);
    EXPECT_TRUE(world.asleep(wheels[0]));
    EXPECT_FALSE(world.asleep(wheels[1]));
    EXPECT_NEAR(world.joint(drives[1]).angle_rate, 1, 1e-9);
}

// --- bits ---

// One of everything that can be commanded.
struct Plant {
    World world;
    BodyId crate, hand, wheel, free;
    JointId drive, holder, stops, pin;
    SpringId spring;
};

Plant make_plant()
{
    Plant out;
    World& world = out.world;
    add_floor(world);
    out.crate = add_box(world, 0.5, 5, {4, 0, 0.25});
    out.hand =
        add(world,
            {.name = "hand", .kind = BodyKind::Kinematic, .pose = {{0, 0, 3}, Quat::Identity()}});
    out.wheel = add(world, {.name = "wheel", .pose = {{0, 4, 2}, Quat::Identity()}});
    const JointDef axle = hinge(kWorld, out.wheel, {0, 4, 2}, Vec3::UnitY());
    must(world.add_joint(axle));
    JointDef drive = motor(axle, Schedule::sine(1, 2, 0.5));
    drive.max_force = 50;
    out.drive = must(world.add_joint(drive));
    const BodyId arm = add(world, {.mass = 2, .pose = {{1, 8, 2}, Quat::Identity()}});
    const JointDef shoulder = hinge(kWorld, arm, {0, 8, 2}, Vec3::UnitY());
    must(world.add_joint(shoulder));
    out.holder = must(world.add_joint(servo(shoulder, 0, 200, 20)));
    out.stops = must(world.add_joint(limits(shoulder, -1, 1)));
    out.free = add(world, {.mass = 1, .pose = {{0, 0, 2}, Quat::Identity()}});
    out.pin = must(world.add_joint(ball(out.hand, out.free, {0, 0, 2.5})));
    SpringDef spring;
    spring.bodies = {out.hand, out.free};
    spring.frames[0].p = {0, 0, 3};
    spring.frames[1].p = {0.2, 0, 2};
    spring.stiffness = 30;
    spring.rest = 1;
    out.spring = must(world.add_spring(spring));
    return out;
}

// What is commanded before step i.
void command(Plant& plant, int i)
{
    World& world = plant.world;
    const Real t = i / 60.0;
    if (i % 3 == 0) must(world.set_target(plant.holder, 0.5 * std::sin(t)));
    if (i % 7 == 0)
        must(world.set_kinematic_target(plant.hand, {{0.3 * std::sin(t), 0, 3}, Quat::Identity()}));
    if (i % 20 == 10) must(world.set_target(plant.drive, i % 3 - 1.0));
    if (i % 40 == 35) must(world.follow_schedule(plant.drive));
    if (i % 50 == 5) must(world.set_max_force(plant.drive, 20 + i % 9));
    if (i % 30 == 12) must(world.set_rest(plant.spring, 0.8 + 0.01 * (i % 11)));
    if (i % 45 == 20) must(world.set_limits(plant.stops, -0.5, 0.4 + 0.01 * (i % 5)));
    if (i % 25 == 3 && world.enabled(plant.crate))
        must(world.apply_impulse(plant.crate, {1, 0, 2}));
    if (i % 4 == 1 && world.enabled(plant.crate))
        must(world.apply_force(plant.crate, {0, 3, 0}, world.centre_of_mass(plant.crate)));
    if (i % 60 == 30) must(world.set_enabled(plant.pin, false));
    if (i % 60 == 50) must(world.set_enabled(plant.pin, true));
    if (i % 80 == 40) must(world.set_enabled(plant.crate, false));
    if (i % 80 == 60) must(world.set_enabled(plant.crate, true));
    if (i % 90 == 70) must(world.set_kinematic_velocity(plant.hand, {{0, 0.2, 0}, {0, 0, 0.5}}));
}

TEST(CommandSnapshot, RestoringAtAnyStepRepeatsEveryBit)
{
    constexpr int kSteps = 160;
    for (const bool sleep : {false, true}) {
        StepSettings s;
        s.sleep = sleep;
        Plant first = make_plant();
        std::vector<std::vector<std::byte>> images;
        std::vector<std::uint64_t> hashes;
        for (int i = 0; i < kSteps; ++i) {
            command(first, i);
            images.push_back(first.world.snapshot());
            ASSERT_EQ(first.world.step(s).status, StepStatus::Ok) << i;
            hashes.push_back(first.world.hash());
        }
        Plant other = make_plant();
        for (const int from : {1, 5, 36, 41, 47, 61, 75, 77, 110, 13}) {
            must(other.world.restore(images[from]));
            EXPECT_EQ(other.world.snapshot(), images[from]);
            for (int i = from; i < kSteps && i < from + 30; ++i) {
                if (i > from) command(other, i);
                other.world.step(s);
                ASSERT_EQ(other.world.hash(), hashes[i]) << "from " << from << " step " << i;
            }
        }
    }
}

TEST(CommandSnapshot, ThreadsDoNotChangeABit)
{
    std::array<std::uint64_t, 2> hashes{};
    for (const int threads : {1, 2}) {
        Plant plant = make_plant();
        for (int i = 0; i < 120; ++i) {
            command(plant, i);
            plant.world.step({.threads = threads});
        }
        hashes[threads - 1] = plant.world.hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

TEST(CommandSnapshot, CommandOfWhatWasDescribedChangesNothing)
{
    Plant plant = make_plant(), untouched = make_plant();
    for (int i = 0; i < 60; ++i) {
        World& world = plant.world;
        must(world.set_target(plant.holder, 0));
        must(world.set_servo(plant.holder, 200, 20));
        must(world.set_max_force(plant.drive, 50));
        must(world.set_limits(plant.stops, -1, 1));
        must(world.set_stiffness(plant.spring, 30));
        must(world.set_rest(plant.spring, 1));
        must(world.apply_force(plant.crate, Vec3::Zero()));
        must(world.apply_impulse(plant.crate, Vec3::Zero()));
        must(world.set_enabled(plant.pin, true));
        must(world.set_enabled(plant.crate, true));
        must(world.set_gravity(world.gravity()));
        world.step({});
        untouched.world.step({});
        ASSERT_EQ(world.hash(), untouched.world.hash()) << i;
    }
    // there and back between two steps
    must(plant.world.set_target(plant.holder, 0.3));
    EXPECT_NE(plant.world.hash(), untouched.world.hash());
    must(plant.world.set_target(plant.holder, 0));
    EXPECT_EQ(plant.world.hash(), untouched.world.hash());
}

TEST(CommandSnapshot, ImageOfACommandedWorldBelongsToTheSameMechanism)
{
    Plant plant = make_plant(), fresh = make_plant();
    must(plant.world.set_stiffness(plant.spring, 77));
    must(plant.world.set_limits(plant.stops, -0.1, 0.2));
    must(fresh.world.restore(plant.world.snapshot()));
    EXPECT_EQ(fresh.world.hash(), plant.world.hash());
    must(plant.world.restore(make_plant().world.snapshot()));
    EXPECT_EQ(plant.world.hash(), make_plant().world.hash());
}

// --- refusals ---

TEST(CommandRefusal, SaysWhoWhatWasFoundAndWhatIsAllowed)
{
    Plant plant = make_plant();
    World& world = plant.world;
    plant.world.step({});
    const std::uint64_t before = world.hash();
    const auto refused = [&](const Status& status, std::string_view part) {
        ASSERT_FALSE(status.ok()) << part;
        EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
        EXPECT_EQ(world.hash(), before);
    };
    refused(world.set_target(plant.drive, kNan), "hinge_motor number 2: target is nan");
    refused(world.set_target(plant.pin, 1), "ball number 6: has no target");
    refused(world.set_target(JointId{}, 1), "no such joint");
    refused(world.set_max_force(plant.drive, 0), "max_force is 0; it must be above zero");
    refused(world.set_max_force(plant.holder, 5), "described without max_force");
    refused(world.set_limits(plant.stops, 1, 0.5), "lower is 1, above upper, 0.5");
    refused(world.set_limits(plant.stops, -1e10, 0), "allowed is");
    refused(world.set_limits(plant.drive, 0, 1), "has no bounds");
    refused(world.set_servo(plant.drive, 1, 1), "has no stiffness and damping");
    refused(world.set_servo(plant.holder, 0, 0), "a stiffness or a damping above zero");
    refused(world.set_stiffness(plant.spring, -1), "spring number 1: stiffness is -1");
    refused(world.set_rest(plant.spring, kNan), "rest is nan");
    refused(world.set_kinematic_target(plant.crate, {}), "is not kinematic");
    refused(world.set_kinematic_target(plant.hand, {{kNan, 0, 0}, Quat::Identity()}),
            "body 'hand'");
    refused(world.set_kinematic_target(plant.hand, {Vec3::Zero(), Quat(2, 0, 0, 0)}), "length 2");
    refused(world.set_kinematic_velocity(plant.hand, {{kNan, 0, 0}, Vec3::Zero()}), "velocity");
    refused(world.apply_force(plant.hand, Vec3::UnitX()), "is fixed or kinematic");
    refused(world.apply_force(plant.crate, {kNan, 0, 0}), "must be finite");
    refused(world.apply_force(plant.crate, Vec3::UnitX(), {kNan, 0, 0}), "point must be finite");
    refused(world.apply_impulse(plant.crate, {kNan, 0, 0}), "impulse must be finite");
    refused(world.set_enabled(kWorld, false), "kWorld is the ground");
    refused(world.apply_force(BodyId{}, Vec3::UnitX()), "no such body");
}

TEST(CommandRefusal, ParticleTakesNoTorque)
{
    World world;
    const BodyId point = add(world, {.kind = BodyKind::Particle, .mass = 1});
    EXPECT_FALSE(world.apply_torque(point, Vec3::UnitX()).ok());
    EXPECT_FALSE(world.apply_angular_impulse(point, Vec3::UnitX()).ok());
    EXPECT_FALSE(world.apply_force(point, Vec3::UnitX(), {0, 1, 0}).ok());
    EXPECT_TRUE(world.apply_force(point, Vec3::UnitX(), {0, 0, 0}).ok());
}

}  // namespace
}  // namespace taut::test
