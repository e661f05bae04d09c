// Implausible physics causes a warning with its place; plausible physics does not.
#include <cmath>

#include "reading.h"

namespace taut::test {
namespace {

TEST(Warnings, APlausibleSceneHasNone)
{
    const Scene scene = must_read(R"(
materials: {steel: {density: 7850}}
bodies:
  boom: {material: steel, shapes: [{box: [4, 0.2, 0.2]}], position: [2, 0, 0], rotation: {axis: [0, 0, 1], angle: 0}}
joints:
  pivot: {type: hinge, between: [world, boom], at: [0, 0, 0], axis: [0, 1, 0], servo: {target: 90*deg, stiffness: 1e5}}
)");
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
}

TEST(Warnings, AnchorsFarFromTheirBody)
{
    const Scene scene = must_read(R"(
bodies:
  hook: {mass: 5, shapes: [{box: [0.2, 0.1, 0.3]}], position: [0, 0, 2]}
joints:
  cable: {type: rope, between: [world, hook], at_1: [0, 0, 6], at_2: [0, 0, 9]}
)");
    EXPECT_TRUE(warns(scene,
                      "joint 'cable' holds body 'hook' at a point 7 m from its origin; its "
                      "shapes reach 0.3 m"));
    const Scene near = must_read(R"(
bodies:
  hook: {mass: 5, shapes: [{box: [0.2, 0.1, 0.3]}], position: [0, 0, 2]}
joints:
  cable: {type: rope, between: [world, hook], at_1: [0, 0, 6], at_2: [0, 0, 4.9]}
)");
    EXPECT_FALSE(warns(near, "from its origin"));
}

TEST(Warnings, ImpossibleDensities)
{
    const Scene heavy = must_read("bodies:\n  a: {mass: 1e6, shapes: [{sphere: 0.1}]}\n");
    EXPECT_TRUE(
        warns(heavy, "test.yaml:2:3: body 'a' weighs 2.38732e+08 kg/m³, above that of osmium"));
    const Scene light = must_read("bodies:\n  a: {mass: 1, shapes: [{sphere: 10}]}\n");
    EXPECT_TRUE(warns(light, "below that of air"));
}

TEST(Warnings, InertiaThatDiffersFromTheShapes)
{
    const Scene scene =
        must_read("bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}], inertia: [1, 1, 1]}\n");
    EXPECT_TRUE(warns(scene, "the inertia of body 'a', 1 kg m², is 250 times that of its shapes"));
    EXPECT_FALSE(warns(
        must_read(
            "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}], inertia: [0.01, 0.01, 0.01]}\n"),
        "inertia"));
}

TEST(Warnings, LengthsInMillimetres)
{
    const Scene scene =
        must_read("bodies:\n  a: {density: 7850, shapes: [{box: [2000, 100, 100]}]}\n");
    EXPECT_TRUE(warns(scene, "larger than 2000 m: are lengths in millimetres?"));
}

TEST(Warnings, AnglesInDegrees)
{
    const Scene scene = must_read(
        "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}], "
        "rotation: {axis: [0, 0, 1], angle: 90}}\n");
    EXPECT_TRUE(
        warns(scene,
              "'angle' of rotation of body 'a' is 90 rad, more than a full turn; for degrees "
              "write 'angle_deg'"));
    const Scene servo = must_read(
        "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}]}\n"
        "joints:\n  j: {type: hinge, between: [world, a], at: [0, 0, 0], axis: [0, 0, 1], "
        "servo: {target: {keys: [[0, 0], [1, 45]]}, stiffness: 1}}\n");
    EXPECT_TRUE(warns(servo, "goes to 45 rad: is it in degrees?"));
}

TEST(Warnings, GravityThatPointsUpOrSideways)
{
    const std::string ball = "bodies:\n  a: {type: particle, mass: 1}\n";
    EXPECT_TRUE(warns(must_read("gravity: [0, 0, 9.81]\n" + ball),
                      "test.yaml:1:10: gravity points along +z"));
    EXPECT_TRUE(warns(must_read("gravity: [0, -9.81, 0]\n" + ball), "gravity is horizontal"));
    EXPECT_TRUE(warns(must_read("gravity: [0, 0, -9810]\n" + ball), "is it in another unit?"));
    EXPECT_FALSE(warns(must_read("gravity: [0, 0, 0]\n" + ball), "gravity"));
}

TEST(Warnings, ImplausibleTimeSteps)
{
    const std::string ball = "bodies:\n  a: {type: particle, mass: 1}\n";
    EXPECT_TRUE(warns(must_read("step: {dt: 5}\n" + ball), "the time step is 5 s"));
    EXPECT_TRUE(warns(must_read("duration: 0.001\n" + ball), "shorter than one step"));
    EXPECT_TRUE(warns(must_read("duration: 1e9\n" + ball), "steps: is the duration in seconds?"));
}

const char* const kFourBar = R"(
bodies:
  left:  {mass: 1, shapes: [{box: [0.1, 0.1, 1]}], position: [0, 0, 0.5]}
  top:   {mass: 1, shapes: [{box: [1, 0.1, 0.1]}], position: [0.5, 0, 1]}
  right: {mass: 1, shapes: [{box: [0.1, 0.1, 1]}], position: [1, 0, 0.5]}
  tail:  {mass: 1, shapes: [{sphere: 0.1}], position: [1, 0, 2]}
joints:
  - {type: hinge, between: [world, left], at: [0, 0, 0], axis: [0, 1, 0]}
  - {type: hinge, between: [left, top], at: [0, 0, 1], axis: [0, 1, 0]}
  - {type: %s, between: [top, right], at: [1, 0, 1], axis: [0, 1, 0]}
  - {type: %s, between: [right, world], at: [1, 0, 0], axis: [0, 1, 0]}
  - {type: ball, between: [right, tail], at: [1, 0, 1.5]}
)";

std::string four_bar(const std::string& third, const std::string& fourth)
{
    std::string text = kFourBar;
    text.replace(text.find("%s"), 2, third);
    text.replace(text.find("%s"), 2, fourth);
    return text;
}

TEST(Warnings, OverConstrainedLoops)
{
    // the tail is a branch: its degrees of freedom must not hide the redundant rows
    const Scene hinges = must_read(four_bar("hinge", "hinge"));
    EXPECT_TRUE(warns(hinges,
                      "over-constrained: the loop of left, top, right has 20 constraint rows for "
                      "18 degrees of freedom; "
                      "at least 2 rows"));
    EXPECT_FALSE(warns(must_read(four_bar("ball", "universal")), "over-constrained"));
    // a free ring of hinges: 6·3 − 6 = 12 internal degrees of freedom, 15 rows
    const Scene ring = must_read(R"(
bodies:
  a: {mass: 1, shapes: [{sphere: 0.1}]}
  b: {mass: 1, shapes: [{sphere: 0.1}], position: [1, 0, 0]}
  c: {mass: 1, shapes: [{sphere: 0.1}], position: [0, 0, 1]}
joints:
  - {type: hinge, between: [a, b], at: [0.5, 0, 0], axis: [0, 1, 0]}
  - {type: hinge, between: [b, c], at: [0.5, 0, 0.5], axis: [0, 1, 0]}
  - {type: hinge, between: [c, a], at: [0, 0, 0.5], axis: [0, 1, 0]}
)");
    EXPECT_TRUE(warns(ring, "has 15 constraint rows for 12 degrees of freedom"));
}

TEST(Warnings, BranchesAndServosCloseNoLoop)
{
    const Scene scene = must_read(R"(
bodies:
  a: {mass: 1, shapes: [{sphere: 0.1}]}
  b: {mass: 1, shapes: [{sphere: 0.1}], position: [1, 0, 0]}
joints:
  one: {type: hinge, between: [world, a], at: [0, 0, 0], axis: [0, 1, 0], servo: {target: 0, stiffness: 1}}
  two: {type: hinge, between: [a, b], at: [1, 0, 0], axis: [0, 1, 0], motor: {speed: 1}}
)");
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
}

TEST(Warnings, OpenJoints)
{
    const Scene scene = must_read(
        "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}]}\n"
        "joints:\n  j: {type: ball, between: [world, a], at_1: [0, 0, 0.25], at_2: [0, 0, 0]}\n");
    EXPECT_TRUE(warns(scene, "test.yaml:4:3: joint 'j' is open by 0.25 m at time 0"));
    const Scene twisted = must_read(
        "bodies:\n  a: {mass: 1, shapes: [{sphere: 0.1}]}\n"
        "joints:\n  j: {type: hinge, between: [world, a], at: [0, 0, 0], "
        "axis_1: [0, 0, 1], axis_2: [0, 0.1, 1]}\n");
    EXPECT_TRUE(warns(twisted, "joint 'j' is twisted by 0.0995"));
}

TEST(Warnings, ExtremeMassRatios)
{
    const Scene scene = must_read(
        "generate:\n  - chain: {links: 2, link_length: 1, radius: 0.1, link_mass: 1, "
        "load: {mass: 1e7, radius: 9}}\n");
    EXPECT_TRUE(warns(scene, "joint 'chain.hook' connects masses of 1 and 1e+07 kg, 1 to 1e+07"));
}

TEST(Warnings, UnconnectedBodiesAndUnusedNames)
{
    const Scene scene = must_read(R"(
parameters: {ratio: 3}
materials: {steel: {density: 7850}, tin: {density: 7265}}
bodies:
  a: {material: steel, shapes: [{sphere: 0.1}]}
  b: {material: steel, shapes: [{sphere: 0.1}]}
joints:
  j: {type: ball, between: [world, a], at: [0, 0, 0]}
)");
    EXPECT_TRUE(warns(scene, "test.yaml:2:14: parameter 'ratio' is not used"));
    EXPECT_TRUE(warns(scene, "test.yaml:3:37: material 'tin' is not used"));
    EXPECT_TRUE(warns(scene, "test.yaml:6:3: body 'b' is not connected to anything"));
    EXPECT_EQ(scene.warnings.size(), 3u);
}

}  // namespace
}  // namespace taut::test
