#include <taut/world.h>

#include <algorithm>
#include <cmath>
#include <new>

#include <taut/version.h>

#include "core/stopwatch.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "world/readings.h"
#include "world/world_impl.h"
#include "world/world_settings.h"

#define TAUT_TEXT(x) #x
#define TAUT_VERSION_TEXT(a, b, c) TAUT_TEXT(a) "." TAUT_TEXT(b) "." TAUT_TEXT(c)

namespace taut {

const char* version() noexcept
{
    return TAUT_VERSION_TEXT(TAUT_VERSION_MAJOR, TAUT_VERSION_MINOR, TAUT_VERSION_PATCH);
}

World::World() : impl_(std::make_unique<Impl>()) {}
World::~World() = default;
// A world that was moved from is an empty one, not a null pointer.
World::World(World&& other) noexcept : impl_(std::make_unique<Impl>()) { impl_.swap(other.impl_); }
World& World::operator=(World&& other) noexcept
{
    if (this == &other) return *this;
    auto empty = std::make_unique<Impl>();
    impl_ = std::exchange(other.impl_, std::move(empty));
    return *this;
}

// --- building ---

Result<BodyId> World::add_body(const BodyDef& def)
{
    auto index = model::add_body(impl_->model, impl_->state, def);
    if (!index) return index.error();
    impl_->open_division(impl_->model.bodies.size() - 1);  // it is in no island as yet
    impl_->set_wrenches.reserve(impl_->model.bodies.size());
    impl_->motions_before.reserve(impl_->state.commands.motions.size());
    impl_->queries.invalidate();
    return impl_->add_id(impl_->ids.bodies, def.user_data);
}

Result<JointId> World::add_joint(const JointDef& def)
{
    JointDef local = def;
    for (BodyId& body : local.bodies) body = impl_->model_id(body);
    ContactSet::drop(impl_->step.rows, impl_->state);
    auto index = model::add_joint(impl_->model, impl_->state, local);
    if (!index) return index.error();
    const std::span<const BodyIndex> bodies = impl_->bodies_of(*index);
    for (const BodyIndex b : bodies) impl_->disturb(b);
    for (std::size_t s = 0; s < bodies.size(); ++s)
        for (std::size_t t = s + 1; t < bodies.size(); ++t)
            impl_->step.contacts.exclude(bodies[s], bodies[t]);
    return impl_->add_id(impl_->ids.joints, def.user_data);
}

Result<SpringId> World::add_spring(const SpringDef& def)
{
    SpringDef local = def;
    for (BodyId& body : local.bodies) body = impl_->model_id(body);
    auto index = model::add_spring(impl_->model, impl_->state, local);
    if (!index) return index.error();
    for (const BodyIndex b : impl_->model.springs[*index].bodies) impl_->disturb(b);
    return impl_->ids.springs.add();
}

Result<LoadId> World::add_load(const LoadDef& def)
{
    LoadDef local = def;
    local.body = impl_->model_id(def.body);
    auto index = model::add_load(impl_->model, local);
    if (!index) return index.error();
    impl_->wake(impl_->model.loads[*index].body);
    return impl_->ids.loads.add();
}

Result<ColliderId> World::add_collider(BodyId body, const ColliderDef& def)
{
    if (body != kWorld)
        if (auto known = impl_->check(body); !known)
            return Error{text("collider: ", known.error().message)};
    const BodyIndex b = index_of(impl_->model_id(body));
    auto index = impl_->step.contacts.add(impl_->model, impl_->state, b, def);
    if (!index) return index.error();
    if (impl_->model.bodies[b].dynamic())
        impl_->disturb(b);
    else  // what sleeps may be touched by it
        for (IslandMemory& island : impl_->state.division.islands)
            if (island.asleep != 0) island.wake();
    impl_->collider_prints.push_back(collider_print(b, def));
    impl_->queries.invalidate();
    return impl_->add_id(impl_->ids.colliders, def.user_data);
}

Status World::set_gravity(const Vec3& gravity)
{
    if (!gravity.allFinite()) return Error{"gravity must be finite"};
    if (gravity == impl_->model.gravity) return Done{};
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
    impl_->log.clear();
    if (const char* reason = refuse(settings)) {
        report.status = StepStatus::Refused;
        report.reason = reason;
        return report;
    }
    double whole = 0;
    const Real start = impl_->state.time;
    if (start + settings.dt == start) {
        report.status = StepStatus::Refused;
        report.reason = "dt is too short: at this time a step of it would not move the clock";
        return report;
    }
    Clock clock = impl_->state.clock;  // belongs to the world: steppers do not know it
    impl_->begin_step(settings.dt);
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
    impl_->end_step(report.status == StepStatus::Ok);
    if (report.status == StepStatus::Ok) impl_->observe();
    if (report.hardest_body.valid())
        report.hardest_body = impl_->ids.bodies.id_at(report.hardest_body.index);
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
    return impl_->id(BodyIndex(found->second));
}

std::optional<JointId> World::find_joint(std::string_view name) const noexcept
{
    const auto found = impl_->model.joint_names.find(name);
    if (found == impl_->model.joint_names.end()) return std::nullopt;
    return impl_->ids.joints.id_at(found->second);
}

std::string_view World::name(BodyId id) const
{
    if (id == kWorld) return "world";
    return impl_->model.body_details[impl_->at_known("name", id)].name;
}

std::string_view World::name(JointId id) const
{
    return impl_->model.joints[impl_->at_known("name", id)].name;
}

std::string_view World::type(JointId id) const
{
    const int joint = impl_->at_known("type", id);
    if (const auto& custom = impl_->model.joints[joint].custom) return custom->name();
    return joint_types()[impl_->model.rows.groups[joint].type].name;
}

BodyId World::body_at(int place) const noexcept { return impl_->ids.bodies.id_at(place); }
JointId World::joint_at(int place) const noexcept { return impl_->ids.joints.id_at(place); }
SpringId World::spring_at(int place) const noexcept { return impl_->ids.springs.id_at(place); }
bool World::contains(BodyId id) const noexcept { return id == kWorld || impl_->has(id); }
bool World::contains(JointId id) const noexcept { return impl_->has(id); }
bool World::contains(SpringId id) const noexcept { return impl_->has(id); }
bool World::contains(LoadId id) const noexcept { return impl_->ids.loads.find(id) >= 0; }
bool World::contains(ColliderId id) const noexcept { return impl_->has(id); }

std::array<BodyId, 3> World::bodies(JointId id) const
{
    const int joint = impl_->at_known("bodies", id);
    std::array<BodyId, 3> out;
    const RowTable& rows = impl_->model.rows;
    const std::span<const BodyIndex> bodies = rows.bodies(rows.groups[joint]);
    for (std::size_t s = 0; s < bodies.size(); ++s) out[s] = impl_->id(bodies[s]);
    return out;
}

std::string_view World::name(SpringId id) const
{
    return impl_->model.springs[impl_->at_known("name", id)].name;
}

std::array<BodyId, 2> World::bodies(SpringId id) const
{
    const auto& [a, b] = impl_->model.springs[impl_->at_known("bodies", id)].bodies;
    return {impl_->id(a), impl_->id(b)};
}

SpringDef::Kind World::kind(SpringId id) const
{
    return impl_->model.springs[impl_->at_known("kind", id)].kind;
}

JointFrame World::frame(JointId id, int side) const
{
    return joint_frame(impl_->model, impl_->at_known("frame", id), side);
}

JointFrame World::frame(SpringId id, int side) const
{
    return spring_frame(impl_->model, impl_->at_known("frame", id), side);
}

BodyKind World::kind(BodyId id) const
{
    return id == kWorld ? BodyKind::Fixed : impl_->model.bodies[impl_->at_known("kind", id)].kind;
}

Real World::mass(BodyId id) const
{
    return id == kWorld ? 0 : impl_->model.bodies[impl_->at_known("mass", id)].mass;
}

// --- state ---

Pose World::pose(BodyId id) const
{
    if (id == kWorld) return {};
    const BodyIndex b = impl_->at_known("pose", id);
    const Quat& q = impl_->state.q[b];
    return {impl_->state.p[b] - q * impl_->model.bodies[b].com, q};
}

Vec3 World::centre_of_mass(BodyId id) const
{
    if (id == kWorld) return Vec3::Zero();
    return impl_->state.p[impl_->at_known("centre_of_mass", id)];
}

Twist World::velocity(BodyId id) const
{
    if (id == kWorld) return {};
    const BodyIndex b = impl_->at_known("velocity", id);
    return {impl_->state.v[b], impl_->state.w[b]};
}

Status World::set_pose(BodyId id, const Pose& pose)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!pose.p.allFinite() || !pose.q.coeffs().allFinite() ||
        std::abs(pose.q.norm() - 1) > kWorldSettings.unit_length)
        return Error{"pose must be finite with a unit quaternion"};
    const BodyIndex b = impl_->at(id);
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
    const BodyIndex b = impl_->at(id);
    impl_->state.v[b] = velocity.linear;
    impl_->disturb(b);
    if (impl_->model.bodies[b].kind == BodyKind::Rigid) impl_->state.w[b] = velocity.angular;
    return Done{};
}

