#include <taut/world.h>

#include <cmath>
#include <new>

#include <taut/version.h>

#include "contacts/contact_set.h"
#include "core/text.h"
#include "model/builder.h"
#include "stepper/step.h"
#include "world/readings.h"
#include "world/snapshot.h"

#define TAUT_TEXT(x) #x
#define TAUT_VERSION_TEXT(a, b, c) TAUT_TEXT(a) "." TAUT_TEXT(b) "." TAUT_TEXT(c)

namespace taut {

const char* version() noexcept
{
    return TAUT_VERSION_TEXT(TAUT_VERSION_MAJOR, TAUT_VERSION_MINOR, TAUT_VERSION_PATCH);
}

struct World::Impl {
    Model model;
    State state;
    Workspace work;
    ContactSet contacts;

    Impl()
    {
        state.p.emplace_back(Vec3::Zero());
        state.q.emplace_back(Quat::Identity());
        state.v.emplace_back(Vec3::Zero());
        state.w.emplace_back(Vec3::Zero());
        state.spin_up.emplace_back(Vec3::Zero());
        state.history.p.emplace_back(Vec3::Zero());
        state.history.q.emplace_back(Quat::Identity());
        state.history.v.emplace_back(Vec3::Zero());
        state.history.w.emplace_back(Vec3::Zero());
        state.wrench.emplace_back();
    }

