#include <taut/world.h>

#include <algorithm>
#include <cmath>
#include <new>

#include <taut/version.h>

#include "core/stopwatch.h"
#include "core/text.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "world/event_log.h"
#include "world/queries.h"
#include "world/readings.h"
#include "world/snapshot.h"
#include "world/user_data.h"
#include "world/world_settings.h"
#include "world/world_step.h"

#define TAUT_TEXT(x) #x
#define TAUT_VERSION_TEXT(a, b, c) TAUT_TEXT(a) "." TAUT_TEXT(b) "." TAUT_TEXT(c)

namespace taut {

using namespace world;

const char* version() noexcept
{
    return TAUT_VERSION_TEXT(TAUT_VERSION_MAJOR, TAUT_VERSION_MINOR, TAUT_VERSION_PATCH);
}

struct World::Impl {
    Model model;
    State state = make_state();
    WorldStep step{model, state};
    std::vector<ColliderPrint> collider_prints;  // what a snapshot is compared by
    Queries queries;
    EventLog log{step.contacts};
    PairPrints pair_prints;
    UserData data;

    StepModel step_model() const noexcept { return step.step_model(); }

    bool has(BodyId id) const noexcept
    {
        return id.index >= 0 && id.index + 1 < static_cast<int>(model.bodies.size());
    }
    bool has(JointId id) const noexcept { return id.index >= 0 && id.index < model.rows.joints; }
    bool has(ColliderId id) const noexcept
    {
        return id.index >= 0 && id.index < static_cast<int>(step.contacts.colliders().size());
    }
    bool has(SpringId id) const noexcept
    {
        return id.index >= 0 && id.index < static_cast<int>(model.springs.size());
    }

