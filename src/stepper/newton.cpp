#include "stepper/newton.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "model/energy.h"
#include "model/kinematic.h"
#include "model/springs.h"
#include "stabilisation/geometric.h"
#include "stepper/inequality_rows.h"
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
    return s;
}

// Fixed and kinematic bodies: the pose at the end of the step, and the velocity as the difference quotient of the scheme.
void set_non_dynamic_body(const StepModel& model, const State& state, BodyIndex b,
                          const Attempt& attempt, State& next) noexcept
{
    next.p[b] = state.p[b];
    next.q[b] = state.q[b];
    next.v[b].setZero();
    next.w[b].setZero();
    if (model.bodies[b].kind != BodyKind::Kinematic) return;
    const Real t = attempt.time + attempt.h;
    apply_kinematic_motion(model, b, t, next);
    const Motion& motion = model.body_details[b].motion;
    const Real angle = motion.angle.value(t), now = motion.angle.value(attempt.time);
    Vec3 from = state.p[b];
    Real turned = now;
    if (attempt.a > 0) {
        from += attempt.a * (state.p[b] - state.history.p[b]);
        turned += attempt.a * (now - motion.angle.value(attempt.time - state.last_step.h));
    }
    next.v[b] = (next.p[b] - from) / attempt.h_bar;
    next.w[b] = motion.axis * ((angle - turned) / attempt.h_bar);
}

AttemptCoefficients attempt_coefficients(const StepModel& model, const State& state,
                                         const Attempt& attempt) noexcept
{
    const Vec3& g = model.gravity;
    return {attempt.h, attempt.a, attempt.h_bar, state.last_step.h, {g.x(), g.y(), g.z()}};
}

template <class At>
ConstBodyArrays body_arrays(const At& at) noexcept
{
    return {at.p.data()->data(), at.q.data()->coeffs().data(), at.v.data()->data(),
            at.w.data()->data()};
}

BodyArrays body_arrays(State& at) noexcept
{
    return {at.p.data()->data(), at.q.data()->coeffs().data(), at.v.data()->data(),
            at.w.data()->data()};
}

// visit(packs, part) for the packs part by part, side by side where they are many.
template <class Visit>
void each_part(Workspace& work, Visit&& visit) noexcept
{
    const std::size_t count = work.packs.size();
    const std::size_t parts = (count + kPartOfPacks - 1) / kPartOfPacks;
    work.context.linear.team.run(static_cast<int>(parts), [&](int part) {
        const std::size_t first = static_cast<std::size_t>(part) * kPartOfPacks;
        const std::size_t size = std::min<std::size_t>(kPartOfPacks, count - first);
        visit(PackSpan{&work.packs[first], &work.attempts[first], static_cast<long>(size)}, part);
    });
}

// The same for what each part has a sum of; they are added in the order of the parts.
template <class Visit>
Real sum_of_parts(Workspace& work, Visit&& visit) noexcept
{
    each_part(work, [&](const PackSpan& packs, int part) { work.sums[part] = visit(packs); });
    Real sum = 0;
    for (std::size_t k = 0; k * kPartOfPacks < work.packs.size(); ++k) sum += work.sums[k];
    return sum;
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

// Power of springs on kinematic bodies; on dynamic bodies it is exchanged with stored energy.
Real spring_power(const StepModel& model, const State& next) noexcept
{
    Real power = 0;
    const auto visit = [&](const auto& pool) {
        for (std::size_t k = 0; k < pool.items.size(); ++k) {
            const SpringModel& spring = model.springs[pool.groups[k]];
            for (int s = 0; s < 2; ++s) {
                const BodyIndex b = spring.bodies[s];
                if (model.bodies[b].kind != BodyKind::Kinematic) continue;
                const Wrench on = spring_force(next, pool.items[k], spring).on[s];
                power -= on.force.dot(next.v[b]) + on.torque.dot(next.w[b]);
            }
        }
    };
    visit(model.linear_springs);
    visit(model.torsional_springs);
    return power;
}

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

Power measure_power(const StepModel& model, const std::vector<int>& powered_groups,
                    const Linearisation& linear, const State& next) noexcept
{
    Power power;
    for (const int index : powered_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowStart& row = linear.rows[r];
            power.prescribed -= next.lambda[r] * row.prescribed;
            const bool drives = joint.kind != RowKind::Position && !model.rows.is_contact_row(r);
            if (drives) power.motors += next.lambda[r] * row.rate;
        }
    }
    power.prescribed += spring_power(model, next);
    return power;
}

// What a row is stretched by its force.
void write_stretches(const StepModel& model, const Workspace& work, const SolveContext& context,
                     State& next) noexcept
{
    const RowSoftness* const softness = model.rows.softness.data();
    const Real* const lambda = next.lambda.data();
    Real* const stretch = next.stretch.data();
    for (const RowRange& range : work.plain_rows)
        for (int r = range.first; r < range.first + range.count; ++r)
            stretch[r] = -softness[r].compliance * lambda[r];
    for (const int index : work.general_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const Real damping_time = softness[r].damping_time + context.linear.damping.row_time[r];
            stretch[r] = -softness[r].compliance * lambda[r];
            // only rows that are damped have a rate that means something
            if (damping_time > 0) stretch[r] -= damping_time * context.linear.rows[r].rate;
        }
    }
}

}  // namespace

