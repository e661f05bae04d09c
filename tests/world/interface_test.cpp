// What a program sees of shapes, solids, results and joints.
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include <taut/joints.h>
#include <taut/solids.h>
#include <taut/world.h>

#include "support/bodies.h"

namespace taut::test {
namespace {

constexpr Real kPi = std::numbers::pi;

std::string message_of(const auto& read)
{
    try {
        (void)read();
    } catch (const BadAccess& error) {
        return error.what();
    }
    return "nothing was thrown";
}

bool mentions(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

TEST(Shapes, BuildersMakeTheKindsOfTheList)
{
    const std::vector<Shape> built = {Shape::sphere(2),
                                      Shape::capsule(0.1, 3),
                                      Shape::box({1, 2, 3}),
                                      Shape::cylinder(0.2, 4),
                                      Shape::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
                                      Shape::mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}),
                                      Shape::height_field(2, 3, 0.5, {0, 1, 2, 3, 4, 5}),
                                      Shape::plane()};
    ASSERT_EQ(built.size(), Shape::kKinds) << "a kind without a builder";
    std::size_t at = 0;
    visit_shape_kinds([&]<class Kind>(const Kind&) {
        EXPECT_TRUE(built[at].is<Kind>()) << Kind::kName;
        EXPECT_EQ(built[at++].kind_name(), Kind::kName);
    });
    EXPECT_EQ(built[0].as<Shape::Sphere>()->radius, 2);
    EXPECT_EQ(built[1].as<Shape::Capsule>()->radius, 0.1);
    EXPECT_EQ(built[1].as<Shape::Capsule>()->length, 3);
    EXPECT_EQ(built[2].as<Shape::Box>()->size, Vec3(1, 2, 3));
    EXPECT_EQ(built[3].as<Shape::Cylinder>()->length, 4);
    EXPECT_EQ(built[4].as<Shape::Hull>()->points.size(), 4u);
    EXPECT_EQ(built[5].as<Shape::Mesh>()->triangles[0], (Shape::Triangle{0, 1, 2}));
    EXPECT_EQ(built[6].as<Shape::HeightField>()->rows, 3);
    EXPECT_EQ(built[6].as<Shape::HeightField>()->heights[5], 5);
    EXPECT_EQ(built[0].as<Shape::Box>(), nullptr);
    EXPECT_EQ(built[2], Shape::box({1, 2, 3}));
    EXPECT_NE(built[2], Shape::box({1, 2, 4}));
}

// Every size is read: a collider with one that is not above zero is refused, and the message names it.
TEST(Shapes, SizesAreChecked)
{
    World world;
    const auto why = [&](const Shape& shape) {
        const auto made = world.add_collider(kWorld, {.shape = shape});
        return made ? std::string() : made.error().message;
    };
    EXPECT_TRUE(mentions(why(Shape::sphere(0)), "radius is 0"));
    EXPECT_TRUE(mentions(why(Shape::capsule(1, -1)), "length is -1"));
    EXPECT_EQ(why(Shape::capsule(1, 0)), "");
    EXPECT_TRUE(mentions(why(Shape::cylinder(1, 0)), "length is 0"));
    EXPECT_TRUE(mentions(why(Shape::box({1, -2, 1})), "size is -2"));
    EXPECT_TRUE(mentions(why(Shape::box({1, std::nan(""), 1})), "size is"));
    EXPECT_TRUE(mentions(why(Shape::hull({{0, 0, 0}})), "hull"));
    EXPECT_TRUE(mentions(why(Shape::mesh({}, {})), "mesh"));
    EXPECT_TRUE(mentions(why(Shape::height_field(2, 2, 1, {0})), "height_field"));
}

// Closed forms of text books, not those of the engine.
TEST(Solids, MassAndInertiaOfEachKindAreTheClosedForms)
{
    constexpr Real kRho = 700, r = 0.3, l = 0.8;
    const BodyDef box = must(solid(Shape::box({1, 2, 3}), kRho));
    EXPECT_NEAR(box.mass, 6 * kRho, 1e-9);
    EXPECT_NEAR(box.inertia(0, 0), box.mass * (4 + 9) / 12, 1e-8);
    EXPECT_NEAR(box.inertia(2, 2), box.mass * (1 + 4) / 12, 1e-8);
    const BodyDef ball = must(solid(Shape::sphere(r), kRho));
    EXPECT_NEAR(ball.mass, kRho * 4 / 3 * kPi * r * r * r, 1e-9);
    EXPECT_NEAR(ball.inertia(1, 1), 0.4 * ball.mass * r * r, 1e-9);
    const BodyDef rod = must(solid(Shape::cylinder(r, l), kRho));
    EXPECT_NEAR(rod.mass, kRho * kPi * r * r * l, 1e-9);
    EXPECT_NEAR(rod.inertia(2, 2), rod.mass * r * r / 2, 1e-9);
    EXPECT_NEAR(rod.inertia(0, 0), rod.mass * (3 * r * r + l * l) / 12, 1e-9);
    // a cylinder and two half balls, whose centres of mass are 3r/8 beyond its ends
    const BodyDef capsule = must(solid(Shape::capsule(r, l), kRho));
    EXPECT_NEAR(capsule.mass, rod.mass + ball.mass, 1e-9);
    const Real out = l / 2 + 3 * r / 8;
    EXPECT_NEAR(capsule.inertia(0, 0),
                rod.inertia(0, 0) + ball.mass * (0.4 * r * r - 9.0 / 64 * r * r + out * out), 1e-9);
    // the corner of a cube
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const BodyDef hull = must(solid(Shape::hull(corners), kRho));
    const BodyDef mesh =
        must(solid(Shape::mesh(corners, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}), kRho));
    for (const BodyDef& one : {hull, mesh}) {
        EXPECT_NEAR(one.mass, kRho / 6, 1e-9);
        EXPECT_LT((one.centre_of_mass - Vec3::Constant(0.25)).norm(), 1e-12);
        EXPECT_NEAR(one.inertia(0, 0), one.mass * 3 / 40, 1e-9);
    }
}

