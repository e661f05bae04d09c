// Where energy goes: damping, friction and impacts against closed forms, and what the scheme itself takes.
#include <gtest/gtest.h>

#include <cmath>

#include <taut/joints.h>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

// Every step's balance closes, and steps add up to the reading of the world.
void run(World& world, Real seconds, const StepSettings& settings)
{
    const int steps = static_cast<int>(std::round(seconds / settings.dt));
    Dissipation sum;
    const Dissipation before = world.dissipation();
    const Real start = world.energy().total() - world.work().total() + before.total();
    Real scale = 1e-9 * (1 + std::abs(start));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
        scale = std::max(scale, 1e-9 * world.energy().kinetic());
        ASSERT_NEAR(report.dissipation.total(), -report.energy_change, scale);
        sum.damping += report.dissipation.damping;
        sum.friction += report.dissipation.friction;
        sum.impacts += report.dissipation.impacts;
        sum.numerical += report.dissipation.numerical;
    }
    const Dissipation d = world.dissipation();
    EXPECT_NEAR(world.energy().total() - world.work().total() + d.total(), start, scale);
    EXPECT_NEAR(sum.damping, d.damping - before.damping, scale);
    EXPECT_NEAR(sum.friction, d.friction - before.friction, scale);
    EXPECT_NEAR(sum.impacts, d.impacts - before.impacts, scale);
    EXPECT_NEAR(sum.numerical, d.numerical - before.numerical, scale);
}

BodyId add_particle(World& world, Real mass, const Vec3& p, const Vec3& v = Vec3::Zero())
{
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.mass = mass;
    def.pose.p = p;
    def.velocity.linear = v;
    return must(world.add_body(def));
}

struct OfScheme {
    Scheme scheme;
    Real tolerance;  // of the closed form, at 1 ms
};
class OfSchemes : public testing::TestWithParam<OfScheme> {};

// x = a e^(−δt) (cos νt + δ/ν sin νt): the damper has taken what the oscillator lost.
TEST_P(OfSchemes, ADampedSpringTakesWhatTheOscillatorLoses)
{
    constexpr Real kMass = 2, kStiffness = 300, kDamping = 3, kWay = 0.3, kTime = 0.6;
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId bob = add_particle(world, kMass, {1 + kWay, 0, 0});
    SpringDef spring;
    spring.bodies = {kWorld, bob};
    spring.frames[1].p = {1 + kWay, 0, 0};
    spring.stiffness = kStiffness;
    spring.damping = kDamping;
    spring.rest = 1;
    must(world.add_spring(spring));
    run(world, kTime, {.dt = 1e-3, .research = {.scheme = GetParam().scheme}});
    const Real delta = kDamping / (2 * kMass), square = kStiffness / kMass,
               nu = std::sqrt(square - delta * delta);
    const Real fade = kWay * std::exp(-delta * kTime);
    const Real x = fade * (std::cos(nu * kTime) + delta / nu * std::sin(nu * kTime));
    const Real v = -fade * square / nu * std::sin(nu * kTime);
    const Real start = kStiffness * kWay * kWay / 2;
    const Real lost = start - (kMass * v * v + kStiffness * x * x) / 2;
    const Dissipation d = world.dissipation();
    EXPECT_NEAR(d.damping, lost, GetParam().tolerance * lost);
    EXPECT_NEAR(d.numerical, 0, GetParam().tolerance * lost);
    EXPECT_EQ(d.friction, 0);
    EXPECT_EQ(d.impacts, 0);
}