    bool has(BodyId id) const noexcept
    {
        return id.index >= 0 && id.index + 1 < static_cast<int>(model.bodies.size());
    }
    bool has(JointId id) const noexcept { return id.index >= 0 && id.index < model.lasting_joints; }
    Status check_dynamic(BodyId id) const
    {
        if (!has(id)) return Error{"no such body in this world"};
        const BodyModel& body = model.bodies[id.index + 1];
        if (!body.dynamic()) return Error{text("body '", body.name, "' is fixed or moves as told")};
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
    impl_->state.history.forget();
    auto index = taut::add_body(impl_->model, impl_->state, def);
    if (!index) return index.error();
    return BodyId{*index - 1};
}

Result<JointId> World::add_joint(const JointDef& def)
{
    impl_->state.history.forget();
    ContactSet::drop(impl_->model, impl_->state);
    auto index = taut::add_joint(impl_->model, impl_->state, def);
    if (!index) return index.error();
    const JointModel& joint = impl_->model.joints[*index];
    for (int s = 0; s < joint.body_count; ++s)
        for (int t = s + 1; t < joint.body_count; ++t)
            impl_->contacts.exclude(joint.bodies[s], joint.bodies[t]);
    return JointId{*index};
}

Result<SpringId> World::add_spring(const SpringDef& def)
{
    impl_->state.history.forget();
    auto index = taut::add_spring(impl_->model, impl_->state, def);
    if (!index) return index.error();
    return SpringId{*index};
}

Result<LoadId> World::add_load(const LoadDef& def)
{
    auto index = taut::add_load(impl_->model, def);
    if (!index) return index.error();
    return LoadId{*index};
}

Result<ColliderId> World::add_collider(BodyId body, const ColliderDef& def)
{
    if (body != kWorld && !impl_->has(body)) return Error{"collider: no such body in this world"};
    impl_->state.history.forget();
    auto index = impl_->contacts.add(impl_->model, impl_->state, body.index + 1, def);
    if (!index) return index.error();
    return ColliderId{*index};
}

Status World::set_gravity(const Vec3& gravity)
{
    if (!gravity.allFinite()) return Error{"gravity must be finite"};
    impl_->model.gravity = gravity;
    impl_->state.history.forget();
    return Done{};
}

Vec3 World::gravity() const noexcept { return impl_->model.gravity; }

// --- stepping ---

Status World::prepare(const StepSettings& settings)
{
    if (const char* reason = refuse(settings)) return Error{reason};
    taut::prepare(impl_->model, impl_->state, settings, impl_->work);
    return Done{};
}

StepReport World::step(const StepSettings& settings) noexcept
{
    StepReport report;
    if (const char* reason = refuse(settings)) {
        report.status = StepStatus::Refused;
        report.reason = reason;
        return report;
    }
    try {
        impl_->contacts.update(impl_->model, impl_->state, settings.dt);
        taut::prepare(impl_->model, impl_->state, settings, impl_->work);
    } catch (const std::exception&) {
        report.status = StepStatus::Refused;
        report.reason = "out of memory while laying out the system";
        return report;
    }
    report = taut::step(impl_->model, impl_->state, impl_->work, settings);
    impl_->contacts.remember(impl_->model, impl_->state);
    return report;
}

Real World::time() const noexcept { return impl_->state.time; }
std::uint64_t World::steps() const noexcept { return impl_->state.steps; }

// --- what is there ---

int World::body_count() const noexcept { return static_cast<int>(impl_->model.bodies.size()) - 1; }
int World::joint_count() const noexcept { return impl_->model.lasting_joints; }
int World::spring_count() const noexcept { return static_cast<int>(impl_->model.springs.size()); }
int World::row_count() const noexcept { return impl_->model.lasting_rows; }

std::optional<BodyId> World::find_body(std::string_view name) const noexcept
{
    const auto found = impl_->model.body_names.find(name);
    if (found == impl_->model.body_names.end()) return std::nullopt;
    return BodyId{found->second - 1};
}

std::optional<JointId> World::find_joint(std::string_view name) const noexcept
{
    const auto found = impl_->model.joint_names.find(name);
    if (found == impl_->model.joint_names.end()) return std::nullopt;
    return JointId{found->second};
}

std::string_view World::name(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->model.bodies[id.index + 1].name : std::string_view("world");
}

std::string_view World::name(JointId id) const noexcept
{
    return impl_->has(id) ? impl_->model.joints[id.index].name : std::string_view();
}

std::string_view World::type(JointId id) const noexcept
{
    if (!impl_->has(id)) return {};
    return joint_types()[impl_->model.joints[id.index].type].name;
}

std::array<BodyId, 3> World::bodies(JointId id) const noexcept
{
    std::array<BodyId, 3> out;
    if (!impl_->has(id)) return out;
    const JointModel& joint = impl_->model.joints[id.index];
    for (int s = 0; s < joint.body_count; ++s) out[s] = BodyId{joint.bodies[s] - 1};
    return out;
}

BodyKind World::kind(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->model.bodies[id.index + 1].kind : BodyKind::Fixed;
}

Real World::mass(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->model.bodies[id.index + 1].mass : 0;
}

// --- state ---

Pose World::pose(BodyId id) const noexcept
{
    if (!impl_->has(id)) return {};
    const int b = id.index + 1;
    const Quat& q = impl_->state.q[b];
    return {impl_->state.p[b] - q * impl_->model.bodies[b].com, q};
}

Vec3 World::centre_of_mass(BodyId id) const noexcept
{
    return impl_->has(id) ? impl_->state.p[id.index + 1] : Vec3(Vec3::Zero());
}

Twist World::velocity(BodyId id) const noexcept
{
    if (!impl_->has(id)) return {};
    return {impl_->state.v[id.index + 1], impl_->state.w[id.index + 1]};
}

Status World::set_pose(BodyId id, const Pose& pose)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!pose.p.allFinite() || !pose.q.coeffs().allFinite() || std::abs(pose.q.norm() - 1) > 1e-6)
        return Error{"pose must be finite with a unit quaternion"};
    const int b = id.index + 1;
    if (impl_->model.bodies[b].kind == BodyKind::Rigid) impl_->state.q[b] = pose.q.normalized();
    impl_->state.p[b] = pose.p + impl_->state.q[b] * impl_->model.bodies[b].com;
    impl_->state.spin_up[b].setZero();
    impl_->state.history.forget();
    reread_joints(impl_->model, impl_->state, b);
    return Done{};
}

