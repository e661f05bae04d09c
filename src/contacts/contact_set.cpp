#include "contacts/contact_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contacts/contact_geometry.h"
#include "contacts/make_shape.h"
#include "core/text.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "model/recovery.h"

namespace taut::contacts {
namespace {

// λ (normal, tangent, tangent) of a vector in the world.
void write_in_axes(const Mat3& Q, const Vec3& vector, Real* lambda) noexcept
{
    const Vec3 in_axes = Q.transpose() * vector;
    lambda[0] = in_axes.z();
    lambda[1] = in_axes.x();
    lambda[2] = in_axes.y();
}

// Columns t_1, t_2, n with t_1 along the part of a spin that is across n; as they are where there is none.
Mat3 turned_along(const Mat3& Q, const Vec3& spin) noexcept
{
    const Vec3 n = Q.col(2);
    const Vec3 across = spin - n * n.dot(spin);
    if (!(across.norm() > 1e-9)) return Q;
    const Vec3 t = across.normalized();
    Mat3 turned;
    turned << t, n.cross(t), n;
    return turned;
}

Poses<2> poses_of(const State& state, std::span<const BodyIndex> bodies) noexcept
{
    return {body_pose(state, bodies[0]), body_pose(state, bodies[1])};
}

Vec3 in_world(const Mat3& Q, const Real* lambda) noexcept
{
    return Q * Vec3(lambda[1], lambda[2], lambda[0]);
}

}  // namespace

Result<int> ContactSet::add(Model& model, const State& state, BodyIndex body,
                            const ColliderDef& def)
{
    const BodyModel& carrier = model.bodies[body];
    const std::string& name = model.body_details[body].name;
    if (carrier.kind == BodyKind::Particle && def.shape != ShapeKind::Sphere)
        return Error{text("collider of '", name, "': a particle carries spheres only")};
    if (def.shape == ShapeKind::Plane && carrier.dynamic())
        return Error{
            text("collider of '", name,
                 "': a plane has no end and no weight; fixed and kinematic bodies carry it")};
    const Real sticking = def.static_friction < 0 ? def.friction : def.static_friction;
    for (const Real x : {def.friction, sticking, def.rolling_friction, def.spinning_friction})
        if (!(x >= 0 && std::isfinite(x)))
            return Error{"collider: friction must be finite and not negative"};
    if (sticking < def.friction)
        return Error{"collider: static friction must not be below that of sliding"};
    if (!(def.restitution >= 0 && def.restitution <= 1))
        return Error{"collider: restitution must be between 0 and 1"};
    if (!def.pose.p.allFinite() || !(def.pose.q.norm() > 1e-12))
        return Error{"collider: its pose must be finite, with a rotation"};
    auto shape = make_shape(def);
    if (!shape) return shape.error();

    collision::Collider collider;
    collider.body = body;
    collider.pose = {def.pose.p - carrier.com, def.pose.q.normalized()};
    collider.shape = *shape;
    collider.groups = def.groups;
    collider.collides_with = def.collides_with;
    collider.material = static_cast<int>(materials_.size());
    materials_.push_back(
        {def.friction, sticking, def.rolling_friction, def.spinning_friction, def.restitution});
    Real thickness = std::numeric_limits<Real>::infinity(), reach = 0;
    if (def.shape != ShapeKind::Plane) {
        const collision::Aabb own = collision::box_at(collider.shape, {});
        thickness = own.half().minCoeff();
        reach = collider.pose.p.norm() + own.half().norm() + own.centre().norm();
    }
    thickness_.push_back(thickness);
    reach_.push_back(reach);
    if (def.shape != ShapeKind::Plane) {
        const BodyPose X = body_pose(state, body);
        const auto box = collision::box_at(
            collider.shape,
            {X.R * collider.pose.q.toRotationMatrix(), X.p + X.R * collider.pose.p});
        model.extent.extend(Vec3(box.centre() - box.half()));
        model.extent.extend(Vec3(box.centre() + box.half()));
    }
    return finder_.add(std::move(collider));
}

void ContactSet::drop(StepRows& rows, State& state)
{
    if (!rows.table.has_contacts()) return;
    rows.drop_contacts();
    state.lambda.resize(rows.table.count);
    state.stretch.resize(rows.table.count);
}

void ContactSet::fit(StepRows& rows, State& state)
{
    state.lambda.resize(rows.table.count, 0);
    state.stretch.resize(rows.table.count, 0);
    ++rows.topology;  // islands were divided for another state
}

ContactSet::Material ContactSet::between(const collision::ContactPoint& contact) const noexcept
{
    const auto colliders = finder_.colliders();
    const Material& a = materials_[colliders[contact.collider_a].material];
    const Material& b = materials_[colliders[contact.collider_b].material];
    const auto mean = [](Real x, Real y) { return std::sqrt(x * y); };
    return {mean(a.friction, b.friction), mean(a.static_friction, b.static_friction),
            mean(a.rolling, b.rolling), mean(a.spinning, b.spinning),
            std::max(a.restitution, b.restitution)};
}

bool ContactSet::fits(const StepRows& rows) const noexcept
{
    const Pool<Contact>& pool = rows.contacts;
    if (pool.items.size() != now_.size() || resistance_of_.size() != now_.size()) return false;
    for (std::size_t k = 0; k < now_.size(); ++k) {
        const auto& bodies = pool.bodies[k];
        if (std::minmax(bodies[0], bodies[1]) != std::minmax(now_[k].body_a, now_[k].body_b))
            return false;
        if (between(now_[k]).resists_rolling() != (resistance_of_[k] >= 0)) return false;
    }
    return true;
}

void ContactSet::lay_out(StepRows& rows, State& state)
{
    drop(rows, state);
    resistance_of_.clear();
    for (const collision::ContactPoint& contact : now_) {
        const int normal_row = rows.table.count;
        rows.append_contact();
        resistance_of_.push_back(
            between(contact).resists_rolling() ? rows.append_resistance(normal_row) : -1);
    }
    state.lambda.resize(rows.table.count, 0);
    state.stretch.resize(rows.table.count, 0);
    ++rows.topology;
}

void ContactSet::read_bodies(const Model& model, const State& state)
{
    bodies_.resize(model.bodies.size());
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        bodies_[k].pose = {state.p[k], state.q[k]};
        bodies_[k].velocity = {state.v[k], state.w[k]};
        bodies_[k].movable = model.bodies[k].dynamic();
    }
}

