// Commands to a running world: checked, written to State::commands and the numbers of the Model, and to the copies that islands
// have. Energy that a command puts in is booked as work, so that the balance of energy closes over it.
#include <algorithm>
#include <cmath>

#include "islands/rest.h"
#include "math/so3.h"
#include "model/energy.h"
#include "model/kinematic.h"
#include "model/springs.h"
#include "world/readings.h"
#include "world/world_impl.h"
#include "world/world_settings.h"

namespace taut {

// --- what they have in common ---

void World::Impl::book(Real energy, std::span<const BodyIndex> bodies) noexcept
{
    state.last_step.work.prescribed += energy;
    for (const BodyIndex b : bodies)
        if (IslandMemory* island = island_of(b)) {
            island->work.prescribed += energy;
            return;
        }
}

Status World::Impl::command(int joint, JointCommand wanted)
{
    TAUT_TRY(check_command(model, joint, wanted));
    JointCommand& now = state.commands.joints[joint];
    wanted = simplified(model, joint, wanted);
    const bool same = wanted.drives == now.drives && wanted.target == now.target &&
                      wanted.caps == now.caps && wanted.max_force == now.max_force &&
                      wanted.sets == now.sets && wanted.parameters == now.parameters;
    if (same) return Done{};
    now = wanted;
    apply_command(model, joint, now);
    step.islands.load_joint(model, state, joint);
    for (const BodyIndex b : bodies_of(joint)) wake(b);
    return Done{};
}

static Real stored_energy(const Model& model, const State& state, const SpringModel& spring)
{
    if (!spring_acts(model, spring)) return 0;
    const Real phi =
        spring.kind == SpringDef::Kind::Linear
            ? spring_force(state, model.linear_springs.items[spring.slot], spring).phi
            : spring_force(state, model.torsional_springs.items[spring.slot], spring).phi;
    return spring.stiffness * (phi - spring.rest) * (phi - spring.rest) / 2;
}

Status World::Impl::command(int spring, SpringCommand wanted)
{
    TAUT_TRY(check_command(model, spring, wanted));
    SpringCommand& now = state.commands.springs[spring];
    wanted = simplified(model, spring, wanted);
    const bool same = wanted.sets == now.sets && wanted.stiffness == now.stiffness &&
                      wanted.damping == now.damping && wanted.rest == now.rest;
    if (same) return Done{};
    const SpringModel& of = model.springs[spring];
    const Real before = stored_energy(model, state, of);
    now = wanted;
    apply_command(model, spring, now);
    book(stored_energy(model, state, of) - before, of.bodies);
    step.islands.load_spring(model, state, spring);
    for (const BodyIndex b : of.bodies) wake(b);
    return Done{};
}

// What a joint, a spring or a contact connects with a body that forces do not move.
void World::Impl::disturb_neighbours(BodyIndex b) noexcept
{
    for (int j = 0; j < model.rows.joints; ++j) {
        const std::span<const BodyIndex> bodies = bodies_of(j);
        if (std::find(bodies.begin(), bodies.end(), b) == bodies.end()) continue;
        for (const BodyIndex other : bodies) disturb(other);
    }
    for (const SpringModel& spring : model.springs)
        if (spring.bodies[0] == b || spring.bodies[1] == b)
            for (const BodyIndex other : spring.bodies) disturb(other);
    const auto colliders = step.contacts.colliders();
    for (const ContactMemory& contact : state.contacts) {
        const BodyIndex one(colliders[contact.collider_a].body);
        const BodyIndex other(colliders[contact.collider_b].body);
        if (one == b || other == b) disturb(one == b ? other : one);
    }
}

Status World::Impl::command(BodyIndex b, MotionCommand wanted)
{
    if (model.bodies[b].kind != BodyKind::Kinematic)
        return Error{
            text(describe_body(model, b), " is not kinematic: forces move it, or nothing")};
    MotionCommand& now = state.commands.motions[model.body_details[b].motion_command];
    wanted.knots = now.knots;
    if (!now.given()) {
        // the step before, on the schedule that it has followed so far
        const Real before = state.time - state.clock.dt;
        const Pose was = prescribed_pose(model.body_details[b], before);
        const Quat& q = state.q[b];
        wanted.knots[2] = {state.time, state.p[b] - q * model.bodies[b].com, q};
        wanted.knots[0] = wanted.knots[1] = wanted.knots[2];
        if (state.clock.dt > 0) wanted.knots[1] = wanted.knots[0] = {before, was.p, was.q};
    }
    TAUT_TRY(check_command(model, b, wanted));
    now = wanted;
    motions_wait = true;
    apply_command(model, b, now);
    step.islands.load_motion(model, b);
    return Done{};
}

// --- drives, limits, springs ---

Status World::set_target(JointId id, Real target)
{
    TAUT_TRY(impl_->check(id));
    JointCommand command = impl_->state.commands.joints[impl_->at(id)];
    command.drives = 1;
    command.target = target;
    return impl_->command(impl_->at(id), command);
}

Status World::follow_schedule(JointId id)
{
    TAUT_TRY(impl_->check(id));
    JointCommand command = impl_->state.commands.joints[impl_->at(id)];
    command.drives = 0;
    return impl_->command(impl_->at(id), command);
}

Status World::set_max_force(JointId id, Real max_force)
{
    TAUT_TRY(impl_->check(id));
    JointCommand command = impl_->state.commands.joints[impl_->at(id)];
    command.caps = 1;
    command.max_force = max_force;
    return impl_->command(impl_->at(id), command);
}

// Limits and servos have two parameters each; a joint with others has neither.
static Status check_family(const Model& model, int joint, JointFamily wanted, std::string_view has)
{
    JointFamily family = JointFamily::Joint;
    visit_joint(model, model.rows.groups[joint],
                [&](const auto& item) { family = std::decay_t<decltype(item)>::kFamily; });
    if (family == wanted) return Done{};
    return Error{text(describe_joint(model, joint), ": has no ", has)};
}

Status World::set_limits(JointId id, Real lower, Real upper)
{
    TAUT_TRY(impl_->check(id));
    const int joint = impl_->at(id);
    TAUT_TRY(check_family(impl_->model, joint, JointFamily::Limit,
                          "bounds; angle_limits and slide_limits have them"));
    JointCommand command = impl_->state.commands.joints[joint];
    command.sets = 1;
    command.parameters = {lower, upper};
    return impl_->command(joint, command);
}

Status World::set_servo(JointId id, Real stiffness, Real damping)
{
    TAUT_TRY(impl_->check(id));
    const int joint = impl_->at(id);
    TAUT_TRY(check_family(impl_->model, joint, JointFamily::Servo,
                          "stiffness and damping; hinge_servo and slide_servo have them"));
    JointCommand command = impl_->state.commands.joints[joint];
    command.sets = 1;
    command.parameters = {stiffness, damping};
    return impl_->command(joint, command);
}

static SpringCommand current_numbers(const SpringModel& spring) noexcept
{
    return {1, spring.stiffness, spring.damping, spring.rest};
}

Status World::set_stiffness(SpringId id, Real stiffness)
{
    TAUT_TRY(impl_->check(id));
    SpringCommand command = current_numbers(impl_->model.springs[impl_->at(id)]);
    command.stiffness = stiffness;
    return impl_->command(impl_->at(id), command);
}

Status World::set_damping(SpringId id, Real damping)
{
    TAUT_TRY(impl_->check(id));
    SpringCommand command = current_numbers(impl_->model.springs[impl_->at(id)]);
    command.damping = damping;
    return impl_->command(impl_->at(id), command);
}

Status World::set_rest(SpringId id, Real rest)
{
    TAUT_TRY(impl_->check(id));
    SpringCommand command = current_numbers(impl_->model.springs[impl_->at(id)]);
    command.rest = rest;
    return impl_->command(impl_->at(id), command);
}

// --- kinematic bodies ---

Status World::set_kinematic_target(BodyId id, const Pose& target)
{
    TAUT_TRY(impl_->check(id));
    MotionCommand command;
    command.mode = MotionCommand::Target;
    command.target = target;
    return impl_->command(impl_->at(id), command);
}

Status World::set_kinematic_velocity(BodyId id, const Twist& velocity)
{
    TAUT_TRY(impl_->check(id));
    const BodyIndex b = impl_->at(id);
    MotionCommand command;
    command.mode = MotionCommand::Velocity;
    command.velocity = velocity;
    TAUT_TRY(impl_->command(b, command));
    impl_->disturb_neighbours(b);  // velocities jump
    return Done{};
}

Status World::follow_schedule(BodyId id)
{
    TAUT_TRY(impl_->check(id));
    const BodyIndex b = impl_->at(id);
    const int motion = impl_->model.body_details[b].motion_command;
    if (motion < 0)
        return Error{text(describe_body(impl_->model, b), " is not kinematic: it has no schedule")};
    MotionCommand& now = impl_->state.commands.motions[motion];
    if (!now.given()) return Done{};
    now = {};
    apply_command(impl_->model, b, now);
    impl_->step.islands.load_motion(impl_->model, b);
    impl_->disturb_neighbours(b);  // it jumps
    return Done{};
}

// Where the body is to be at the end of the step, as even motion from where it is.
static void begin_motion(const State& state, const BodyModel& body, BodyIndex b, Real dt,
                         MotionCommand& command) noexcept
{
    MotionKnots& knots = command.knots;
    const bool past = knots[1].time < state.time;  // not after set_time()
    const Quat& q = state.q[b];
    const MotionKnot now{state.time, state.p[b] - q * body.com, q};
    knots[0] = past ? knots[1] : now;
    knots[1] = now;
    knots[2].time = state.time + dt;
    if (command.mode == static_cast<Real>(MotionCommand::Target)) {
        knots[2].p = command.target.p;
        knots[2].q = command.target.q;
    } else {
        knots[2].p = now.p + dt * command.velocity.linear;
        knots[2].q = (exp_quat(dt * command.velocity.angular) * now.q).normalized();
    }
}

void World::Impl::begin_step(Real dt) noexcept
{
    if (motions_wait) {
        motions_before = state.commands.motions;
        for (const BodyIndex b : BodyRange(model.bodies.size())) {
            const int motion = model.body_details[b].motion_command;
            if (motion < 0 || !state.commands.motions[motion].given()) continue;
            begin_motion(state, model.bodies[b], b, dt, state.commands.motions[motion]);
            apply_command(model, b, state.commands.motions[motion]);
            step.islands.load_motion(model, b);
        }
    }
    set_wrenches.clear();
    if (!forces_wait) return;
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        const Wrench& next = state.commands.bodies[b].next;
        if (next.force.isZero(0) && next.torque.isZero(0)) continue;
        set_wrenches.emplace_back(b, state.wrench[b]);
        state.wrench[b].force += next.force;
        state.wrench[b].torque += next.torque;
    }
}