// A weight that is put onto a soft joint comes to rest s = mgC lower: half of mgs is stored, the damping took the rest.
TEST_P(OfSchemes, ADampedJointTakesHalfTheWorkOfTheWeight)
{
    constexpr Real kMass = 3, kCompliance = 1e-3;
    if (GetParam().scheme == Scheme::Reduced) GTEST_SKIP() << "knows no compliant joints";
    World world;
    const BodyId bob = add_particle(world, kMass, {0, 0, -1});
    JointDef rod = taut::rod(kWorld, bob, {0, 0, 0}, {0, 0, -1});
    rod.compliance = kCompliance;
    rod.damping_time = 0.05;
    must(world.add_joint(rod));
    run(world, 2, {.dt = 1e-3, .research = {.scheme = GetParam().scheme}});
    const Real expected = kMass * kG * kMass * kG * kCompliance / 2;
    const Dissipation d = world.dissipation();
    EXPECT_NEAR(d.damping, expected, GetParam().tolerance * expected);
    EXPECT_NEAR(d.numerical, 0, GetParam().tolerance * expected);
}
INSTANTIATE_TEST_SUITE_P(
    Schemes, OfSchemes,
    // of second order: the frequency is off by (ωh)²/12, at 18 rad/s, over up to 40 rad
    testing::Values(OfScheme{Scheme::Automatic, 1e-3}, OfScheme{Scheme::Midpoint, 1e-3},
                    OfScheme{Scheme::Adams, 2e-3}, OfScheme{Scheme::Bdf2, 0.02},
                    OfScheme{Scheme::BackwardEuler, 0.1}, OfScheme{Scheme::AlphaBeta, 0.01},
                    OfScheme{Scheme::Lagrange, 1e-4}, OfScheme{Scheme::Shake, 0.01},
                    OfScheme{Scheme::Reduced, 1e-4}, OfScheme{Scheme::ImplicitPenalty, 0.1}),
    [](const auto& of) { return std::string(choice_name(schemes(), of.param.scheme)); });

// A spring that long steps resolve: ωh up to 2.4. Midpoint books what its damper does to the last bit.
TEST(Dissipation, TheMidpointSchemeLosesNothingToItselfBesideADamper)
{
    for (const Real stiffness : {1e3, 3.6e3, 2e4})
        for (const Real damping : {0.5, 5.0}) {
            World world;
            must(world.set_gravity(Vec3::Zero()));
            const BodyId bob = add_particle(world, 1, {1.5, 0, 0});
            SpringDef spring;
            spring.bodies = {kWorld, bob};
            spring.frames[1].p = {1.5, 0, 0};
            spring.stiffness = stiffness;
            spring.damping = damping;
            spring.rest = 1;
            must(world.add_spring(spring));
            const Real start = world.energy().total();
            run(world, 3, {.dt = 1.0 / 60, .research = {.scheme = Scheme::Midpoint}});
            // ten times the tolerance of 1e-4 per second of the energy in motion
            EXPECT_NEAR(world.dissipation().numerical, 0, 3e-3 * start)
                << stiffness << " N/m, " << damping << " N s/m";
        }
}

class Pulled : public testing::TestWithParam<Scheme> {};

// A weight that a kinematic body pulls by a spring: what goes in is the mean force of the step times its way.
TEST_P(Pulled, ASpringOnAKinematicBodyFeedsInWhatItPulls)
{
    for (const Real dt : {1.0 / 60, 1e-3}) {
        World world;
        must(world.set_gravity(Vec3::Zero()));
        BodyDef hand;
        hand.kind = BodyKind::Kinematic;
        hand.motion.shift[0] = Schedule::sine(0, 0.3, 1);
        const BodyId by = must(world.add_body(hand));
        const BodyId bob = add_particle(world, 1, {1, 0, 0});
        SpringDef spring;
        spring.bodies = {by, bob};
        spring.frames[1].p = {1, 0, 0};
        spring.stiffness = 300;
        spring.rest = 1;
        must(world.add_spring(spring));
        int repeated = 0;
        Real kinetic = 0;
        for (int i = 0; i < std::lround(5 / dt); ++i) {
            const StepReport report = world.step({.dt = dt, .research = {.scheme = GetParam()}});
            ASSERT_TRUE(report.settled) << report.reason;
            repeated += report.gains_refused + report.halvings;
            kinetic = std::max(kinetic, world.energy().kinetic());
        }
        EXPECT_EQ(repeated, 0) << dt;
        // adams loses 0.1 (ωh)⁴ of the oscillation in a step, 2 % a second at 17 rad/s and 1/60 s
        const Real share = GetParam() == Scheme::Adams && dt > 1e-2 ? 0.1 : 3e-3;
        EXPECT_NEAR(world.dissipation().numerical, 0, share * kinetic) << dt;
    }
}
INSTANTIATE_TEST_SUITE_P(Schemes, Pulled,
                         testing::Values(Scheme::Automatic, Scheme::Midpoint, Scheme::Adams),
                         [](const auto& of) {
                             return std::string(choice_name(schemes(), of.param));
                         });

