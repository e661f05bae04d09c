// Valid input of each section of a scene, checked in the resulting world.
#include <cmath>
#include <numbers>

#include "reading.h"

namespace taut::test {
namespace {

constexpr Real kPi = std::numbers::pi;
constexpr Real kRounding = 1e-12;  // relative, a few dozen operations

TEST(SceneBodies, MassIsComputedFromShapesAndDensity)
{
    const Scene scene = must_read(R"(
materials:
  steel: {density: 7850, colour: grey}
bodies:
  beam: {material: steel, shapes: [{box: [2, 0.1, 0.1]}]}
  ball: {density: 1000, shapes: [{sphere: 0.5}]}
  both:
    material: steel
    shapes:
      - {cylinder: {radius: 0.1, length: 1}}
      - {capsule: {radius: 0.1, length: 1}, density: 500, position: [0, 0, 2]}
      - {box: [9, 9, 9], density: 0, colour: "#102030"}
)");
    const World& world = scene.world;
    EXPECT_NEAR(world.mass(body(scene, "beam")), 157, 157 * kRounding);
    EXPECT_NEAR(world.mass(body(scene, "ball")), 1000 * kPi / 6, 1e3 * kRounding);

    const Real lower = 7850 * kPi * 0.01;
    const Real upper = 500 * (kPi * 0.01 + 4 * kPi / 3 * 0.001);
    EXPECT_NEAR(world.mass(body(scene, "both")), lower + upper, 1e3 * kRounding);
    EXPECT_NEAR(world.centre_of_mass(body(scene, "both")).z(), 2 * upper / (lower + upper),
                kRounding);

    ASSERT_EQ(scene.shapes.size(), 5u);
    EXPECT_EQ(scene.shapes[0].second.colour, "#888888");
    EXPECT_EQ(scene.shapes[1].second.colour, "");
    EXPECT_EQ(scene.shapes[4].second.colour, "#102030");
    EXPECT_TRUE(scene.shapes[3].second.shape.is<Shape::Capsule>());
    EXPECT_EQ(scene.shapes[3].second.pose.p, Vec3(0, 0, 2));
}

// The inertia is measured by the rotational energy ½ ωᵀIω of a rotating body.
Real rotational_energy(const std::string& details, const std::string& spin)
{
    const Scene scene = must_read("gravity: [0, 0, 0]\nbodies:\n  top: {" + details +
                                  ", angular_velocity: " + spin + "}\n");
    return scene.world.energy().rotation;
}

TEST(SceneBodies, InertiaIsScaledToTheMassOrTakenAsGiven)
{
    // a sphere: 2/5 m r²
    EXPECT_NEAR(rotational_energy("mass: 10, shapes: [{sphere: 0.5}]", "[0, 2, 0]"),
                0.5 * 0.4 * 10 * 0.25 * 4, kRounding * 10);
    EXPECT_NEAR(rotational_energy("mass: 10, inertia: [1, 2, 2.5]", "[1, 0, 0]"), 0.5, kRounding);
    EXPECT_NEAR(
        rotational_energy("mass: 10, inertia: [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 3]]", "[1, 1, 0]"),
        2.5, kRounding);
    // principal axes rotated by 90° about z: the moment about x is the second one
    EXPECT_NEAR(rotational_energy("mass: 10, inertia: [1, 2, 2.5], "
                                  "inertia_frame: {axis: [0, 0, 1], angle_deg: 90}",
                                  "[1, 0, 0]"),
                1.0, kRounding);
    // the body itself rotated by 90° about z
    EXPECT_NEAR(rotational_energy("mass: 10, inertia: [1, 2, 2.5], rotation: {rpy_deg: [0, 0, 90]}",
                                  "[1, 0, 0]"),
                1.0, kRounding);
}

TEST(SceneBodies, RotationsHaveThreeForms)
{
    const Scene scene = must_read(R"(
bodies:
  a: {mass: 1, shapes: [{sphere: 1}], rotation: {axis: [0, 0, 3], angle_deg: 90}}
  b: {mass: 1, shapes: [{sphere: 1}], rotation: {axis: [0, 0, 1], angle: pi / 2}}
  c: {mass: 1, shapes: [{sphere: 1}], rotation: {quaternion: [sqrt(0.5), 0, 0, sqrt(0.5)]}}
  d: {mass: 1, shapes: [{sphere: 1}], rotation: {rpy: [0, 0, pi / 2]}}
  e: {mass: 1, shapes: [{sphere: 1}], rotation: {rpy_deg: [90, 0, 90]}}
)");
    for (const char* name : {"a", "b", "c", "d"}) {
        const Vec3 x = scene.world.pose(body(scene, name)).q * Vec3::UnitX();
        EXPECT_LT((x - Vec3::UnitY()).norm(), kRounding) << name;
    }
    // roll first, about fixed axes: y goes to z and stays there under yaw
    const Vec3 y = scene.world.pose(body(scene, "e")).q * Vec3::UnitY();
    EXPECT_LT((y - Vec3::UnitZ()).norm(), kRounding);
}

TEST(SceneBodies, KindsPosesAndVelocitiesAreSet)
{
    const Scene scene = must_read(R"(
bodies:
  - {name: dot, type: particle, mass: 2, position: [1, 2, 3], velocity: [4, 5, 6]}
  - {name: wall, type: fixed, position: [0, 0, 1]}
  - name: cart
    type: kinematic
    motion:
      shift: {x: {sine: {amplitude: 0.5, frequency: 2}}, z: {keys: [[0, 0], [1, 1]], interpolation: smooth}}
      axis: [0, 1, 0]
      angle: {keys: [[0, 0], [1, 3]], interpolation: steps}
)");
    const World& world = scene.world;
    EXPECT_EQ(world.kind(body(scene, "dot")), BodyKind::Particle);
    EXPECT_EQ(world.kind(body(scene, "wall")), BodyKind::Fixed);
    EXPECT_EQ(world.kind(body(scene, "cart")), BodyKind::Kinematic);
    EXPECT_EQ(world.mass(body(scene, "dot")), 2);
    EXPECT_EQ(world.pose(body(scene, "dot")).p, Vec3(1, 2, 3));
    EXPECT_EQ(world.velocity(body(scene, "dot")).linear, Vec3(4, 5, 6));
}

TEST(SceneBodies, KinematicBodiesFollowTheirSchedule)
{
    Scene scene = must_read(R"(
bodies:
  cart: {type: kinematic, position: [0, 0, 1], motion: {shift: {x: {keys: [[0, 0], [1, 2]]}}}}
  ball: {type: particle, mass: 1, position: [0, 0, 0]}
joints:
  - {type: rod, between: [cart, ball], at_1: [0, 0, 1], at_2: [0, 0, 0]}
step: {dt: 1/100}
)");
    for (int i = 0; i < 50; ++i) scene.world.step(scene.settings);
    EXPECT_NEAR(scene.world.pose(body(scene, "cart")).p.x(), 1, 1e-9);
}

TEST(SceneJoints, EveryTypeOfTheCatalogueIsAccepted)
{
    for (const JointTypeInfo& type : joint_types()) {
        std::string keys = "type: " + std::string(type.name) + ", ";
        keys += type.bodies == 3
                    ? "between: [world, a, b], at_2: [0, 0, 0], axis_2: [0, 0, 1], "
                      "at_3: [1, 0, 0], axis_3: [0, 0, 1]"
                    : "between: [a, b], at_1: [0, 0, 0], at_2: [1, 0, 0], axis: [1, 0, 0]";
        for (const ParameterInfo& parameter : type.parameters)
            if (!parameter.fallback) keys += ", " + std::string(parameter.name) + ": 0.5";
        if (type.family == JointFamily::Motor || type.family == JointFamily::Servo)
            keys += ", target: 0.1";
        const Scene scene = must_read(
            "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}]}\n"
            "  b: {mass: 1, shapes: [{sphere: 0.1}], position: [1, 0, 0]}\n"
            "joints:\n  j: {" +
            keys + "}\n");
        ASSERT_EQ(scene.world.joint_count(), 1) << type.name;
        EXPECT_EQ(scene.world.type(joint(scene, "j")), type.name);
        EXPECT_EQ(scene.world.row_count(), type.rows) << type.name;
    }
}

TEST(SceneJoints, WorldAndBodyCoordinatesMeanTheSameJoint)
{
    const std::string bodies = R"(
bodies:
  a: {mass: 1, shapes: [{sphere: 0.1}], position: [1, 0, 0], rotation: {axis: [0, 0, 1], angle_deg: 90}}
  b: {mass: 2, shapes: [{sphere: 0.1}], position: [2, 0, 0]}
step: {dt: 1/100}
joints:
)";
    Scene world = must_read(
        bodies + "  j: {type: hinge, between: [a, b], at: [1.5, 0, 0], axis: [0, 1, 0]}\n");
    // a's x axis is the world's y
    Scene body_axes =
        must_read(bodies +
                  "  j: {type: hinge, between: [a, b], coordinates: body, at_1: [0, -0.5, 0], "
                  "axis_1: [1, 0, 0], at_2: [-0.5, 0, 0], axis_2: [0, 1, 0]}\n");
    EXPECT_LT(body_axes.world.joint_gap(), 1e-12);
    EXPECT_LT(body_axes.world.angular_gap(), 1e-12);
    for (Scene* scene : {&world, &body_axes}) {
        const Twist push{Vec3(0, 0, 1), Vec3(0.3, 0.2, 0.1)};
        ASSERT_TRUE(scene->world.set_velocity(body(*scene, "a"), push).ok());
        for (int i = 0; i < 100; ++i) scene->world.step(scene->settings);
    }
    const Vec3 p = world.world.pose(body(world, "a")).p;
    // the frames' u and v differ, so the rows do; the motion does not, to the solver's accuracy
    EXPECT_LT((p - body_axes.world.pose(body(body_axes, "a")).p).norm(), 1e-6);
}

TEST(SceneJoints, UniversalAcceptsBothFormsOfItsAxes)
{
    const std::string bodies = "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}]}\njoints:\n";
    for (const char* axes :
         {"axis_1: [0, 0, 1], axis_2: [1, 0, 0]", "axis: [0, 0, 1], toward: [1, 0, 0]",
          "axis_1: [0, 0, 1], axis_2: [1, 0, 1]"}) {
        const Scene scene = must_read(
            bodies + "  j: {type: universal, between: [world, a], at: [0, 0, 0], " + axes + "}\n");
        EXPECT_LT(scene.world.angular_gap(), 1e-12) << axes;
        EXPECT_TRUE(scene.warnings.empty()) << axes;
    }
    const Scene scene =
        must_read(bodies +
                  "  j: {type: universal, between: [world, a], coordinates: body, at_1: [0, 0, 0], "
                  "at_2: [0, 0, 0], axis_1: [0, 0, 1], axis_2: [0, 1, 0]}\n");
    EXPECT_LT(scene.world.angular_gap(), 1e-12);
}

TEST(SceneJoints, DrivesAreSeparateJoints)
{
    Scene scene = must_read(R"(
gravity: [0, 0, 0]
bodies:
  wheel: {mass: 1, shapes: [{cylinder: {radius: 0.5, length: 0.1}}]}
  sled: {mass: 1, shapes: [{box: [0.1, 0.1, 0.1]}], position: [2, 0, 0]}
joints:
  axle: {type: hinge, between: [world, wheel], at: [0, 0, 0], axis: [0, 0, 1], motor: {speed: 2}}
  rail:
    type: prismatic
    between: [world, sled]
    at: [2, 0, 0]
    axis: [1, 0, 0]
    servo: {target: {keys: [[0, 0.5]]}, stiffness: 1e4, damping: 1e3}
step: {dt: 1/100}
)");
    EXPECT_EQ(scene.world.joint_count(), 4);
    EXPECT_EQ(scene.world.type(joint(scene, "axle.motor")), "hinge_motor");
    EXPECT_EQ(scene.world.type(joint(scene, "rail.servo")), "slide_servo");
    for (int i = 0; i < 200; ++i) scene.world.step(scene.settings);
    EXPECT_NEAR(scene.world.joint(joint(scene, "axle")).angle, 4, 1e-9);
    EXPECT_NEAR(scene.world.joint(joint(scene, "rail")).slide, 0.5, 1e-4);
}

TEST(SceneSprings, TheDefaultRestLengthIsTheInitialLength)
{
    const std::string bodies =
        "gravity: [0, 0, 0]\nbodies:\n  a: {type: particle, mass: 1, position: [0, 0, -2]}\n"
        "springs:\n";
    const std::string spring =
        "{between: [world, a], at_1: [0, 0, 0], at_2: [0, 0, -2], stiffness: 10";
    EXPECT_EQ(must_read(bodies + "  s: " + spring + "}\n").world.energy().springs, 0);
    EXPECT_NEAR(must_read(bodies + "  s: " + spring + ", rest: 1.5}\n").world.energy().springs,
                0.5 * 10 * 0.25, 1e-12);
    EXPECT_EQ(must_read(bodies + "  - " + spring + "}\n").world.spring_count(), 1);
}

TEST(SceneLoads, ForcesAccelerate)
{
    Scene scene = must_read(R"(
gravity: [0, 0, 0]
bodies:
  a: {type: particle, mass: 2}
loads:
  push: {body: a, force: [4, 0, 0], scale: {keys: [[0, 1], [0.5, 0]], interpolation: steps}}
step: {dt: 1/100}
)");
    for (int i = 0; i < 100; ++i) scene.world.step(scene.settings);
    // 2 m/s² for half a second; the jump may be assigned to either adjacent step (0.02 m/s)
    EXPECT_NEAR(scene.world.velocity(body(scene, "a")).linear.x(), 1, 0.021);
}

TEST(SceneRun, SettingsAndExpectationsAreKept)
{
    const Scene scene = must_read(R"(
name: small
title: chain of ${n} links
parameters: {n: 3, h: {value: 1/50, unit: s, doc: step, min: 0, adjustable: true}}
bodies: {a: {type: particle, mass: n}}
step: {dt: h, scheme: alpha_beta, stabilisation: none, solver: dense_lu, alpha: 0.6, beta: 0.7, threads: n - 1,
       sleep: true}
duration: 2 * n
record: [energy.total, "body.a.${if(n > 2, 'x', 'y')}"]
expect:
  - {reading: energy.total, above: 1, below: 2}
  - {reading: body.a.z, near: -n, within: 0.5}
  - {reading: body.a.x, below: 0}
)");
    EXPECT_EQ(scene.name, "small");
    EXPECT_EQ(scene.title, "chain of 3 links");
    EXPECT_EQ(scene.settings.dt, 1.0 / 50);
    EXPECT_EQ(scene.settings.research.scheme, Scheme::AlphaBeta);
    EXPECT_EQ(scene.settings.research.stabilisation, Stabilisation::None);
    EXPECT_EQ(scene.settings.research.solver, Solver::DenseLu);
    EXPECT_EQ(scene.settings.research.alpha, 0.6);
    EXPECT_EQ(scene.settings.threads, 2);
    EXPECT_TRUE(scene.settings.sleep);
    EXPECT_EQ(scene.settings.research.beta, 0.7);
    EXPECT_EQ(scene.duration, 6);
    EXPECT_EQ(scene.columns, (std::vector<std::string>{"energy.total", "body.a.x"}));

    ASSERT_EQ(scene.expectations.size(), 3u);
    EXPECT_EQ(scene.expectations[0].lowest, 1);
    EXPECT_EQ(scene.expectations[0].highest, 2);
    EXPECT_EQ(scene.expectations[1].lowest, -3.5);
    EXPECT_EQ(scene.expectations[1].highest, -2.5);
    EXPECT_EQ(scene.expectations[2].lowest, -INFINITY);
    EXPECT_TRUE(contains(scene.expectations[1].where, "test.yaml:12:15"));

    ASSERT_EQ(scene.parameters.size(), 2u);
    EXPECT_EQ(scene.parameters[1].name, "h");
    EXPECT_EQ(scene.parameters[1].value, "0.02");
    EXPECT_EQ(scene.parameters[1].unit, "s");
    EXPECT_EQ(scene.parameters[1].doc, "step");
    EXPECT_EQ(scene.parameters[1].lowest, 0);
    EXPECT_TRUE(scene.parameters[1].adjustable);
}

TEST(SceneRun, JsonIsAccepted)
{
    const Scene scene = must_read(R"({
  "name": "json", "gravity": [0, 0, -1.62],
  "bodies": {"a": {"type": "particle", "mass": 1e0, "position": [0.0, 1e-3, -2]}},
  "step": {"dt": 0.01}
})");
    EXPECT_EQ(scene.world.gravity(), Vec3(0, 0, -1.62));
    EXPECT_EQ(scene.world.pose(body(scene, "a")).p, Vec3(0, 1e-3, -2));
}

TEST(SceneRun, AnchorsAliasesAndMergesWork)
{
    const Scene scene = must_read(R"(
bodies:
  a: &base {mass: 2, shapes: [{sphere: 0.5}], position: [1, 0, 0]}
  b: {<<: *base, mass: 3}
  c: *base
)");
    EXPECT_EQ(scene.world.mass(body(scene, "a")), 2);
    EXPECT_EQ(scene.world.mass(body(scene, "b")), 3);
    EXPECT_EQ(scene.world.mass(body(scene, "c")), 2);
    EXPECT_EQ(scene.world.pose(body(scene, "b")).p, Vec3(1, 0, 0));
}

}  // namespace
}  // namespace taut::test
