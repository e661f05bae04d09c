#include "contacts/contact_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "contacts/contact_settings.h"
#include "contacts/make_shape.h"
#include "core/assert.h"
#include "core/text.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "model/recovery.h"
#include "model/removal.h"

namespace taut::contacts {
namespace {

// Of contacts that an attempt at the step ended with.
constexpr std::uint64_t kLateFeature = std::uint64_t(1) << 63;

// λ (normal, tangent, tangent) of a vector in the world.
void write_in_axes(const Mat3& Q, const Vec3& vector, Real* lambda) noexcept
{
    const Vec3 in_axes = Q.transpose() * vector;
    lambda[0] = in_axes.z();
    lambda[1] = in_axes.x();
    lambda[2] = in_axes.y();
}

// Columns t_1, t_2, n with t_1 along the part of a spin that is across n; as they are where there is none.
Mat3 align_tangents(const Mat3& Q, const Vec3& spin) noexcept
{
    const Vec3 n = Q.col(2);
    const Vec3 across = spin - n * n.dot(spin);
    if (!(across.norm() > kContacts.least_rolling)) return Q;
    const Vec3 t = across.normalized();
    Mat3 turned;
    turned << t, n.cross(t), n;
    return turned;
}

Poses<2> poses_of(const State& state, std::span<const BodyIndex> bodies) noexcept
{
    return {body_pose(state, bodies[0]), body_pose(state, bodies[1])};
}

BodyPair bodies_of(const collision::ContactPoint& c) noexcept
{
    return {BodyIndex(c.body_a), BodyIndex(c.body_b)};
}

// Squares and products of the search still fit into a double.
bool is_in_range(const collision::BodyState& body) noexcept
{
    const auto is_small = [](const Vec3& x) {
        return x.cwiseAbs().maxCoeff() < kContacts.largest_number;
    };
    return is_small(body.pose.p) && is_small(body.velocity.linear) &&
           is_small(body.velocity.angular);
}

// Where a body is that goes evenly from one pose to another in the whole step.
collision::BodyState interpolate_motion(const Pose& from, const Pose& to,
                                        const SearchScope& scope) noexcept
{
    collision::BodyState body;
    body.pose.p = from.p + scope.fraction * (to.p - from.p);
    body.pose.q = from.q.slerp(scope.fraction, to.q);
    body.velocity.linear = (to.p - from.p) / scope.dt;
    const Eigen::AngleAxis<Real> turn(to.q * from.q.conjugate());
    body.velocity.angular = turn.angle() / scope.dt * turn.axis();
    return body;
}

Vec3 in_world(const Mat3& Q, const Real* lambda) noexcept
{
    return Q * Vec3(lambda[1], lambda[2], lambda[0]);
}

Real sticking_friction(const SurfacePair& surface) noexcept
{
    return surface.static_friction.value_or(surface.friction);
}

SurfacePair surface_of(const ColliderDef& def) noexcept
{
    return {def.friction, def.static_friction, def.rolling_friction, def.spinning_friction,
            def.restitution};
}

Status check_surface(const SurfacePair& surface, const std::string& who)
{
    const Real sticking = sticking_friction(surface);
    for (const Real x :
         {surface.friction, sticking, surface.rolling_friction, surface.spinning_friction})
        if (!(x >= 0 && std::isfinite(x)))
            return Error{text(who, ": a coefficient of friction is ", x,
                              "; it must be finite and not negative")};
    if (sticking < surface.friction)
        return Error{text(who, ": static friction is ", sticking,
                          "; it must not be below that of sliding, ", surface.friction)};
    if (!(surface.restitution >= 0 && surface.restitution <= 1))
        return Error{
            text(who, ": restitution is ", surface.restitution, "; it must be between 0 and 1")};
    return Done{};
}

}  // namespace

// Surface and place of a description; the shape is checked where it is made.
static Status check_collider(const BodyModel& carrier, const std::string& name,
                             const ColliderDef& def)
{
    if (carrier.kind == BodyKind::Particle && !def.shape.is<Shape::Sphere>())
        return Error{text("collider of '", name, "': a particle carries spheres only")};
    if (def.shape.is<Shape::Plane>() &&
        (carrier.kind == BodyKind::Rigid || carrier.kind == BodyKind::Particle))
        return Error{text("collider of '", name,
                          "': a plane is infinite; only fixed and kinematic bodies can have one")};
    TAUT_TRY(check_surface(surface_of(def), text("collider of '", name, "'")));
    if (!(def.surface_velocity.cwiseAbs().maxCoeff() < kContacts.largest_number))
        return Error{text("collider of '", name, "': its surface velocity must be finite")};
    const Real length = def.pose.q.norm();
    if (!def.pose.p.allFinite() || !(length > kContacts.shortest_quaternion) ||
        !std::isfinite(length))
        return Error{text("collider of '", name, "': its pose must be finite, with a rotation")};
    return Done{};
}

ContactSet::Material ContactSet::material_of(const SurfacePair& surface) noexcept
{
    return {surface.friction, sticking_friction(surface), surface.rolling_friction,
            surface.spinning_friction, surface.restitution};
}

Result<ContactSet::Surface> ContactSet::make_surface(Model& model, const State& state,
                                                     BodyIndex body, const ColliderDef& def)
{
    const BodyModel& carrier = model.bodies[body];
    TAUT_TRY(check_collider(carrier, model.body_details[body].name, def));
    auto shape = make_shape(def.shape);
    if (!shape) return Error{text("collider: ", shape.error().message)};

    Surface out;
    out.collider.body = body;
    out.collider.pose = {def.pose.p - carrier.com, def.pose.q.normalized()};
    out.collider.shape = *shape;
    out.collider.groups = def.groups;
    out.collider.collides_with = def.collides_with;
    out.collider.sensor = def.sensor;
    out.material = material_of(surface_of(def));
    out.velocity = out.collider.pose.q * def.surface_velocity;
    // A sensor has no part in the search for contacts, nor in the size of the scene that tolerances go by.
    if (def.sensor) {
        out.thickness = std::numeric_limits<Real>::max();
        return out;
    }
    if (!def.surface_velocity.isZero(0)) model.bodies[body].surface_moves = true;
    if (def.shape.is<Shape::Plane>()) return out;
    const collision::Aabb own = collision::box_at(out.collider.shape, {});
    out.thickness = own.half().minCoeff();
    out.reach = out.collider.pose.p.norm() + own.half().norm() + own.centre().norm();
    out.collider.margin = kContacts.margin * own.half().norm();
    out.same_point = kContacts.same_point * own.half().norm();
    const BodyPose X = body_pose(state, body);
    const auto box = collision::box_at(
        out.collider.shape,
        {X.R * out.collider.pose.q.toRotationMatrix(), X.p + X.R * out.collider.pose.p});
    extend(model, body, box.centre() - box.half());
    extend(model, body, box.centre() + box.half());
    return out;
}

Result<int> ContactSet::add(Model& model, const State& state, BodyIndex body,
                            const ColliderDef& def)
{
    auto made = make_surface(model, state, body, def);
    if (!made) return made.error();
    Surface& surface = *made;
    surface.collider.material = static_cast<int>(materials_.size());
    materials_.push_back(surface.material);
    surface_velocity_.push_back(surface.velocity);
    thickness_.push_back(surface.thickness);
    reach_.push_back(surface.reach);
    same_point_.push_back(surface.same_point);
    ++model.topology;
    return finder_.add(std::move(surface.collider));
}

Status ContactSet::replace(Model& model, State& state, int index, const ColliderDef& def)
{
    const BodyIndex body(finder_.colliders()[index].body);
    auto made = make_surface(model, state, body, def);
    if (!made) return made.error();
    Surface& surface = *made;
    surface.collider.material = index;
    materials_[index] = surface.material;
    surface_velocity_[index] = surface.velocity;
    thickness_[index] = surface.thickness;
    reach_[index] = surface.reach;
    same_point_[index] = surface.same_point;
    finder_.replace(index, std::move(surface.collider));
    if (def.sensor)  // a sensor has no contacts
        std::erase_if(state.contacts, [&](const ContactMemory& contact) {
            return contact.collider_a == index || contact.collider_b == index;
        });
    read_moving_surfaces(model);
    ++model.topology;
    forget();
    return Done{};
}

void ContactSet::remove(Model& model, State& state, std::span<const char> gone,
                        std::span<const int> bodies)
{
    const std::vector<char> marks(gone.begin(), gone.end());
    const std::vector<int> now = renumber(marks);
    erase_marked(materials_, gone);
    erase_marked(surface_velocity_, gone);
    erase_marked(thickness_, gone);
    erase_marked(reach_, gone);
    erase_marked(same_point_, gone);
    finder_.remove(gone, bodies);
    for (std::size_t k = 0; k < materials_.size(); ++k)
        finder_.set_material(static_cast<int>(k), static_cast<int>(k));
    std::erase_if(state.contacts, [&](const ContactMemory& contact) {
        return now[contact.collider_a] < 0 || now[contact.collider_b] < 0;
    });
    for (ContactMemory& contact : state.contacts) {
        contact.collider_a = now[contact.collider_a];
        contact.collider_b = now[contact.collider_b];
    }
    std::erase_if(pairs_,
                  [&](const PairMaterial& pair) { return now[pair.a] < 0 || now[pair.b] < 0; });
    for (PairMaterial& pair : pairs_) pair.a = now[pair.a], pair.b = now[pair.b];
    read_moving_surfaces(model);
    forget();
}

void ContactSet::read_moving_surfaces(Model& model) const noexcept
{
    for (BodyModel& body : model.bodies) body.surface_moves = false;
    for (std::size_t k = 0; k < surface_velocity_.size(); ++k)
        if (!surface_velocity_[k].isZero(0) && !finder_.colliders()[k].sensor)
            model.bodies[finder_.colliders()[k].body].surface_moves = true;
}

void ContactSet::exclude_joined(const Model& model)
{
    finder_.clear_excluded();
    for (int j = 0; j < model.rows.joints; ++j) {
        const std::span<const BodyIndex> bodies = model.rows.bodies(model.rows.groups[j]);
        for (std::size_t s = 0; s < bodies.size(); ++s)
            for (std::size_t t = s + 1; t < bodies.size(); ++t) exclude(bodies[s], bodies[t]);
    }
}

bool ContactSet::empty() const noexcept
{
    const auto colliders = finder_.colliders();
    return std::all_of(colliders.begin(), colliders.end(),
                       [](const collision::Collider& c) { return c.sensor; });
}

void ContactSet::drop(StepRows& rows, State& state)
{
    if (!rows.table.has_contacts()) return;
    rows.drop_contacts();
    state.lambda.resize(rows.table.count);
    state.stretch.resize(rows.table.count);
}

void ContactSet::resize_multipliers(StepRows& rows, State& state)
{
    state.lambda.resize(rows.table.count, 0);
    state.stretch.resize(rows.table.count, 0);
    ++rows.topology;  // islands were divided for another state
}

Status ContactSet::set_pair(int a, int b, const SurfacePair* surface)
{
    if (a > b) std::swap(a, b);
    const auto place = std::lower_bound(
        pairs_.begin(), pairs_.end(), std::pair(a, b),
        [](const PairMaterial& x, const auto& key) { return std::pair(x.a, x.b) < key; });
    const bool known = place != pairs_.end() && place->a == a && place->b == b;
    if (surface == nullptr) {
        if (known) pairs_.erase(place);
        return Done{};
    }
    TAUT_TRY(check_surface(*surface, "surface of a pair"));
    const Material material = material_of(*surface);
    if (known)
        place->material = material;
    else
        pairs_.insert(place, {a, b, material});
    return Done{};
}

ContactSet::Material ContactSet::material_of(const collision::ContactPoint& contact) const noexcept
{
    const auto pair = std::lower_bound(
        pairs_.begin(), pairs_.end(), std::pair(contact.collider_a, contact.collider_b),
        [](const PairMaterial& x, const auto& key) { return std::pair(x.a, x.b) < key; });
    if (pair != pairs_.end() && pair->a == contact.collider_a && pair->b == contact.collider_b)
        return pair->material;
    const auto colliders = finder_.colliders();
    const Material& a = materials_[colliders[contact.collider_a].material];
    const Material& b = materials_[colliders[contact.collider_b].material];
    const auto mean = [](Real x, Real y) { return std::sqrt(x * y); };
    return {mean(a.friction, b.friction), mean(a.static_friction, b.static_friction),
            mean(a.rolling, b.rolling), mean(a.spinning, b.spinning),
            std::max(a.restitution, b.restitution)};
}

bool ContactSet::has_rows_of_contacts(const StepRows& rows) const noexcept
{
    const Pool<Contact>& pool = rows.contacts;
    if (pool.items.size() != now_.size() || resistance_of_.size() != now_.size()) return false;
    for (std::size_t k = 0; k < now_.size(); ++k) {
        const BodyPair &was = pool.bodies[k], now = bodies_of(now_[k]);
        if (was != now && was != BodyPair{now[1], now[0]}) return false;
        if (material_of(now_[k]).resists_rolling() != (resistance_of_[k] >= 0)) return false;
    }
    return true;
}

void ContactSet::append_rows(StepRows& rows, State& state)
{
    drop(rows, state);
    resistance_of_.clear();
    for (const collision::ContactPoint& contact : now_) {
        const int normal_row = rows.table.count;
        rows.append_contact();
        resistance_of_.push_back(
            material_of(contact).resists_rolling() ? rows.append_resistance(normal_row) : -1);
    }
    state.lambda.resize(rows.table.count, 0);
    state.stretch.resize(rows.table.count, 0);
    ++rows.topology;
}

void ContactSet::read_bodies(const Model& model, const State& state, const SearchScope& scope)
{
    TAUT_ASSERT(state.p.size() == model.bodies.size());
    bodies_.resize(model.bodies.size());
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        collision::BodyState& body = bodies_[b];
        body.pose = {state.p[b], state.q[b]};
        body.velocity = {state.v[b], state.w[b]};
        body.movable = model.bodies[b].dynamic();
        const bool meets = !state.division.is_frozen(b) && !model.bodies[b].disabled;
        body.present = meets && is_in_range(body);
        if (!body.movable || scope.is_active(b)) continue;
        body = interpolate_motion({scope.before->p[b], scope.before->q[b]}, body.pose, scope);
        body.movable = false;  // those that are not active do not meet each other
        body.present = meets;
    }
}

