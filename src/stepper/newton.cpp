#include "stepper/newton.h"

#include <algorithm>

#include "core/assert.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "stabilisation/geometric.h"
#include "stepper/loops.h"
#include "stepper/midpoint.h"
#include "stepper/packs/each_part.h"
#include "stepper/packs/kernel_table.h"
#include "stepper/phases.h"

namespace taut::stepper {
namespace {

SchemeWeights weights(const Attempt& attempt) noexcept
{
    SchemeWeights s;
    s.h = attempt.h_bar;
    s.time = attempt.time;
    s.newton = true;
    s.end = attempt.time + attempt.h;
    s.midpoint = attempt.formula == Attempt::Formula::Midpoint;
    s.move = attempt.move();
    return s;
}

// Fixed and kinematic bodies: the pose at the end of the step, and the velocity as the difference quotient of the scheme.
void set_non_dynamic_body(const StepModel& model, const State& state, BodyIndex b,
                          const Attempt& attempt, State& next) noexcept
{
    if (!place_non_dynamic_body(model, state, b, attempt, next)) return;
    const Real t = attempt.time + attempt.h, before = attempt.time - state.last_step.h;
    const BodyDetails& body = model.body_details[b];
    // second order at the end of the step: the difference quotient of bdf2
    const Attempt quotient =
        attempt.uses_history() ? bdf2_attempt(state, attempt.h) : euler_attempt(state, attempt.h);
    Vec3 from = state.p[b];
    if (quotient.uses_history()) from += quotient.a * (state.p[b] - state.history.p[b]);
    next.v[b] = (next.p[b] - from) / quotient.h_bar;
    if (body.commanded) {
        Vec3 turn = commanded_turn(body, attempt.time, t);
        if (quotient.uses_history())
            turn -= quotient.a * commanded_turn(body, before, attempt.time);
        next.w[b] = turn / quotient.h_bar;
        return;
    }
    const Motion& motion = body.motion;
    const Real angle = motion.angle.value(t), now = motion.angle.value(attempt.time);
    Real turned = now;
    if (quotient.uses_history()) turned += quotient.a * (now - motion.angle.value(before));
    next.w[b] = motion.axis * ((angle - turned) / quotient.h_bar);
}

AttemptCoefficients attempt_coefficients(const StepModel& model, const State& state,
                                         const Attempt& attempt) noexcept
{
    using Past = AttemptCoefficients::Past;
    const Vec3& g = model.gravity;
    const Past past = !attempt.uses_history()                     ? Past::None
                      : attempt.formula == Attempt::Formula::Bdf2 ? Past::Bdf2
                                                                  : Past::Adams;
    return {attempt.h,
            attempt.a,
            attempt.h_bar,
            state.last_step.h,
            {g.x(), g.y(), g.z()},
            past,
            attempt.weight_now,
            attempt.weight_before};
}

// Loads at the start of the step, as they are applied now.
void read_loads_at_start(const StepModel& model, const State& state, const Attempt& attempt,
                         Workspace& work) noexcept
{
    Linearisation& linear = work.context.linear;
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
        linear.bodies[k].pose = body_pose(state, static_cast<BodyIndex>(k));
    SchemeWeights scheme = weights(attempt);
    scheme.end = attempt.time;
    gather_loads(model, state, scheme, linear);
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
        work.load_before[k] = {linear.load_force[k], linear.load_torque[k]};
}

// Midpoint: the mean of the loads at both ends.
void take_mean_loads(const StepModel& model, const Workspace& work, Linearisation& linear) noexcept
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        linear.load_force[b] = (linear.load_force[b] + work.load_before[b].force) / 2;
        linear.load_torque[b] = (linear.load_torque[b] + work.load_before[b].torque) / 2;
    }
}

// Inertia of the iterate per body, for stabilisations that judge the assembled K̃: H holds it until elements are added.
void copy_inertias(const StepModel& model, SolveContext& context) noexcept
{
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind != BodyKind::Rigid) continue;
        const Real* H = &context.linear.system.H[context.layout.block(static_cast<BodyIndex>(b))];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                context.linear.bodies[b].inertia(r, c) = H[6 * (r + 3) + c + 3];
    }
}