Status World::set_velocity(BodyId id, const Twist& velocity)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!velocity.linear.allFinite() || !velocity.angular.allFinite())
        return Error{"velocity must be finite"};
    const int b = id.index + 1;
    impl_->state.v[b] = velocity.linear;
    impl_->state.history.forget();
    if (impl_->model.bodies[b].kind == BodyKind::Rigid) impl_->state.w[b] = velocity.angular;
    return Done{};
}

Status World::set_wrench(BodyId id, const Wrench& wrench)
{
    TAUT_TRY(impl_->check_dynamic(id));
    if (!wrench.force.allFinite() || !wrench.torque.allFinite())
        return Error{"force and torque must be finite"};
    const int b = id.index + 1;
    if (impl_->model.bodies[b].kind == BodyKind::Particle && !wrench.torque.isZero())
        return Error{"a particle takes no torque"};
    impl_->state.wrench[b] = wrench;
    return Done{};
}

// --- readings ---

Energy World::energy() const noexcept { return read_energy(impl_->model, impl_->state); }
Work World::work() const noexcept { return impl_->state.work; }
Momentum World::momentum() const noexcept { return read_momentum(impl_->model, impl_->state); }

JointReading World::joint(JointId id, Axes axes) const noexcept
{
    return impl_->has(id) ? read_joint(impl_->model, impl_->state, id.index, axes) : JointReading{};
}

std::span<const Real> World::multipliers(JointId id) const noexcept
{
    if (!impl_->has(id)) return {};
    const JointModel& joint = impl_->model.joints[id.index];
    return {&impl_->state.lambda[joint.first_row], static_cast<std::size_t>(joint.rows)};
}

BodyDamping World::damping(BodyId id) const noexcept
{
    BodyDamping out;
    const Workspace& work = impl_->work;
    if (!impl_->has(id) || work.topology != impl_->model.topology) return out;
    const BodyIndex body = id.index + 1;
    const int freedoms = impl_->model.bodies[body].freedoms();
    if (freedoms == 0) return out;
    const Real* b = &work.linear.damping.b[work.layout.offset(body)];
    out.linear = Vec3(b[0], b[1], b[2]);
    if (freedoms == 6) out.angular = Vec3(b[3], b[4], b[5]);
    return out;
}

std::span<const Real> World::damping(JointId id) const noexcept
{
    if (!impl_->has(id) || impl_->work.topology != impl_->model.topology) return {};
    const JointModel& joint = impl_->model.joints[id.index];
    return {&impl_->work.linear.damping.row_b[joint.first_row],
            static_cast<std::size_t>(joint.rows)};
}

std::vector<ContactReading> World::contacts() const
{
    std::vector<ContactReading> out;
    const auto seen = impl_->contacts.contacts();
    const State& state = impl_->state;
    for (std::size_t k = 0; k < seen.size() && k < state.contacts.size(); ++k) {
        const collision::Contact& c = seen[k];
        out.push_back({BodyId{c.body_a - 1}, BodyId{c.body_b - 1},
                       state.p[c.body_b] + state.q[c.body_b] * c.p_b, c.normal,
                       state.contacts[k].force, c.gap});
    }
    return out;
}

Real World::joint_gap() const noexcept { return read_gaps(impl_->model, impl_->state).length; }
Real World::angular_gap() const noexcept { return read_gaps(impl_->model, impl_->state).angle; }

Real World::size() const noexcept
{
    return impl_->model.extent.isEmpty() ? 0 : impl_->model.extent.diagonal().norm();
}

// --- snapshot ---

std::vector<std::byte> World::snapshot() const
{
    return write_snapshot(impl_->model, impl_->state);
}

Status World::restore(std::span<const std::byte> image)
{
    auto state = read_snapshot(impl_->model, impl_->state, image);
    if (!state) return state.error();
    impl_->state = std::move(*state);
    ContactSet::drop(impl_->model, impl_->state);
    return Done{};
}

std::uint64_t World::hash() const noexcept { return hash_state(impl_->model, impl_->state); }

}  // namespace taut