// A pendulum on a damped elastic joint: where it circles, J of the start sees it move along the row. In short steps the damper takes
// 0.157 J. In these, with ωh = 1.8, the mean of its rates at both ends is off by a quarter; with J of the start it was 0.329 J.
TEST(Dissipation, ADamperOfAOneSolveSchemeTakesWhatItsRowMoves)
{
    World world;
    BodyDef def;
    def.inertia = Mat3::Identity() * 0.1;
    def.pose.p = {1, 0, 0};
    const BodyId bob = must(world.add_body(def));
    JointDef pivot = taut::ball(kWorld, bob, Vec3::Zero());
    pivot.compliance = 1e-3;
    pivot.damping_time = 0.01;
    must(world.add_joint(pivot));
    run(world, 3, {.dt = 1.0 / 60, .research = {.scheme = Scheme::AlphaBeta}});
    EXPECT_NEAR(world.dissipation().damping, 0.157, 0.045);
    EXPECT_NEAR(world.dissipation().numerical, 0, 0.045);
}

// A platform that has just begun to rise: what meets it is stopped where they meet, as by one that has risen all the time.
TEST(Dissipation, AnImpactGoesByTheMotionOfTheGroundFromNowOn)
{
    constexpr Real kSpeed = 1, kDt = 1.0 / 64;
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef lift;
    lift.kind = BodyKind::Kinematic;
    lift.motion.shift[2] = Schedule::through({{0, 0}, {2 * kDt, 0}, {1, kSpeed * (1 - 2 * kDt)}});
    const BodyId on = must(world.add_body(lift));
    must(world.add_collider(on, {.shape = Shape::box({1, 1, 0.1})}));
    const BodyId box =
        add_box(world, 0.2, 3, {0, 0, 0.05 + 0.1 + kSpeed * kDt / 2}, Quat::Identity());
    const StepSettings settings{.dt = kDt};
    for (int i = 0; i < 2; ++i) EXPECT_EQ(world.step(settings).impacts, 0);
    EXPECT_EQ(world.step(settings).impacts, 1);
    // the ground lifts it at once, and slips like a clutch: half of its work is lost
    const Real kinetic = 3 * kSpeed * kSpeed / 2;
    EXPECT_NEAR(world.velocity(box).linear.z(), kSpeed, 1e-6);
    EXPECT_NEAR(world.dissipation().impacts, kinetic, 1e-3 * kinetic);
}

// Half the step, half the numerical dissipation: backward Euler is of first order.
TEST(Dissipation, NumericalDissipationIsOfTheOrderOfTheScheme)
{
    const auto numerical = [](Real dt) {
        World world;
        const BodyId bob = add_particle(world, 1, {1, 0, 0});
        must(world.add_joint(taut::rod(kWorld, bob, {0, 0, 0}, {1, 0, 0})));
        run(world, 1, {.dt = dt, .research = {.scheme = Scheme::BackwardEuler}});
        return world.dissipation().numerical;
    };
    const Real coarse = numerical(1e-3), fine = numerical(5e-4);
    EXPECT_GT(fine, 0);
    EXPECT_NEAR(coarse / fine, 2, 0.05);
}

class Floors : public testing::TestWithParam<Scheme> {};

TEST_P(Floors, FrictionTakesTheNormalForceTimesTheWay)
{
    constexpr Real kMass = 2, kMu = 0.4;
    World world;
    add_floor(world, kMu);
    const BodyId box = add_box(world, {0.4, 0.4, 0.1}, kMass, {{0, 0, 0.05}, Quat::Identity()}, kMu,
                               {{2.5, 1, 0}, Vec3::Zero()});
    const StepSettings settings{.dt = 1.0 / 240, .research = {.scheme = GetParam()}};
    run(world, 0.3, settings);
    const Real way = world.pose(box).p.head<2>().norm();
    EXPECT_NEAR(world.dissipation().friction, kMu * kMass * kG * way,
                0.01 * kMu * kMass * kG * way);
    run(world, 1.2, settings);
    const Real kinetic = kMass * (2.5 * 2.5 + 1) / 2;
    const Dissipation d = world.dissipation();
    EXPECT_NEAR(d.friction, kinetic, 0.03 * kinetic);
    EXPECT_NEAR(d.numerical, 0, 0.03 * kinetic);
    EXPECT_EQ(d.damping, 0);
}