// Loads on the right-hand side; rotate_free_bodies() has applied the torques of free bodies already.
void add_loads(const StepModel& model, const Attempt& attempt, const Workspace& work,
               SolveContext& context) noexcept
{
    const Linearisation& linear = context.linear;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        Real* f = &context.linear.system.f[context.layout.offset(static_cast<BodyIndex>(b))];
        for (int k = 0; k < 3; ++k) f[k] += attempt.h_bar * linear.load_force[b][k];
        if (body.kind != BodyKind::Rigid || work.support[b].is_free) continue;
        for (int k = 0; k < 3; ++k) f[k + 3] += attempt.h_bar * linear.load_torque[b][k];
    }
}

// Free bodies rotate without torque, with half of the applied angular impulse before and half after:
// angular momentum and, without torque, energy are kept exactly whatever the spin.
void rotate_free_bodies(const StepModel& model, const State& state, const Attempt& attempt,
                        Workspace& work) noexcept
{
    State& next = work.next;
    Linearisation& linear = work.context.linear;
    const auto torques_at = [&](const State& at, Real time) {
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (work.support[k].is_free)
                linear.bodies[k].pose = body_pose(at, static_cast<BodyIndex>(k));
        SchemeWeights scheme = weights(attempt);
        scheme.end = time;
        gather_loads(model, at, scheme, linear);
    };
    const auto each = [&](auto&& visit) {
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (work.support[k].is_free && model.bodies[k].kind == BodyKind::Rigid) visit(k);
    };
    torques_at(state, attempt.time);
    each([&](std::size_t k) {
        const BodyModel& body = model.bodies[k];
        const Vec3 kick = attempt.h / 2 * (state.q[k].conjugate() * linear.load_torque[k]);
        const Vec3 w = state.w[k] + state.q[k] * (body.inverse_inertia * kick);
        const FreeRotation to =
            rotate_free(body.inertia, body.inverse_inertia, state.q[k], w, attempt.h, Real(0.5));
        next.q[k] = to.q_new;
        next.w[k] = to.w_new;
    });
    torques_at(next, attempt.time + attempt.h);
    each([&](std::size_t k) {
        const Vec3 kick = attempt.h / 2 * (next.q[k].conjugate() * linear.load_torque[k]);
        next.w[k] += next.q[k] * (model.bodies[k].inverse_inertia * kick);
    });
}

// Bodies among contacts that move by no more than rounding, or than the accuracy of the solve, start from rest in the first
// iterate. What a solve leaves is no velocity to go on with: a body at rest would creep, its contacts would open or close by
// 1e-13 m, and friction that jams it would have to be solved anew for that.
void start_from_rest(const StepModel& model, const State& state, const Attempt& attempt,
                     Workspace& work) noexcept
{
    constexpr ContactRestSettings kRest = kGuard.rest;
    State& next = work.next;
    const Real fall = kRest.speed * model.gravity.norm() * attempt.h;
    const Real slow = std::max(gap_rounding(model, work) / attempt.h, fall);
    const Real slow_turn =
        std::max(kGuard.acceptance.row_rounding / attempt.h, fall / model.size());
    const auto rests = [&](const Vec3& v, const Vec3& w) {
        return v.squaredNorm() <= slow * slow && w.squaredNorm() <= slow_turn * slow_turn;
    };
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic() || work.support[b].is_free) continue;
        if (!rests(state.v[b], state.w[b])) continue;
        if (attempt.formula != Attempt::Formula::Euler &&
            !rests(state.history.v[b], state.history.w[b]))
            continue;
        next.p[b] = state.p[b];
        next.q[b] = state.q[b];
        next.v[b].setZero();
        next.w[b].setZero();
    }
}

// Contacts whose gap is within rounding are closed. Rows about a body at rest are mostly redundant and friction sticks: gaps that
// contradict each other by rounding could be closed only if something slid. Wider bounds were tried, up to the accuracy of
// a solve: piles came to rest later, because contacts gathered at the bound.
void close_rounded_gaps(const StepModel& model, const Attempt& attempt, const Workspace& work,
                        Linearisation& linear) noexcept
{
    const Real slight = gap_rounding(model, work) / attempt.move();
    for (const int group : model.pool<Contact>().groups) {
        Real& g = linear.system.g[model.rows.groups[group].first_row];
        g -= std::clamp(g, -slight, slight);
    }
}

