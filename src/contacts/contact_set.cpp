#include "contacts/contact_set.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "model/builder.h"

namespace taut {
namespace {

template <class T, class... Ts>
constexpr int index_in(TypeList<Ts...>)
{
    int at = 0, found = -1;
    ((std::is_same_v<T, Ts> ? void(found = at++) : void(++at)), ...);
    return found;
}

Result<collision::Shape> make_shape(const ColliderDef& def)
{
    collision::Shape shape;
    std::string why;
    switch (def.shape) {
        case ShapeKind::Plane: shape = collision::Plane{}; break;
        case ShapeKind::Sphere: shape = collision::Sphere{def.radius}; break;
        case ShapeKind::Capsule: shape = collision::Capsule{def.radius, def.length / 2}; break;
        case ShapeKind::Box: shape = collision::Box{def.size / 2}; break;
        case ShapeKind::Cylinder: shape = collision::Cylinder{def.radius, def.length / 2}; break;
        case ShapeKind::Hull: {
            auto made = collision::make_hull(def.points);
            why = made.why;
            shape = made.hull;
            break;
        }
        case ShapeKind::Mesh: {
            auto made = collision::make_mesh(def.points, def.triangles);
            why = made.why;
            shape = made.mesh;
            break;
        }
        case ShapeKind::HeightField: {
            auto made = collision::make_height_field(def.columns, def.rows, def.spacing,
                                                     def.spacing, def.heights);
            why = made.why;
            shape = made.field;
            break;
        }
    }
    if (why.empty()) why = collision::why_invalid(shape);
    if (!why.empty()) return Error{text("collider: ", why)};
    return shape;
}

// Radius of curvature where the surface is touched along n; 0: flat, an edge or a corner.
Real radius_at(const collision::Collider& collider, const Vec3& n_B) noexcept
{
    if (const auto* sphere = std::get_if<collision::Sphere>(&collider.shape)) return sphere->radius;
    if (const auto* capsule = std::get_if<collision::Capsule>(&collider.shape))
        return capsule->radius;
    if (const auto* cylinder = std::get_if<collision::Cylinder>(&collider.shape)) {
        constexpr Real kUpright = 1e-3;  // [rad] that the normal may lean to be one of the mantle
        const Vec3 axis = collider.pose.q * Vec3::UnitZ();
        return std::abs(axis.dot(n_B)) < kUpright ? cylinder->radius : 0;
    }
    return 0;
}

// Columns t_1, t_2, n: the same for the same n.
Mat3 frame_of(const Vec3& n) noexcept
{
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    const Vec3 t = (Vec3::Unit(least) - n * n[least]).normalized();
    Mat3 Q;
    Q << t, n.cross(t), n;
    return Q;
}

Poses<2> poses_of(const State& state, const JointModel& joint) noexcept
{
    return {body_pose(state, joint.bodies[0]), body_pose(state, joint.bodies[1])};
}

}  // namespace

Result<int> ContactSet::add(Model& model, const State& state, BodyIndex body,
                            const ColliderDef& def)
{
    const BodyModel& carrier = model.bodies[body];
    if (carrier.kind == BodyKind::Particle && def.shape != ShapeKind::Sphere)
        return Error{text("collider of '", carrier.name, "': a particle carries spheres only")};
    if (def.shape == ShapeKind::Plane && carrier.dynamic())
        return Error{
            text("collider of '", carrier.name,
                 "': a plane has no end and no weight; fixed and kinematic bodies carry it")};
    if (!(def.friction >= 0 && std::isfinite(def.friction)))
        return Error{"collider: friction must be finite and not negative"};
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
    materials_.push_back({def.friction, def.restitution});
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

void ContactSet::drop(Model& model, State& state)
{
    const std::size_t joints = model.lasting_joints, rows = model.lasting_rows;
    if (model.joints.size() == joints) return;
    model.joints.resize(joints);
    auto& pool = std::get<Pool<Contact>>(model.pools);
    pool.items.clear();
    pool.bodies.clear();
    pool.joints.clear();
    model.softness.resize(rows);
    model.units.resize(rows);
    while (!model.lawful.empty() && model.lawful.back() >= model.lasting_joints)
        model.lawful.pop_back();
    model.rows = model.lasting_rows;
    state.lambda.resize(rows);
    state.stretch.resize(rows);
    state.broken.resize(joints);
    ++model.topology;
}

void ContactSet::place(const Model& model, State& state, int slot,
                       const collision::Contact& contact, const Vec3& force, JointModel& joint,
                       Contact& item) const
{
    const auto& a = finder_.colliders()[contact.collider_a];
    const auto& b = finder_.colliders()[contact.collider_b];
    const BodyPose X_a = body_pose(state, contact.body_a), X_b = body_pose(state, contact.body_b);
    const Vec3 n_A = X_a.R.transpose() * contact.normal, n_B = X_b.R.transpose() * contact.normal;
    const Real r_a = radius_at(a, n_A), r_b = radius_at(b, n_B);
    // what is flat carries the normal
    const bool by_a = r_a > 0 ? false : r_b > 0 ? true : contact.carried_by_a;
    const Vec3 c_a = contact.p_a + r_a * n_A, c_b = contact.p_b - r_b * n_B;

    joint.bodies = by_a ? std::array<BodyIndex, 3>{contact.body_a, contact.body_b, 0}
                        : std::array<BodyIndex, 3>{contact.body_b, contact.body_a, 0};
    item.frames[0] = by_a ? Frame{c_a, frame_of(-n_A)} : Frame{c_b, frame_of(n_B)};
    item.frames[1] = {by_a ? c_b : c_a, Mat3::Identity()};
    item.radius_0 = by_a ? r_a : r_b;
    item.radius_1 = by_a ? r_b : r_a;
    const Material &m = materials_[a.material], &o = materials_[b.material];
    joint.friction = std::sqrt(m.friction * o.friction);
    joint.restitution = std::max(m.restitution, o.restitution);
    (void)slot;
    (void)model;

    const Mat3 Q = item.axes(poses_of(state, joint));
    const Vec3 on_1 = Q.transpose() * (by_a ? Vec3(-force) : force);
    Real* lambda = &state.lambda[joint.first_row];
    lambda[0] = std::max(on_1.z(), Real(0));
    lambda[1] = on_1.x();
    lambda[2] = on_1.y();
}

void ContactSet::update(Model& model, State& state, Real dt)
{
    if (empty()) return;
    bodies_.resize(model.bodies.size());
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        bodies_[k].pose = {state.p[k], state.q[k]};
        bodies_[k].velocity = {state.v[k], state.w[k]};
        bodies_[k].movable = body.dynamic();
        if (body.kind == BodyKind::Kinematic) {  // where it is led within the step
            const Pose to = prescribed_pose(body, state.time + dt);
            bodies_[k].velocity.linear = (to.p + to.q * body.com - state.p[k]) / dt;
        }
    }
    const Real fall = model.gravity.norm() * dt * dt;  // twice the way of a fall in one step
    const auto found = finder_.find(bodies_, {dt, fall + 1e-9 * scene_size(model)});
    now_.assign(found.begin(), found.end());

    last_.resize(state.contacts.size());
    for (std::size_t k = 0; k < last_.size(); ++k) {
        const ContactMemory& was = state.contacts[k];
        last_[k].collider_a = was.collider_a;
        last_[k].collider_b = was.collider_b;
        last_[k].feature = was.feature;
        last_[k].p_b = was.p_b;
    }
    const auto follows = matcher_.match(last_, now_, 0.02 * scene_size(model));

    // the list of pairs decides the layout
    auto& pool = std::get<Pool<Contact>>(model.pools);
    bool same = pool.items.size() == now_.size();
    for (std::size_t k = 0; same && k < now_.size(); ++k) {
        const auto& bodies = pool.bodies[k];
        same = std::minmax(bodies[0], bodies[1]) == std::minmax(now_[k].body_a, now_[k].body_b);
    }
    if (!same) {
        drop(model, state);
        for (std::size_t k = 0; k < now_.size(); ++k) {
            JointModel joint;
            joint.type = index_in<Contact>(ConstraintTypes{});
            joint.slot = static_cast<int>(k);
            joint.first_row = model.rows;
            joint.rows = Contact::kRows;
            joint.first_memory = model.memories;
            joint.law = RowLaw::Cone;
            const int index = static_cast<int>(model.joints.size());
            model.joints.push_back(joint);
            model.lawful.push_back(index);
            model.rows += Contact::kRows;
            pool.items.emplace_back();
            pool.bodies.emplace_back();
            pool.joints.push_back(index);
            state.broken.push_back(0);
        }
        model.softness.resize(model.rows);
        model.units.resize(model.rows, RowUnit::Length);
        state.lambda.resize(model.rows, 0);
        state.stretch.resize(model.rows, 0);
        ++model.topology;
    }
    for (std::size_t k = 0; k < now_.size(); ++k) {
        JointModel& joint = model.joints[model.lasting_joints + k];
        const std::array<BodyIndex, 3> before = joint.bodies;
        const Vec3 force = follows[k] >= 0 ? state.contacts[follows[k]].force : Vec3::Zero();
        place(model, state, static_cast<int>(k), now_[k], force, joint, pool.items[k]);
        pool.bodies[k] = {joint.bodies[0], joint.bodies[1]};
        if (same && before != joint.bodies) ++model.topology;  // the other one carries the normal
    }
}

void ContactSet::remember(const Model& model, State& state) const
{
    const auto& pool = std::get<Pool<Contact>>(model.pools);
    state.contacts.resize(pool.items.size());
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const JointModel& joint = model.joints[pool.joints[k]];
        const collision::Contact& contact = now_[k];
        ContactMemory& memory = state.contacts[k];
        memory.collider_a = contact.collider_a;
        memory.collider_b = contact.collider_b;
        memory.feature = contact.feature;
        memory.p_b = contact.p_b;
        const Real* lambda = &state.lambda[joint.first_row];
        const Vec3 on_1 =
            pool.items[k].axes(poses_of(state, joint)) * Vec3(lambda[1], lambda[2], lambda[0]);
        memory.force = joint.bodies[1] == contact.body_a ? on_1 : Vec3(-on_1);
    }
}

}  // namespace taut