// From heights at which the step ends just above the floor, and others.
TEST_P(Floors, AnInelasticLandingTakesAllOfTheFall)
{
    constexpr Real kMass = 2;
    // with one solve a fall is too deep by gh/2v of it: 1.4 % at 240 Hz
    const Real dt = GetParam() == Scheme::Bdf2 ? 1.0 / 60 : 1.0 / 240;
    for (const Real height : {0.4, 0.43, 0.47, 0.52}) {
        World world;
        add_floor(world);
        add_box(world, {0.2, 0.3, 0.1}, kMass, {{0, 0, 0.05 + height}, Quat::Identity()});
        run(world, 1, {.dt = dt, .research = {.scheme = GetParam()}});
        const Real fall = kMass * kG * height;
        const Dissipation d = world.dissipation();
        EXPECT_NEAR(d.impacts, fall, 0.02 * fall) << height;
        EXPECT_NEAR(d.numerical, 0, 0.02 * fall) << height;
        EXPECT_NEAR(d.friction, 0, 0.01 * fall) << height;
    }
}

// A drive that is stronger than the weight runs into a stop and pushes on.
TEST_P(Floors, ADriveThatRunsIntoAStopLosesItsMotion)
{
    constexpr Real kMass = 60, kSpeed = 1.1;
    World world;
    BodyDef def;
    def.mass = kMass;
    const BodyId lift = must(world.add_body(def));
    const JointDef shaft = taut::prismatic(kWorld, lift, Vec3::Zero(), Vec3::UnitZ());
    must(world.add_joint(shaft));
    must(world.add_joint(taut::limits(shaft, -1, 0.7)));
    JointDef drive = taut::motor(shaft, kSpeed);
    drive.max_force = 1000;
    must(world.add_joint(drive));
    const StepSettings settings{.dt = 1.0 / 240, .research = {.scheme = GetParam()}};
    run(world, 0.5, settings);  // at full speed
    const Dissipation before = world.dissipation();
    run(world, 1, settings);
    const Real kinetic = kMass * kSpeed * kSpeed / 2;
    EXPECT_NEAR(world.pose(lift).p.z(), 0.7, 1e-6);
    // in the step that ends at the stop the drive pushes with all it has
    const Real push = (drive.max_force - kMass * kG) * kSpeed * settings.dt;
    EXPECT_NEAR(world.dissipation().impacts - before.impacts, kinetic, push + 0.01 * kinetic);
    EXPECT_NEAR(world.dissipation().numerical - before.numerical, 0, 0.02 * kinetic);
}

// A rope that is slack at first stops the weight when it is taut.
TEST_P(Floors, ARopeThatIsPulledTautTakesTheMotionAlongIt)
{
    constexpr Real kMass = 3, kFall = 0.31;
    World world;
    const BodyId bob = add_particle(world, kMass, {0, 0, -1 + kFall});
    must(world.add_joint(taut::rope(kWorld, bob, {0, 0, 0}, {0, 0, -1 + kFall}, 1)));
    run(world, 1, {.dt = 1.0 / 240, .research = {.scheme = GetParam()}});
    const Real fall = kMass * kG * kFall;
    EXPECT_NEAR(world.dissipation().impacts, fall, 0.05 * fall);
    EXPECT_NEAR(world.dissipation().numerical, 0, 0.05 * fall);
}
INSTANTIATE_TEST_SUITE_P(Schemes, Floors,
                         testing::Values(Scheme::Automatic, Scheme::Midpoint, Scheme::Adams,
                                         Scheme::Bdf2, Scheme::BackwardEuler),
                         [](const auto& of) {
                             return std::string(choice_name(schemes(), of.param));
                         });

TEST(Dissipation, ABounceTakesOneLessTheSquareOfTheRestitution)
{
    constexpr Real kMass = 1.5, kHeight = 0.8, kRadius = 0.1;
    for (const Real e : {0.3, 0.7, 0.95}) {
        World world;
        must(world.add_collider(kWorld, {.shape = Shape::plane(), .restitution = e}));
        BodyDef def;
        def.mass = kMass;
        def.inertia = Mat3::Identity() * (0.4 * kMass * kRadius * kRadius);
        def.pose.p = {0, 0, kRadius + kHeight};
        const BodyId ball = must(world.add_body(def));
        must(world.add_collider(ball, {.shape = Shape::sphere(kRadius), .restitution = e}));
        run(world, std::sqrt(2 * kHeight / kG) + 0.1, {.dt = 1.0 / 120});
        const Real fall = kMass * kG * kHeight;
        const Dissipation d = world.dissipation();
        EXPECT_NEAR(d.impacts, (1 - e * e) * fall, 2e-3 * fall) << e;
        EXPECT_NEAR(d.numerical, 0, 2e-3 * fall) << e;
    }
}