// Two cubes as one bar, turned about its long axis by a right angle.
TEST(Solids, PartsAreSummedAboutTheCommonCentreOfMass)
{
    const Quat turn(Eigen::AngleAxis<Real>(kPi / 2, Vec3::UnitX()));
    const std::vector<SolidPart> parts = {
        {.shape = Shape::box({1, 1, 1}), .pose = {{0.5, 0, 0}, turn}, .density = 1000},
        {.shape = Shape::box({1, 1, 1}), .pose = {{1.5, 0, 0}, Quat::Identity()}, .density = 1000}};
    const BodyDef bar = must(solid(parts));
    const BodyDef whole = must(solid(Shape::box({2, 1, 1}), 1000));
    EXPECT_NEAR(bar.mass, whole.mass, 1e-9);
    EXPECT_LT((bar.centre_of_mass - Vec3(1, 0, 0)).norm(), 1e-12);
    EXPECT_LT((bar.inertia - whole.inertia).norm(), 1e-9);
    World world;
    EXPECT_TRUE(world.add_body(bar).ok());
}

TEST(Solids, WhatHasNoVolumeOrDensityIsRefused)
{
    const auto why = [](const Shape& shape, Real density) {
        const auto made = solid(shape, density);
        return made ? std::string() : made.error().message;
    };
    EXPECT_TRUE(mentions(why(Shape::plane(), 1), "plane has no volume"));
    EXPECT_TRUE(mentions(why(Shape::height_field(2, 2, 1, {0, 0, 0, 0}), 1), "has no volume"));
    const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    EXPECT_TRUE(mentions(why(Shape::mesh(corners, {{0, 2, 1}, {0, 1, 3}}), 1), "has no volume"));
    EXPECT_TRUE(mentions(why(Shape::mesh(corners, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}), 1),
                         "face inward"));
    EXPECT_TRUE(mentions(why(Shape::sphere(1), 0), "density is 0"));
    EXPECT_TRUE(mentions(why(Shape::sphere(-1), 1), "radius is -1"));
    EXPECT_FALSE(solid(std::span<const SolidPart>()).ok());
}

