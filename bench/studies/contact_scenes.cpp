#include "contact_scenes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <taut/joints.h>

#include "dice.h"
#include "must.h"

namespace taut::study {
namespace {

struct Moments {
    Real volume = 0;
    Vec3 per_mass = Vec3::Zero();  // principal moments over the mass [m²]
    Real reach = 0;
};

struct MomentsOf {
    Moments operator()(const Shape::Sphere& s) const
    {
        const Real r = s.radius;
        return {4 * M_PI / 3 * r * r * r, Vec3::Constant(0.4 * r * r), r};
    }
    Moments operator()(const Shape::Box& box) const
    {
        const Vec3 s = box.size.cwiseProduct(box.size);
        return {box.size.prod(), (Vec3::Constant(s.sum()) - s) / 12, box.size.norm() / 2};
    }
    Moments operator()(const Shape::Cylinder& s) const
    {
        const Real r = s.radius, l = s.length;
        return {M_PI * r * r * l, Vec3(r * r / 4 + l * l / 12, r * r / 4 + l * l / 12, r * r / 2),
                std::hypot(r, l / 2)};
    }
    // A cylinder and two half balls, whose centres of mass are 3r/8 beyond its ends.
    Moments operator()(const Shape::Capsule& s) const
    {
        const Real r = s.radius, l = s.length;
        const Real tube = M_PI * r * r * l, ball = 4 * M_PI / 3 * r * r * r;
        const Real all = tube + ball;
        const Real across =
            (tube * (r * r / 4 + l * l / 12) + ball * (0.4 * r * r + l * l / 4 + 3 * l * r / 8)) /
            all;
        return {all, Vec3(across, across, (tube / 2 + 0.4 * ball) * r * r / all), l / 2 + r};
    }
    template <class Other>
    Moments operator()(const Other&) const
    {
        throw std::logic_error("a solid is a sphere, box, cylinder or capsule");
    }
};

Moments moments(const ColliderDef& def) { return def.shape.visit(MomentsOf{}); }

ColliderDef random_shape(Dice& dice, Real size)
{
    ColliderDef shape;
    const int kind = dice.below(4);
    const Real r = size * dice.between(0.6, 1);
    const Vec3 edges(r, r * dice.between(0.5, 1), r * dice.between(0.3, 1));
    shape.shape = kind == 0   ? Shape::sphere(r / 2)
                  : kind == 1 ? Shape::box(edges)
                  : kind == 2 ? Shape::capsule(r / 3, r)
                              : Shape::cylinder(r / 2, r);
    return shape;
}

}  // namespace

BodyId add_solid(World& world, const ColliderDef& shape, const Pose& pose, Real mass)
{
    const Moments m = moments(shape);
    BodyDef def;
    def.mass = mass > 0 ? mass : 1000 * m.volume;
    def.inertia = (def.mass * m.per_mass).asDiagonal();
    def.pose = pose;
    const BodyId body = must(world.add_body(def));
    must(world.add_collider(body, shape));
    return body;
}

void add_floor(World& world, Real friction)
{
    must(world.add_collider(kWorld, {.shape = Shape::plane(), .friction = friction}));
}

void add_wall(World& world, int columns, int rows)
{
    const Vec3 size(0.2, 0.1, 0.1);
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const Real x = size.x() * (i + (j % 2 == 0 ? 0 : 0.5));
            add_solid(world, {.shape = Shape::box(size)},
                      {{x, 0, size.z() * (j + 0.5)}, Quat::Identity()});
        }
}

void add_pile(World& world, int count, std::uint64_t seed, const Vec3& corner)
{
    Dice dice(seed);
    constexpr Real kSize = 0.1, kApart = 0.18;
    const int side = std::max(1, static_cast<int>(std::cbrt(count)));
    for (int i = 0; i < count; ++i) {
        const Vec3 at(i % side, i / side % side, i / (side * side));
        const Vec3 p = corner + kApart * at + dice.vector(0.02) + Vec3(0, 0, kApart);
        add_solid(world, random_shape(dice, kSize), {p, dice.rotation()});
    }
}

