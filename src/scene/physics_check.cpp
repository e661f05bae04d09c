#include "scene/physics_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "scene/text_format.h"

namespace taut::scene {
namespace {

constexpr Real kOsmium = 22590;  // densest element [kg/m³]
constexpr Real kAir = 1.2;       // [kg/m³]
constexpr Real kInertiaFactor = 100;
constexpr Real kMassRatio = 1e6;   // across one joint
constexpr Real kLargeBody = 100;   // [m]: probably 100 mm
constexpr Real kOpenJoint = 1e-6;  // gap at time 0 over the size of the scene
constexpr Real kOpenAngle = 1e-6;  // [rad]
constexpr Real kFarAnchor = 10;    // from the origin of a body over its reach

std::string body_label(const DraftBody& body) { return "body " + quote(body.def.name); }

bool moves(const DraftBody& body)
{
    return body.def.kind == BodyKind::Rigid || body.def.kind == BodyKind::Particle;
}

// The longest edge of the box around a shape; 0 for a plane.
Real extent(const Shape& shape)
{
    const auto box = shape_box(shape);
    return box.isEmpty() ? 0 : box.sizes().maxCoeff();
}

void check_density(const DraftBody& body, Problems& problems)
{
    if (body.def.kind != BodyKind::Rigid || !(body.volume > 0)) return;
    const Real density = body.def.mass / body.volume;
    if (density > kOsmium)
        problems.warning(
            body.where,
            body_label(body) + " weighs " + to_short_text(density) +
                " kg/m³, above that of osmium (22590): is the mass in grams, or are lengths in "
                "a unit other than metres?");
    if (density < kAir)
        problems.warning(body.where,
                         body_label(body) + " weighs " + to_short_text(density) +
                             " kg/m³, below that of air (1.2): are lengths in millimetres?");
}

void check_inertia(const DraftBody& body, Problems& problems)
{
    if (!body.inertia_given || !(body.solid.mass > 0)) return;
    const Vec3 given = principal_moments(body.def.inertia);
    const Vec3 expected = principal_moments(body.solid.inertia);
    for (int i = 0; i < 3; ++i) {
        const Real factor = given[i] / expected[i];
        if (factor < kInertiaFactor && factor > 1 / kInertiaFactor) continue;
        problems.warning(body.where, "the inertia of " + body_label(body) + ", " +
                                         to_short_text(given[i]) + " kg m², is " +
                                         to_short_text(factor) + " times that of its shapes");
        return;
    }
}

// Lengths are checked together, because a single long shape (the deck of a bridge) is plausible.
void check_sizes(const SceneDraft& draft, Problems& problems)
{
    std::vector<Real> sizes;
    for (const DraftBody& body : draft.bodies)
        for (const DrawnShape& drawn : body.shapes)
            if (moves(body)) sizes.push_back(extent(drawn.shape));
    if (sizes.empty()) return;
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    if (*middle < kLargeBody) return;
    problems.warning(draft.bodies.front().where, "at least half of the shapes are larger than " +
                                                     to_short_text(*middle) +
                                                     " m: are lengths in millimetres?");
}

void check_gravity(const SceneDraft& draft, Problems& problems)
{
    const Vec3& g = draft.gravity;
    const Real size = g.norm();
    if (g.z() > 0 && g.z() > Real(0.5) * size)
        problems.warning(draft.gravity_where,
                         "gravity points along +z; z is up, so gravity should have a "
                         "negative z");
    else if (std::max(std::abs(g.x()), std::abs(g.y())) > Real(0.99) * size && size > 0)
        problems.warning(draft.gravity_where,
                         "gravity is horizontal; z is up in a scene: is another axis intended "
                         "to be up?");
    if (size > 50)
        problems.warning(
            draft.gravity_where,
            "gravity is " + to_short_text(size) +
                " m/s², more than five times that of the earth: is it in another unit?");
}

void check_step(const SceneDraft& draft, Problems& problems)
{
    const Real dt = draft.settings.dt;
    if (dt > Real(0.2))
        problems.warning(draft.step_where, "the time step is " + to_short_text(dt) +
                                               " s: is it in milliseconds, or a rate?");
    if (draft.duration < dt)
        problems.warning(draft.step_where, "the duration, " + to_short_text(draft.duration) +
                                               " s, is shorter than one step");
    if (draft.duration / dt > 1e8)
        problems.warning(draft.step_where, to_short_text(draft.duration / dt) +
                                               " steps: is the duration in seconds?");
}

void check_mass_ratios(const SceneDraft& draft, Problems& problems)
{
    for (const DraftJoint& joint : draft.joints) {
        const DraftBody* a = draft.body(joint.def.bodies[0]);
        const DraftBody* b = draft.body(joint.def.bodies[1]);
        if (!a || !b || !moves(*a) || !moves(*b)) continue;
        const Real ratio = std::max(a->def.mass / b->def.mass, b->def.mass / a->def.mass);
        if (ratio < kMassRatio) continue;
        problems.warning(joint.where, "joint " + quote(joint.def.name) + " connects masses of " +
                                          to_short_text(a->def.mass) + " and " +
                                          to_short_text(b->def.mass) + " kg, 1 to " +
                                          to_short_text(ratio));
    }
}

void check_drives(const SceneDraft& draft, Problems& problems)
{
    for (const DraftJoint& joint : draft.joints) {
        const bool turns = joint.def.type == "hinge_servo";
        if (!turns) continue;
        Real largest = 0;
        if (joint.def.target.kind() == Schedule::Kind::Constant)
            largest = std::abs(joint.def.target.value(0));
        for (const Schedule::Key& key : joint.def.target.keys())
            largest = std::max(largest, std::abs(key.value));
        // integers above one and a half turns are probably degrees
        const bool whole = std::abs(largest - std::round(largest)) < 1e-9;
        if (largest > 3 * std::numbers::pi && whole)
            problems.warning(joint.where, "the target of " + quote(joint.def.name) + " goes to " +
                                              to_short_text(largest) +
                                              " rad: is it in degrees? Write " +
                                              to_short_text(largest) + "*deg");
    }
}

void check_connections(const SceneDraft& draft, Problems& problems)
{
    if (draft.joints.empty()) return;
    std::vector<bool> held(draft.bodies.size(), false);
    const auto hold = [&](BodyId id) {
        if (id.valid()) held[static_cast<std::size_t>(id.index)] = true;
    };
    for (const DraftJoint& joint : draft.joints)
        for (const BodyId id : joint.def.bodies) hold(id);
    for (const DraftSpring& spring : draft.springs)
        for (const BodyId id : spring.def.bodies) hold(id);
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i] && moves(draft.bodies[i]) && draft.bodies[i].colliders.empty())
            problems.warning(draft.bodies[i].where,
                             body_label(draft.bodies[i]) + " is not connected to anything");
}