TEST(Results, TheValueOfAnErrorAndTheErrorOfAValueThrow)
{
    World world;
    auto bad = world.add_body({.name = "b", .mass = -1});
    const auto good = world.add_body({.name = "g"});
    EXPECT_TRUE(mentions(message_of([&] { return bad.value(); }), bad.error().message));
    EXPECT_TRUE(mentions(message_of([&] { return *bad; }), "failed operation"));
    EXPECT_TRUE(mentions(message_of([&] { return bad->index; }), "failed operation"));
    EXPECT_TRUE(mentions(message_of([&] { return std::move(bad).value(); }), "failed operation"));
    EXPECT_TRUE(mentions(message_of([&] { return good.error(); }), "succeeded"));
    EXPECT_NO_THROW((void)good.value());
}

// Every reading of one object, with an id that is stale and with one that never was.
TEST(Readings, OfWhatIsNotThereThrowAndNameFunctionAndId)
{
    World world;
    const BodyId body = must(world.add_body({.name = "gone"}));
    const JointId joint = must(world.add_joint(hinge(kWorld, body, {0, 0, 1}, Vec3::UnitX())));
    const ColliderId collider = must(world.add_collider(body, {}));
    SpringDef def;
    def.bodies = {kWorld, body};
    def.stiffness = 1;
    def.frames[0].p = {0, 0, 3};
    const SpringId spring = must(world.add_spring(def));
    EXPECT_EQ(world.name(body), "gone");
    must(world.remove(body));
    for (const bool stale : {true, false}) {
        const BodyId b = stale ? body : BodyId{};
        const JointId j = stale ? joint : JointId{};
        const ColliderId c = stale ? collider : ColliderId{};
        const SpringId s = stale ? spring : SpringId{};
        const auto throws = [&](std::string_view function, const auto& read) {
            const std::string message = message_of(read);
            EXPECT_TRUE(mentions(message, "World::" + std::string(function))) << message;
            EXPECT_TRUE(mentions(message, stale ? "was removed" : "index is -2")) << message;
        };
        throws("name", [&] { return world.name(b); });
        throws("name", [&] { return world.name(j); });
        throws("name", [&] { return world.name(s); });
        throws("type", [&] { return world.type(j); });
        throws("bodies", [&] { return world.bodies(j); });
        throws("bodies", [&] { return world.bodies(s); });
        throws("frame", [&] { return world.frame(j, 0); });
        throws("frame", [&] { return world.frame(s, 0); });
        throws("kind", [&] { return world.kind(b); });
        throws("kind", [&] { return world.kind(s); });
        throws("mass", [&] { return world.mass(b); });
        throws("pose", [&] { return world.pose(b); });
        throws("centre_of_mass", [&] { return world.centre_of_mass(b); });
        throws("velocity", [&] { return world.velocity(b); });
        throws("asleep", [&] { return world.asleep(b); });
        throws("frozen", [&] { return world.frozen(b); });
        throws("enabled", [&] { return world.enabled(b); });
        throws("enabled", [&] { return world.enabled(j); });
        throws("joint", [&] { return world.joint(j); });
        throws("broken", [&] { return world.broken(j); });
        throws("multipliers", [&] { return world.multipliers(j); });
        throws("damping", [&] { return world.damping(b); });
        throws("damping", [&] { return world.damping(j); });
        throws("body", [&] { return world.body(c); });
        throws("is_sensor", [&] { return world.is_sensor(c); });
        throws("user_data", [&] { return world.user_data(b); });
        throws("user_data", [&] { return world.user_data(j); });
        throws("user_data", [&] { return world.user_data(c); });
        EXPECT_FALSE(world.contains(b) || world.contains(j) || world.contains(s));
    }
    EXPECT_EQ(world.pose(kWorld).p, Vec3::Zero());
    EXPECT_EQ(world.kind(kWorld), BodyKind::Fixed);
    EXPECT_EQ(world.step({}).hardest_body, BodyId{});
}