// X, V and the first iterate of the schemes that put forces at the end of the step.
void begin_end_point(const StepModel& model, const State& state, const Attempt& attempt,
                     Workspace& work) noexcept
{
    const AttemptCoefficients scheme = attempt_coefficients(model, state, attempt);
    each_part(work, [&](const PackSpan& packs, int) {
        fastest_body_kernels().begin(packs, scheme, body_arrays(state), body_arrays(state.history),
                                     rate_arrays(state), body_arrays(work.next));
    });
    for (const BodyIndex b : work.non_dynamic_bodies)
        set_non_dynamic_body(model, state, b, attempt, work.next);
}

// Poses, M and momenta at the iterate; returns its kinetic energy [J].
Real write_end_point_system(const StepModel& model, const Attempt& attempt, bool rates, Depth depth,
                            Workspace& work, SolveContext& context) noexcept
{
    const State& next = work.next;
    Linearisation& linear = context.linear;
    const SystemArrays to = system_arrays(linear, rates, depth == Depth::Matrix);
    const AttemptCoefficients at = attempt_coefficients(model, next, attempt);
    const Real kinetic = sum_of_parts(work, [&](const PackSpan& packs) {
        return fastest_body_kernels().write_system(packs, at, body_arrays(next), to);
    });
    for (const BodyIndex b : work.non_dynamic_bodies) {
        BodyStart& start = linear.bodies[b];
        start.pose = body_pose(next, b);
        start.v = next.v[b];
        start.w = next.w[b];
    }
    return kinetic;
}

}  // namespace

Attempt euler_attempt(const State& state, Real h) noexcept { return {h, h, state.time}; }

Attempt bdf2_attempt(const State& state, Real h) noexcept
{
    if (!(h <= kMostGrowth * state.last_step.h)) return euler_attempt(state, h);
    const Real r = h / state.last_step.h;
    Attempt attempt{h, h * (1 + r) / (1 + 2 * r), state.time, Attempt::Formula::Bdf2};
    attempt.a = r * r / (1 + 2 * r);
    return attempt;
}

Attempt midpoint_attempt(const State& state, Real h) noexcept
{
    return {h, h / 2, state.time, Attempt::Formula::Midpoint};
}

Attempt adams_attempt(const State& state, Real h) noexcept
{
    constexpr SchemeSettings kScheme = kGuard.scheme;
    if (!(h <= kScheme.adams_growth * state.last_step.h)) return euler_attempt(state, h);
    Attempt attempt{h, kScheme.adams_end * h, state.time, Attempt::Formula::Adams};
    attempt.weight_before = kScheme.adams_before * h / state.last_step.h;
    attempt.weight_now = 1 - kScheme.adams_end - attempt.weight_before;
    return attempt;
}

bool place_non_dynamic_body(const StepModel& model, const State& state, BodyIndex b,
                            const Attempt& attempt, State& next) noexcept
{
    next.p[b] = state.p[b];
    next.q[b] = state.q[b];
    next.v[b].setZero();
    next.w[b].setZero();
    if (model.bodies[b].kind != BodyKind::Kinematic) return false;
    apply_kinematic_motion(model, b, attempt.time + attempt.h, next);
    return true;
}

void begin_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                   Workspace& work) noexcept
{
    State& next = work.next;
    next.lambda = state.lambda;
    next.memory = state.memory;
    next.broken = state.broken;
    next.wrench = state.wrench;
    next.last_step.h = state.last_step.h;
    next.last_step.scheme = state.last_step.scheme;
    if (attempt.formula == Attempt::Formula::Midpoint)
        begin_midpoint(model, state, attempt, work);
    else
        begin_end_point(model, state, attempt, work);
    if (work.any_rotates_freely) rotate_free_bodies(model, state, attempt, work);
    if (model.rows.has_contacts() && attempt.formula != Attempt::Formula::Midpoint)
        start_from_rest(model, state, attempt, work);
    predict_angles(model, state, attempt.h, next);
    work.loaded = !model.loads.empty() || any_wrench(state);
    if (work.loaded && attempt.formula != Attempt::Formula::Euler)
        read_loads_at_start(model, state, attempt, work);
}

