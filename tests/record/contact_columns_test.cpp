// Readings of contacts, limits and broken joints.
#include <gtest/gtest.h>

#include "record/columns.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

// A box of 2 kg on the ground, a ball of 1 kg on the box, and a weight of 3 kg on a rope.
struct Resting {
    World world;
    StepSettings settings{.dt = 0.01};
    StepReport step;
    RunMonitor monitor;

    explicit Resting(Real rope_strength = 1e6, int steps = 50)
        : world(make(rope_strength)), monitor(world, settings, 100)
    {
        for (int i = 0; i < steps; ++i) {
            step = world.step(settings);
            monitor.observe(world, step);
        }
    }

    static Result<BodyId> add(World& world, const char* name, Real mass, const Vec3& p)
    {
        BodyDef def;
        def.name = name;
        def.mass = mass;
        def.inertia = 0.1 * Mat3::Identity();
        def.pose.p = p;
        return world.add_body(def);
    }

    static World make(Real rope_strength)
    {
        World w;
        const auto box = add(w, "box", 2, {0, 0, 0.5});
        const auto ball = add(w, "ball", 1, {0, 0, 1.25});
        const auto weight = add(w, "weight", 3, {5, 0, 3});
        EXPECT_TRUE(w.add_collider(kWorld, {.shape = Shape::plane()}).ok());
        EXPECT_TRUE(w.add_collider(*box, {.shape = Shape::box(Vec3::Ones())}).ok());
        EXPECT_TRUE(w.add_collider(*ball, {.shape = Shape::sphere(0.25)}).ok());
        JointDef rope;
        rope.name = "rope";
        rope.type = "rope";
        rope.bodies = {kWorld, *weight, kWorld};
        rope.frames[0].p = {5, 0, 4};
        rope.frames[1].p = {5, 0, 3};
        rope.break_force = rope_strength;
        EXPECT_TRUE(w.add_joint(rope).ok());
        return w;
    }

    Real read(const std::string& name)
    {
        auto column = find_column(world, name);
        EXPECT_TRUE(column.ok()) << (column.ok() ? "" : column.error().message);
        return column.ok() ? column->read({world, step, monitor}) : -1;
    }
};

TEST(ContactColumns, ReportContactForcesOfStackedBodies)
{
    Resting scene;
    EXPECT_NEAR(scene.read("body.box.force_from.world"), 3 * kG, 1e-6);
    EXPECT_NEAR(scene.read("body.box.force_from.ball"), kG, 1e-6);
    EXPECT_NEAR(scene.read("body.ball.force_from.box"), kG, 1e-6);
    EXPECT_EQ(scene.read("body.ball.touches.box"), 1);
    EXPECT_EQ(scene.read("body.ball.touches.world"), 0);
    // the net contact force equals its own weight
    EXPECT_NEAR(scene.read("body.box.contact.force.z"), 2 * kG, 1e-6);
    EXPECT_NEAR(scene.read("body.box.contact.force"), 4 * kG, 1e-6);
    EXPECT_NEAR(scene.read("contact.force"), 4 * kG, 1e-6);
    EXPECT_EQ(scene.read("body.ball.contact.count"), 1);
    EXPECT_EQ(scene.read("contact.count"), scene.read("body.box.contact.count"));
    EXPECT_EQ(scene.read("run.contacts_max"), scene.read("contact.count"));
    EXPECT_LE(scene.read("contact.penetration"), 1e-6);
    EXPECT_LE(scene.read("run.penetration_max"), 1e-6);
}

TEST(ContactColumns, ReportUnknownNames)
{
    Resting scene(1e6, 0);
    const auto error_of = [&](const char* name) {
        const auto column = find_column(scene.world, name);
        EXPECT_FALSE(column.ok()) << name;
        return column.ok() ? std::string() : column.error().message;
    };
    EXPECT_NE(error_of("body.box.touches.bal").find("no body is named 'bal'; did you mean 'ball'"),
              std::string::npos);
    EXPECT_NE(error_of("body.box.contact.farce").find("did you mean 'contact.force'"),
              std::string::npos);
    EXPECT_NE(error_of("body.box.contact.force.x@body").find("only components of velocities"),
              std::string::npos);
}

TEST(JointStateColumns, ARopeIsLoadedUntilItBreaks)
{
    Resting holds;
    EXPECT_EQ(holds.read("joint.rope.loaded"), 1);
    EXPECT_EQ(holds.read("joint.rope.broken"), 0);
    EXPECT_EQ(holds.read("joints.broken"), 0);
    EXPECT_EQ(holds.read("run.joints_broken"), 0);
    EXPECT_TRUE(std::isnan(holds.read("run.first_break")));

    Resting breaks(2 * kG);  // breaks between 2 kg and 3 kg
    EXPECT_EQ(breaks.read("joint.rope.broken"), 1);
    EXPECT_EQ(breaks.read("joint.rope.loaded"), 0);
    EXPECT_EQ(breaks.read("joints.broken"), 1);
    EXPECT_EQ(breaks.read("run.joints_broken"), 1);
    EXPECT_LE(breaks.read("run.first_break"), 0.05);
    const RunSummary summary = breaks.monitor.summary(breaks.world);
    ASSERT_EQ(summary.breaks.size(), 1u);
    EXPECT_EQ(summary.breaks[0].joint, "rope");
}

}  // namespace
}  // namespace taut::test