    // Something is changed from outside: two-step schemes have no history, and no island sleeps.
    void disturb_all() noexcept
    {
        queries.invalidate();
        state.last_step.forget();
        for (IslandMemory& island : state.division.islands) island.disturb();
    }
    void disturb(BodyIndex b) noexcept
    {
        queries.invalidate();
        state.last_step.forget();
        if (IslandMemory* island = island_of(b)) island->disturb();
    }
    // None where the world is not divided, or the body is new or kinematic.
    IslandMemory* island_of(BodyIndex b) noexcept
    {
        const int island = state.division.find(b);
        return island < 0 ? nullptr : &state.division.islands[island];
    }
    const Queries& current_queries()
    {
        queries.update(model, state, step.contacts.colliders());
        return queries;
    }
    // The state is another one: events tell what differs. Where memory is short they tell it after the next step.
    void observe(Real dt) noexcept
    {
        queries.invalidate();
        try {
            log.read_contacts(state, step.contacts.contacts(), dt);
            if (log.has_sensors()) current_queries();
            log.observe(model, state, queries);
        } catch (const std::exception&) {
            log.clear();
        }
    }
    Status check_pair(ColliderId a, ColliderId b) const
    {
        if (!has(a) || !has(b)) return Error{"surface of a pair: no such collider in this world"};
        if (a == b) return Error{"surface of a pair: the two colliders are the same"};
        return Done{};
    }
    Status check_dynamic(BodyId id) const
    {
        if (!has(id)) return Error{"no such body in this world"};
        const BodyIndex b = index_of(id);
        if (!model.bodies[b].dynamic())
            return Error{text("body '", model.body_details[b].name, "' is fixed or kinematic")};
        return Done{};
    }
};

World::World() : impl_(std::make_unique<Impl>()) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

// --- building ---

Result<BodyId> World::add_body(const BodyDef& def)
{
    auto index = model::add_body(impl_->model, impl_->state, def);
    if (!index) return index.error();
    impl_->disturb_all();
    Division& division = impl_->state.division;
    if (!division.islands.empty()) division.island_of.push_back(-1);  // in none as yet
    impl_->data.of(id_of(*index)) = def.user_data;
    return id_of(*index);
}

Result<JointId> World::add_joint(const JointDef& def)
{
    ContactSet::drop(impl_->step.rows, impl_->state);
    auto index = model::add_joint(impl_->model, impl_->state, def);
    if (!index) return index.error();
    impl_->disturb_all();
    const RowTable& rows = impl_->model.rows;
    const std::span<const BodyIndex> bodies = rows.bodies(rows.groups[*index]);
    for (std::size_t s = 0; s < bodies.size(); ++s)
        for (std::size_t t = s + 1; t < bodies.size(); ++t)
            impl_->step.contacts.exclude(bodies[s], bodies[t]);
    impl_->data.of(JointId{*index}) = def.user_data;
    return JointId{*index};
}

Result<SpringId> World::add_spring(const SpringDef& def)
{
    auto index = model::add_spring(impl_->model, impl_->state, def);
    if (!index) return index.error();
    impl_->disturb_all();
    return SpringId{*index};
}

Result<LoadId> World::add_load(const LoadDef& def)
{
    auto index = model::add_load(impl_->model, def);
    if (!index) return index.error();
    if (IslandMemory* island = impl_->island_of(index_of(def.body))) island->wake();
    return LoadId{*index};
}

Result<ColliderId> World::add_collider(BodyId body, const ColliderDef& def)
{
    if (body != kWorld && !impl_->has(body)) return Error{"collider: no such body in this world"};
    auto index = impl_->step.contacts.add(impl_->model, impl_->state, index_of(body), def);
    if (!index) return index.error();
    impl_->disturb_all();
    impl_->collider_prints.push_back(collider_print(index_of(body), def));
    impl_->data.of(ColliderId{*index}) = def.user_data;
    return ColliderId{*index};
}

Status World::set_gravity(const Vec3& gravity)
{
    if (!gravity.allFinite()) return Error{"gravity must be finite"};
    impl_->model.gravity = gravity;
    impl_->disturb_all();
    return Done{};
}

Vec3 World::gravity() const noexcept { return impl_->model.gravity; }

// --- stepping ---

Status World::prepare(const StepSettings& settings)
{
    if (const char* reason = refuse(settings)) return Error{reason};
    impl_->step.rows.load_joints(impl_->model);
    impl_->step.islands.prepare(impl_->step_model(), impl_->state, settings);
    return Done{};
}

StepReport World::step(const StepSettings& settings) noexcept
{
    StepReport report;
    if (const char* reason = refuse(settings)) {
        report.status = StepStatus::Refused;
        report.reason = reason;
        impl_->log.clear();
        return report;
    }
    double whole = 0;
    const Real start = impl_->state.time;
    Clock clock = impl_->state.clock;  // belongs to the world: steppers do not know it
    try {
        const Stopwatch watch(settings.profile, whole);
        report = impl_->step.run(settings);
    } catch (const std::exception&) {
        impl_->step.abandon();
        report.status = StepStatus::Refused;
        report.reason = "out of memory while laying out the system";
    }
    if (report.status == StepStatus::Ok) impl_->state.time = clock.advance(start, settings.dt);
    impl_->state.clock = clock;
    if (report.status == StepStatus::Ok)
        impl_->observe(settings.dt);
    else
        impl_->log.clear();
    report.times.whole = whole;
    return report;
}

Real World::time() const noexcept { return impl_->state.time; }
std::uint64_t World::steps() const noexcept { return impl_->state.steps; }

// --- what is there ---

int World::body_count() const noexcept { return static_cast<int>(impl_->model.bodies.size()) - 1; }
int World::joint_count() const noexcept { return impl_->model.rows.joints; }
int World::spring_count() const noexcept { return static_cast<int>(impl_->model.springs.size()); }
int World::row_count() const noexcept { return impl_->model.rows.count; }

std::optional<BodyId> World::find_body(std::string_view name) const noexcept
{
    const auto found = impl_->model.body_names.find(name);
    if (found == impl_->model.body_names.end()) return std::nullopt;
    return id_of(BodyIndex(found->second));
}

std::optional<JointId> World::find_joint(std::string_view name) const noexcept
{
    const auto found = impl_->model.joint_names.find(name);
    if (found == impl_->model.joint_names.end()) return std::nullopt;
    return JointId{found->second};
}

std::string_view World::name(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->model.body_details[index_of(id)].name
                          : std::string_view("world");
}

std::string_view World::name(JointId id) const noexcept
{
    return impl_->has(id) ? impl_->model.joints[id.index].name : std::string_view();
}

std::string_view World::type(JointId id) const noexcept
{
    if (!impl_->has(id)) return {};
    return joint_types()[impl_->model.rows.groups[id.index].type].name;
}

std::array<BodyId, 3> World::bodies(JointId id) const noexcept
{
    std::array<BodyId, 3> out;
    if (!impl_->has(id)) return out;
    const RowTable& rows = impl_->model.rows;
    const std::span<const BodyIndex> bodies = rows.bodies(rows.groups[id.index]);
    for (std::size_t s = 0; s < bodies.size(); ++s) out[s] = id_of(bodies[s]);
    return out;
}

std::string_view World::name(SpringId id) const noexcept
{
    return impl_->has(id) ? impl_->model.springs[id.index].name : std::string_view();
}

std::array<BodyId, 2> World::bodies(SpringId id) const noexcept
{
    if (!impl_->has(id)) return {};
    const auto& [a, b] = impl_->model.springs[id.index].bodies;
    return {id_of(a), id_of(b)};
}

SpringDef::Kind World::kind(SpringId id) const noexcept
{
    return impl_->has(id) ? impl_->model.springs[id.index].kind : SpringDef::Kind::Linear;
}

JointFrame World::frame(JointId id, int side) const noexcept
{
    return impl_->has(id) ? joint_frame(impl_->model, id.index, side) : JointFrame{};
}

JointFrame World::frame(SpringId id, int side) const noexcept
{
    return impl_->has(id) ? spring_frame(impl_->model, id.index, side) : JointFrame{};
}

BodyKind World::kind(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->model.bodies[index_of(id)].kind : BodyKind::Fixed;
}

Real World::mass(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->model.bodies[index_of(id)].mass : 0;
}

// --- state ---

Pose World::pose(BodyId id) const noexcept
{
    if (!impl_->has(id)) return {};
    const BodyIndex b = index_of(id);
    const Quat& q = impl_->state.q[b];
    return {impl_->state.p[b] - q * impl_->model.bodies[b].com, q};
}

Vec3 World::centre_of_mass(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->state.p[index_of(id)] : Vec3(Vec3::Zero());
}

Twist World::velocity(BodyId id) const noexcept
{
    if (!impl_->has(id)) return {};
    return {impl_->state.v[index_of(id)], impl_->state.w[index_of(id)]};
}

Status World::set_pose(BodyId id, const Pose& pose)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!pose.p.allFinite() || !pose.q.coeffs().allFinite() ||
        std::abs(pose.q.norm() - 1) > kWorldSettings.unit_length)
        return Error{"pose must be finite with a unit quaternion"};
    const BodyIndex b = index_of(id);
    if (impl_->model.bodies[b].kind == BodyKind::Rigid) impl_->state.q[b] = pose.q.normalized();
    impl_->state.p[b] = pose.p + impl_->state.q[b] * impl_->model.bodies[b].com;
    impl_->state.spin_up[b].setZero();
    impl_->disturb(b);
    reread_joints(impl_->model, impl_->state, b);
    return Done{};
}