bool Penetration::is_new() const noexcept { return passed || grown > kContacts.new_penetration; }

std::span<const Penetration> ContactSet::find_penetration(const Model& model, const State& state,
                                                          const SearchScope& scope)
{
    penetration_.clear();
    late_.clear();
    if (empty()) return penetration_;
    // Where no collider moved by half of what the thinnest one allows since the search, no penetration can be new.
    const Real allowed =
        kContacts.new_penetration * *std::min_element(thickness_.begin(), thickness_.end()) / 2;
    bool far = !bodies_are_of_search_;
    for (std::size_t k = 0; k < thickness_.size() && !far; ++k) {
        const BodyIndex b(finder_.colliders()[k].body);
        const BodyModel& body = model.bodies[b];
        if (body.kind == BodyKind::Fixed || (body.dynamic() && !scope.is_active(b))) continue;
        const Pose& was = bodies_[b].pose;
        const Real turn = was.q.angularDistance(state.q[b]);
        const bool turning_plane = std::isinf(thickness_[k]) && turn > 0;
        far = turning_plane || (state.p[b] - was.p).norm() + reach_[k] * turn > allowed;
    }
    if (!far) return penetration_;
    starts_.swap(bodies_);
    read_bodies(model, state, scope);
    if (std::exchange(bodies_are_of_search_, false)) find_tunnelling();
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
        penetration_.push_back(
            {bodies_of(c), -c.gap, -c.gap / thickness, (-c.gap - deepest) / thickness});
        if (penetration_.back().is_new()) late_.push_back(c);
    }
    return penetration_;
}

