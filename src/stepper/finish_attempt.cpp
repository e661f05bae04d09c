// From an iterate that was accepted to a state: stretches, remembered angles, energy that went in and out (newton.h).
#include <algorithm>
#include <span>
#include <utility>

#include "stepper/dissipation.h"
#include "stepper/midpoint.h"
#include "stepper/momentum.h"
#include "stepper/packs/each_part.h"
#include "stepper/phases.h"

namespace taut::stepper {
namespace {

// Backward Euler lets a body in free flight fall by gh²/2 too far. Where no constraint acts on a body and no contact is near,
// its position follows from the mean of its velocities: exact under gravity.
void ballistic_update(const StepModel& model, const State& state, const Attempt& attempt,
                      Workspace& work, const SolveContext& context) noexcept
{
    State& next = work.next;
    for (BodySupport& body : work.support) body.ballistic = body.unconstrained;
    const auto shift = [&](BodyIndex b) { return attempt.h / 2 * (state.v[b] - next.v[b]).norm(); };
    for (const int index : model.rows.inequalities) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (joint.law != RowLaw::Cone) continue;
        const int r = joint.first_row;
        const Real room = context.linear.rows[r].phi;
        const std::span<const BodyIndex> bodies = model.rows.bodies(joint);
        if (next.lambda[r] == 0 && room > shift(bodies[0]) + shift(bodies[1])) continue;
        work.support[bodies[0]].ballistic = work.support[bodies[1]].ballistic = false;
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (work.support[b].ballistic && model.bodies[b].dynamic())
            next.p[b] = state.p[b] + attempt.h / 2 * (state.v[b] + next.v[b]);
}

// Power at the end of the step, or its mean in a step of the midpoint scheme, of what feeds energy in and of what dissipates it.
Power measure_power(const StepModel& model, const Workspace& work, const Linearisation& linear,
                    const State& next) noexcept
{
    Power power;
    add_dissipated_power(model, work.dissipative_groups, linear, next, power);
    for (const int index : work.powered_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowStart& row = linear.rows[r];
            power.prescribed -= next.lambda[r] * row.prescribed;
            const bool drives = joint.kind != RowKind::Position && !model.rows.is_contact_row(r);
            if (drives) power.motors += next.lambda[r] * row.rate;
        }
    }
    // springs on kinematic bodies; on dynamic bodies their power is exchanged with stored energy
    for (const SpringStart& spring : linear.springs)
        power.prescribed -= spring.pull * spring.prescribed;
    return power;
}

// What a row is stretched by its force.
void write_stretches(const StepModel& model, const Attempt& attempt, const Workspace& work,
                     const SolveContext& context, State& next) noexcept
{
    const bool midpoint = attempt.formula == Attempt::Formula::Midpoint;
    const RowSoftness* const softness = model.rows.softness.data();
    const Real* const lambda = next.lambda.data();
    Real* const stretch = next.stretch.data();
    for (const RowRange& range : work.plain_rows)
        for (int r = range.first; r < range.first + range.count; ++r)
            stretch[r] = midpoint && work.resolved_rows[r] != 0
                             ? context.linear.rows[r].phi
                             : -softness[r].compliance * lambda[r];
    const bool adds_damping = !context.linear.damping.K.empty();
    for (const int index : work.general_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (!midpoint && joint.law == RowLaw::Equal && !joint.damped && !adds_damping) {
            for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r)
                stretch[r] = -softness[r].compliance * lambda[r];
            continue;
        }
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            if (midpoint && work.resolved_rows[r] != 0) {  // λ is that of the mean
                stretch[r] = context.linear.rows[r].phi;
                continue;
            }
            const Real damping_time = softness[r].damping_time + context.linear.damping.row_time[r];
            stretch[r] = -softness[r].compliance * lambda[r];
            // only rows that are damped have a rate that means something
            if (damping_time > 0)
                stretch[r] = loaded_stretch(
                    joint.law, stretch[r] - damping_time * context.linear.rows[r].rate);
            // a damped stop may let go while it is still deformed: what it stores then is lost
            if (joint.law == RowLaw::NonNegative && !(lambda[r] > 0)) stretch[r] = 0;
        }
    }
}