Attempt euler_attempt(const State& state, Real h) noexcept { return {h, 0, h, state.time}; }

Attempt two_step_attempt(const State& state, Real h) noexcept
{
    if (!(h <= kMostGrowth * state.last_step.h)) return euler_attempt(state, h);
    const Real w = h / state.last_step.h;
    return {h, w * w / (1 + 2 * w), h * (1 + w) / (1 + 2 * w), state.time};
}

void begin_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                   Workspace& work) noexcept
{
    State& next = work.next;
    next.lambda = state.lambda;
    next.memory = state.memory;
    next.broken = state.broken;
    next.wrench = state.wrench;
    const AttemptCoefficients scheme = attempt_coefficients(model, state, attempt);
    each_part(work, [&](const PackSpan& packs, int) {
        fastest_body_kernels().begin(packs, scheme, body_arrays(state), body_arrays(state.history),
                                     body_arrays(next));
    });
    for (const BodyIndex b : work.non_dynamic_bodies)
        set_non_dynamic_body(model, state, b, attempt, next);
    if (work.any_rotates_freely) rotate_free_bodies(model, state, attempt, work);
    predict_angles(model, state, attempt.h, next);
    work.loaded = !model.loads.empty() || any_wrench(state);
    if (work.loaded && attempt.a > 0) read_loads_at_start(model, state, attempt, work);
}

void linearise_iterate(const StepModel& model, const Attempt& attempt, Stabilisation stabilisation,
                       bool mixed, Depth depth, Workspace& work, SolveContext& context) noexcept
{
    SchemeWeights scheme = weights(attempt);
    scheme.mixed = mixed;
    scheme.values_only = depth == Depth::Values;
    const State& next = work.next;
    Linearisation& linear = context.linear;
    BodyStart& first = linear.bodies.front();
    const bool rates = work.wants_rates || judges_assembled(stabilisation);
    const SystemArrays to = {first.pose.p.data(),
                             first.pose.R.data(),
                             rates ? first.v.data() : nullptr,
                             rates ? first.w.data() : nullptr,
                             linear.system.f.data(),
                             linear.reaction.data(),
                             linear.system.H.data(),
                             depth == Depth::Matrix};
    const AttemptCoefficients at = attempt_coefficients(model, next, attempt);
    context.kinetic = sum_of_parts(work, [&](const PackSpan& packs) {
        return fastest_body_kernels().write_system(packs, at, body_arrays(next), to);
    });
    for (const BodyIndex b : work.non_dynamic_bodies) {
        BodyStart& start = linear.bodies[b];
        start.pose = body_pose(next, b);
        start.v = next.v[b];
        start.w = next.w[b];
    }
    if (judges_assembled(stabilisation) && depth == Depth::Matrix) copy_inertias(model, context);
    if (work.loaded) {
        gather_loads(model, next, scheme, linear);
        add_loads(model, attempt, work, context);
    }
    write_elements(model, next, scheme, stabilisation, context.layout, linear);
    if (attempt.gap_fraction_kept == 0 && !attempt.recovery_blocked) return;
    for (int r = 0; r < model.rows.count; ++r) {
        const Real share = attempt.recovery_blocked && model.rows.is_contact_row(r)
                               ? 1
                               : attempt.gap_fraction_kept;
        linear.system.g[r] +=
            share * work.initial_gap[r] / (attempt.h_bar + model.rows.softness[r].damping_time);
    }
}

void read_initial_gaps(const StepModel& model, const State& state, const StepSettings& settings,
                       Workspace& work) noexcept
{
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
            // a compliant row that is stretched is not open
            const bool hard = joint.kind == RowKind::Position && soft.compliance == 0;
            work.initial_gap[r] =
                hard ? loaded_stretch(joint.law, row.phi + soft.damping_time * row.rate) : 0;
        }
}