Real ContactSet::motion_of(std::size_t k, const Model& model, const State& state,
                           Real dt) const noexcept
{
    TAUT_ASSERT(k < now_.size());
    const collision::ContactPoint& c = now_[k];
    const auto velocity = [&](int b, const Vec3& p) -> Vec3 {
        if (!model.bodies[b].dynamic()) return Vec3::Zero();
        return state.v[b] + state.w[b].cross(state.q[b] * p);
    };
    const Real closing = -c.normal.dot(velocity(c.body_a, c.p_a) - velocity(c.body_b, c.p_b)) * dt;
    if (c.gap > closing) return 0;
    // a ball that rolls shows the same surface all the time
    const auto turn = [&](int b, int collider) {
        const auto& shape = finder_.colliders()[collider].shape;
        const bool ball = std::holds_alternative<Shape::Sphere>(shape);
        return model.bodies[b].dynamic() && !ball ? state.w[b].norm() * dt : Real(0);
    };
    return std::max({closing / std::min(thickness_[c.collider_a], thickness_[c.collider_b]),
                     turn(c.body_a, c.collider_a), turn(c.body_b, c.collider_b)});
}

void ContactSet::find(const Model& model, const State& state, Real dt, const SearchScope& scope,
                      std::span<const collision::ContactPoint> late)
{
    read_bodies(model, state, scope);
    bodies_are_of_search_ = true;
    searched_dt_ = dt;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (model.bodies[k].kind == BodyKind::Kinematic)
            bodies_[k].velocity =
                kinematic_velocity(model, static_cast<BodyIndex>(k), state.p[k], state.time, dt);
    }
    const Real fall = model.gravity.norm() * dt * dt;  // twice the distance of a fall in one step
    const auto found = finder_.find(bodies_, {dt, fall});
    if (late.empty()) return replace(found, model, scope);
    found_.assign(found.begin(), found.end());
    add_late(state, late);
    replace(found_, model, scope);
}

