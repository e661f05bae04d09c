// The classical methods do what textbooks say of them, good and bad.
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;
constexpr Real kLength = 2;
constexpr Real kPi = std::numbers::pi_v<Real>;

struct Pendulum {
    World world;
    BodyId bob;
    JointId rod_id;

    Real gap() const { return world.joint_gap(); }
    Real pull() const { return -world.multipliers(rod_id)[0]; }
};

// 1 kg on a rod of 2 m; `at` is where it starts.
Pendulum make_pendulum(const Vec3& at, Real damping_time = 0)
{
    Pendulum p;
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.pose.p = at;
    p.bob = must(p.world.add_body(def));
    JointDef link = rod(kWorld, p.bob, {0, 0, 0}, at);
    link.damping_time = damping_time;
    p.rod_id = must(p.world.add_joint(link));
    return p;
}

Pendulum hanging(Real damping_time = 0) { return make_pendulum({0, 0, -kLength}, damping_time); }
Pendulum horizontal() { return make_pendulum({kLength, 0, 0}); }

StepSettings with(Scheme scheme, Real dt, Real stiffness = 0)
{
    StepSettings s = settings(dt, scheme);
    s.research.penalty_stiffness = stiffness;
    return s;
}

void run(World& world, const StepSettings& s, Real time, const std::function<void()>& watch = {})
{
    const int steps = static_cast<int>(std::lround(time / s.dt));
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(s);
        ASSERT_EQ(report.status, StepStatus::Ok) << report.reason;
        if (watch) watch();
    }
}

// --- penalty ---

// A damped joint settles where its spring carries the weight, φ = mg/k.
TEST(Penalty, JointYieldsByWeightOverStiffness)
{
    for (const Scheme scheme : {Scheme::Penalty, Scheme::ImplicitPenalty})
        for (const Real k : {1e3, 1e4, 1e5}) {
            Pendulum p = hanging(2e-3);
            run(p.world, with(scheme, 1e-3, k), scheme == Scheme::Penalty ? 20 : 5);
            EXPECT_NEAR(p.gap() * k, kG, 1e-3 * kG) << k;
            EXPECT_NEAR(p.pull(), kG, 1e-3 * kG) << k;
        }
}

// Symplectic Euler on m x'' = −kx is bounded below h²k/m = 4 and grows above.
TEST(Penalty, ExplicitSpringsExplodeAboveFour)
{
    const Real h = 0.01;
    const auto largest_gap = [&](Real ratio) {
        Pendulum p = hanging();
        Real gap = 0;
        for (int i = 0; i < 400; ++i) {
            if (p.world.step(with(Scheme::Penalty, h, ratio / (h * h))).status != StepStatus::Ok)
                return Real(1e300);
            gap = std::max(gap, p.gap());
        }
        return gap;
    };
    EXPECT_LT(largest_gap(3.9), 30 * kG * h * h / 3.9);  // resonance near the bound, still bounded
    EXPECT_GT(largest_gap(4.1), 1e3);
}

TEST(Penalty, ImplicitSpringsBearAnyStiffness)
{
    const Real h = 0.01;
    for (const Real ratio : {1e2, 1e6, 1e10}) {
        Pendulum p = horizontal();
        const Real start = p.world.energy().total();
        const Real k = ratio / (h * h);
        run(p.world, with(Scheme::ImplicitPenalty, h, k), 10, [&] {
            // at the bottom 3mg; linearisation at the start of the step adds the sagitta ½(h v)²/L
            ASSERT_LT(p.gap(), 3.3 * kG / k + 2 * kG * h * h);
        });
        EXPECT_LE(p.world.energy().total(), start);
    }
}

TEST(Penalty, AutomaticStiffnessHoldsAChainInBothForms)
{
    for (const Scheme scheme : {Scheme::Penalty, Scheme::ImplicitPenalty}) {
        Chain chain = make_chain({.links = 5, .turn = 0.3});
        Real gap = 0;
        run(chain.world, with(scheme, 1e-3), 2,
            [&] { gap = std::max(gap, chain.world.joint_gap()); });
        // κ ≥ 1/20 explicitly: 5 links' weight, several times g by the swing, over κ m/h²
        // implicitly: the sagitta ½(hv)²/L of links of 0.1 m at up to 5 m/s
        EXPECT_LT(gap, scheme == Scheme::Penalty ? 2e-2 : 2e-4);
        EXPECT_GT(gap, 0);
    }
}