Status World::set_velocity(BodyId id, const Twist& velocity)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!velocity.linear.allFinite() || !velocity.angular.allFinite())
        return Error{"velocity must be finite"};
    const BodyIndex b = index_of(id);
    impl_->state.v[b] = velocity.linear;
    impl_->disturb(b);
    if (impl_->model.bodies[b].kind == BodyKind::Rigid) impl_->state.w[b] = velocity.angular;
    return Done{};
}

Status World::set_time(Real time)
{
    if (!std::isfinite(time)) return Error{"time must be finite"};
    State& state = impl_->state;
    state.time = time;
    state.clock = {};
    for (const BodyIndex b : BodyRange(impl_->model.bodies.size())) {
        if (impl_->model.bodies[b].kind != BodyKind::Kinematic) continue;
        apply_kinematic_motion(impl_->model, b, time, state);
        reread_joints(impl_->model, state, b);
    }
    impl_->disturb_all();
    return Done{};
}

Status World::set_wrench(BodyId id, const Wrench& wrench)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!wrench.force.allFinite() || !wrench.torque.allFinite())
        return Error{"force and torque must be finite"};
    const BodyIndex b = index_of(id);
    if (impl_->model.bodies[b].kind == BodyKind::Particle && !wrench.torque.isZero())
        return Error{"a particle takes no torque"};
    impl_->state.wrench[b] = wrench;
    if (IslandMemory* island = impl_->island_of(b)) island->wake();
    return Done{};
}