// Points of the bodies as they are now. A feature of their own keeps them apart from the points that the search finds.
void ContactSet::add_late(const State& state, std::span<const collision::ContactPoint> late)
{
    for (collision::ContactPoint c : late) {
        const BodyIndex a(c.body_a), b(c.body_b);
        c.feature |= kLateFeature;
        c.normal = state.q[c.carried_by_a ? a : b] * c.carried;
        c.gap = c.normal.dot(state.p[a] + state.q[a] * c.p_a - state.p[b] - state.q[b] * c.p_b);
        found_.push_back(c);
    }
    std::sort(found_.begin(), found_.end(), collision::in_order<collision::ContactPoint>);
}

void ContactSet::replace(std::span<const collision::ContactPoint> found, const Model& model,
                         const SearchScope& scope)
{
    TAUT_ASSERT(placed_.size() == now_.size());
    TAUT_ASSERT(
        std::is_sorted(found.begin(), found.end(), collision::in_order<collision::ContactPoint>));
    encounters_.clear();
    next_.clear();
    next_placed_.clear();
    const auto is_left_out = [&](BodyIndex b) {
        return model.bodies[b].dynamic() && !scope.is_active(b);
    };
    std::size_t k = 0;
    const auto keep_until = [&](const collision::ContactPoint* end) {
        for (; k < now_.size() && (!end || collision::in_order(now_[k], *end)); ++k) {
            if (scope.is_active(now_[k])) continue;
            next_.push_back(now_[k]);
            next_placed_.push_back(placed_[k]);
        }
    };
    for (const collision::ContactPoint& c : found) {
        const BodyPair bodies = bodies_of(c);
        if (is_left_out(bodies[0]) || is_left_out(bodies[1])) {
            encounters_.push_back(bodies);
            continue;
        }
        keep_until(&c);
        next_.push_back(c);
        next_placed_.emplace_back();
    }
    keep_until(nullptr);
    now_.swap(next_);
    placed_.swap(next_placed_);
}