// A step that failed has changed nothing: forces and targets wait for the next one.
void World::Impl::end_step(bool done) noexcept
{
    for (const auto& [b, wrench] : set_wrenches) {
        state.wrench[b] = wrench;
        if (done) state.commands.bodies[b].next = {};
    }
    if (done && forces_wait) forces_wait = false;
    set_wrenches.clear();
    if (done || !motions_wait) return;
    state.commands.motions = motions_before;
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        const int motion = model.body_details[b].motion_command;
        if (motion < 0) continue;
        apply_command(model, b, state.commands.motions[motion]);
        step.islands.load_motion(model, b);
    }
}

void World::Impl::after_restore()
{
    apply_commands(model, state.commands);
    step.forget();
    forces_wait = motions_wait = false;
    for (const BodyCommand& command : state.commands.bodies)
        forces_wait =
            forces_wait || !command.next.force.isZero(0) || !command.next.torque.isZero(0);
    for (const MotionCommand& command : state.commands.motions)
        motions_wait = motions_wait || command.given();
}

// --- forces and impulses ---

Status World::Impl::add_force(BodyIndex b, const Wrench& more)
{
    BodyCommand& now = state.commands.bodies[b];
    BodyCommand wanted = now;
    wanted.next.force += more.force;
    wanted.next.torque += more.torque;
    TAUT_TRY(check_command(model, b, wanted));
    if (model.bodies[b].disabled) return Error{text(describe_body(model, b), " is disabled")};
    if (more.force.isZero(0) && more.torque.isZero(0)) return Done{};
    now = wanted;
    forces_wait = true;
    wake(b);
    return Done{};
}