bool ContactSet::has_new_penetration(const Model& model, const State& state)
{
    constexpr Real kDeep = 0.02;  // of the thickness
    if (empty()) return false;
    // Where no collider moved far since update(), no penetration can be new.
    bool far = false;
    for (std::size_t k = 0; k < thickness_.size() && !far; ++k) {
        const int b = finder_.colliders()[k].body;
        if (model.bodies[b].kind == BodyKind::Fixed) continue;
        const Pose& was = bodies_[b].pose;
        far = (state.p[b] - was.p).norm() + reach_[k] * was.q.angularDistance(state.q[b]) >
              kDeep * thickness_[k];
    }
    if (!far) return false;
    read_bodies(model, state);
    const auto pair = [](const collision::ContactPoint& c) {
        return std::pair(c.collider_a, c.collider_b);
    };
    std::size_t before = 0;
    for (const collision::ContactPoint& c : finder_.find(bodies_, {0, 0})) {
        if (!(c.gap < 0)) continue;
        while (before < now_.size() && pair(now_[before]) < pair(c)) ++before;
        Real deepest = 0;
        for (std::size_t k = before; k < now_.size() && pair(now_[k]) == pair(c); ++k)
            deepest = std::max(deepest, -now_[k].gap);
        const Real thickness = std::min(thickness_[c.collider_a], thickness_[c.collider_b]);
        if (-c.gap > deepest + kDeep * thickness) return true;
    }
    return false;
}

void ContactSet::find(const Model& model, const State& state, Real dt)
{
    read_bodies(model, state);
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (model.bodies[k].kind == BodyKind::Kinematic)
            bodies_[k].velocity =
                kinematic_velocity(model, static_cast<BodyIndex>(k), state.p[k], state.time, dt);
    }
    const Real fall = model.gravity.norm() * dt * dt;  // twice the distance of a fall in one step
    const auto found = finder_.find(bodies_, {dt, fall + 1e-9 * scene_size(model)});
    now_.assign(found.begin(), found.end());
}

std::span<const int> ContactSet::match(const Model& model, const State& state)
{
    last_.resize(state.contacts.size());
    for (std::size_t k = 0; k < last_.size(); ++k) {
        const ContactMemory& was = state.contacts[k];
        last_[k].collider_a = was.collider_a;
        last_[k].collider_b = was.collider_b;
        last_[k].feature = was.feature;
        last_[k].p_b = was.p_b;
    }
    return matcher_.match(last_, now_, 0.02 * scene_size(model));
}