// How far its shapes reach from the origin of a body; 0: it has none, or a plane.
Real reach(const DraftBody& body)
{
    Real most = 0;
    for (const DrawnShape& drawn : body.shapes) {
        const auto box = shape_box(drawn.shape);
        if (box.isEmpty()) return 0;
        const Real corner = box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).norm();
        most = std::max(
            {most, drawn.pose.p.norm() + extent(drawn.shape), drawn.pose.p.norm() + corner});
    }
    return most;
}

// Points that are held together, or at a distance: of other types they may be anywhere on the axis, or do not count.
bool has_anchors(const JointDef& joint)
{
    constexpr std::array kTypes = {"ball", "hinge", "universal", "weld", "rod", "rope"};
    return std::any_of(kTypes.begin(), kTypes.end(),
                       [&](const char* type) { return joint.type == type; });
}

// A point in the coordinates of something else is usually far off.
void check_anchors(const SceneDraft& draft, const World& world, const DraftJoint& joint, JointId id,
                   Problems& problems)
{
    if (!has_anchors(joint.def)) return;
    for (int side = 0; side < 2; ++side) {
        const DraftBody* body = draft.body(joint.def.bodies[static_cast<std::size_t>(side)]);
        if (!body || !moves(*body)) continue;
        const Real far = world.frame(id, side).p.norm(), own = reach(*body);
        if (own > 0 && far > kFarAnchor * own)
            problems.warning(joint.where, "joint " + quote(joint.def.name) + " holds " +
                                              body_label(*body) + " at a point " +
                                              to_short_text(far) +
                                              " m from its origin; its shapes "
                                              "reach " +
                                              to_short_text(own) +
                                              " m. Are the coordinates those of another body?");
    }
}

