// A step that becomes shorter becomes easier, down to where rounding is all that is left.
#include <gtest/gtest.h>

#include "support/mechanisms.h"

namespace taut::test {
namespace {

// A clamped beam of square bars in no special direction, turning about its clamp.
World make_beam(int bars, Real length, Real edge, Real youngs_modulus, Real damping_time, Real turn)
{
    const Quat q = Quat(0.8, 0.3, -0.4, 0.2).normalized();
    World world;
    const Real l = length / bars, mass = 1000 * l * edge * edge;
    const Real across = mass * (l * l + edge * edge) / 12;
    BodyId previous = kWorld;
    for (int i = 0; i < bars; ++i) {
        BodyDef def;
        def.name = "bar" + std::to_string(i + 1);
        def.mass = mass;
        def.inertia = Vec3(mass * edge * edge / 6, across, across).asDiagonal();
        def.pose = {q * Vec3(l * (i + 0.5), 0, 0), q};
        def.velocity = {q * Vec3(0, 0, turn * l * (i + 0.5)), q * Vec3(0, -turn, 0)};
        const BodyId bar = must(world.add_body(def));
        JointDef joint = weld(previous, bar, q * Vec3(l * i, 0, 0));
        joint.compliance = l / (youngs_modulus * edge * edge);
        joint.angular_compliance = 12 * l / (youngs_modulus * edge * edge * edge * edge);
        joint.damping_time = damping_time;
        must(world.add_joint(joint));
        previous = bar;
    }
    return world;
}

// Velocities are known to eps/h, and the damping time multiplies them: what is left of φ + τφ̇ + Cλ grows like τ/h.
TEST(ShortSteps, StrongDampingSettlesAtAnyStep)
{
    for (const Real turn : {0.0, 1.5})
        for (const Real dt : {1.0 / 60, 1e-3, 1e-4, 3e-5, 1e-5, 1e-6}) {
            World world = make_beam(7, 15, 0.5, 2e7, 0.5, turn);
            int solves = 0, most = 0;
            constexpr int kSteps = 300;
            for (int i = 0; i < kSteps; ++i) {
                const StepReport report = world.step({.dt = dt});
                ASSERT_EQ(report.status, StepStatus::Ok);
                EXPECT_TRUE(report.settled) << "step " << i << " of " << dt << " s, turn " << turn;
                most = std::max(most, report.solves);
                solves += report.solves;
            }
            EXPECT_LE(most, 6) << dt << " s, turn " << turn;
            EXPECT_LE(solves, 3 * kSteps) << dt << " s, turn " << turn;
        }
}

}  // namespace
}  // namespace taut::test