bool World::asleep(BodyId id) const noexcept
{
    const IslandMemory* island = impl_->has(id) ? impl_->island_of(index_of(id)) : nullptr;
    return island && island->asleep != 0;
}

bool World::frozen(BodyId id) const noexcept
{
    return impl_->has(id) && impl_->state.division.is_frozen(index_of(id));
}

// --- readings ---

Energy World::energy() const noexcept { return read_energy(impl_->model, impl_->state); }
Work World::work() const noexcept { return impl_->state.last_step.work; }
Dissipation World::dissipation() const noexcept { return impl_->state.last_step.dissipation; }
Momentum World::momentum() const noexcept { return read_momentum(impl_->model, impl_->state); }

JointReading World::joint(JointId id, Axes axes) const noexcept
{
    return impl_->has(id) ? read_joint(impl_->model, impl_->state, id.index, axes) : JointReading{};
}

bool World::broken(JointId id) const noexcept
{
    return impl_->has(id) && impl_->state.broken[id.index] != 0;
}

std::span<const Real> World::multipliers(JointId id) const noexcept
{
    if (!impl_->has(id)) return {};
    const ConstraintRows& joint = impl_->model.rows.groups[id.index];
    return {&impl_->state.lambda[joint.first_row], static_cast<std::size_t>(joint.rows)};
}

BodyDamping World::damping(BodyId id) const noexcept
{
    BodyDamping out;
    if (!impl_->has(id)) return out;
    const auto [model, work, body, topology] =
        impl_->step.islands.find_body(impl_->step_model(), impl_->state, index_of(id));
    if (!work || work->topology != topology) return out;
    const int freedoms = model->bodies[body].freedoms();
    if (freedoms == 0) return out;
    const Real* b = &work->context.linear.damping.b[work->context.layout.offset(BodyIndex(body))];
    out.linear = Vec3(b[0], b[1], b[2]);
    if (freedoms == 6) out.angular = Vec3(b[3], b[4], b[5]);
    return out;
}

std::span<const Real> World::damping(JointId id) const noexcept
{
    if (!impl_->has(id)) return {};
    const auto [model, work, index, topology] =
        impl_->step.islands.find_joint(impl_->step_model(), impl_->state, id.index);
    if (!work || work->topology != topology) return {};
    const ConstraintRows& joint = model->rows.groups[index];
    return {&work->context.linear.damping.row_b[joint.first_row],
            static_cast<std::size_t>(joint.rows)};
}

std::vector<ContactReading> World::contacts() const
{
    const auto points = contact_points();
    return {points.begin(), points.end()};
}

Real World::joint_gap() const noexcept
{
    return read_gaps(impl_->model, impl_->step.rows, impl_->state).length;
}
Real World::angular_gap() const noexcept
{
    return read_gaps(impl_->model, impl_->step.rows, impl_->state).angle;
}

Real World::size() const noexcept
{
    return impl_->model.extent.isEmpty() ? 0 : impl_->model.extent.diagonal().norm();
}

// --- queries ---

void World::update_queries() const { impl_->current_queries(); }

std::optional<CastHit> World::cast_ray(const Vec3& from, const Vec3& way,
                                       const QueryFilter& filter) const
{
    return impl_->current_queries().cast_ray(from, way, filter);
}

std::optional<CastHit> World::cast_shape(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                         const QueryFilter& filter) const
{
    return impl_->current_queries().cast_shape(shape, pose, way, filter);
}

std::size_t World::cast_ray_all(const Vec3& from, const Vec3& way, std::span<CastHit> hits,
                                const QueryFilter& filter) const
{
    return impl_->current_queries().cast_ray(from, way, filter, hits);
}