// Meshes and height fields collide with convex shapes and planes, but not with each other.
void check_surfaces(const SceneDraft& draft, Problems& problems)
{
    const auto surface = [](const DraftBody& body) {
        const auto& all = body.colliders;
        return std::find_if(all.begin(), all.end(), [](const DraftCollider& collider) {
                   return collider.def.shape.is<Shape::Mesh>() ||
                          collider.def.shape.is<Shape::HeightField>();
               }) != all.end();
    };
    for (const DraftBody& body : draft.bodies) {
        if (!moves(body) || !surface(body)) continue;
        for (const DraftBody& other : draft.bodies)
            if (&other != &body && surface(other)) {
                problems.warning(body.where, body_label(body) +
                                                 " moves and has a mesh collider, which passes "
                                                 "through the mesh or height field of " +
                                                 body_label(other) + "; convex shapes do not");
                break;
            }
    }
}

// Warns about bodies with contact that have nothing to collide with.
void check_contact_partners(const SceneDraft& draft, Problems& problems)
{
    std::size_t surfaces = draft.ground ? 1 : 0;
    const DraftBody* only = nullptr;
    for (const DraftBody& body : draft.bodies)
        if (!body.colliders.empty()) {
            ++surfaces;
            only = &body;
        }
    if (surfaces == 1 && only)
        problems.warning(only->where, body_label(*only) +
                                          " has contact, but there is neither a ground nor "
                                          "another body with contact");
    if (surfaces == 1 && draft.ground)
        problems.warning(draft.ground->collider.where,
                         "the ground has no effect: no body has contact");
}

void check_loops(const SceneDraft& draft, Problems& problems)
{
    for (const LoopCount& loop : count_loops(draft)) {
        if (loop.rows <= loop.freedoms || loop.bodies.empty()) continue;
        std::vector<std::string> names;
        for (const int body : loop.bodies)
            names.push_back(draft.bodies[static_cast<std::size_t>(body)].def.name);
        problems.warning(draft.bodies[static_cast<std::size_t>(loop.bodies.front())].where,
                         "over-constrained: the loop of " + listed(names, 6) + " has " +
                             std::to_string(loop.rows) + " constraint rows for " +
                             std::to_string(loop.freedoms) + " degrees of freedom; at least " +
                             std::to_string(loop.rows - loop.freedoms) +
                             " rows are redundant or contradictory. If they are redundant, the "
                             "motion is correct, "
                             "but the distribution of their forces is arbitrary");
    }
}

void check_unused(const SceneDraft& draft, const ParameterTable& parameters, Problems& problems)
{
    for (const Parameter& parameter : parameters.parameters())
        if (!parameter.used)
            problems.warning(parameter.where,
                             "parameter " + quote(parameter.info.name) + " is not used");
    std::vector<const std::pair<const std::string, DraftMaterial>*> unused;
    for (const auto& entry : draft.materials)
        if (!entry.second.used) unused.push_back(&entry);
    std::sort(unused.begin(), unused.end(), [](auto* a, auto* b) { return a->first < b->first; });
    for (const auto* entry : unused)
        problems.warning(entry->second.where, "material " + quote(entry->first) + " is not used");
}

}  // namespace

void check_physics(const SceneDraft& draft, const ParameterTable& parameters, Problems& problems)
{
    for (const DraftBody& body : draft.bodies) {
        check_density(body, problems);
        check_inertia(body, problems);
    }
    check_sizes(draft, problems);
    check_gravity(draft, problems);
    check_step(draft, problems);
    check_mass_ratios(draft, problems);
    check_drives(draft, problems);
    check_connections(draft, problems);
    check_contact_partners(draft, problems);
    check_surfaces(draft, problems);
    check_loops(draft, problems);
    check_unused(draft, parameters, problems);
}

void check_start(const SceneDraft& draft, const World& world, const std::vector<JointId>& joints,
                 Problems& problems)
{
    const Real size = std::max(world.size(), Real(1e-9));
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const DraftJoint& joint = draft.joints[i];
        if (joint.type->family == JointFamily::Motor || joint.type->family == JointFamily::Servo)
            continue;
        check_anchors(draft, world, joint, joints[i], problems);
        const JointReading reading = world.joint(joints[i]);
        if (reading.gap > kOpenJoint * size)
            problems.warning(joint.where,
                             "joint " + quote(joint.def.name) + " is open by " +
                                 to_short_text(reading.gap) +
                                 " m at time 0; the first steps close it, which moves the bodies");
        if (reading.angular_gap > kOpenAngle)
            problems.warning(
                joint.where,
                "joint " + quote(joint.def.name) + " is twisted by " +
                    to_short_text(reading.angular_gap) +
                    " rad at time 0; the first steps close it, which turns the bodies. "
                    "'toward' sets the direction u of its frames across the axis");
    }
}

}  // namespace taut::scene