std::span<const int> ContactSet::match(const State& state)
{
    last_.resize(state.contacts.size());
    for (std::size_t k = 0; k < last_.size(); ++k) {
        const ContactMemory& was = state.contacts[k];
        last_[k].collider_a = was.collider_a;
        last_[k].collider_b = was.collider_b;
        last_[k].feature = was.feature;
        last_[k].p_b = was.p_b;
    }
    return matcher_.match(last_, now_, same_point_);
}

void ContactSet::update(const Model& model, Real dt, State& state, StepRows& rows,
                        const SearchScope& scope, std::span<const collision::ContactPoint> late)
{
    rows.load_joints(model);
    if (empty()) return;
    find(model, state, dt, scope, late);
    continued_ = match(state);
    if (!has_rows_of_contacts(rows)) append_rows(rows, state);
    const Real kept = std::exp(-dt / kRecoveryTime), gravity = model.gravity.norm();
    const auto colliders = finder_.colliders();
    for (std::size_t k = 0; k < now_.size(); ++k) {
        const collision::ContactPoint& contact = now_[k];
        if (scope.is_active(contact)) {
            const Real most = most_recovery(
                dt, gravity,
                std::min(thickness_[contact.collider_a], thickness_[contact.collider_b]));
            const Real rest = std::min({kept * contact.gap, contact.gap + most, Real(0)});
            placed_[k] = place_contact(state, contact, colliders[contact.collider_a],
                                       colliders[contact.collider_b], rest, is_alone(k));
        }
        const ContactMemory was =
            continued_[k] >= 0 ? state.contacts[continued_[k]] : ContactMemory{};
        load_contact(k, was, state, rows);
    }
}