Status World::set_time(Real time)
{
    if (!(std::abs(time) <= kWorldSettings.latest_time))
        return Error{text("time is ", time, " s; allowed is up to ", kWorldSettings.latest_time,
                          " s, before and after 0")};
    State& state = impl_->state;
    state.time = time;
    state.clock = {};
    for (const BodyIndex b : BodyRange(impl_->model.bodies.size())) {
        if (impl_->model.bodies[b].kind != BodyKind::Kinematic) continue;
        const int motion = impl_->model.body_details[b].motion_command;
        if (MotionCommand& command = state.commands.motions[motion]; command.given()) {
            command.knots[2].time = time;  // it stays where it is
            command.knots[0] = command.knots[1] = command.knots[2];
            apply_command(impl_->model, b, command);
            impl_->step.islands.load_motion(impl_->model, b);
        }
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
    const BodyIndex b = impl_->at(id);
    if (impl_->model.bodies[b].kind == BodyKind::Particle && !wrench.torque.isZero())
        return Error{"a particle takes no torque"};
    const Wrench& now = impl_->state.wrench[b];
    if (now.force == wrench.force && now.torque == wrench.torque) return Done{};
    impl_->state.wrench[b] = wrench;
    impl_->wake(b);
    return Done{};
}

bool World::asleep(BodyId id) const
{
    if (id == kWorld) return false;
    const IslandMemory* island = impl_->island_of(impl_->at_known("asleep", id));
    return island && island->asleep != 0;
}

bool World::frozen(BodyId id) const
{
    return id != kWorld && impl_->state.division.is_frozen(impl_->at_known("frozen", id));
}

// --- readings ---

Energy World::energy() const noexcept { return read_energy(impl_->model, impl_->state); }
Work World::work() const noexcept { return impl_->state.last_step.work; }
Dissipation World::dissipation() const noexcept { return impl_->state.last_step.dissipation; }
Real World::kinetic_energy(BodyId id) const
{
    if (id == kWorld) return 0;
    return model::kinetic_energy(impl_->model, impl_->state, impl_->at_known("kinetic_energy", id));
}
std::optional<int> World::island(BodyId id) const
{
    if (id == kWorld) return std::nullopt;
    const int island = impl_->step.reported_island(impl_->at_known("island", id));
    return island < 0 ? std::nullopt : std::optional(island);
}
IslandReport World::island_report(int island) const noexcept
{
    return impl_->step.summary_of(island);
}
Momentum World::momentum() const noexcept { return read_momentum(impl_->model, impl_->state); }

JointReading World::joint(JointId id, Axes axes) const
{
    return read_joint(impl_->model, impl_->state, impl_->at_known("joint", id), axes);
}

bool World::broken(JointId id) const
{
    return impl_->state.broken[impl_->at_known("broken", id)] != 0;
}

std::span<const Real> World::multipliers(JointId id) const
{
    const ConstraintRows& joint = impl_->model.rows.groups[impl_->at_known("multipliers", id)];
    return {&impl_->state.lambda[joint.first_row], static_cast<std::size_t>(joint.rows)};
}

BodyDamping World::damping(BodyId id) const
{
    BodyDamping out;
    if (id == kWorld) return out;
    const BodyIndex asked = impl_->at_known("damping", id);
    const auto [model, work, body, topology] =
        impl_->step.islands.find_body(impl_->step_model(), impl_->state, asked);
    if (!work || work->topology != topology) return out;
    const int freedoms = model->bodies[body].freedoms();
    if (freedoms == 0) return out;
    const Real* b = &work->context.linear.damping.b[work->context.layout.offset(BodyIndex(body))];
    out.linear = Vec3(b[0], b[1], b[2]);
    if (freedoms == 6) out.angular = Vec3(b[3], b[4], b[5]);
    return out;
}

std::span<const Real> World::damping(JointId id) const
{
    const int asked = impl_->at_known("damping", id);
    const auto [model, work, index, topology] =
        impl_->step.islands.find_joint(impl_->step_model(), impl_->state, asked);
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

// --- snapshot ---

std::vector<std::byte> World::snapshot() const
{
    return write_snapshot(impl_->model, impl_->pair_prints.add_to(impl_->collider_prints),
                          impl_->state);
}

Status World::restore(std::span<const std::byte> image)
{
    auto read = read_snapshot(impl_->model, impl_->pair_prints.add_to(impl_->collider_prints),
                              impl_->state, image);
    if (!read) return read.error();
    impl_->state = std::move(read->state);
    impl_->model.gravity = read->gravity;
    impl_->after_restore();
    impl_->observe();
    return Done{};
}

std::uint64_t World::hash() const noexcept { return hash_state(impl_->model, impl_->state); }

}  // namespace taut
