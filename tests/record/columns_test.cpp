// Readings by name: existence, values, errors for unknown names.
#include "record/columns.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "record/gauge.h"

namespace taut::test {
namespace {

// A sphere of 2 kg that hangs 1 m below a joint.
struct Hanging {
    World world;
    StepSettings settings{.dt = 0.01};
    StepReport step;

    Hanging()
    {
        BodyDef ball;
        ball.name = "ball";
        ball.mass = 2;
        ball.inertia = 0.02 * Mat3::Identity();
        ball.pose.p = Vec3(0, 0, -1);
        const auto id = world.add_body(ball);
        JointDef hook;
        hook.name = "hook.top";  // names may contain dots
        hook.type = "ball";
        hook.bodies = {kWorld, *id, kWorld};
        EXPECT_TRUE(world.add_joint(hook).ok());
    }
};

Real read(Hanging& scene, const std::string& name)
{
    const RunMonitor monitor(scene.world, scene.settings, 10);
    auto column = find_column(scene.world, name);
    EXPECT_TRUE(column.ok()) << (column.ok() ? "" : column.error().message);
    return column.ok() ? column->read({scene.world, scene.step, monitor}) : 0;
}

std::string error_of(const World& world, const std::string& name)
{
    const auto column = find_column(world, name);
    EXPECT_FALSE(column.ok()) << name;
    return column.ok() ? "" : column.error().message;
}

TEST(Columns, EveryListedNameIsFoundAndHasAUnit)
{
    Hanging scene;
    const auto names = column_names(scene.world);
    EXPECT_GT(names.size(), 50u);
    for (const std::string& name : names) {
        const auto column = find_column(scene.world, name);
        ASSERT_TRUE(column.ok()) << column.error().message;
        EXPECT_EQ(column->name, name);
        EXPECT_FALSE(column->unit.empty()) << name;
    }
    for (const std::string& name : usual_columns(scene.world))
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST(Columns, CatalogueHasEveryFamilyOfReadings)
{
    std::vector<std::string> names;
    for (const ColumnInfo& info : column_catalogue()) names.push_back(info.name);
    for (const char* name :
         {"time", "energy.total", "work.motors", "momentum.angular.z", "body.NAME.qw",
          "joint.NAME.force.x", "joint.NAME.angular_gap", "gap.max", "solve.residual",
          "step.status", "run.energy_kept", "dissipation.numerical", "step.numerical",
          "run.numerical_dissipation_relative"})
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST(Columns, ReadTheHangingWeight)
{
    Hanging scene;
    for (int i = 0; i < 10; ++i) scene.step = scene.world.step(scene.settings);
    ASSERT_EQ(scene.step.status, StepStatus::Ok);

    // the joint carries m g; the residual of a solve is close to rounding, far below 1e-9
    EXPECT_NEAR(read(scene, "joint.hook.top.force"), 2 * 9.81, 1e-9);
    EXPECT_NEAR(read(scene, "joint.hook.top.force.z"), 2 * 9.81, 1e-9);
    EXPECT_NEAR(read(scene, "joint.hook.top.force.z@body1"), 2 * 9.81, 1e-9);
    EXPECT_NEAR(read(scene, "time"), 0.1, 1e-12);
    EXPECT_NEAR(read(scene, "body.ball.z"), -1, 1e-9);
    EXPECT_NEAR(read(scene, "energy.total"), -2 * 9.81, 1e-9);
    EXPECT_NEAR(read(scene, "energy.kinetic"), 0, 1e-12);
}

TEST(Columns, VelocitiesInBodyAxesAreRotated)
{
    Hanging scene;
    const BodyId ball = *scene.world.find_body("ball");
    // rotation by 90° about z: the x axis of the body is the y axis of the world
    Pose pose = scene.world.pose(ball);
    pose.q = Quat(Eigen::AngleAxis<Real>(std::acos(Real(0)), Vec3::UnitZ()));
    ASSERT_TRUE(scene.world.set_pose(ball, pose).ok());
    ASSERT_TRUE(scene.world.set_velocity(ball, {Vec3(0, 3, 0), Vec3(1, 0, 0)}).ok());
    EXPECT_NEAR(read(scene, "body.ball.vy"), 3, 1e-14);
    EXPECT_NEAR(read(scene, "body.ball.vx@body"), 3, 1e-14);
    EXPECT_NEAR(read(scene, "body.ball.wy@body"), -1, 1e-14);
}

TEST(Columns, UnknownNamesCauseSuggestions)
{
    Hanging scene;
    EXPECT_NE(error_of(scene.world, "enrgy.total").find("'energy.total'"), std::string::npos);
    EXPECT_NE(error_of(scene.world, "body.bal.x").find("'ball'"), std::string::npos);
    EXPECT_NE(error_of(scene.world, "joint.hook.top.forse").find("'force'"), std::string::npos);
    EXPECT_NE(error_of(scene.world, "joint.hook.top.force.x@body7").find("body1"),
              std::string::npos);
    EXPECT_NE(
        error_of(scene.world, "joint.hook.top.angle@body1").find("does not depend on the axes"),
        std::string::npos);
    EXPECT_NE(error_of(scene.world, "body.ball.x@body").find("velocities"), std::string::npos);
    error_of(scene.world, "");
    error_of(scene.world, "body.");
    error_of(scene.world, "joint.hook.top");
}

TEST(Gauges, RefuseUnknownStatistics)
{
    Hanging scene;
    for (const char* reading : {"maximum(time)", "max(time", "max()", "max(tme)", "(time)"})
        EXPECT_FALSE(Gauge::make(scene.world, reading).ok()) << reading;
}

// Free fall: z is a parabola, known at each step of backward Euler.
TEST(Gauges, FollowAFallingBody)
{
    World world;
    BodyDef body;
    body.name = "stone";
    body.velocity.linear = Vec3(0, 0, 1);
    ASSERT_TRUE(world.add_body(body).ok());
    const StepSettings settings{.dt = 0.01};
    const RunMonitor monitor(world, settings, 50);
    StepReport step;
    const Moment moment{world, step, monitor};

    std::vector<Gauge> gauges;
    for (const char* form :
         {"body.stone.vz", "start(body.stone.vz)", "change(body.stone.vz)", "min(body.stone.vz)",
          "max(body.stone.vz)", "peak(body.stone.vz)", "drift(body.stone.vz)",
          "mean(body.stone.vz)", "period(body.stone.vz)"})
        gauges.push_back(std::move(*Gauge::make(world, form)));
    for (Gauge& gauge : gauges) gauge.start(moment);
    for (int i = 0; i < 50; ++i) {
        step = world.step(settings);
        for (Gauge& gauge : gauges) gauge.observe(moment);
    }

    // v = 1 − g t: rounding only
    const Real end = 1 - 9.81 * 0.5;
    EXPECT_NEAR(gauges[0].value(), end, 1e-12);
    EXPECT_NEAR(gauges[1].value(), 1, 0);
    EXPECT_NEAR(gauges[2].value(), end - 1, 1e-12);
    EXPECT_NEAR(gauges[3].value(), end, 1e-12);
    EXPECT_NEAR(gauges[4].value(), 1, 0);
    EXPECT_NEAR(gauges[5].value(), -end, 1e-12);
    EXPECT_NEAR(gauges[6].value(), 1 - end, 1e-12);
    EXPECT_NEAR(gauges[7].value(), 1 - 9.81 * 0.01 * 51 / 2, 1e-12);
    EXPECT_TRUE(std::isnan(gauges[8].value())) << "no upward zero crossing";
    EXPECT_EQ(gauges[8].unit(), "s");
}

}  // namespace
}  // namespace taut::test