void add_ragdoll(World& world, const Vec3& at, Real turn)
{
    const Quat q(Eigen::AngleAxis<Real>(turn, Vec3::UnitZ()));
    const auto limb = [&](const Vec3& from, const Vec3& to, Real radius, Real mass) {
        const Vec3 along = to - from;
        const ColliderDef shape{.shape = Shape::capsule(radius, along.norm() - 2 * radius),
                                .friction = 0.5};
        return add_solid(
            world, shape,
            {at + q * ((from + to) / 2), q * Quat::FromTwoVectors(Vec3::UnitZ(), along)}, mass);
    };
    const auto joint_at = [&](BodyId a, BodyId b, const Vec3& p) {
        must(world.add_joint(ball(a, b, at + q * p)));
    };
    const auto hinge_at = [&](BodyId a, BodyId b, const Vec3& p) {
        must(world.add_joint(hinge(a, b, at + q * p, Vec3::UnitZ())));
    };
    const BodyId hip = limb({-0.3, 0, 0}, {0, 0, 0}, 0.1, 15);
    const BodyId chest = limb({0, 0, 0}, {0.3, 0, 0}, 0.1, 20);
    const BodyId head = limb({0.3, 0, 0}, {0.55, 0, 0}, 0.09, 5);
    joint_at(hip, chest, {0, 0, 0});
    joint_at(chest, head, {0.3, 0, 0});
    for (const Real side : {-1.0, 1.0}) {
        const Vec3 shoulder(0.2, 0.12 * side, 0), elbow(0.2, 0.42 * side, 0);
        const BodyId upper_arm = limb(shoulder, elbow, 0.05, 3);
        const BodyId arm = limb(elbow, {0.2, 0.72 * side, 0}, 0.045, 2);
        joint_at(chest, upper_arm, shoulder);
        hinge_at(upper_arm, arm, elbow);
        const Vec3 thigh(-0.32, 0.1 * side, 0), knee(-0.72, 0.15 * side, 0);
        const BodyId upper_leg = limb(thigh, knee, 0.07, 7);
        const BodyId leg = limb(knee, {-1.12, 0.15 * side, 0}, 0.06, 4);
        joint_at(hip, upper_leg, thigh);
        hinge_at(upper_leg, leg, knee);
    }
}

void add_walls(World& world, Real half, Real height)
{
    const Real out = half + kWallThickness / 2, length = 2 * (half + kWallThickness);
    for (const Real sign : {-1.0, 1.0})
        for (const bool across : {false, true}) {
            const Vec3 size = across ? Vec3(length, kWallThickness, height)
                                     : Vec3(kWallThickness, length, height);
            ColliderDef wall{.shape = Shape::box(size), .friction = 0.5};
            wall.pose.p = Vec3(across ? 0 : sign * out, across ? sign * out : 0, height / 2);
            must(world.add_collider(kWorld, wall));
        }
}

ContactScene random_contact_scene(std::uint64_t seed)
{
    Dice dice(seed);
    ContactScene scene;
    World& world = scene.world;
    scene.dt = std::min(dice.decades(-3, -1), Real(1) / 30);
    const Real friction = dice.chance(0.1) ? 0 : dice.between(0.1, 1);
    const Real restitution = dice.chance(0.3) ? dice.between(0, 1) : 0;
    must(world.add_collider(
        kWorld, {.shape = Shape::plane(), .friction = friction, .restitution = restitution}));
    const int count = 1 + dice.below(15);
    const Real spread = dice.between(0.1, 0.6), decades = dice.chance(0.5) ? 0 : 3;
    std::vector<BodyId> bodies;
    for (int i = 0; i < count; ++i) {
        ColliderDef shape = random_shape(dice, dice.between(0.05, 0.3));
        shape.friction = friction;
        shape.restitution = restitution;
        if (dice.chance(0.1)) shape.rolling_friction = dice.between(0, 0.01);
        if (dice.chance(0.1)) shape.static_friction = friction * dice.between(1, 1.5);
        const Real reach = moments(shape).reach;
        Vec3 p = dice.vector(spread);
        p.z() = reach + 0.25 * i + dice.between(0, 0.2);  // apart from each other, above the floor
        const BodyId body =
            add_solid(world, shape, {p, dice.rotation()}, dice.decades(-decades, decades));
        if (dice.chance(0.4))
            (void)world.set_velocity(body,
                                     {dice.vector(5), dice.vector(dice.chance(0.1) ? 50 : 5)});
        if (!bodies.empty() && dice.chance(0.2)) {
            const Vec3 half = (world.pose(bodies.back()).p + p) / 2;
            const bool made =
                dice.chance(0.5)
                    ? world.add_joint(ball(bodies.back(), body, half)).ok()
                    : world.add_joint(rope(bodies.back(), body, world.pose(bodies.back()).p, p))
                          .ok();
            scene.story += made ? "joint " : "";
        }
        bodies.push_back(body);
        scene.reach.push_back(reach);
    }
    scene.story += std::to_string(count) + " bodies, friction " + std::to_string(friction) +
                   ", restitution " + std::to_string(restitution);
    return scene;
}

}  // namespace taut::study