std::size_t World::cast_shape_all(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                  std::span<CastHit> hits, const QueryFilter& filter) const
{
    return impl_->current_queries().cast_shape(shape, pose, way, filter, hits);
}

std::size_t World::overlap(const QueryShape& shape, const Pose& pose, std::span<OverlapHit> hits,
                           const QueryFilter& filter) const
{
    return impl_->current_queries().overlap(shape, pose, filter, hits);
}

std::optional<NearestHit> World::nearest(const Vec3& point, Real within,
                                         const QueryFilter& filter) const
{
    return impl_->current_queries().nearest(point, within, filter);
}

std::optional<NearestHit> World::nearest(const QueryShape& shape, const Pose& pose, Real within,
                                         const QueryFilter& filter) const
{
    return impl_->current_queries().nearest(shape, pose, within, filter);
}

// --- events ---

std::span<const Event> World::events() const noexcept { return impl_->log.events(); }
std::span<const ContactReading> World::contact_points() const noexcept
{
    return impl_->log.points();
}

void World::set_contact_filter(ContactFilter filter, void* user) noexcept
{
    impl_->log.set_filter(filter, user);
    impl_->step.contacts.set_filter(impl_->log.pair_filter());
    impl_->disturb_all();
}

Status World::set_surface_pair(ColliderId a, ColliderId b, const SurfacePair& surface)
{
    TAUT_TRY(impl_->check_pair(a, b));
    TAUT_TRY(impl_->step.contacts.set_pair(a.index, b.index, &surface));
    impl_->pair_prints.set(a.index, b.index, surface_print(surface), impl_->collider_prints);
    impl_->disturb_all();
    return Done{};
}

Status World::clear_surface_pair(ColliderId a, ColliderId b)
{
    TAUT_TRY(impl_->check_pair(a, b));
    TAUT_TRY(impl_->step.contacts.set_pair(a.index, b.index, nullptr));
    impl_->pair_prints.set(a.index, b.index, 0, impl_->collider_prints);
    impl_->disturb_all();
    return Done{};
}

BodyId World::body(ColliderId id) const noexcept
{
    if (!impl_->has(id)) return {};
    return id_of(BodyIndex(impl_->step.contacts.colliders()[id.index].body));
}

bool World::is_sensor(ColliderId id) const noexcept
{
    return impl_->has(id) && impl_->step.contacts.colliders()[id.index].sensor;
}

int World::collider_count() const noexcept
{
    return static_cast<int>(impl_->step.contacts.colliders().size());
}

std::uint64_t World::user_data(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->data.of(id) : 0;
}
std::uint64_t World::user_data(JointId id) const noexcept
{
    return impl_->has(id) ? impl_->data.of(id) : 0;
}
std::uint64_t World::user_data(ColliderId id) const noexcept
{
    return impl_->has(id) ? impl_->data.of(id) : 0;
}

Status World::set_user_data(BodyId id, std::uint64_t data)
{
    if (!impl_->has(id)) return Error{"user data: no such body in this world"};
    impl_->data.of(id) = data;
    return Done{};
}
Status World::set_user_data(JointId id, std::uint64_t data)
{
    if (!impl_->has(id)) return Error{"user data: no such joint in this world"};
    impl_->data.of(id) = data;
    return Done{};
}
Status World::set_user_data(ColliderId id, std::uint64_t data)
{
    if (!impl_->has(id)) return Error{"user data: no such collider in this world"};
    impl_->data.of(id) = data;
    return Done{};
}

// --- snapshot ---

std::vector<std::byte> World::snapshot() const
{
    return write_snapshot(impl_->model, impl_->collider_prints, impl_->state);
}

Status World::restore(std::span<const std::byte> image)
{
    auto read = read_snapshot(impl_->model, impl_->collider_prints, impl_->state, image);
    if (!read) return read.error();
    impl_->state = std::move(read->state);
    impl_->model.gravity = read->gravity;
    impl_->step.forget();
    impl_->observe(0);
    return Done{};
}

std::uint64_t World::hash() const noexcept { return hash_state(impl_->model, impl_->state); }

}  // namespace taut
