// The stabilisations that judge the assembled stiffness, in the step: what they damp, and what they say.
#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

constexpr Stabilisation kJudging[] = {
    Stabilisation::Diagonal,          Stabilisation::InertialDamping,
    Stabilisation::RotationalDamping, Stabilisation::ConstraintDamping,
    Stabilisation::BlockDamping,      Stabilisation::ConstraintDampingPrinted};

StepSettings with(Stabilisation kind, Real dt = Real(1) / 60)
{
    return settings(dt, Scheme::BackwardEuler, kind);
}

// A body that hangs at rest from a ball joint at lever s: K̃ = −m g s on both swings, nothing on the spin.
struct Hanging {
    static constexpr Real kMass = 3, kLever = 0.2, kInertia = 2e-4;
    World world;
    BodyId body;

    explicit Hanging(Real compliance = 0)
    {
        BodyDef def;
        def.name = "bob";
        def.mass = kMass;
        def.inertia = kInertia * Mat3::Identity();
        def.pose.p = {0, 0, -kLever};
        body = must(world.add_body(def));
        JointDef joint = ball(kWorld, body, {0, 0, 0});
        joint.compliance = compliance;
        must(world.add_joint(joint));
    }
    // the first steps find λ, the next one judges it
    void rest(const StepSettings& s, int steps = 3)
    {
        for (int i = 0; i < steps; ++i) ASSERT_EQ(world.step(s).status, StepStatus::Ok);
    }
};

TEST(AdaptiveDamping, OfAHangingBodyIsThatOfTheFormula)
{
    for (const Real alpha : {1.0, 0.5}) {
        Hanging at_rest;
        StepSettings s = with(Stabilisation::InertialDamping);
        s.research.damping_alpha = alpha;
        at_rest.rest(s);
        const Real k = Hanging::kMass * 9.81 * Hanging::kLever;
        const Real expected = (s.dt * s.dt * k - 4 * alpha * Hanging::kInertia) / (2 * s.dt);
        const BodyDamping b = at_rest.world.damping(at_rest.body);
        EXPECT_NEAR(b.angular.x(), expected, 1e-9 * expected);
        EXPECT_NEAR(b.angular.y(), expected, 1e-9 * expected);
        EXPECT_EQ(b.angular.z(), 0);
        EXPECT_EQ(b.linear, Vec3::Zero());
    }
}

// h²k/m below 4: nothing is added, and the motion is that of no stabilisation at all, bit for bit.
TEST(AdaptiveDamping, IsAbsentBelowTheThreshold)
{
    for (const Stabilisation kind :
         {Stabilisation::InertialDamping, Stabilisation::RotationalDamping,
          Stabilisation::BlockDamping}) {
        Chain damped = make_chain({.links = 5}), plain = make_chain({.links = 5});
        for (int i = 0; i < 200; ++i) {
            damped.world.step(with(kind, 1e-3));
            plain.world.step(with(Stabilisation::None, 1e-3));
            for (const BodyId link : damped.links) {
                ASSERT_EQ(damped.world.damping(link).angular, Vec3::Zero());
                ASSERT_EQ(damped.world.damping(link).linear, Vec3::Zero());
            }
        }
        EXPECT_EQ(damped.world.hash(), plain.world.hash()) << choice_name(stabilisations(), kind);
    }
}

// The damping of a heavier load is larger; of none there is none.
TEST(AdaptiveDamping, GrowsWithTheLoad)
{
    Real last = 0;
    for (const Real ratio : {1.0, 10.0, 100.0}) {
        Chain chain = make_chain({.links = 3, .ratio = ratio});
        Real most = 0;
        for (int i = 0; i < 60; ++i) {
            chain.world.step(with(Stabilisation::InertialDamping));
            most = std::max(most, chain.world.damping(chain.links[0]).angular.maxCoeff());
        }
        EXPECT_GT(most, last);
        last = most;
    }
}

TEST(AdaptiveDamping, RotationalLeavesTranslationsAlone)
{
    // particles on rods have no rotation: all they have is left alone
    World world;
    BodyDef def;
    def.kind = BodyKind::Particle;
    def.name = "bead";
    def.pose.p = {0.01, 0, 0};
    const BodyId bead = must(world.add_body(def));
    must(world.add_joint(rod(kWorld, bead, {0, 0, 0}, {0.01, 0, 0})));
    const auto most = [&](Stabilisation kind) {
        Real damping = 0;
        for (int i = 0; i < 30; ++i) {
            EXPECT_EQ(world.step(with(kind, 0.1)).status, StepStatus::Ok);
            damping = std::max(damping, world.damping(bead).linear.maxCoeff());
        }
        return damping;
    };
    EXPECT_EQ(most(Stabilisation::RotationalDamping), 0);
    EXPECT_GT(most(Stabilisation::InertialDamping), 0);
}

