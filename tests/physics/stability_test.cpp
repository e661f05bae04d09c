// The heavy chain in space: what the stabilisations are for.
#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

struct Verdict {
    bool finite = true;
    Real rise = 0;  // of the total energy over the drop energy
    Real gap = 0;   // over the chain's length
    bool stable() const { return finite && rise < 0.05 && gap < 0.05; }
};

// 10 links of 1 kg, compliance 1e-10, released horizontally, 10 s of one-solve backward Euler at 60 Hz.
Verdict release(Stabilisation stabilisation, Real ratio, Real turn)
{
    Chain chain = make_chain({.ratio = ratio, .compliance = 1e-10, .turn = turn});
    const Real before = chain.world.energy().total();
    Verdict verdict;
    for (int i = 0; i < 600 && verdict.finite; ++i) {
        verdict.finite =
            chain.world.step(settings(1.0 / 60, Scheme::BackwardEuler, stabilisation)).status ==
            StepStatus::Ok;
        verdict.rise = std::max(verdict.rise, (chain.world.energy().total() - before) / chain.drop);
        verdict.gap = std::max(verdict.gap, chain.world.joint_gap() / 1.0);
    }
    return verdict;
}

TEST(HeavyChain, DivergesWithoutGeometricStiffness)
{
    EXPECT_FALSE(release(Stabilisation::None, 1e4, 0.3).stable());
    EXPECT_FALSE(release(Stabilisation::None, 1e2, 0).stable());
}

TEST(HeavyChain, IsStableInSpaceWithTheTensionForm)
{
    for (const Real ratio : {1.0, 1e2, 1e4, 1e6}) {
        const Verdict verdict = release(Stabilisation::Tension, ratio, 0.3);
        EXPECT_TRUE(verdict.stable())
            << "ratio " << ratio << " rise " << verdict.rise << " gap " << verdict.gap;
    }
}

// Planar tests deceive: the classical forms pass them far beyond where they fail in space.
TEST(HeavyChain, ClassicalFormsHoldInThePlaneAndFailInSpace)
{
    for (const Stabilisation kind :
         {Stabilisation::Exact, Stabilisation::Symmetric, Stabilisation::Projected}) {
        EXPECT_TRUE(release(kind, 1e6, 0).stable()) << choice_name(stabilisations(), kind);
        EXPECT_FALSE(release(kind, 1e4, 0.3).stable()) << choice_name(stabilisations(), kind);
    }
}

// A step that cannot be taken leaves the world as it was, and says so; the world can go on.
TEST(Diverging, ANonFiniteStateIsNeverHandedOut)
{
    Chain chain = make_chain({});
    for (int i = 0; i < 10; ++i) chain.world.step(settings(1.0 / 60));
    must(chain.world.set_wrench(chain.links[4], {Vec3(0, 1e300, 0), Vec3::Zero()}));
    const auto before = chain.world.snapshot();
    const StepReport report = chain.world.step(settings(1.0 / 60));
    EXPECT_EQ(report.status, StepStatus::Diverged);
    EXPECT_FALSE(report.reason.empty());
    EXPECT_EQ(chain.world.snapshot(), before);
    must(chain.world.set_wrench(chain.links[4], {}));
    EXPECT_EQ(chain.world.step(settings(1.0 / 60)).status, StepStatus::Ok);
}

TEST(Spinning, ATopOnABallJointNeverGainsEnergyWithBackwardEuler)
{
    for (const Real spin : {10.0, 100.0, 1e3, 1e5})
        for (const Real dt : {1e-3, 1.0 / 60, 0.1}) {
            World world;
            BodyDef def;
            def.inertia = Vec3(0.125, 0.0725, 0.0725).asDiagonal();
            def.pose.p = {0.2, 0, 0};
            def.velocity.angular = {spin, 0, 0};
            const BodyId top = must(world.add_body(def));
            must(world.add_joint(ball(kWorld, top, Vec3::Zero())));
            const Real before = world.energy().total();
            for (int i = 0; i < 500; ++i) {
                ASSERT_EQ(world.step(settings(dt)).status, StepStatus::Ok);
                ASSERT_LE(world.energy().total(), before * (1 + 1e-12))
                    << "spin " << spin << " dt " << dt;
            }
        }
}

}  // namespace
}  // namespace taut::test