TEST(Dissipation, RollingFrictionTakesTheMotionOfABall)
{
    constexpr Real kRadius = 0.1, kRho = 0.005, kMass = 2, kSpeed = 0.8;
    World world;
    must(world.add_collider(kWorld,
                            {.shape = Shape::plane(), .friction = 0.8, .rolling_friction = kRho}));
    BodyDef def;
    def.mass = kMass;
    def.inertia = Mat3::Identity() * (0.4 * kMass * kRadius * kRadius);
    def.pose.p = {0, 0, kRadius};
    def.velocity = {{kSpeed, 0, 0}, {0, kSpeed / kRadius, 0}};
    const BodyId ball = must(world.add_body(def));
    must(world.add_collider(
        ball, {.shape = Shape::sphere(kRadius), .friction = 0.8, .rolling_friction = kRho}));
    run(world, 4, {.dt = 1.0 / 120});
    const Real kinetic = 0.7 * kMass * kSpeed * kSpeed;
    EXPECT_NEAR(world.energy().kinetic(), 0, 1e-6);
    EXPECT_NEAR(world.dissipation().friction, kinetic, 0.02 * kinetic);
}

// A stop that is soft and damped stores and takes nothing while it is open, and takes what a fall into it loses.
TEST(Dissipation, ADampedStopActsOnlyWhileItIsLoaded)
{
    constexpr Real kMass = 3, kCompliance = 1e-4;
    World world;
    const BodyId bob = add_particle(world, kMass, {0, 0, -0.5});
    JointDef rope = taut::rope(kWorld, bob, {0, 0, 0}, {0, 0, -0.5}, 1);
    rope.compliance = kCompliance;
    rope.damping_time = 0.02;
    must(world.add_joint(rope));
    const StepSettings settings{.dt = 2.5e-4};
    run(world, 0.2, settings);
    EXPECT_EQ(world.energy().joints, 0);
    EXPECT_EQ(world.dissipation().damping, 0);
    run(world, 2, settings);
    // at rest s = mgC below the length of the rope, with half of mgs stored
    const Real sag = kMass * kG * kCompliance, lost = kMass * kG * (0.5 + sag / 2);
    const Dissipation d = world.dissipation();
    EXPECT_NEAR(d.damping, lost, 0.03 * lost);
    EXPECT_NEAR(d.numerical, 0, 0.03 * lost);
}

// A compliant joint breaks at F with F²C/2 stored in it.
TEST(Dissipation, ABreakingJointLosesWhatItStored)
{
    constexpr Real kMass = 3, kCompliance = 1e-3, kForce = 1.5 * kMass * kG;
    World world;
    const BodyId bob = add_particle(world, kMass, {0, 0, -1});
    JointDef rod = taut::rod(kWorld, bob, {0, 0, 0}, {0, 0, -1});
    rod.compliance = kCompliance;
    rod.break_force = kForce;
    const JointId joint = must(world.add_joint(rod));
    run(world, 0.5, {.dt = 2e-4});
    ASSERT_TRUE(world.broken(joint));
    const Real stored = kForce * kForce * kCompliance / 2;
    EXPECT_NEAR(world.dissipation().impacts, stored, 0.02 * stored);
    EXPECT_NEAR(world.dissipation().numerical, 0, 0.02 * stored);
}

// A motor that starts at full speed slips like a clutch: it feeds twice what the rotor gets.
TEST(Dissipation, AMotorThatStartsAtOnceLosesHalfOfItsWork)
{
    constexpr Real kInertia = 0.5, kSpeed = 12;
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.inertia = Mat3::Identity() * kInertia;
    const BodyId rotor = must(world.add_body(def));
    const JointDef hinge = taut::hinge(kWorld, rotor, Vec3::Zero(), Vec3::UnitZ());
    must(world.add_joint(hinge));
    must(world.add_joint(taut::motor(hinge, kSpeed)));
    run(world, 1, {.dt = 1.0 / 60});
    const Real kinetic = kInertia * kSpeed * kSpeed / 2;
    EXPECT_NEAR(world.work().motors, 2 * kinetic, 1e-6);
    EXPECT_NEAR(world.dissipation().impacts, kinetic, 1e-6);
    EXPECT_NEAR(world.dissipation().numerical, 0, 1e-6);
}