// A factor on the whole inertia: the same in turned axes, where damping by freedom is not.
TEST(AdaptiveDamping, ByBlocksIsTheSameInEveryFrame)
{
    const auto fall = [](Stabilisation kind, const Quat& turn) {
        World world;
        EXPECT_TRUE(world.set_gravity(turn * Vec3(0, 0, -9.81)).ok());
        BodyId previous = kWorld, last;
        for (int i = 0; i < 4; ++i) {
            BodyDef def;
            def.name = "link" + std::to_string(i);
            def.mass = i == 3 ? 50 : 1;
            def.inertia = rod_inertia(def.mass, 0.1, 0.02);
            def.pose = {turn * Vec3(0.1 * (i + 0.5), 0, 0), turn};
            last = must(world.add_body(def));
            must(world.add_joint(ball(previous, last, turn * Vec3(0.1 * i, 0, 0))));
            previous = last;
        }
        for (int i = 0; i < 40; ++i) world.step(with(kind));
        return Vec3(turn.inverse() * world.centre_of_mass(last));
    };
    const Quat turn(Eigen::AngleAxisd(0.9, Vec3(1, 2, 3).normalized()));
    const Vec3 block = fall(Stabilisation::BlockDamping, Quat::Identity());
    EXPECT_LT((fall(Stabilisation::BlockDamping, turn) - block).norm(), 1e-9);
    const Vec3 by_freedom = fall(Stabilisation::InertialDamping, Quat::Identity());
    EXPECT_GT((fall(Stabilisation::InertialDamping, turn) - by_freedom).norm(), 1e-4);
}

// M + hB is positive definite whatever K̃ is: the factorisation has the inertia of a saddle matrix.
TEST(AdaptiveDamping, KeepsTheInertiaOfTheSystem)
{
    for (const Stabilisation kind : kJudging) {
        Chain chain = make_chain({.links = 10, .ratio = 30, .compliance = 1e-8, .turn = 0.3});
        for (int i = 0; i < 120; ++i) {
            const StepReport report = chain.world.step(with(kind));
            if (report.status != StepStatus::Ok) break;  // may diverge, may not become indefinite
            ASSERT_TRUE(report.solve.inertia_right()) << choice_name(stabilisations(), kind);
        }
    }
}

// Settled by Newton's method the damping is a force −Bv on a true pendulum. Small swings follow backward
// Euler of (I + mL²) ω̇ = −k θ − b ω; what is left is the square of the amplitude, 1e-4.
TEST(AdaptiveDamping, IsAForceInTheSettledStep)
{
    const Real m = Hanging::kMass, L = Hanging::kLever, h = Real(1) / 60, k = m * 9.81 * L;
    const Real inertia = Hanging::kInertia + m * L * L;
    const Real critical = (h * h * k - 4 * Hanging::kInertia) / (2 * h);
    for (const Stabilisation kind :
         {Stabilisation::None, Stabilisation::InertialDamping, Stabilisation::RotationalDamping,
          Stabilisation::BlockDamping}) {
        Hanging bob;
        StepSettings s = with(kind);
        s.max_solves = 20;
        bob.rest(s);
        ASSERT_TRUE(bob.world.set_velocity(bob.body, {Vec3(0.02, 0, 0), Vec3(0, -0.1, 0)}).ok());
        const Real b = kind == Stabilisation::None ? 0 : critical;
        Real angle = 0, rate = -0.1;
        for (int i = 0; i < 60; ++i) {
            rate = (inertia * rate - h * k * angle) / (inertia + h * b + h * h * k);
            angle += h * rate;
            const StepReport report = bob.world.step(s);
            ASSERT_EQ(report.status, StepStatus::Ok);
            ASSERT_TRUE(report.settled);
            EXPECT_NEAR(bob.world.velocity(bob.body).angular.y(), rate, 1e-4)
                << choice_name(stabilisations(), kind) << " step " << i;
        }
    }
}

// --- rows ---

TEST(ConstraintDamping, CannotChangeAHardRow)
{
    Chain damped = make_chain({.links = 5, .ratio = 10}),
          plain = make_chain({.links = 5, .ratio = 10});
    for (int i = 0; i < 60; ++i) {
        damped.world.step(with(Stabilisation::ConstraintDamping, 0.005));
        plain.world.step(with(Stabilisation::None, 0.005));
    }
    EXPECT_EQ(damped.world.hash(), plain.world.hash());
}