void ContactSet::update(const Model& model, Real dt, State& state, StepRows& rows)
{
    rows.load_joints(model);
    if (empty()) return;
    find(model, state, dt);
    const auto follows = match(model, state);
    if (!fits(rows)) lay_out(rows, state);
    const Real kept = std::exp(-dt / kRecoveryTime);
    for (std::size_t k = 0; k < now_.size(); ++k) {
        const ContactMemory was = follows[k] >= 0 ? state.contacts[follows[k]] : ContactMemory{};
        load_contact(k, kept, was, state, rows);
    }
}

void ContactSet::load_contact(std::size_t k, Real kept, const ContactMemory& was, State& state,
                              StepRows& rows)
{
    const collision::ContactPoint& contact = now_[k];
    const auto colliders = finder_.colliders();
    const PlacedContact placed = place_contact(state, contact, colliders[contact.collider_a],
                                               colliders[contact.collider_b], kept);
    const int index = rows.contacts.groups[k];
    const ConstraintRows& group = rows.table.groups[index];
    const std::span<BodyIndex> bodies = rows.table.bodies(group);
    if (!std::equal(bodies.begin(), bodies.end(), placed.bodies.begin())) {
        std::copy(placed.bodies.begin(), placed.bodies.end(), bodies.begin());
        ++rows.topology;  // the other body carries the normal
    }
    rows.contacts.items[k] = placed.item;
    rows.contacts.bodies[k] = placed.bodies;
    const Material material = between(contact);
    ContactCoefficients& coefficients = rows.coefficients_of(index);
    coefficients.friction = material.static_friction;
    coefficients.sliding_friction = material.friction;
    coefficients.restitution = material.restitution;

    // Warm start: the force that the state remembers, in the axes of the contact, pushing only.
    const Real sign = bodies[1] == contact.body_a ? 1 : -1;
    const Mat3 Q = placed.item.axes(poses_of(state, bodies));
    Real* const lambda = &state.lambda[group.first_row];
    write_in_axes(Q, sign * was.force, lambda);
    lambda[0] = std::max(lambda[0], Real(0));
    if (resistance_of_[k] < 0) return;

    const ConstraintRows& resistance = rows.table.groups[resistance_of_[k]];
    std::copy(bodies.begin(), bodies.end(), rows.table.bodies(resistance).begin());
    rows.coefficients_of(resistance_of_[k]).spinning = material.spinning;
    rows.coefficients_of(resistance_of_[k]).rolling = material.rolling;
    rows.resistances.bodies[resistance.slot] = placed.bodies;
    const Mat3 along = turned_along(Q, state.w[bodies[1]] - state.w[bodies[0]]);
    Rolling& item = rows.resistances.items[resistance.slot];
    item.frames[0] = placed.item.frames[0];
    item.frames[0].R = body_pose(state, bodies[0]).R.transpose() * along;
    write_in_axes(along, sign * was.torque, &state.lambda[resistance.first_row]);
}

void ContactSet::remember(const StepRows& rows, State& state) const
{
    state.contacts.resize(rows.contacts.items.size());
    for (std::size_t k = 0; k < rows.contacts.items.size(); ++k) {
        const ConstraintRows& group = rows.table.groups[rows.contacts.groups[k]];
        const std::span<const BodyIndex> bodies = rows.table.bodies(group);
        const collision::ContactPoint& contact = now_[k];
        ContactMemory& memory = state.contacts[k];
        memory.collider_a = contact.collider_a;
        memory.collider_b = contact.collider_b;
        memory.feature = contact.feature;
        memory.p_b = contact.p_b;
        const Real sign = bodies[1] == contact.body_a ? 1 : -1;
        memory.force = sign * in_world(rows.contacts.items[k].axes(poses_of(state, bodies)),
                                       &state.lambda[group.first_row]);
        memory.torque.setZero();
        if (resistance_of_[k] < 0) continue;
        const ConstraintRows& resistance = rows.table.groups[resistance_of_[k]];
        const Mat3 Q =
            body_pose(state, bodies[0]).R * rows.resistances.items[resistance.slot].frames[0].R;
        memory.torque = sign * in_world(Q, &state.lambda[resistance.first_row]);
    }
}

}  // namespace taut::contacts