// A rotor that only the scheme brakes: nothing else is to blame.
class BrakedRotor : public testing::TestWithParam<int> {};
TEST_P(BrakedRotor, IsTheSchemesDoing)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.mass = 2;
    def.inertia = Vec3(0.01, 0.2, 0.2).asDiagonal();
    def.pose.p = {0.5, 0, 0};
    def.velocity = {{0, 9, 0}, {0, 0, 18}};
    const BodyId rod = must(world.add_body(def));
    must(world.add_joint(taut::hinge(kWorld, rod, Vec3::Zero(), Vec3::UnitZ())));
    const Real start = world.energy().total();
    // settled or with one solve
    const int solves = GetParam();
    run(world, 5,
        {.dt = 1.0 / 60, .max_solves = solves, .research = {.scheme = Scheme::BackwardEuler}});
    const Real lost = start - world.energy().total();
    EXPECT_GT(lost, 0.5 * start);
    EXPECT_NEAR(world.dissipation().numerical, lost, 1e-6 * start);
    EXPECT_NEAR(world.dissipation().physical(), 0, 1e-6 * start);
}
INSTANTIATE_TEST_SUITE_P(MaxSolves, BrakedRotor, testing::Values(1, 50));

// A rod that is thrown across its pivot: the pivot stops what it does not allow, and that is no error of the scheme.
TEST(Dissipation, AVelocityThatAJointDoesNotAllowIsAnImpact)
{
    constexpr Real kMass = 2, kInertia = 0.2, kArm = 0.5, kSpeed = 3;
    World world;
    must(world.set_gravity(Vec3::Zero()));
    BodyDef def;
    def.mass = kMass;
    def.inertia = Mat3::Identity() * kInertia;
    def.pose.p = {kArm, 0, 0};
    def.velocity.linear = {0, kSpeed, 0};  // without the spin that belongs to it
    const BodyId rod = must(world.add_body(def));
    must(world.add_joint(taut::hinge(kWorld, rod, Vec3::Zero(), Vec3::UnitZ())));
    run(world, 0.1, {.dt = 1e-3});
    // the angular momentum about the pivot is kept
    const Real spin = kMass * kSpeed * kArm / (kInertia + kMass * kArm * kArm);
    const Real lost =
        (kMass * kSpeed * kSpeed - (kInertia + kMass * kArm * kArm) * spin * spin) / 2;
    EXPECT_NEAR(world.velocity(rod).angular.z(), spin, 0.01 * spin);
    EXPECT_NEAR(world.dissipation().impacts, lost, 0.01 * lost);
    EXPECT_NEAR(world.dissipation().numerical, 0, 0.01 * lost);
}

// Islands that merge and split, retries after penetration, bodies that fall asleep: the balance of the world closes.
TEST(Dissipation, TheBalanceOfTheWorldClosesWhateverIslandsDo)
{
    for (const bool sleep : {false, true}) {
        World world;
        add_floor(world, 0.6);
        for (int k = 0; k < 4; ++k)
            add_box(world, 0.2, 1 + k, {0.05 * k, 0.03 * k, 0.3 + 0.35 * k},
                    Quat(Eigen::AngleAxisd(0.2 * k, Vec3(1, 2, 3).normalized())));
        add_ball(world, 0.1, 1, {2, 0, 0.5}, {1, 0, 0});
        run(world, 2.5, {.dt = 1.0 / 60, .sleep = sleep});
    }
}

TEST(Dissipation, ASnapshotKeepsIt)
{
    World world;
    add_floor(world, 0.6);
    add_box(world, 0.2, 1, {0, 0, 0.4}, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitX())));
    const StepSettings settings{.dt = 1.0 / 60};
    run(world, 0.35, settings);
    const auto image = world.snapshot();
    run(world, 0.5, settings);
    const Dissipation first = world.dissipation();
    ASSERT_TRUE(world.restore(image).ok());
    run(world, 0.5, settings);
    const Dissipation second = world.dissipation();
    EXPECT_GT(first.impacts, 0);
    EXPECT_EQ(first.damping, second.damping);
    EXPECT_EQ(first.friction, second.friction);
    EXPECT_EQ(first.impacts, second.impacts);
    EXPECT_EQ(first.numerical, second.numerical);
}

}  // namespace
}  // namespace taut::test