// --- multipliers on accelerations ---

Real drift_after(Scheme scheme, Real h, Real time)
{
    Pendulum p = horizontal();
    run(p.world, with(scheme, h), time);
    return p.gap();
}

TEST(Lagrange, DriftsWithTheOrderOfItsIntegrator)
{
    const Real coarse = drift_after(Scheme::Lagrange, 0.02, 20),
               fine = drift_after(Scheme::Lagrange, 0.01, 20);
    EXPECT_GT(coarse, 1e-5);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 1.2);
}

TEST(Lagrange, DriftGrowsWithoutEndAndBaumgarteHoldsIt)
{
    EXPECT_GT(drift_after(Scheme::Lagrange, 0.02, 40),
              1.5 * drift_after(Scheme::Lagrange, 0.02, 20));
    EXPECT_LT(drift_after(Scheme::Baumgarte, 0.02, 40),
              drift_after(Scheme::Lagrange, 0.02, 40) / 20);
}

// φ'' + 2γφ' + γ²φ = 0 from φ₀ at rest: φ₀ (1 + γt) exp(−γt). The rod of a hanging mass is that row alone.
TEST(Baumgarte, PullsAnOpenJointBackAsACriticallyDampedSpring)
{
    Pendulum p = hanging();
    ASSERT_TRUE(p.world.set_pose(p.bob, {{0, 0, -kLength - 0.01}, Quat::Identity()}).ok());
    StepSettings s = with(Scheme::Baumgarte, 1e-3);
    s.research.baumgarte_rate = 8;
    run(p.world, s, 0.25);
    EXPECT_NEAR(p.gap(), 0.01 * 3 * std::exp(-2), 1e-10);
    EXPECT_NEAR(drift_after(Scheme::Lagrange, 1e-3, 0.001), 0, 1e-9);
}

// --- projections ---

// A spatial chain of all sorts, closed to a loop with redundant rows.
World make_loop()
{
    World world;
    std::vector<BodyId> bar;
    const Vec3 corner[] = {{0, 0, 0}, {0.3, 0, 0.4}, {1.1, 0, 0.5}, {1, 0, 0}};
    for (int i = 0; i < 3; ++i) {
        BodyDef def;
        def.mass = 1 + i;
        def.inertia = rod_inertia(def.mass, 0.5, 0.05);
        def.pose.p = (corner[i] + corner[i + 1]) / 2;
        bar.push_back(must(world.add_body(def)));
    }
    for (int i = 0; i < 4; ++i)
        must(world.add_joint(hinge(i == 0 ? kWorld : bar[i - 1], i == 3 ? kWorld : bar[i],
                                   corner[i], Vec3::UnitY())));
    return world;
}

TEST(Projection, JointsAreClosedAfterEveryStep)
{
    for (const Scheme scheme : {Scheme::PostStabilisation, Scheme::Shake, Scheme::FastProjection}) {
        Chain chain = make_chain({.links = 4, .ratio = 10, .turn = 1});
        run(chain.world, with(scheme, 0.005), 2,
            [&] { ASSERT_LT(chain.world.joint_gap(), 1e-10); });
        World loop = make_loop();
        run(loop, with(scheme, 0.005), 2, [&] {
            ASSERT_LT(loop.joint_gap(), 1e-10);
            ASSERT_LT(loop.angular_gap(), 1e-10);
        });
    }
}

// Four hinges in one plane hold three bars more often than needed; all methods find the same motion.
TEST(Projection, RedundantLoopMovesAlikeInAllMethods)
{
    const auto end = [](Scheme scheme, Real dt) {
        World world = make_loop();
        run(world, with(scheme, dt), 0.5);
        return world.centre_of_mass(BodyId{1});
    };
    const Vec3 reference = end(Scheme::Lagrange, 5e-4);
    EXPECT_LT((end(Scheme::PostStabilisation, 2e-3) - reference).norm(), 1e-8);
    EXPECT_LT((end(Scheme::Baumgarte, 2e-3) - reference).norm(), 1e-6);
    EXPECT_LT((end(Scheme::Shake, 2e-3) - reference).norm(), 1e-4);
    EXPECT_LT((end(Scheme::FastProjection, 5e-4) - reference).norm(), 1e-2);
}