// Powers at the end of this step, of the last one and of the one before, as the formula weights forces. Loads act on the way
// that the bodies go: exact for a constant force, whatever the velocity.
void add_exchanged_energy(const StepModel& model, const State& state, const Attempt& attempt,
                          Workspace& work, const SolveContext& context) noexcept
{
    const bool adams = attempt.formula == Attempt::Formula::Adams;
    const bool midpoint = attempt.formula == Attempt::Formula::Midpoint;
    // powers of the midpoint scheme are those of its mean velocities
    const Real end = midpoint ? 1 : attempt.h_bar / attempt.h,
               before = adams ? attempt.weight_before : 0;
    const Real start = 1 - end - before;
    State& next = work.next;
    const StepMemory& last = state.last_step;
    StepMemory& now = next.last_step;
    now.power = measure_power(model, work, context.linear, next);
    now.power_before = attempt.formula == Attempt::Formula::Euler ? now.power : last.power;
    const auto mean = [&](Real Power::*of) {
        return end * (now.power.*of) + start * (last.power.*of) + before * (last.power_before.*of);
    };
    now.work = last.work;
    now.work.motors += attempt.h * mean(&Power::motors);
    now.work.prescribed += attempt.h * mean(&Power::prescribed);
    now.dissipation = last.dissipation;
    now.dissipation.damping += attempt.h * mean(&Power::damping);
    now.dissipation.friction += attempt.h * mean(&Power::friction);
    for (std::size_t b = 0; work.loaded && b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic()) continue;
        const Wrench& then = work.load_before[b];
        const Real share = adams ? Real(0.5) : end;
        const Vec3 force = (1 - share) * then.force + share * context.linear.load_force[b];
        const Vec3 torque = (1 - share) * then.torque + share * context.linear.load_torque[b];
        const Vec3 way = adams || midpoint ? Vec3(next.p[b] - state.p[b])
                                           : Vec3(attempt.h / 2 * (state.v[b] + next.v[b]));
        now.work.loads += force.dot(way) + attempt.h / 2 * torque.dot(state.w[b] + next.w[b]);
    }
}

}  // namespace

void finish_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                    Workspace& work, const SolveContext& context) noexcept
{
    State& next = work.next;
    if (attempt.formula == Attempt::Formula::Euler)
        ballistic_update(model, state, attempt, work, context);
    if (attempt.formula == Attempt::Formula::Midpoint && is_unanchored(model))
        restore_momentum(model, state, attempt.h, work.loaded, context.linear, next);
    next.time = state.time + attempt.h;
    next.steps = state.steps;
    write_stretches(model, attempt, work, context, next);
    remember_angles(model, next);

    add_exchanged_energy(model, state, attempt, work, context);
    // rows begin to act in steps of backward Euler only, which book work on the velocity at the end
    const bool convex = context.law_settings.convex && attempt.formula == Attempt::Formula::Euler;
    const Real lost_at_joints = add_impact_losses(
        model, {attempt.move(), 1, &next, convex, work.loaded}, work.support, state, next);
    std::fill(next.spin_up.begin(), next.spin_up.end(), Vec3::Zero());  // of the one-solve schemes

    const bool midpoint = attempt.formula == Attempt::Formula::Midpoint;
    if (midpoint)
        keep_midpoint_rates(model, work, next);
    else if (attempt.writes_rates)
        each_part(work, [&](const PackSpan& packs, int) {
            fastest_body_kernels().read_rates(
                packs, attempt.h_bar, body_arrays(std::as_const(next)),
                next.rates.linear.data()->data(), next.rates.angular.data()->data());
        });
    // velocities that joints and motors did not allow have jumped: a two-step scheme has no history across it
    next.last_step.h = lost_at_joints > kGuard.impact.joint_loss * context.kinetic ? 0 : attempt.h;
    next.last_step.time = state.time;
    next.last_step.ledger_invalid = 0;
    next.last_step.joints_open = state.last_step.joints_open;
    next.last_step.recovery_blocked = state.last_step.recovery_blocked;
    next.last_step.scheme = state.last_step.scheme;
    next.last_step.scheme.rates_known = attempt.writes_rates ? 1 : 0;
    next.last_step.scheme.midpoint_steps =
        midpoint ? std::min(state.last_step.scheme.midpoint_steps + 1, Real(2)) : 0;
}

}  // namespace taut::stepper