void linearise_iterate(const StepModel& model, const Attempt& attempt, Stabilisation stabilisation,
                       bool mixed, Depth depth, Workspace& work, SolveContext& context) noexcept
{
    TAUT_ASSERT(context.linear.rows.size() == static_cast<std::size_t>(model.rows.count));
    SchemeWeights scheme = weights(attempt);
    scheme.mixed = mixed;
    scheme.values_only = depth == Depth::Values;
    const State& next = work.next;
    Linearisation& linear = context.linear;
    scheme.resolved = work.resolved_rows.data();
    scheme.any_resolved = work.any_resolved;
    const bool rates = work.wants_rates || judges_assembled(stabilisation);
    context.kinetic = scheme.midpoint
                          ? write_midpoint_system(model, attempt, depth, work, context)
                          : write_end_point_system(model, attempt, rates, depth, work, context);
    if (judges_assembled(stabilisation) && depth == Depth::Matrix) copy_inertias(model, context);
    if (work.loaded) {
        gather_loads(model, next, scheme, linear);
        if (scheme.midpoint) take_mean_loads(model, work, linear);
        add_loads(model, attempt, work, context);
    }
    write_elements(model, next, scheme, stabilisation, context.layout, linear);
    add_loop_compliance(model, attempt.h_bar, attempt.move(), work, linear.system);
    close_rounded_gaps(model, attempt, work, linear);
    const Real of_contacts = attempt.recovery_blocked ? 1 : attempt.penetration_kept;
    if (attempt.gap_fraction_kept == 0 && of_contacts == 0) return;
    for (int r = 0; r < model.rows.count; ++r) {
        const Real share = model.rows.is_contact_row(r) ? of_contacts : attempt.gap_fraction_kept;
        linear.system.g[r] +=
            share * work.initial_gap[r] / (attempt.move() + model.rows.softness[r].damping_time);
    }
}

void read_initial_gaps(const StepModel& model, const State& state, const StepSettings& settings,
                       Workspace& work) noexcept
{
    TAUT_ASSERT(work.initial_gap.size() == static_cast<std::size_t>(model.rows.count));
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        BodyStart& start = work.context.linear.bodies[k];
        start.pose = body_pose(state, static_cast<BodyIndex>(k));
        start.v = state.v[k];
        start.w = state.w[k];
    }
    SchemeWeights scheme;
    scheme.h = settings.dt;
    scheme.newton = true;
    scheme.end = state.time;
    linearise(model, state, scheme, Stabilisation::None, work.context.layout, work.context.linear);
    for (const ConstraintRows& joint : model.rows.groups)
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowSoftness& soft = model.rows.softness[r];
            const RowStart& row = work.context.linear.rows[r];
            // A compliant row that is stretched is not open, nor a damped one that closes as its law says, φ + τφ̇ = 0,
            // nor one that is closed and moves: its damper stops it at once, and what it may leave is a gap, not τφ̇.
            const bool hard = joint.kind == RowKind::Position && soft.compliance == 0;
            const Real left = row.phi + soft.damping_time * row.rate;
            const Real open =
                std::clamp(left, std::min(row.phi, Real(0)), std::max(row.phi, Real(0)));
            work.initial_gap[r] = hard ? loaded_stretch(joint.law, open) : 0;
        }
    // nor is one that yields
    for (const int r : work.loop_rows)
        work.initial_gap[r] += loop_compliance(model, work, r) * state.lambda[r];
}

Real gap_rounding(const StepModel& model, const Workspace& work) noexcept
{
    return kGuard.acceptance.row_rounding * std::max(model.size(), work.distance_from_origin);
}

void correct(const StepModel& model, const Attempt& attempt, Forces forces, Workspace& work,
             const SolveContext& context) noexcept
{
    TAUT_ASSERT(context.solution.y.size() == work.next.lambda.size());
    if (attempt.formula == Attempt::Formula::Midpoint)
        return correct_midpoint(model, attempt, forces, work, context);
    State& next = work.next;
    const AttemptCoefficients scheme = attempt_coefficients(model, next, attempt);
    // inequality rows whose forces are those of the warm start move nothing: bodies at rest stay where they are, to the bit
    const std::vector<Real>& u = context.solution.x;
    if (!std::all_of(u.begin(), u.end(), [](Real x) { return x == 0; }))
        each_part(work, [&](const PackSpan& packs, int) {
            fastest_body_kernels().correct(packs, scheme, u.data(), body_arrays(next));
        });
    const Real rate = 1 / attempt.h_bar;
    const Real* const y = context.solution.y.data();
    Real* const lambda = next.lambda.data();
    const std::size_t rows = next.lambda.size();
    if (forces == Forces::Added)
        for (std::size_t r = 0; r < rows; ++r) lambda[r] = lambda[r] + y[r] * rate;
    else
        for (std::size_t r = 0; r < rows; ++r) lambda[r] = y[r] * rate;
}

}  // namespace taut::stepper