// 70 swings: the energy swings with the step squared and comes back; projection of free flight loses it.
TEST(Shake, EnergyStaysBoundedOverManySwings)
{
    const auto error = [](Scheme scheme, Real from, Real to) {
        Pendulum p = horizontal();
        const Real start = p.world.energy().total();
        Real worst = 0;
        run(p.world, with(scheme, 0.01), to, [&] {
            if (p.world.time() > from)
                worst = std::max(worst, std::abs(p.world.energy().total() - start));
        });
        return worst / (kG * kLength);
    };
    const Real early = error(Scheme::Shake, 0, 5), late = error(Scheme::Shake, 235, 240);
    EXPECT_LT(early, 1e-3);
    EXPECT_LT(late, 1.1 * early);
    EXPECT_GT(error(Scheme::FastProjection, 25, 30), 20 * early);
}

TEST(Shake, PeriodIsOfSecondOrder)
{
    // where the bob is after one exact period, 4√(L/g) K(sin 45°)
    const Real period = 4 * std::sqrt(kLength / kG) * std::comp_ellint_1(std::sqrt(0.5));
    const auto miss = [&](int steps) {
        Pendulum p = horizontal();
        run(p.world, with(Scheme::Shake, period / steps), period);
        return std::abs(p.world.velocity(p.bob).linear.z()) / kG;  // late or early by so much
    };
    EXPECT_LT(miss(1000), 1e-4);
    EXPECT_NEAR(std::log2(miss(500) / miss(1000)), 2, 0.15);
}

// --- all together ---

TEST(Classical, RodPullsThreeTimesTheWeightAtTheBottom)
{
    struct Case {
        Scheme scheme;
        Real dt, accuracy;
    };
    for (const Case& c :
         {Case{Scheme::Lagrange, 1e-3, 1e-5}, Case{Scheme::Baumgarte, 1e-3, 1e-4},
          Case{Scheme::PostStabilisation, 1e-3, 1e-5}, Case{Scheme::Shake, 1e-3, 1e-4},
          Case{Scheme::FastProjection, 1e-3, 2e-2}, Case{Scheme::ImplicitPenalty, 1e-3, 2e-2}}) {
        Pendulum p = horizontal();
        Real largest = 0;
        run(p.world, with(c.scheme, c.dt), 1.5, [&] { largest = std::max(largest, p.pull()); });
        EXPECT_NEAR(largest, 3 * kG, c.accuracy * 3 * kG) << choice_name(schemes(), c.scheme);
    }
}

const Scheme kHolding[] = {Scheme::ImplicitPenalty,   Scheme::Lagrange, Scheme::Baumgarte,
                           Scheme::PostStabilisation, Scheme::Shake,    Scheme::FastProjection};

TEST(Classical, MotorsTurnAtTheirSpeedAndTheirWorkIsWhatTheyGive)
{
    for (const Scheme scheme : kHolding) {
        World world;
        must(world.set_gravity(Vec3::Zero()));
        BodyDef def;
        def.mass = 2;
        def.inertia = Vec3(0.5, 0.4, 0.3).asDiagonal();
        def.pose.p = {0.3, 0, 0};
        const BodyId wheel = must(world.add_body(def));
        const JointDef axle = hinge(kWorld, wheel, Vec3::Zero(), Vec3::UnitY());
        const JointId turning = must(world.add_joint(axle));
        must(world.add_joint(motor(axle, 6.0)));
        run(world, with(scheme, 1e-3), 2);
        const Real soft = scheme == Scheme::ImplicitPenalty ? 1e-3 : 0;  // a damper, not a lock
        EXPECT_NEAR(world.joint(turning).angle, 12, 0.007 + 12 * soft);
        EXPECT_NEAR(world.joint(turning).angle_rate, 6, 1e-6 + 6 * soft);
        // ½ I ω², about the hinge; up to twice that where the start is one jerk at full speed, and
        // ½ m h (ω²r)² a second more in methods of first order, which lose it
        const Real energy = 0.5 * (0.4 + 2 * 0.09) * 36;
        EXPECT_NEAR(world.energy().kinetic(), energy, (1e-4 + 2 * soft) * energy);
        EXPECT_GT(world.work().motors, 0.99 * energy);
        EXPECT_LT(world.work().motors, 2.02 * energy + 0.27) << choice_name(schemes(), scheme);
    }
}

