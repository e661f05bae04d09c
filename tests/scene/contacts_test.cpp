// Contact in scene files: which bodies collide, surface properties, collision groups.
#include <cmath>

#include "reading.h"

namespace taut::test {
namespace {

constexpr Real kG = 9.81;

void run(Scene& scene, Real seconds)
{
    const int steps = static_cast<int>(std::round(seconds / scene.settings.dt));
    for (int i = 0; i < steps; ++i)
        ASSERT_EQ(scene.world.step(scene.settings).status, StepStatus::Ok);
}

Real height(const Scene& scene, const std::string& name)
{
    return scene.world.pose(body(scene, name)).p.z();
}

TEST(SceneContacts, ContactIsDisabledByDefault)
{
    Scene scene = must_read(R"(
ground: {}
bodies:
  ball: {mass: 1, shapes: [{sphere: 0.5}], position: [0, 0, 1]}
)");
    EXPECT_TRUE(warns(scene, "the ground has no effect"));
    run(scene, 1);
    EXPECT_LT(height(scene, "ball"), -3);
}

TEST(SceneContacts, BodiesWithContactRestOnTheGround)
{
    Scene scene = must_read(R"(
ground: {height: -1}
bodies:
  ball: {mass: 1, contact: true, shapes: [{sphere: 0.5}]}
  through: {mass: 1, shapes: [{sphere: 0.5}], position: [3, 0, 0]}
)");
    run(scene, 1);
    EXPECT_NEAR(height(scene, "ball"), -0.5, 1e-6);
    EXPECT_LT(height(scene, "through"), -3);
}

TEST(SceneContacts, AllBodiesCollideExceptThoseWithContactFalse)
{
    Scene scene = must_read(R"(
contacts: {all: true}
ground: {}
bodies:
  ball: {mass: 1, shapes: [{sphere: 0.5}], position: [0, 0, 0.6]}
  ghost: {mass: 1, contact: false, shapes: [{sphere: 0.5}], position: [3, 0, 0.6]}
  # the long stick is for looks, and passes
  lollipop: {mass: 1, shapes: [{sphere: 0.5}, {box: [0.1, 0.1, 4], density: 0}], position: [6, 0, 0.6]}
)");
    run(scene, 1);
    EXPECT_NEAR(height(scene, "ball"), 0.5, 1e-6);
    EXPECT_NEAR(height(scene, "lollipop"), 0.5, 1e-6);
    EXPECT_LT(height(scene, "ghost"), -3);
}

// The effective friction decides whether a body slides on a slope with tan θ = 0.4.
TEST(SceneContacts, FrictionComesFromShapeMaterialBodyOrScene)
{
    Scene scene = must_read(R"(
contacts: {all: true, friction: 0.6}
materials:
  ice:    {density: 900, friction: 0.1}
  rubber: {density: 1100, friction: 0.9}
ground: {tilt: atan(0.4)}
parameters: {c: cos(atan(0.4)), s: sin(atan(0.4)), t: atan(0.4)}
bodies:
  scene_holds:    {mass: 1, shapes: [{box: [1, 1, 0.2]}], position: [0.1*s, 0, 0.1*c], rotation: {axis: [0, 1, 0], angle: t}}
  material_slips: {material: ice, shapes: [{box: [1, 1, 0.2]}], position: [0.1*s, 3, 0.1*c], rotation: {axis: [0, 1, 0], angle: t}}
  body_holds:     {material: ice, friction: 0.6, shapes: [{box: [1, 1, 0.2]}], position: [0.1*s, 6, 0.1*c], rotation: {axis: [0, 1, 0], angle: t}}
  shape_slips:    {material: rubber, shapes: [{box: [1, 1, 0.2], material: ice}], position: [0.1*s, 9, 0.1*c], rotation: {axis: [0, 1, 0], angle: t}}
)");
    run(scene, 0.5);
    const auto moved = [&](const char* name) {
        return scene.world.pose(body(scene, name)).p.x() - 0.1 * std::sin(std::atan(0.4));
    };
    EXPECT_LT(std::abs(moved("scene_holds")), 1e-4);
    EXPECT_LT(std::abs(moved("body_holds")), 1e-4);
    EXPECT_GT(moved("material_slips"), 0.05);
    EXPECT_GT(moved("shape_slips"), 0.05);
}

// In the axes of the shape; each of several shapes of a body, or the ground, may be a belt.
TEST(SceneContacts, SurfacesOfShapesAndGroundMove)
{
    Scene scene = must_read(R"(
contacts: {all: true}
ground: {surface_velocity: [0.3, 0, 0]}
bodies:
  belt:
    type: fixed
    shapes:
      - {box: [4, 1, 0.2], position: [0, 3, 0], rotation: {rpy: [0, 0, pi/2]}, surface_velocity: [0.4, 0, 0]}
      - {box: [4, 1, 0.2], position: [8, 3, 0]}
  on_ground: {mass: 1, shapes: [{box: [0.4, 0.4, 0.2]}], position: [0, 0, 0.1]}
  on_belt:   {mass: 1, shapes: [{box: [0.4, 0.4, 0.2]}], position: [0, 2, 0.2]}
  beside:    {mass: 1, shapes: [{box: [0.4, 0.4, 0.2]}], position: [8, 3, 0.2]}
)");
    run(scene, 0.5);
    const auto speed = [&](const char* name) {
        return scene.world.velocity(body(scene, name)).linear;
    };
    EXPECT_LE((speed("on_ground") - Vec3(0.3, 0, 0)).norm(), 1e-6);
    EXPECT_LE((speed("on_belt") - Vec3(0, 0.4, 0)).norm(), 1e-6);
    EXPECT_LE(speed("beside").norm(), 1e-6);
}

TEST(SceneContacts, GroupsSelectCollidingPairs)
{
    Scene scene = must_read(R"(
contacts: {all: true}
ground: {groups: [floor]}
bodies:
  plain:   {mass: 1, shapes: [{sphere: 0.5}], position: [0, 0, 0.5]}
  red:     {mass: 1, groups: [red], ignores: [floor], shapes: [{sphere: 0.5}], position: [3, 0, 0.5]}
  blue:    {mass: 1, groups: [blue, fine], collides_with: [floor, red], shapes: [{sphere: 0.5}], position: [6, 0, 0.5]}
  # both sides must agree: the default group is not among those of `blue`
  on_blue: {mass: 1, shapes: [{sphere: 0.5}], position: [6, 0, 1.5]}
)");
    run(scene, 1);
    EXPECT_NEAR(height(scene, "plain"), 0.5, 1e-6);
    EXPECT_LT(height(scene, "red"), -3);
    EXPECT_NEAR(height(scene, "blue"), 0.5, 1e-6);
    EXPECT_NEAR(height(scene, "on_blue"), 0.5, 1e-6);
}

TEST(SceneContacts, HullMeshFieldAndPlaneAreShapes)
{
    Scene scene = must_read(R"(
contacts: {all: true}
bodies:
  hills:
    type: fixed
    shapes: [{height_field: {columns: 5, rows: 4, spacing: 1, formula: 0.1 * x + 0 * y}, position: [-2, -1.5, 0]}]
  wedge:
    density: 1000
    shapes: [{hull: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}]
    position: [0, 0, 3]
  gem:
    density: 1000
    contact: false
    shapes: [{mesh: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}]
    position: [0, 9, 0]
  wall:
    type: fixed
    shapes: [{plane: true, position: [0, 0, -5]}]
)");
    EXPECT_NEAR(scene.world.mass(body(scene, "wedge")), 1000.0 / 6, 1e-9);
    EXPECT_NEAR(scene.world.mass(body(scene, "gem")), 1000.0 / 6, 1e-9);
    EXPECT_LT((scene.world.centre_of_mass(body(scene, "wedge")) - Vec3(0.25, 0.25, 3.25)).norm(),
              1e-12);
    ASSERT_EQ(scene.shapes.size(), 4u);
    const auto* hull = scene.shapes[1].second.shape.as<Shape::Hull>();
    ASSERT_TRUE(hull);
    EXPECT_EQ(hull->points.size(), 4u);
    EXPECT_EQ(convex_mesh(hull->points).value().triangles.size(), 4u);
    const auto& field = *scene.shapes[0].second.shape.as<Shape::HeightField>();
    ASSERT_EQ(field.heights.size(), 20u);
    EXPECT_NEAR(field.heights[3], 0.3, 1e-12);
    EXPECT_NEAR(field.heights[5], 0, 1e-12);
}

TEST(SceneContacts, MovingMeshesCauseAWarning)
{
    const char* mesh =
        "[{mesh: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: "
        "[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}]";
    const Scene scene =
        must_read(std::string("contacts: {all: true}\nbodies:\n  a: {density: 1000, shapes: ") +
                  mesh + "}\n  b: {type: fixed, position: [3, 0, 0], shapes: " + mesh + "}\n");
    EXPECT_TRUE(warns(scene, "passes through the mesh or height field of body 'b'"));
}

TEST(SceneCopies, FormulasUseTheNumberOfTheCopy)
{
    const Scene scene = must_read(R"(
parameters: {n: 4}
generate:
  - repeat:
      name: ball
      count: n
      body: {mass: i^2, shapes: [{sphere: 0.1}], position: [i, r1, 0]}
      joint: {type: hinge, between: [world, "ball${i}"], at: [i, 0, 1], axis: [0, 1, 0]}
)");
    ASSERT_EQ(scene.world.body_count(), 4);
    EXPECT_EQ(scene.world.mass(body(scene, "ball3")), 9);
    EXPECT_EQ(scene.world.pose(body(scene, "ball4")).p.x(), 4);
    EXPECT_EQ(scene.world.joint_count(), 4);
    EXPECT_EQ(scene.world.bodies(joint(scene, "ball2.joint"))[1], body(scene, "ball2"));
    // random, but reproducible
    const Real r = scene.world.pose(body(scene, "ball1")).p.y();
    EXPECT_GT(r, 0);
    EXPECT_LT(r, 1);
    EXPECT_NE(r, scene.world.pose(body(scene, "ball2")).p.y());
}

TEST(SceneCopies, AStackIsGenerated)
{
    Scene scene = must_read(R"(
contacts: {all: true}
ground: {}
generate:
  - repeat: {name: box, count: 3, body: {mass: 2, shapes: [{box: [1, 1, 1]}], position: [0, 0, i - 0.5]}}
)");
    run(scene, 0.5);
    EXPECT_NEAR(height(scene, "box3"), 2.5, 1e-5);
    Real carried = 0;
    for (const ContactReading& c : scene.world.contacts())
        if (c.a == kWorld || c.b == kWorld) carried += std::abs(c.normal.dot(c.force));
    EXPECT_NEAR(carried, 6 * kG, 1e-3);
}

}  // namespace
}  // namespace taut::test