struct Pair {
    World world;
    BodyId a, b, c;

    Pair()
    {
        for (BodyId* id : {&a, &b, &c}) {
            BodyDef def;
            def.pose.p = {id == &b ? 1.0 : 0.0, id == &c ? 1.0 : 0.0, 0};
            *id = must(world.add_body(def));
        }
    }
};

std::map<std::string_view, JointDef> one_of_each(BodyId a, BodyId b, BodyId c)
{
    const Vec3 p(1, 0, 0), x = Vec3::UnitX(), y = Vec3::UnitY();
    const JointDef axle = hinge(a, b, p, x);
    std::map<std::string_view, JointDef> made;
    for (const JointDef& def :
         {ball(a, b, p),
          axle,
          universal(a, b, p, x, y),
          prismatic(a, b, p, x),
          cylindrical(a, b, p, x),
          screw(a, b, p, x, 0.01),
          planar(a, b, p, x),
          point_on_line(a, b, p, x),
          point_on_plane(a, b, p, x),
          weld(a, b, p),
          rod(a, b, {0, 0, 0}, p, 1),
          rope(a, b, {0, 0, 0}, p, 2),
          gear(a, {.body = b, .point = p, .axis = x, .radius = 0.2},
               {.body = c, .point = {0, 1, 0}, .axis = x, .radius = -0.4}),
          rack_and_pinion(a, {.body = b, .point = p, .axis = x, .radius = 0.2}, c, {0, 1, 0}, y),
          distance(a, b, {0, 0, 0}, p, 1),
          dot_1(a, b, x, y),
          dot_2(a, b, p, x),
          axial_lock(a, b, x),
          bend(a, b, x),
          twist(a, b, x),
          rotation_vector(a, b),
          angle_limits(axle, -1, 1),
          slide_limits(axle, -1, 1),
          hinge_motor(axle, 2),
          slide_motor(axle, 2),
          hinge_servo(axle, 2, 30, 4),
          slide_servo(axle, 2, 30, 4)})
        made.emplace(find_joint_type(def.type)->name, def);
    return made;
}

TEST(JointBuilders, MakeEveryTypeOfTheCatalogueClosedAtTheStart)
{
    std::ifstream header(TAUT_SOURCE_FOLDER "/include/taut/joints.h");
    const std::string builders((std::istreambuf_iterator<char>(header)), {});
    int built = 0;
    for (const JointTypeInfo& type : joint_types()) {
        Pair pair;
        const auto made = one_of_each(pair.a, pair.b, pair.c);
        EXPECT_TRUE(mentions(builders, "inline JointDef " + std::string(type.name) + "("))
            << "include/taut/joints.h has no builder for " << type.name;
        const auto found = made.find(type.name);
        if (found == made.end()) continue;
        ++built;
        for (const ParameterInfo& parameter : type.parameters) {
            bool given = false;
            for (const auto& [name, value] : found->second.parameters)
                given = given || name == parameter.name;
            EXPECT_TRUE(given) << type.name << " " << parameter.name;
        }
        const auto added = pair.world.add_joint(found->second);
        ASSERT_TRUE(added.ok()) << type.name << ": " << added.error().message;
        EXPECT_EQ(pair.world.type(*added), type.name);
        EXPECT_EQ(pair.world.bodies(*added)[1], pair.b);
        if (type.family != JointFamily::Joint && type.family != JointFamily::Primitive) continue;
        EXPECT_LT(pair.world.joint(*added).gap, 1e-12) << type.name;
        EXPECT_LT(pair.world.joint(*added).angular_gap, 1e-12) << type.name;
    }
    EXPECT_GE(built, 27);
}