// Every ingredient at once: a driven anchor, a servo, a spring, a load, a compliant joint.
World make_busy()
{
    World world;
    BodyDef anchor;
    anchor.kind = BodyKind::Kinematic;
    // cosines: all begins at rest, for nothing brings the speeds of `lagrange` onto the joints
    anchor.motion.shift[0] = Schedule::sine(0.1, -0.1, 1, kPi / 2);
    anchor.motion.angle = Schedule::sine(0.2, -0.2, 0.7, kPi / 2);
    anchor.centre_of_mass = {0.1, 0, 0};
    const BodyId top = must(world.add_body(anchor));
    BodyId previous = top;
    for (int i = 0; i < 3; ++i) {
        BodyDef def;
        def.mass = 1 + 0.5 * i;
        def.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
        def.pose.p = {0.4 * i + 0.2, 0, 0};
        const BodyId b = must(world.add_body(def));
        JointDef joint = i == 1
                             ? universal(previous, b, {0.4 * i, 0, 0}, Vec3::UnitY(), Vec3::UnitZ())
                             : hinge(previous, b, {0.4 * i, 0, 0}, Vec3(0, 1, 0.3 * i));
        if (i == 2) joint.compliance = 1e-4;
        must(world.add_joint(joint));
        if (i == 0) must(world.add_joint(servo(joint, Schedule::sine(0.2, 0.1, 0.5), 30, 1)));
        previous = b;
    }
    SpringDef spring;
    spring.bodies = {previous, top};
    spring.frames[0].p = {1, 0.1, 0};
    spring.frames[1].p = {0, 0, 1};
    spring.stiffness = 20;
    spring.damping = 0.5;
    spring.rest = 1.2;
    must(world.add_spring(spring));
    LoadDef load;
    load.body = previous;
    load.point = {0.1, 0, 0};
    load.force = {0, 1, 2};
    load.coordinates = Coordinates::Body;
    load.scale = Schedule::sine(0, 1, 2);
    must(world.add_load(load));
    return world;
}

TEST(Classical, AllMethodsFollowTheSameMotion)
{
    const auto end = [](Scheme scheme, Real dt) {
        World world = make_busy();
        const Real start = world.energy().total();
        run(world, with(scheme, dt), 0.5);
        // what went in is in the bodies, in the springs, or was lost in dampers
        EXPECT_LT(world.energy().total() - start - world.work().total(), 1e-3)
            << choice_name(schemes(), scheme);
        return world.centre_of_mass(BodyId{3});
    };
    const Vec3 reference = end(Scheme::Lagrange, 2.5e-4);
    const auto off = [&](Scheme scheme, Real dt) { return (end(scheme, dt) - reference).norm(); };
    EXPECT_LT(off(Scheme::Lagrange, 1e-3), 1e-7);
    EXPECT_LT(off(Scheme::Baumgarte, 1e-3), 1e-7);
    EXPECT_LT(off(Scheme::PostStabilisation, 1e-3), 1e-7);
    EXPECT_LT(off(Scheme::Shake, 1e-3), 2e-4);
    // first order: the error halves with the step
    for (const Scheme scheme : {Scheme::FastProjection, Scheme::ImplicitPenalty}) {
        const Real coarse = off(scheme, 1e-3), fine = off(scheme, 5e-4);
        EXPECT_LT(coarse, 2e-2) << choice_name(schemes(), scheme);
        EXPECT_NEAR(std::log2(coarse / fine), 1, 0.3) << choice_name(schemes(), scheme);
    }
    StepSettings fine = settings(2.5e-4, Scheme::AlphaBeta, Stabilisation::Exact);
    World engine = make_busy();
    run(engine, fine, 0.5);
    EXPECT_LT((engine.centre_of_mass(BodyId{3}) - reference).norm(), 1e-4);
}

// A mass on a compliant rod, C = 1e-9 m/N, hangs mg C lower; far too stiff for an explicit force.
TEST(FastProjection, CompliantJointsYieldByForceTimesCompliance)
{
    World world;
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.pose.p = {0, 0, -kLength};
    const BodyId bob = must(world.add_body(def));
    JointDef link = rod(kWorld, bob, {0, 0, 0}, def.pose.p);
    link.compliance = 1e-9;
    must(world.add_joint(link));
    run(world, with(Scheme::FastProjection, 0.01), 1);
    EXPECT_NEAR(-world.centre_of_mass(bob).z() - kLength, kG * 1e-9, 1e-12);
    EXPECT_NEAR(world.energy().joints, kG * kG * 1e-9 / 2, 1e-4 * kG * kG * 1e-9);
}