// Whether the two colliders have no other contact.
bool ContactSet::is_alone(std::size_t k) const noexcept
{
    const auto same_pair = [&](std::size_t other) {
        return now_[other].collider_a == now_[k].collider_a &&
               now_[other].collider_b == now_[k].collider_b;
    };
    return !(k > 0 && same_pair(k - 1)) && !(k + 1 < now_.size() && same_pair(k + 1));
}

void ContactSet::load_surface_velocity(const collision::ContactPoint& contact, bool carried_by_a,
                                       Contact& item) const noexcept
{
    const Vec3 &a = surface_velocity_[contact.collider_a],
               &b = surface_velocity_[contact.collider_b];
    item.surface_moves = !a.isZero(0) || !b.isZero(0);
    item.surface_velocity = carried_by_a ? std::array{a, b} : std::array{b, a};
}

void ContactSet::load_contact(std::size_t k, const ContactMemory& was, State& state, StepRows& rows)
{
    TAUT_ASSERT(k < now_.size() && k < rows.contacts.groups.size());
    TAUT_ASSERT(state.lambda.size() == static_cast<std::size_t>(rows.table.count));
    const collision::ContactPoint& contact = now_[k];
    const PlacedContact& placed = placed_[k];
    const int index = rows.contacts.groups[k];
    const ConstraintRows& group = rows.table.groups[index];
    const std::span<BodyIndex> bodies = rows.table.bodies(group);
    if (!std::equal(bodies.begin(), bodies.end(), placed.bodies.begin())) {
        std::copy(placed.bodies.begin(), placed.bodies.end(), bodies.begin());
        ++rows.topology;  // the other body carries the normal
    }
    rows.contacts.items[k] = placed.item;
    rows.contacts.bodies[k] = placed.bodies;
    load_surface_velocity(contact, bodies[0] == contact.body_a, rows.contacts.items[k]);
    const Material material = material_of(contact);
    ContactCoefficients& coefficients = rows.coefficients_of(index);
    coefficients.friction = material.static_friction;
    coefficients.sliding_friction = material.friction;
    coefficients.restitution = material.restitution;
    coefficients.half_width =
        std::min(thickness_[contact.collider_a], thickness_[contact.collider_b]);

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
    const Mat3 along = align_tangents(
        Q, bodies_[bodies[1]].velocity.angular - bodies_[bodies[0]].velocity.angular);
    Rolling& item = rows.resistances.items[resistance.slot];
    item.frames[0] = placed.item.frames[0];
    item.frames[0].R = body_pose(state, bodies[0]).R.transpose() * along;
    write_in_axes(along, sign * was.torque, &state.lambda[resistance.first_row]);
}