// b′ of a compliant ball, from what its rows see of the body's swing.
TEST(ConstraintDamping, OfAHangingBodyIsThatOfTheFormula)
{
    Hanging at_rest(1e-6);
    const StepSettings s = with(Stabilisation::ConstraintDamping);
    at_rest.rest(s, 200);
    // row x: J = (1, 0, 0 | 0, −s_z, 0) up to sign, M⁻¹Jᵀ and K_d of the swing about y
    const Real m = Hanging::kMass, I = Hanging::kInertia, L = Hanging::kLever;
    const Real mobility = 1 / m + L * L / I, k = m * 9.81 * L;
    const Real mass = 1 / mobility, stiffness = mass * mass * k * (L / I) * (L / I);
    const Real expected = (s.dt * s.dt * stiffness - 4 * mass) / (2 * s.dt);
    ASSERT_GT(expected, 0);
    const auto b = at_rest.world.damping(JointId{0});
    ASSERT_EQ(b.size(), 3u);
    EXPECT_NEAR(b[0], expected, 1e-6 * expected);
    EXPECT_NEAR(b[1], expected, 1e-6 * expected);
    EXPECT_EQ(b[2], 0);  // along the lever nothing swings
}

// [Andrews2017, sec. 4.3] as printed has nothing to say on a ball, whose K̃ is zero on translations.
TEST(ConstraintDamping, AsPrintedLeavesBallsAlone)
{
    Chain printed = make_chain({.links = 4, .ratio = 5, .compliance = 1e-6});
    Chain plain = make_chain({.links = 4, .ratio = 5, .compliance = 1e-6});
    for (int i = 0; i < 60; ++i) {
        printed.world.step(with(Stabilisation::ConstraintDampingPrinted, 0.005));
        plain.world.step(with(Stabilisation::None, 0.005));
    }
    EXPECT_EQ(printed.world.hash(), plain.world.hash());
}

// --- settings and readings ---

TEST(DampingReading, IsZeroForEveryOtherStabilisation)
{
    for (const Stabilisation kind :
         {Stabilisation::None, Stabilisation::Exact, Stabilisation::Symmetric,
          Stabilisation::Projected, Stabilisation::Tension, Stabilisation::Diagonal}) {
        Chain chain = make_chain({.links = 4, .ratio = 100});
        EXPECT_EQ(chain.world.damping(chain.links[0]).angular, Vec3::Zero());  // before any step
        for (int i = 0; i < 20; ++i) chain.world.step(with(kind));
        for (const BodyId link : chain.links) {
            EXPECT_EQ(chain.world.damping(link).linear, Vec3::Zero());
            EXPECT_EQ(chain.world.damping(link).angular, Vec3::Zero());
        }
        for (const Real b : chain.world.damping(JointId{1})) EXPECT_EQ(b, 0);
    }
    World world;
    EXPECT_EQ(world.damping(kWorld).angular, Vec3::Zero());
    EXPECT_THROW((void)world.damping(JointId{7}), BadAccess);
}

TEST(DampingAlpha, OutOfRangeIsRefused)
{
    Chain chain = make_chain({.links = 2});
    for (const Real alpha : {0.0, -1.0, std::nan("")}) {
        StepSettings s = with(Stabilisation::InertialDamping);
        s.research.damping_alpha = alpha;
        const StepReport report = chain.world.step(s);
        EXPECT_EQ(report.status, StepStatus::Refused);
        EXPECT_NE(report.reason.find("damping_alpha"), std::string_view::npos);
    }
}

// --- the solvers that form an inverse take the same steps ---

TEST(InverseSolvers, TakeTheStepsOfTheReference)
{
    for (const Stabilisation kind :
         {Stabilisation::None, Stabilisation::Exact, Stabilisation::Symmetric,
          Stabilisation::Projected, Stabilisation::Tension, Stabilisation::Diagonal,
          Stabilisation::InertialDamping, Stabilisation::BlockDamping}) {
        const auto end = [&](Solver solver) {
            Chain chain = make_chain({.links = 6, .ratio = 5, .turn = 0.3});
            must(chain.world.add_joint(rod(kWorld, chain.links[5], {0.6, 0.3, 0}, {0.55, 0, 0})));
            SpringDef spring;
            spring.bodies = {chain.links[1], chain.links[4]};
            spring.frames[0].p = {0.15, 0.01, 0};
            spring.frames[1].p = {0.45, 0.01, 0};
            spring.stiffness = 20;
            spring.damping = 0.1;
            must(chain.world.add_spring(spring));
            StepSettings s = with(kind, 0.005);
            s.research.solver = solver;
            for (int i = 0; i < 40; ++i) EXPECT_EQ(chain.world.step(s).status, StepStatus::Ok);
            return chain.world.centre_of_mass(chain.links[5]);
        };
        const Vec3 reference = end(Solver::DenseLu);
        for (const Solver solver : {Solver::FullRank, Solver::LowRank})
            EXPECT_LT((end(solver) - reference).norm(), 1e-8)
                << choice_name(stabilisations(), kind) << " " << choice_name(solvers(), solver);
    }
}

}  // namespace
}  // namespace taut::test