Residuals measure(const StepModel& model, const Attempt& attempt, Workspace& work,
                  const SolveContext& context) noexcept
{
    constexpr Real kEpsilon = kGuard.scheme.rounding_unit;
    Residuals out;
    const linalg::SaddleSystem& system = context.linear.system;
    const State& next = work.next;
    out.work = sum_of_parts(work, [&](const PackSpan& packs) {
        return fastest_body_kernels().measure(packs, body_arrays(next), system.f.data(),
                                              context.linear.reaction.data(), work.defect_f.data());
    });
    out.kinetic = context.kinetic;
    out.rounding = 4 * kEpsilon * out.kinetic;

    // constraint rows: ψ = g − Σμ, a velocity
    const Real size = model.size(), h_bar = attempt.h_bar;
    const Real grain = kEpsilon * std::max(size, work.reach);  // of φ
    const Real *lambda = next.lambda.data(), *g = system.g.data(), *sigma = system.sigma.data();
    const Real* row_time = context.linear.damping.row_time.data();
    for (const RowRange& range : work.plain_rows) {
        const int r = range.first;
        const RowsLeft left = fastest_body_kernels().measure_rows(
            range.count, h_bar, lambda + r, g + r, sigma + r, &work.defect_g[r]);
        out.work += left.work;
        out.rounding += grain * left.force;
        out.gap = std::max(out.gap, left.psi * h_bar);
    }
    for (const int index : work.general_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (joint.law != RowLaw::Equal) {
            const InequalityResidual left = inequality_residual(
                model, index, context.law_settings.shape, attempt.h_bar, next.lambda, system);
            out.work += left.work;
            const Real scale = model.rows.units[joint.first_row] == RowUnit::Length ? 1 : size;
            Real& gap = joint.law == RowLaw::Cone ? out.penetration : out.gap;
            gap = std::max(gap, scale * attempt.h_bar * left.slip);
            continue;
        }
        for (int k = joint.first_row; k < joint.first_row + joint.rows; ++k) {
            const Real mu = h_bar * lambda[k];
            const Real psi = g[k] - sigma[k] * mu;
            work.defect_g[k] = psi;
            out.work += std::abs(mu * psi);
            out.rounding += grain * std::abs(lambda[k]);
            if (joint.kind != RowKind::Position) continue;
            const Real phi =
                std::abs(psi) * (h_bar + model.rows.softness[k].damping_time + row_time[k]);
            out.gap = std::max(out.gap, model.rows.units[k] == RowUnit::Length ? phi : size * phi);
        }
    }
    out.finite =
        std::isfinite(out.work) && std::isfinite(out.gap) && std::isfinite(out.penetration);
    return out;
}

Energy energy_of(const StepModel& model, const State& state, Workspace& work) noexcept
{
    each_part(work, [&](const PackSpan& packs, int part) {
        work.energies[part] =
            fastest_body_kernels().energy(packs, model.gravity.data(), body_arrays(state));
    });
    Energy out;
    for (std::size_t k = 0; k * kPartOfPacks < work.packs.size(); ++k) {
        out.translation += work.energies[k].translation;
        out.rotation += work.energies[k].rotation;
        out.gravity += work.energies[k].gravity;
    }
    add_stored_energy(model, state, out);
    return out;
}

BodyIndex hardest_body(const StepModel& model, const Workspace& work) noexcept
{
    Real worst = 0;
    BodyIndex at = kGround;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (!model.bodies[k].dynamic()) continue;
        const Real* r = &work.defect_f[work.context.layout.offset(static_cast<BodyIndex>(k))];
        Real share = std::abs(Vec3(r[0], r[1], r[2]).dot(work.next.v[k]));
        if (model.bodies[k].kind == BodyKind::Rigid)
            share += std::abs(Vec3(r[3], r[4], r[5]).dot(work.next.w[k]));
        if (!(share > worst)) continue;
        worst = share;
        at = static_cast<BodyIndex>(k);
    }
    return at;
}

void correct(const StepModel& model, const Attempt& attempt, Forces forces, Workspace& work,
             const SolveContext& context) noexcept
{
    State& next = work.next;
    const AttemptCoefficients scheme = attempt_coefficients(model, next, attempt);
    each_part(work, [&](const PackSpan& packs, int) {
        fastest_body_kernels().correct(packs, scheme, context.solution.x.data(), body_arrays(next));
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

void finish_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                    Workspace& work, const SolveContext& context) noexcept
{
    State& next = work.next;
    if (attempt.a == 0) ballistic_update(model, state, attempt, work, context);
    next.time = state.time + attempt.h;
    next.steps = state.steps;
    write_stretches(model, work, context, next);
    remember_angles(model, next);

    // Work as the scheme feels it: a share h̄/h of the force at the end, the rest of that at the start.
    const Real end = attempt.h_bar / attempt.h, start = 1 - end;
    next.last_step.power = measure_power(model, work.powered_groups, context.linear, next);
    next.last_step.work = state.last_step.work;
    next.last_step.work.motors +=
        attempt.h * (start * state.last_step.power.motors + end * next.last_step.power.motors);
    next.last_step.work.prescribed += attempt.h * (start * state.last_step.power.prescribed +
                                                   end * next.last_step.power.prescribed);
    // loads on the mean velocity: exact for a constant force, whatever the velocity
    for (std::size_t b = 0; work.loaded && b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic()) continue;
        const Vec3 force = start * work.load_before[b].force + end * context.linear.load_force[b];
        const Vec3 torque =
            start * work.load_before[b].torque + end * context.linear.load_torque[b];
        next.last_step.work.loads +=
            attempt.h / 2 *
            (force.dot(state.v[b] + next.v[b]) + torque.dot(state.w[b] + next.w[b]));
    }
    std::fill(next.spin_up.begin(), next.spin_up.end(), Vec3::Zero());  // of the one-solve schemes

    next.last_step.h = attempt.h;
    next.last_step.time = state.time;
    next.last_step.ledger_invalid = 0;
    next.last_step.joints_open = state.last_step.joints_open;
    next.last_step.recovery_blocked = state.last_step.recovery_blocked;
}

}  // namespace taut::stepper