ContactMemory ContactSet::memory_of(std::size_t k, const StepRows& rows, const State& state) const
{
    const ConstraintRows& group = rows.table.groups[rows.contacts.groups[k]];
    const std::span<const BodyIndex> bodies = rows.table.bodies(group);
    const collision::ContactPoint& contact = now_[k];
    ContactMemory memory;
    memory.collider_a = contact.collider_a;
    memory.collider_b = contact.collider_b;
    memory.feature = contact.feature;
    memory.p_b = contact.p_b;
    memory.normal = contact.normal;
    memory.gap = contact.gap;
    const Real sign = bodies[1] == contact.body_a ? 1 : -1;
    memory.force = sign * in_world(rows.contacts.items[k].axes(poses_of(state, bodies)),
                                   &state.lambda[group.first_row]);
    if (resistance_of_[k] < 0) return memory;
    const ConstraintRows& resistance = rows.table.groups[resistance_of_[k]];
    const Mat3 Q =
        body_pose(state, bodies[0]).R * rows.resistances.items[resistance.slot].frames[0].R;
    memory.torque = sign * in_world(Q, &state.lambda[resistance.first_row]);
    return memory;
}

void ContactSet::remember(const StepRows& rows, State& state, const SearchScope& scope)
{
    TAUT_ASSERT(placed_.size() == now_.size() && continued_.size() == now_.size());
    memories_.clear();
    for (std::size_t k = 0; k < now_.size(); ++k) {
        memories_.push_back(scope.is_active(now_[k]) || continued_[k] < 0
                                ? memory_of(k, rows, state)
                                : state.contacts[continued_[k]]);
    }
    // contacts of bodies that are still to be stepped have the features of the last step, which may have another order
    if (scope.mask != nullptr)
        std::sort(memories_.begin(), memories_.end(), collision::in_order<ContactMemory>);
    state.contacts.swap(memories_);
}

bool ContactSet::belongs_to(const ContactMemory& contact, const BodyMask& bodies) const noexcept
{
    const auto colliders = finder_.colliders();
    return bodies.has(BodyIndex(colliders[contact.collider_a].body)) ||
           bodies.has(BodyIndex(colliders[contact.collider_b].body));
}

void ContactSet::rewind(const State& before, const BodyMask& bodies, State& state)
{
    TAUT_ASSERT(bodies.all() || bodies.of_body.size() == state.p.size());
    memories_.clear();
    for (const ContactMemory& contact : state.contacts)
        if (!belongs_to(contact, bodies)) memories_.push_back(contact);
    for (const ContactMemory& contact : before.contacts)
        if (belongs_to(contact, bodies)) memories_.push_back(contact);
    std::sort(memories_.begin(), memories_.end(), collision::in_order<ContactMemory>);
    state.contacts.swap(memories_);
}

}  // namespace taut::contacts