// The arm of a force on a particle would turn it.
Status World::Impl::check_point(BodyIndex b, const Vec3& point) const
{
    if (!point.allFinite())
        return Error{text(describe_body(model, b), ": the point must be finite")};
    if (model.bodies[b].kind == BodyKind::Particle && point != state.p[b])
        return Error{text(describe_body(model, b), " is a particle: force at its centre only")};
    return Done{};
}

Status World::apply_force(BodyId id, const Vec3& force)
{
    TAUT_TRY(impl_->check_dynamic(id));
    return impl_->add_force(impl_->at(id), {force, Vec3::Zero()});
}

Status World::apply_force(BodyId id, const Vec3& force, const Vec3& point)
{
    TAUT_TRY(impl_->check_dynamic(id));
    const BodyIndex b = impl_->at(id);
    TAUT_TRY(impl_->check_point(b, point));
    return impl_->add_force(b, {force, (point - impl_->state.p[b]).cross(force)});
}

Status World::apply_torque(BodyId id, const Vec3& torque)
{
    TAUT_TRY(impl_->check_dynamic(id));
    return impl_->add_force(impl_->at(id), {Vec3::Zero(), torque});
}

Status World::Impl::apply_impulse(BodyIndex b, const Vec3& impulse, const Vec3& angular)
{
    const BodyModel& body = model.bodies[b];
    if (!impulse.allFinite() || !angular.allFinite())
        return Error{text(describe_body(model, b), ": impulse must be finite")};
    if (body.disabled) return Error{text(describe_body(model, b), " is disabled")};
    if (body.kind == BodyKind::Particle && !angular.isZero(0))
        return Error{text(describe_body(model, b), " is a particle: it takes no angular impulse")};
    if (impulse.isZero(0) && angular.isZero(0)) return Done{};
    const Vec3 dv = impulse / body.mass;
    Vec3 dw = Vec3::Zero();
    if (body.kind == BodyKind::Rigid)
        dw = state.q[b] * (body.inverse_inertia * (state.q[b].conjugate() * angular));
    // at the mean velocity
    const Real work = impulse.dot(state.v[b] + dv / 2) + angular.dot(state.w[b] + dw / 2);
    state.v[b] += dv;
    state.w[b] += dw;
    state.last_step.work.loads += work;
    if (IslandMemory* island = island_of(b)) island->work.loads += work;
    disturb(b);
    return Done{};
}

