// Random mechanisms: whatever a user might connect, and worse.
#include <cmath>

#include <taut/joints.h>

#include "dice.h"
#include "mechanisms.h"

namespace taut::study {
namespace {

BodyDef random_body(Dice& dice, int index)
{
    BodyDef body;
    body.name = "body" + std::to_string(index);
    body.mass = dice.decades(-6, 6);
    // a box: any three edges give possible moments
    const Vec3 edges(dice.decades(-2, 0), dice.decades(-2, 0), dice.decades(-2, 0));
    const Vec3 squares = edges.cwiseProduct(edges);
    body.inertia = (body.mass / 12 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
    body.pose = {dice.vector(1), dice.rotation()};
    if (dice.chance(0.15)) body.kind = BodyKind::Particle;
    if (dice.chance(0.5)) body.velocity.linear = dice.vector(3);
    if (dice.chance(0.5) && body.kind == BodyKind::Rigid)
        body.velocity.angular = dice.vector(dice.chance(0.1) ? 100 : 3);
    if (dice.chance(0.05)) {
        body.kind = BodyKind::Kinematic;
        body.velocity = {};
        body.motion.shift[0] = Schedule::sine(0, dice.between(0, 0.3), dice.between(0.1, 3));
    }
    return body;
}

JointDef random_joint(Dice& dice, BodyId a, BodyId b)
{
    // equalities: stops that contradict each other are no mechanism
    static const std::vector<const JointTypeInfo*> types = [] {
        std::vector<const JointTypeInfo*> list;
        for (const JointTypeInfo& info : joint_types())
            if (info.law == RowLaw::Equal) list.push_back(&info);
        return list;
    }();
    const JointTypeInfo* type = nullptr;
    do {
        type = types[static_cast<std::size_t>(dice.below(static_cast<int>(types.size())))];
    } while (type->bodies != 2);
    JointDef joint;
    joint.type = std::string(type->name);
    joint.bodies = {a, b, kWorld};
    const Vec3 at = dice.vector(1);
    Vec3 axis = dice.vector(1);
    if (axis.norm() < 1e-3) axis = Vec3::UnitX();
    joint.frames[0] = joint.frames[1] = frame_along(at, axis.normalized());
    if (type->crossed_axes)
        joint.frames = universal(a, b, at, axis, joint.frames[0].q * Vec3::UnitX()).frames;
    if (type->name == "distance" || type->name == "rod") joint.frames[1].p = dice.vector(1);
    if (dice.chance(0.03)) joint.frames[1].p += dice.vector(0.1);  // put together carelessly
    if (dice.chance(0.4)) joint.compliance = dice.decades(-15, -2);
    if (dice.chance(0.3)) joint.angular_compliance = dice.decades(-12, 0);
    if (dice.chance(0.2)) joint.damping_time = dice.decades(-4, 0);
    for (const ParameterInfo& parameter : type->parameters)
        if (!parameter.fallback) {
            const Real low = std::max(parameter.lowest, Real(0.01));
            joint.parameters.emplace_back(std::string(parameter.name), dice.between(low, low + 1));
        }
    joint.target = dice.between(-2, 2);
    return joint;
}

}  // namespace

RandomScene random_scene(std::uint64_t seed)
{
    Dice dice(seed);
    RandomScene scene;
    scene.dt = dice.decades(-4, -1);
    std::vector<BodyId> bodies;
    const int count = 1 + dice.below(12);
    int joints = 0, refused = 0;
    const auto connect = [&](BodyId a, BodyId b) {
        // what the world refuses (a particle on a hinge, a row without direction) is tried otherwise
        for (int tries = 0; tries < 5; ++tries) {
            JointDef joint = random_joint(dice, a, b);
            joint.name = "joint" + std::to_string(joints + 1);
            if (scene.world.add_joint(joint).ok()) {
                ++joints;
                scene.story += (scene.story.empty() ? "" : ", ") + joint.type;
                return;
            }
            ++refused;
        }
    };
    for (int i = 0; i < count; ++i) {
        const auto body = scene.world.add_body(random_body(dice, i));
        if (!body.ok()) continue;
        // a tree: on the ground, on an earlier body, or free
        const Real where = dice.unit();
        if (where < 0.25 || (bodies.empty() && where < 0.8))
            connect(kWorld, *body);
        else if (where < 0.9 && !bodies.empty())
            connect(bodies[static_cast<std::size_t>(dice.below(static_cast<int>(bodies.size())))],
                    *body);
        bodies.push_back(*body);
    }
    // loops, redundant and contradictory ones among them
    for (int extra = dice.chance(0.5) ? dice.below(4) : 0; extra > 0 && bodies.size() > 1;
         --extra) {
        const int a = dice.below(static_cast<int>(bodies.size()));
        const int b = dice.below(static_cast<int>(bodies.size()));
        if (a != b)
            connect(bodies[static_cast<std::size_t>(a)], bodies[static_cast<std::size_t>(b)]);
    }
    if (dice.chance(0.3) && bodies.size() > 1) {
        SpringDef spring;
        spring.bodies = {bodies[0], bodies[1]};
        spring.frames[0].p = dice.vector(1);
        spring.frames[1].p = dice.vector(1);
        spring.stiffness = dice.decades(0, 7);
        spring.damping = dice.chance(0.5) ? dice.decades(-3, 3) : 0;
        spring.rest = dice.between(0.5, 1.5) * (spring.frames[0].p - spring.frames[1].p).norm();
        (void)scene.world.add_spring(spring);
    }
    return scene;
}

bool is_undriven(const RandomScene& scene)
{
    const World& world = scene.world;
    for (const char* drive : {"motor", "servo"})
        if (scene.story.find(drive) != std::string::npos) return false;
    for (int b = 0; b < world.body_count(); ++b)
        if (world.kind(BodyId{b}) == BodyKind::Kinematic) return false;
    return world.joint_gap() <= 1e-9 * world.size();
}

}  // namespace taut::study