// The axis of each builder is the one that it says: what it leaves free moves, and what it holds does not.
TEST(JointBuilders, HoldAndLeaveFreeWhatTheyName)
{
    const auto rate = [](const auto& build, const Twist& start) {
        World world;
        must(world.set_gravity(Vec3::Zero()));
        const BodyId body = must(world.add_body({.velocity = start}));
        must(world.add_joint(build(body)));
        must(world.prepare({}));
        EXPECT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
        return world.velocity(body);
    };
    const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), o = Vec3::Zero();
    const Twist slide{x, o}, spin{o, x}, aside{y, o}, tilt{o, y};
    const auto in_plane = [&](BodyId b) { return dot_2(kWorld, b, o, x); };
    EXPECT_NEAR(rate(in_plane, slide).linear.norm(), 0, 1e-9);
    EXPECT_NEAR(rate(in_plane, aside).linear.y(), 1, 1e-9);
    const auto line = [&](BodyId b) { return point_on_line(kWorld, b, o, x); };
    EXPECT_NEAR(rate(line, slide).linear.x(), 1, 1e-9);
    EXPECT_NEAR(rate(line, aside).linear.norm(), 0, 1e-9);
    const auto locked = [&](BodyId b) { return axial_lock(kWorld, b, x); };
    EXPECT_NEAR(rate(locked, spin).angular.norm(), 0, 1e-9);
    EXPECT_NEAR(rate(locked, tilt).angular.y(), 1, 1e-9);
    const auto thread = [&](BodyId b) { return screw(kWorld, b, o, x, 2 * kPi); };
    const Twist turned = rate(thread, spin);  // unit mass and inertia share the momentum
    EXPECT_NEAR(turned.linear.x(), 0.5, 1e-9);
    EXPECT_NEAR(turned.angular.x(), 0.5, 1e-9);
}

TEST(JointBuilders, LimitsAndDrivesActOnTheAxisOfAnAddedJoint)
{
    World world;
    must(world.set_gravity(Vec3::Zero()));
    const BodyId wheel = must(world.add_body({.name = "wheel"}));
    JointDef def = hinge(kWorld, wheel, {0, 0, 0}, Vec3::UnitY());
    def.name = "axle";
    const JointId axle = must(world.add_joint(def));
    const JointId drive = must(world.add_motor(axle, 1.5, 1e3));
    EXPECT_EQ(world.name(drive), "axle.drive");
    EXPECT_EQ(world.type(drive), "hinge_motor");
    for (int i = 0; i < 10; ++i) ASSERT_EQ(world.step({.dt = 0.02}).status, StepStatus::Ok);
    EXPECT_NEAR(world.velocity(wheel).angular.y(), 1.5, 1e-6);
    const JointId stop = must(world.add_limits(axle, -0.5, 0.5));
    EXPECT_EQ(world.type(stop), "angle_limits");
    EXPECT_NEAR(world.joint(stop).angle, world.joint(axle).angle, 1e-12);
    EXPECT_TRUE(world.set_target(drive, -2).ok());
    must(world.remove(drive));
    for (int i = 0; i < 60; ++i) ASSERT_EQ(world.step({.dt = 0.02}).status, StepStatus::Ok);
    EXPECT_LT(std::abs(world.joint(axle).angle), 0.5 + 1e-3);

    const BodyId cart = must(world.add_body({.name = "cart"}));
    const JointId rail = must(world.add_joint(prismatic(kWorld, cart, {0, 0, 0}, Vec3::UnitX())));
    const JointId servo = must(world.add_servo(rail, 0.3, 400, 60));
    EXPECT_EQ(world.type(servo), "slide_servo");
    for (int i = 0; i < 200; ++i) ASSERT_EQ(world.step({.dt = 0.02}).status, StepStatus::Ok);
    EXPECT_NEAR(world.pose(cart).p.x(), 0.3, 1e-3);

    const BodyId lamp = must(world.add_body({.name = "lamp"}));
    const JointId hook = must(world.add_joint(ball(kWorld, lamp, {0, 0, 0})));
    const auto refused = world.add_motor(hook, 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_TRUE(mentions(refused.error().message, "of type ball"));
    EXPECT_TRUE(mentions(refused.error().message, "hinge"));
    EXPECT_FALSE(world.add_limits(JointId{}, 0, 1).ok());
}

}  // namespace
}  // namespace taut::test
