#include "contacts/contact_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/text.h"
#include "model/builder.h"
#include "model/closing.h"

namespace taut::contacts {
namespace {

template <class T, class... Ts>
constexpr int index_in(TypeList<Ts...>)
{
    int at = 0, found = -1;
    ((std::is_same_v<T, Ts> ? void(found = at++) : void(++at)), ...);
    return found;
}

Result<collision::ColliderShape> make_shape(const ColliderDef& def)
{
    collision::ColliderShape shape;
    std::string why;
    switch (def.shape) {
        case ShapeKind::Plane: shape = collision::PlaneShape{}; break;
        case ShapeKind::Sphere: shape = collision::SphereShape{def.radius}; break;
        case ShapeKind::Capsule: shape = collision::CapsuleShape{def.radius, def.length / 2}; break;
        case ShapeKind::Box: shape = collision::BoxShape{def.size / 2}; break;
        case ShapeKind::Cylinder: shape = collision::CylinderShape{def.radius, def.length / 2}; break;
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
    if (const auto* sphere = std::get_if<collision::SphereShape>(&collider.shape)) return sphere->radius;
    if (const auto* capsule = std::get_if<collision::CapsuleShape>(&collider.shape))
        return capsule->radius;
    if (const auto* cylinder = std::get_if<collision::CylinderShape>(&collider.shape)) {
        constexpr Real kUpright = 1e-3;  // [rad] that the normal may lean to be one of the mantle
        const Vec3 axis = collider.pose.q * Vec3::UnitZ();
        return std::abs(axis.dot(n_B)) < kUpright ? cylinder->radius : 0;
    }
    return 0;
}

// A rim or mantle that is touched along n: the point of the axis beside it, and the axis. None where the shape is no
// cylinder or stands on its end, for then its points are as good as fixed.
struct Axle {
    Real radius = 0;             // zero: none
    Vec3 centre = Vec3::Zero();  // body axes
    Mat3 R = Mat3::Identity();   // its z is the axis
};
Axle axle_at(const collision::Collider& collider, const Vec3& p_B, const Vec3& n_B) noexcept
{
    const auto* cylinder = std::get_if<collision::CylinderShape>(&collider.shape);
    if (!cylinder) return {};
    constexpr Real kUpright = 0.05;  // sine of the angle between axis and normal
    const Mat3 R = collider.pose.q.toRotationMatrix();
    const Vec3 axis = R.col(2);
    const Vec3 from = p_B - collider.pose.p;
    const Vec3 along = axis * axis.dot(from);
    const bool outside = (from - along).norm() > (1 - 1e-6) * cylinder->radius;
    if (!outside || axis.cross(n_B).norm() < kUpright) return {};
    return {cylinder->radius, collider.pose.p + along, R};
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

// λ (normal, tangent, tangent) of a vector in the world.
void put_in_axes(const Mat3& Q, const Vec3& vector, Real* lambda) noexcept
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

void ContactSet::drop(Model& model, State& state)
{
    const std::size_t joints = model.lasting_joints, rows = model.lasting_rows;
    if (model.joints.size() == joints) return;
    model.joints.resize(joints);
    const auto clear = [](auto& pool) {
        pool.items.clear();
        pool.bodies.clear();
        pool.joints.clear();
    };
    clear(std::get<Pool<Contact>>(model.pools));
    clear(std::get<Pool<Rolling>>(model.pools));
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

void ContactSet::fit(Model& model, State& state)
{
    state.lambda.resize(model.rows, 0);
    state.stretch.resize(model.rows, 0);
    state.broken.resize(model.joints.size(), 0);
    ++model.topology;  // what was divided into islands meanwhile is to be divided anew
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

bool ContactSet::fits(const Model& model) const noexcept
{
    const auto& pool = std::get<Pool<Contact>>(model.pools);
    if (pool.items.size() != now_.size() || rolls_.size() != now_.size()) return false;
    for (std::size_t k = 0; k < now_.size(); ++k) {
        const auto& bodies = pool.bodies[k];
        if (std::minmax(bodies[0], bodies[1]) != std::minmax(now_[k].body_a, now_[k].body_b))
            return false;
        const Material material = between(now_[k]);
        if ((material.rolling > 0 || material.spinning > 0) != (rolls_[k] >= 0)) return false;
    }
    return true;
}

// Contacts as joints, each followed by its resistance to rolling if it has one.
void ContactSet::lay_out(Model& model, State& state)
{
    drop(model, state);
    const auto append = [&](auto& pool, RowLaw law, RowUnit unit) {
        using T = typename std::decay_t<decltype(pool.items)>::value_type;
        JointModel joint;
        joint.type = index_in<T>(ConstraintTypes{});
        joint.slot = static_cast<int>(pool.items.size());
        joint.kind = T::kKind;
        joint.first_row = model.rows;
        joint.rows = T::kRows;
        joint.first_memory = model.memories;
        joint.law = law;
        const int index = static_cast<int>(model.joints.size());
        model.joints.push_back(joint);
        model.lawful.push_back(index);
        model.rows += T::kRows;
        pool.items.emplace_back();
        pool.bodies.emplace_back();
        pool.joints.push_back(index);
        model.units.resize(model.rows, unit);
        state.broken.push_back(0);
        return index;
    };
    rolls_.clear();
    for (const collision::ContactPoint& contact : now_) {
        const int row = model.rows;
        append(std::get<Pool<Contact>>(model.pools), RowLaw::Cone, RowUnit::Length);
        const Material material = between(contact);
        rolls_.push_back(-1);
        if (material.rolling == 0 && material.spinning == 0) continue;
        rolls_.back() =
            append(std::get<Pool<Rolling>>(model.pools), RowLaw::Interval, RowUnit::Angle);
        model.joints[rolls_.back()].normal_row = row;
    }
    model.softness.resize(model.rows);
    state.lambda.resize(model.rows, 0);
    state.stretch.resize(model.rows, 0);
    ++model.topology;
}

void ContactSet::place(const State& state, const collision::ContactPoint& contact, Real closing,
                       JointModel& joint, Contact& item) const
{
    const auto& a = finder_.colliders()[contact.collider_a];
    const auto& b = finder_.colliders()[contact.collider_b];
    const BodyPose X_a = body_pose(state, contact.body_a), X_b = body_pose(state, contact.body_b);
    const Vec3 n_A = X_a.R.transpose() * contact.normal, n_B = X_b.R.transpose() * contact.normal;
    const Axle axle_a = axle_at(a, contact.p_a, n_A), axle_b = axle_at(b, contact.p_b, n_B);
    Real r_a = radius_at(a, n_A), r_b = radius_at(b, n_B);
    // a cylinder is round like a ball beside what is round as well, else it rolls on its rims
    if (r_b == 0 && axle_a.radius > 0) r_a = 0;
    if (r_a == 0 && axle_b.radius > 0) r_b = 0;
    // what is flat carries the normal
    const bool rolls_a = r_a > 0 || axle_a.radius > 0, rolls_b = r_b > 0 || axle_b.radius > 0;
    const bool by_a = rolls_a ? false : rolls_b ? true : contact.carried_by_a;
    const Vec3 c_a = contact.p_a + r_a * n_A, c_b = contact.p_b - r_b * n_B;

    joint.bodies = by_a ? std::array<BodyIndex, 3>{contact.body_a, contact.body_b, 0}
                        : std::array<BodyIndex, 3>{contact.body_b, contact.body_a, 0};
    item.frames[0] = by_a ? BodyFrame{c_a, frame_of(-n_A)} : BodyFrame{c_b, frame_of(n_B)};
    item.frames[1] = {by_a ? c_b : c_a, Mat3::Identity()};
    item.radius_0 = by_a ? r_a : r_b;
    item.radius_1 = by_a ? r_b : r_a;
    item.rim = 0;
    const Axle& axle = by_a ? axle_b : axle_a;
    if (item.radius_0 == 0 && item.radius_1 == 0 && axle.radius > 0) {
        item.rim = axle.radius;
        item.frames[1] = {axle.centre, axle.R};
    }
    item.rest = closing * std::min(contact.gap, Real(0));
    const Material material = between(contact);
    joint.friction = material.static_friction;
    joint.sliding_friction = material.friction;
    joint.restitution = material.restitution;
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

bool ContactSet::pressed_in(const Model& model, const State& state)
{
    constexpr Real kDeep = 0.02;  // of the thickness
    if (empty()) return false;
    // where nothing moved far, nothing can have come as a surprise
    bool far = false;
    for (std::size_t k = 0; k < thickness_.size() && !far; ++k) {
        const int b = finder_.colliders()[k].body;
        if (model.bodies[b].kind == BodyKind::Fixed) continue;
        const Pose& was = bodies_[b].pose;  // as update() found it
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

void ContactSet::update(Model& model, State& state, Real dt)
{
    if (empty()) return;
    read_bodies(model, state);
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        if (body.kind != BodyKind::Kinematic) continue;  // it goes where it is led within the step
        const Pose to = prescribed_pose(body, state.time + dt);
        bodies_[k].velocity.linear = (to.p + to.q * body.com - state.p[k]) / dt;
        const Schedule& angle = body.motion.angle;
        bodies_[k].velocity.angular =
            body.motion.axis * ((angle.value(state.time + dt) - angle.value(state.time)) / dt);
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

    if (!fits(model)) lay_out(model, state);
    // what is pressed in comes out within a few tenths of a second, not at once
    const Real closing = std::exp(-dt / kClosing);
    auto& contacts = std::get<Pool<Contact>>(model.pools);
    auto& resistances = std::get<Pool<Rolling>>(model.pools);
    for (std::size_t k = 0; k < now_.size(); ++k) {
        JointModel& joint = model.joints[contacts.joints[k]];
        const std::array<BodyIndex, 3> before = joint.bodies;
        place(state, now_[k], closing, joint, contacts.items[k]);
        contacts.bodies[k] = {joint.bodies[0], joint.bodies[1]};
        if (before != joint.bodies) ++model.topology;  // the other one carries the normal

        const ContactMemory was = follows[k] >= 0 ? state.contacts[follows[k]] : ContactMemory{};
        const Real sign = joint.bodies[1] == now_[k].body_a ? 1 : -1;
        const Mat3 Q = contacts.items[k].axes(poses_of(state, joint));
        put_in_axes(Q, sign * was.force, &state.lambda[joint.first_row]);
        Real& push = state.lambda[joint.first_row];
        push = std::max(push, Real(0));
        if (rolls_[k] < 0) continue;

        const Material material = between(now_[k]);
        JointModel& resistance = model.joints[rolls_[k]];
        resistance.bodies = joint.bodies;
        resistance.spinning = material.spinning;
        resistance.rolling = material.rolling;
        resistances.bodies[resistance.slot] = contacts.bodies[k];
        const Mat3 along = turned_along(Q, state.w[joint.bodies[1]] - state.w[joint.bodies[0]]);
        Rolling& item = resistances.items[resistance.slot];
        item.frames[0] = contacts.items[k].frames[0];
        item.frames[0].R = body_pose(state, joint.bodies[0]).R.transpose() * along;
        put_in_axes(along, sign * was.torque, &state.lambda[resistance.first_row]);
    }
}

void ContactSet::remember(const Model& model, State& state) const
{
    const auto& contacts = std::get<Pool<Contact>>(model.pools);
    const auto& resistances = std::get<Pool<Rolling>>(model.pools);
    state.contacts.resize(contacts.items.size());
    const auto in_world = [](const Mat3& Q, const Real* lambda) {
        return Vec3(Q * Vec3(lambda[1], lambda[2], lambda[0]));
    };
    for (std::size_t k = 0; k < contacts.items.size(); ++k) {
        const JointModel& joint = model.joints[contacts.joints[k]];
        const collision::ContactPoint& contact = now_[k];
        ContactMemory& memory = state.contacts[k];
        memory.collider_a = contact.collider_a;
        memory.collider_b = contact.collider_b;
        memory.feature = contact.feature;
        memory.p_b = contact.p_b;
        const Real sign = joint.bodies[1] == contact.body_a ? 1 : -1;
        memory.force = sign * in_world(contacts.items[k].axes(poses_of(state, joint)),
                                       &state.lambda[joint.first_row]);
        memory.torque.setZero();
        if (rolls_[k] < 0) continue;
        const JointModel& resistance = model.joints[rolls_[k]];
        const Mat3 Q = body_pose(state, resistance.bodies[0]).R *
                       resistances.items[resistance.slot].frames[0].R;
        memory.torque = sign * in_world(Q, &state.lambda[resistance.first_row]);
    }
}

}  // namespace taut::contacts