Status World::apply_impulse(BodyId id, const Vec3& impulse)
{
    TAUT_TRY(impl_->check_dynamic(id));
    return impl_->apply_impulse(impl_->at(id), impulse, Vec3::Zero());
}

Status World::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point)
{
    TAUT_TRY(impl_->check_dynamic(id));
    const BodyIndex b = impl_->at(id);
    TAUT_TRY(impl_->check_point(b, point));
    return impl_->apply_impulse(b, impulse, (point - impl_->state.p[b]).cross(impulse));
}

Status World::apply_angular_impulse(BodyId id, const Vec3& impulse)
{
    TAUT_TRY(impl_->check_dynamic(id));
    return impl_->apply_impulse(impl_->at(id), Vec3::Zero(), impulse);
}

// --- on and off ---

// Joints that do not act carry nothing; those that act again are read where they are.
void World::Impl::update_joint(int joint) noexcept
{
    const ConstraintRows& rows = model.rows.groups[joint];
    if (!joint_acts(model, state, joint))
        for (int r = rows.first_row; r < rows.first_row + rows.rows; ++r)
            state.lambda[r] = state.stretch[r] = 0;
    reread_joint(model, state, joint);
}

Status World::set_enabled(JointId id, bool enabled)
{
    TAUT_TRY(impl_->check(id));
    const int joint = impl_->at(id);
    State& state = impl_->state;
    if ((state.commands.joints[joint].disabled == 0) == enabled) return Done{};
    ContactSet::drop(impl_->step.rows, state);
    const Real before = read_energy(impl_->model, state).total();
    state.commands.joints[joint].disabled = enabled ? 0 : 1;
    apply_disabled(impl_->model, state.commands);
    impl_->update_joint(joint);
    impl_->book(read_energy(impl_->model, state).total() - before, impl_->bodies_of(joint));
    for (const BodyIndex b : impl_->bodies_of(joint))
        enabled ? impl_->disturb(b) : impl_->open_ledger(b);
    return Done{};
}

