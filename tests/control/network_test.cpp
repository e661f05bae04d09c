// Controls, logic and commands of scenes, step by step against plain C++.
#include <cmath>

#include "reading.h"
#include "record/run_scene.h"

namespace taut::test {
namespace {

constexpr Real kDt = 1.0 / 100;  // of slider()

// --- controls ---

TEST(Controls, AValueFollowsItsInputAtItsRate)
{
    Scene scene = must_read(slider("controls: {push: {min: -1, max: 1, rate: 2}}\n"));
    ASSERT_TRUE(scene.controls.set("push", 0.05).ok());
    const Real first = 2 * kDt, second = first + 2 * kDt;
    run(scene, 1);
    EXPECT_EQ(value(scene, "control.push"), first);
    run(scene, 1);
    EXPECT_EQ(value(scene, "control.push"), second);
    run(scene, 1);
    EXPECT_EQ(value(scene, "control.push"), 0.05);
    ASSERT_TRUE(scene.controls.set("push", -1).ok());
    run(scene, 1);
    EXPECT_EQ(value(scene, "control.push"), 0.05 - 2 * kDt);
}

TEST(Controls, RefuseUnknownNamesAndValuesOutOfRange)
{
    Scene scene =
        must_read(slider("controls: {push: {min: -1, max: 1, unit: N}, lamp: {type: switch}}\n"));
    const auto unknown = scene.controls.set("pusj", 0);
    ASSERT_FALSE(unknown.ok());
    EXPECT_TRUE(contains(unknown.error().message, "'pusj'") &&
                contains(unknown.error().message, "'push'"))
        << unknown.error().message;
    const auto high = scene.controls.set("push", 1.5);
    ASSERT_FALSE(high.ok());
    EXPECT_EQ(high.error().message, "control 'push' takes -1 to 1 N, not 1.5");
    EXPECT_FALSE(scene.controls.set("push", NAN).ok());
    EXPECT_FALSE(scene.controls.set("lamp", 0.5).ok());
    EXPECT_EQ(scene.controls.wanted("push"), 0);
    EXPECT_TRUE(std::isnan(scene.controls.wanted("pusj")));
    EXPECT_FALSE(Controls().set("push", 0).ok());
}

TEST(Controls, FollowASchedule)
{
    Scene scene = must_read(slider("controls: {push: {min: 0, max: 1}, lamp: {type: switch}}\n"));
    ASSERT_TRUE(scene.controls.follow("push", {{0, 0}, {0.1, 1}}).ok());
    ASSERT_TRUE(scene.controls.follow("lamp", {{0, 0}, {0.055, 1}}).ok());
    run(scene, 6);  // the last one begins at 0.05 s
    EXPECT_NEAR(value(scene, "control.push"), 0.5, 1e-12);
    EXPECT_EQ(value(scene, "control.lamp"), 0);
    run(scene, 1);
    EXPECT_EQ(value(scene, "control.lamp"), 1);
    EXPECT_FALSE(scene.controls.follow("push", {{0, 0}, {1, 2}}).ok());
    EXPECT_FALSE(scene.controls.follow("push", {{1, 0}, {1, 1}}).ok());
    ASSERT_TRUE(scene.controls.set("push", 0.25).ok());
    run(scene, 1);
    EXPECT_EQ(value(scene, "control.push"), 0.25) << "an input ends the schedule";
}

// --- commands ---

TEST(ControlledMotor, ReachesTheSpeedOfItsFormulaInOneStep)
{
    Scene scene = must_read(slider("controls: {push: {min: -1, max: 1}}\n",
                                   "{formula: 'if(push > 0, 2 * push, push)'}"));
    const JointId rail = *scene.world.find_joint("rail");
    ASSERT_TRUE(scene.controls.set("push", 0.25).ok());
    run(scene, 1);
    EXPECT_NEAR(scene.world.joint(rail).slide_rate, 0.5, 1e-12);
    ASSERT_TRUE(scene.controls.set("push", -0.5).ok());
    run(scene, 1);
    EXPECT_NEAR(scene.world.joint(rail).slide_rate, -0.5, 1e-12);
}

TEST(ControlledMotor, IsTheSameMotionAsTheCommandsOfAProgram)
{
    Scene scene = must_read(
        slider("controls: {push: {}}\n", "{formula: push * cos(3 * time) + joint.rail.slide}"));
    Scene plain = must_read(slider(""));
    const JointId drive = *plain.world.find_joint("rail.motor");
    const JointId rail = *plain.world.find_joint("rail");
    ASSERT_TRUE(scene.controls.set("push", 0.7).ok());
    for (int i = 0; i < 200; ++i) {
        const Real speed = 0.7 * std::cos(3 * plain.world.time()) + plain.world.joint(rail).slide;
        ASSERT_TRUE(plain.world.set_target(drive, speed).ok());
        ASSERT_EQ(plain.world.step(plain.settings).status, StepStatus::Ok);
        run(scene, 1);
    }
    EXPECT_EQ(scene.world.hash(), plain.world.hash());
}

TEST(LimitSwitch, StopsTheRamWithinTheTravelOfOneStep)
{
    Scene scene = must_load("control/driven_crane");
    const JointId ram = *scene.world.find_joint("ram");
    const Real top = 1.2, bottom = -0.6, speed = 0.2;  // of the scene
    const Real travel = speed * scene.settings.dt * 1.01;
    ASSERT_TRUE(scene.controls.set("luff", speed).ok());
    run(scene, 60 * 9);
    EXPECT_GE(scene.world.joint(ram).slide, top);
    EXPECT_LE(scene.world.joint(ram).slide, top + travel);
    EXPECT_NEAR(scene.world.joint(ram).slide_rate, 0, 1e-9) << "although the key is held";
    ASSERT_TRUE(scene.controls.set("luff", -speed).ok());
    run(scene, 60 * 3);
    EXPECT_LT(scene.world.joint(ram).slide, top - 0.2) << "the switch lets it go back";
    run(scene, 60 * 10);
    EXPECT_LE(scene.world.joint(ram).slide, bottom);
    EXPECT_GE(scene.world.joint(ram).slide, bottom - travel);
    EXPECT_EQ(scene.controls.warning(), "");
}

TEST(DrivenCrane, TheHookFollowsSlewAndHoist)
{
    Scene scene = must_load("control/driven_crane");
    const BodyId hook = *scene.world.find_body("hook");
    const Vec3 before = scene.world.pose(hook).p;
    ASSERT_TRUE(scene.controls.set("hoist", 0.6).ok());
    run(scene, 60 * 4);
    ASSERT_TRUE(scene.controls.set("hoist", 0).ok());
    run(scene, 60);
    // 4 s at 0.6 m/s with ramps of 1 s at either end: 0.3 m are missing at the start and made up for at the end
    EXPECT_NEAR(scene.world.pose(hook).p.z() - before.z(), 4 * 0.6, 0.05);
    ASSERT_TRUE(scene.controls.set("slew", 0.2).ok());
    run(scene, 60 * 5);
    EXPECT_GT(scene.world.pose(hook).p.y(), 3);
}

TEST(Commands, ReachSpringsBodiesAndSwitchesOfJoints)
{
    Scene scene = must_read(R"(gravity: [0, 0, 0]
controls: {grip: {type: switch, default: on}, v: {min: 0, max: 2}}
bodies:
  trolley: {type: kinematic}
  box: {mass: 2, inertia: [1, 1, 1], position: [5, 0, 0]}
  held: {mass: 1, inertia: [1, 1, 1], position: [0, 5, 0]}
  a: {mass: 1, inertia: [1, 1, 1], position: [0, 9, 0]}
joints:
  grip_joint: {type: weld, between: [trolley, held], at: [0, 0, 0]}
springs:
  rope: {between: [world, a], at_1: [0, 8, 0], at_2: [0, 9, 0], stiffness: 100, damping: 20}
loads:
  wind: {body: box, force: [1, 0, 0], scale: {formula: 4 * v}}
commands:
  move: {body: trolley, velocity: [v, 0, 0]}
  open: {joint: grip_joint, enabled: grip}
  pull: {spring: rope, rest: 1 + v}
  push: {body: box, force: [0, 0, 2 * v], torque: [0, v, 0]}
step: {dt: 1/100}
)");
    ASSERT_TRUE(scene.controls.set("v", 0.5).ok());
    run(scene, 100);
    const auto position = [&](const char* name) {
        return scene.world.pose(*scene.world.find_body(name)).p;
    };
    EXPECT_NEAR(position("trolley").x(), 0.5, 1e-9);
    EXPECT_NEAR(position("held").x(), 0.5, 1e-6);
    EXPECT_NEAR(position("box").x() - 5, 0.5 * 1.0 * 1 * 1, 0.01) << "½ F/m t², F = 2 N";
    EXPECT_NEAR(position("box").z(), 0.5 * 0.5 * 1 * 1, 0.01);
    EXPECT_NEAR(scene.world.velocity(*scene.world.find_body("box")).angular.y(), 0.5, 0.01);
    run(scene, 300);
    EXPECT_NEAR(position("a").y(), 8 + 1.5, 1e-3);
    const Real now = position("held").x();
    ASSERT_TRUE(scene.controls.set("grip", 0).ok());
    ASSERT_TRUE(scene.controls.set("v", 2).ok());
    run(scene, 100);
    EXPECT_NEAR(position("held").x() - now, 0.5, 1e-6) << "it was let go at 0.5 m/s";
    EXPECT_EQ(scene.controls.warning(), "");
}

// --- logic ---

TEST(Latch, IsSetByItsConditionAndReleasedByReset)
{
    Scene scene = must_read(slider(R"(controls: {x: {min: 0, max: 9}, free: {type: switch}}
logic:
  high: {latch: x > 7, reset: free}
)"));
    const auto with = [&](Real x, Real free) {
        EXPECT_TRUE(scene.controls.set("x", x).ok() && scene.controls.set("free", free).ok());
        run(scene, 1);
        return value(scene, "logic.high");
    };
    EXPECT_EQ(with(7, 0), 0);
    EXPECT_EQ(with(7.5, 0), 1);
    EXPECT_EQ(with(3, 0), 1) << "it holds";
    EXPECT_EQ(with(8, 1), 1) << "its condition is stronger than reset";
    EXPECT_EQ(with(3, 1), 0);
    EXPECT_EQ(with(3, 0), 0);
}

TEST(Logic, IsEvaluatedInOrder)
{
    Scene scene = must_read(slider(R"(controls: {x: {min: 0, max: 9}}
logic:
  twice: {value: 2 * x}
  more: {value: twice + 1}
  grown: {integral: more, min: -1, max: 0.05, start: 0.01}
)"));
    ASSERT_TRUE(scene.controls.set("x", 1).ok());
    run(scene, 1);
    EXPECT_EQ(value(scene, "logic.more"), 3);
    EXPECT_EQ(value(scene, "logic.grown"), 0.01 + kDt * 3);
    run(scene, 3);
    EXPECT_EQ(value(scene, "logic.grown"), 0.05);
}

// The controller of examples/control_loop.cpp, in a scene and in C++: the same numbers, the same bits.
TEST(Pid, HasTheBitsOfALoopInCpp)
{
    Scene scene = must_load("control/pid_arm");
    Scene plain = must_read(R"(bodies:
  arm: {mass: 4, shapes: [{box: [1, 0.06, 0.06]}], position: [0.5, 0, 0]}
joints:
  axle: {type: hinge, between: [world, arm], at: [0, 0, 0], axis: [0, 1, 0]}
step: {dt: 1/500}
)");
    const JointId axle = *plain.world.find_joint("axle");
    const BodyId arm = *plain.world.find_body("arm");
    Real target = 0.5, angle = 0.5, sum = 0;
    bool bounded = false;
    for (int i = 0; i < 1500; ++i) {
        if (i == 700) {
            target = -1.2;
            ASSERT_TRUE(scene.controls.set("angle", -1.2).ok());
        }
        // the control moves at 2 rad/s
        const Real most = 2 * plain.settings.dt;
        angle = std::abs(target - angle) > most ? (target > angle ? angle + most : angle - most)
                                                : target;
        const JointReading now = plain.world.joint(axle);
        const Real error = angle - now.angle;
        const Real wanted = 300 * error + 500 * sum - 40 * now.angle_rate;
        const Real torque = std::max(-60.0, std::min(wanted, 60.0));
        bounded = bounded || torque != wanted;
        if (torque == wanted || (wanted > torque && error < 0) || (wanted < torque && error > 0))
            sum += error * plain.settings.dt;
        ASSERT_TRUE(plain.world.apply_torque(arm, {0, torque, 0}).ok());
        ASSERT_EQ(plain.world.step(plain.settings).status, StepStatus::Ok);
        run(scene, 1);
        ASSERT_EQ(value(scene, "logic.hold"), torque) << "step " << i;
    }
    EXPECT_TRUE(bounded) << "the bound is part of the test";
    EXPECT_EQ(scene.world.hash(), plain.world.hash());
}

TEST(Pid, WithoutARateUsesTheLastTwoValues)
{
    Scene scene = must_read(slider(R"(controls: {x: {min: 0, max: 9}}
logic:
  d: {pid: {of: x, target: 0, kd: 2}}
)"));
    run(scene, 1);
    ASSERT_TRUE(scene.controls.set("x", 0.25).ok());
    run(scene, 1);
    EXPECT_EQ(value(scene, "logic.d"), -(2 * (0.25 / scene.settings.dt)));
    run(scene, 1);
    EXPECT_EQ(value(scene, "logic.d"), 0);
}

TEST(Formulas, WithoutAFiniteValueKeepTheLastOneAndSayItOnce)
{
    Scene scene = must_read(
        slider("controls: {x: {min: 0, max: 9, default: 4}}\nlogic: {root: {value: 1 / x}}\n",
               "{formula: log(x)}"));
    run(scene, 1);
    EXPECT_EQ(value(scene, "logic.root"), 0.25);
    EXPECT_EQ(scene.controls.warning(), "");
    ASSERT_TRUE(scene.controls.set("x", 0).ok());
    run(scene, 2);
    EXPECT_EQ(value(scene, "logic.root"), 0.25);
    EXPECT_NEAR(scene.world.joint(*scene.world.find_joint("rail")).slide_rate, std::log(4.0),
                1e-12);
    EXPECT_EQ(scene.controls.warning(),
              "at 0.01 s: logic 'root' had no finite value; it kept the last one");
}

TEST(Commands, ThatTheWorldRefusesAreReported)
{
    Scene scene = must_read(slider(R"(controls: {k: {min: -1, max: 9, default: 1}}
springs:
  s: {between: [world, cart], at_1: [0, 0, 0], at_2: [0, 0, 1], stiffness: 1}
commands:
  soft: {spring: s, stiffness: k}
)"));
    ASSERT_TRUE(scene.controls.set("k", -1).ok());
    run(scene, 1);
    EXPECT_TRUE(
        contains(scene.controls.warning(), "at 0 s: 'stiffness' of command 'soft' was refused: "))
        << scene.controls.warning();
}

// --- runs ---

TEST(Stop, EndsTheRunWhenItsConditionIsMet)
{
    Scene scene =
        must_read(slider("duration: 5\nstop: {when: joint.rail.slide > 0.505, reason: arrived}\n"
                         "expect: [{reading: joint.rail.slide, near: 0.51, within: 1e-9}]\n",
                         "1"));
    const auto report = record::run_scene(scene);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->stopped, "arrived");
    EXPECT_EQ(report->summary.steps, 51u)
        << "slide is 0.5 after 50 steps, and passes 0.505 in the next one";
    EXPECT_TRUE(report->expectations[0].met) << report->expectations[0].value;
}

TEST(ControlReadings, AreColumnsAndExpectations)
{
    Scene scene = must_read(slider(R"(controls: {push: {unit: N, default: 0.5}}
logic: {twice: {value: 2 * push}}
duration: 0.1
record: [time, control.push, logic.twice]
expect: [{reading: max(logic.twice), near: 1, within: 0}]
)"));
    const auto column = record::find_column(scene, "control.push");
    ASSERT_TRUE(column.ok());
    EXPECT_EQ(column->unit, "N");
    const auto unknown = record::find_column(scene, "logic.twise");
    ASSERT_FALSE(unknown.ok());
    EXPECT_TRUE(contains(unknown.error().message, "logic.twice")) << unknown.error().message;
    const auto report = record::run_scene(scene);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_TRUE(report->expectations[0].met);
}

}  // namespace
}  // namespace taut::test