// A lift whose acceleration jumps at 0.1 s, where two steps meet: the crate goes with it.
TEST(Lagrange, MotionThatBendsBetweenStepsCostsNoOrder)
{
    World world;
    BodyDef lift;
    lift.kind = BodyKind::Kinematic;
    lift.motion.shift[2] = Schedule::through({{0.1, 0}, {0.9, 1}}, Schedule::Kind::Smooth);
    const BodyId floor = must(world.add_body(lift));
    BodyDef crate;
    crate.pose.p = {0.3, 0, 0};
    must(world.add_joint(prismatic(floor, must(world.add_body(crate)), {0, 0, 0}, {1, 0, 0})));
    run(world, with(Scheme::Lagrange, 0.01), 1);
    EXPECT_LT(world.joint_gap(), 1e-7);  // a sixth of h · 9.4 m/s² would make it 1e-2
}

// Kinematic bodies enter on the level of accelerations.
TEST(Classical, ScheduleAcceleratesAsItsRateChanges)
{
    const Schedule::Key keys[] = {{0, 1}, {0.5, 3}, {2, -1}};
    for (const Schedule& s :
         {Schedule::sine(1, 2, 0.7, 0.3), Schedule(4), Schedule::through({keys, keys + 3}),
          Schedule::through({keys, keys + 3}, Schedule::Kind::Smooth),
          Schedule::through({keys, keys + 3}, Schedule::Kind::Steps)})
        for (const Real t : {-1.0, 0.1, 0.4, 0.7, 1.9, 3.0})
            EXPECT_NEAR(s.acceleration(t), (s.rate(t + 1e-5) - s.rate(t - 1e-5)) / 2e-5, 1e-6);
}

// A step that looks back must not look back over a classical one: both in turn end where each alone
// does.
TEST(Classical, TheDefaultStepGoesOnAfterAClassicalOne)
{
    const auto end = [](std::initializer_list<Scheme> turns) {
        Chain chain = make_chain({.links = 3, .length = 0.5, .turn = 0.3});
        for (const Scheme scheme : turns) run(chain.world, with(scheme, 1e-3), 0.1);
        return chain.world.centre_of_mass(chain.links.back());
    };
    const Scheme a = StepSettings{}.research.scheme, b = Scheme::Reduced;
    const Vec3 mixed = end({a, b, a, b, a});
    EXPECT_LT((mixed - end({a, a, a, a, a})).norm(), 1e-3);
    EXPECT_LT((mixed - end({b, b, b, b, b})).norm(), 1e-3);
}

// Nothing is left of a step that fails.
TEST(Classical, DivergedStepLeavesTheWorldAsItWas)
{
    Pendulum p = hanging();
    const StepSettings s = with(Scheme::Penalty, 0.1, 1e12);
    StepReport report;
    std::uint64_t before = 0;
    for (int i = 0; i < 1000 && report.status == StepStatus::Ok; ++i) {
        before = p.world.hash();
        report = p.world.step(s);
    }
    EXPECT_EQ(report.status, StepStatus::Diverged);
    EXPECT_FALSE(report.reason.empty());
    EXPECT_EQ(p.world.hash(), before);
}

TEST(Classical, NothingToMoveAndNothingFreeToMoveAreFine)
{
    for (const auto& scheme : schemes()) {
        World empty;
        EXPECT_EQ(empty.step(with(scheme.value, 0.01)).status, StepStatus::Ok) << scheme.name;
        EXPECT_EQ(empty.time(), 0.01);
        World welded;
        const BodyId b = must(welded.add_body({}));
        must(welded.add_joint(weld(kWorld, b, {0.1, 0, 0})));
        run(welded, with(scheme.value, 0.01), 0.1);
        EXPECT_LT(welded.centre_of_mass(b).norm(), 0.02) << scheme.name;
        World loose;
        const BodyId c = must(loose.add_body({}));
        run(loose, with(scheme.value, 0.01), 0.1);
        EXPECT_NEAR(loose.velocity(c).linear.z(), -0.981, 1e-12) << scheme.name;
    }
}

TEST(Classical, SettingsOutOfRangeAreRefused)
{
    Pendulum p = hanging();
    StepSettings s = with(Scheme::Penalty, 0.01, -1);
    EXPECT_EQ(p.world.step(s).status, StepStatus::Refused);
    s = with(Scheme::Baumgarte, 0.01);
    s.research.baumgarte_rate = std::nan("");
    EXPECT_EQ(p.world.step(s).status, StepStatus::Refused);
}

}  // namespace
}  // namespace taut::test