Status World::set_enabled(BodyId id, bool enabled)
{
    TAUT_TRY(impl_->check(id));
    const BodyIndex b = impl_->at(id);
    State& state = impl_->state;
    if ((state.commands.bodies[b].disabled == 0) == enabled) return Done{};
    ContactSet::drop(impl_->step.rows, state);
    impl_->open_division(impl_->model.bodies.size());  // the others go on without it
    std::vector<char> colliders(impl_->step.contacts.colliders().size(), 0);
    for (std::size_t k = 0; k < colliders.size(); ++k)
        colliders[k] = impl_->step.contacts.colliders()[k].body == b;
    impl_->wake_contacts_of(colliders);
    const Real before = read_energy(impl_->model, state).total();
    impl_->open_ledger(b);
    state.commands.bodies[b].disabled = enabled ? 0 : 1;
    apply_disabled(impl_->model, state.commands);
    impl_->queries.invalidate();
    if (!enabled && !state.division.island_of.empty()) {
        state.division.island_of[b] = -1;
        drop_empty_islands(state.division);
    }
    for (int j = 0; j < impl_->model.rows.joints; ++j) {
        const std::span<const BodyIndex> bodies = impl_->bodies_of(j);
        if (std::find(bodies.begin(), bodies.end(), b) == bodies.end()) continue;
        impl_->update_joint(j);
        for (const BodyIndex other : bodies)
            enabled ? impl_->disturb(other) : impl_->open_ledger(other);
    }
    for (const SpringModel& spring : impl_->model.springs)
        if (spring.bodies[0] == b || spring.bodies[1] == b)
            for (const BodyIndex other : spring.bodies) impl_->open_ledger(other);
    impl_->book(read_energy(impl_->model, state).total() - before, {});
    return Done{};
}

bool World::enabled(BodyId id) const
{
    return id == kWorld ||
           impl_->state.commands.bodies[impl_->at_known("enabled", id)].disabled == 0;
}

bool World::enabled(JointId id) const
{
    return impl_->state.commands.joints[impl_->at_known("enabled", id)].disabled == 0;
}

Status World::wake(BodyId id)
{
    TAUT_TRY(impl_->check_dynamic(id));
    impl_->wake(impl_->at(id));
    return Done{};
}

Status World::sleep(BodyId id)
{
    TAUT_TRY(impl_->check_dynamic(id));
    const BodyIndex b = impl_->at(id);
    const int island = impl_->state.division.find(b);
    if (island < 0)
        return Error{text(describe_body(impl_->model, b),
                          ": is in no island as yet; a step with StepSettings::sleep makes one")};
    if (impl_->state.division.islands[island].frozen != 0)
        return Error{text(describe_body(impl_->model, b), ": is frozen")};
    if (impl_->state.division.islands[island].asleep == 0)
        put_to_sleep(impl_->model, impl_->state, island);
    return Done{};
}

}  // namespace taut
