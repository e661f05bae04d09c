#include "stepper/phases.h"

#include <cmath>
#include <limits>

#include "linalg/saddle_ops.h"
#include "math/so3.h"
#include "model/kinematic.h"
#include "model/springs.h"
#include "stepper/dissipation.h"
#include "stepper/guard_settings.h"
#include "stepper/packs/kernel_table.h"
#include "stepper/packs/rotation_table.h"

namespace taut::stepper {
namespace {

// Mean velocity of a fixed or kinematic body over the step: it ends exactly at its prescribed pose.
void begin_prescribed(const Model& model, const State& state, BodyIndex b,
                      const SchemeWeights& scheme, BodyStart& start) noexcept
{
    Twist velocity;
    if (model.bodies[b].kind == BodyKind::Kinematic)
        velocity = kinematic_velocity(model, b, state.p[b], scheme.time, scheme.h);
    start.v = velocity.linear;
    start.w = velocity.angular;
    start.drift_v = start.v;
    start.drift_w = start.w;
}

// Angular acceleration beyond free rotation, if it goes on as in the last step. M is evaluated where the
// body then arrives, so that a joint's torque changes angular momentum to second order. The guess is fed
// back from step to step, and the gyroscopic torque multiplies its error by h|ω|·anisotropy: beyond a
// half it is left out, as it is where the last step turned the body too far beyond free rotation. Backward Euler goes
// without: it is of first order anyhow, and M at the free orientation never let a top gain energy.
Vec3 expected_spin_up(const BodyModel& body, const State& state, BodyIndex b,
                      const SchemeWeights& scheme) noexcept
{
    if (scheme.beta == 1) return Vec3::Zero();
    const Real trust = 1 - 2 * scheme.h * state.w[b].norm() * body.anisotropy;
    const Real turn = scheme.h * scheme.h * scheme.beta * state.spin_up[b].norm();
    if (!(trust > 0 && turn < kRotation.most_extra_turn)) return Vec3::Zero();
    return trust * state.spin_up[b];
}

// Angular momentum, free rotation, and M where it leads to.
void begin_rotation(const BodyModel& body, const State& state, BodyIndex b,
                    const SchemeWeights& scheme, BodyStart& start, RotationGuess& guess) noexcept
{
    const Mat3& R = start.pose.R = state.q[b].toRotationMatrix();
    FreeRotation& to = guess.to;
    if (body.anisotropy == 0) {
        start.inertia = body.inertia;
        start.angular_momentum = body.inertia(0, 0) * state.w[b];
        to = {(exp_quat(scheme.h * state.w[b]) * state.q[b]).normalized(), scheme.h * state.w[b],
              state.w[b]};
    } else {
        start.angular_momentum = R * (body.inertia * (R.transpose() * state.w[b]));
        // below ½ the weight would let the rotation gain energy: the family's β ends there for it
        to = rotate_free(body.inertia, body.inverse_inertia, state.q[b], state.w[b], scheme.h,
                         std::max(scheme.beta, Real(0.5)));
        guess.spin_up = expected_spin_up(body, state, b, scheme);
        const Vec3 gain = scheme.h * guess.spin_up, turn = scheme.h * scheme.beta * gain;
        to.q_new = (scheme.beta == 1 ? Quat(1, 0, 0, 0) : exp_quat(turn)) * to.q_new;
        to.turn += turn;
        to.w_new += gain;
        const Mat3 R_new = to.q_new.toRotationMatrix();
        start.inertia.noalias() = R_new * body.inertia * R_new.transpose();
    }
    // x⁺ = x ⊕ (turn + hβ(ω⁺ − ω*)): what does not depend on ω⁺, as a velocity over (1−β)h
    if (scheme.beta < 1)
        start.drift_w =
            (to.turn - scheme.h * scheme.beta * to.w_new) / (scheme.h * (1 - scheme.beta));
}

RotationArrays rotation_arrays(const StepModel& model, const State& state,
                               const SchemeWeights& scheme, Workspace& work) noexcept
{
    static_assert(sizeof(BodyModel) % sizeof(Real) == 0);
    static_assert(sizeof(RotationGuess) % sizeof(Real) == 0);
    const BodyModel& body = model.bodies.front();
    BodyStart& start = work.context.linear.bodies.front();
    FreeRotation& to = work.rotation.front().to;
    return {state.q.data()->coeffs().data(),
            state.w.data()->data(),
            body.inertia.data(),
            body.inverse_inertia.data(),
            sizeof(BodyModel) / sizeof(Real),
            start.pose.R.data(),
            start.inertia.data(),
            start.angular_momentum.data(),
            to.q_new.coeffs().data(),
            to.turn.data(),
            to.w_new.data(),
            sizeof(RotationGuess) / sizeof(Real),
            scheme.h};
}

// Rotation of all rigid bodies, four at a time where they are a usual case of backward Euler.
void begin_rotations(const StepModel& model, const State& state, const SchemeWeights& scheme,
                     Workspace& work) noexcept
{
    static RotatePack* const rotate = fastest_rotate_pack();
    constexpr RotationLimits kLimits = {kRotation.largest_turn,   kRotation.tolerance,
                                        kRotation.last_step,      kRotation.diverged,
                                        kRotation.singular,       kRotation.solvable_turn,
                                        kRotation.principal_axis, kRotation.largest_speed,
                                        kRotation.series,         kRotation.most_iterations};
    const RotationArrays arrays = rotation_arrays(model, state, scheme, work);
    const BodyModel* const bodies = model.bodies.data();
    RotationGuess* const guesses = work.rotation.data();
    for (const BodyPack& pack : work.packs) {
        if (pack.kind == BodyPack::Kind::Particle) continue;
        bool usual = rotate && scheme.beta == 1;
        for (int lane = 0; lane < pack.count; ++lane) {
            const unsigned b = static_cast<unsigned>(pack.quat.at[lane]) / 4;
            usual &= bodies[b].anisotropy != 0;
            guesses[b].spin_up.setZero();
        }
        if (usual && rotate(pack, kLimits, arrays)) continue;
        for (int lane = 0; lane < pack.count; ++lane) {
            const BodyIndex b(pack.quat.at[lane] / 4);
            begin_rotation(model.bodies[b], state, b, scheme, work.context.linear.bodies[b],
                           work.rotation[b]);
        }
    }
}

// Mean over the step of what is applied from outside, at the orientation the step starts from.
void add_loads(const StepModel& model, const SchemeWeights& scheme, Linearisation& work) noexcept
{
    for (const LoadModel& load : model.loads) {
        const Mat3& R = work.bodies[load.body].pose.R;
        const Real scale = scheme.newton ? load.scale.value(scheme.end)
                                         : scheme.alpha * load.scale.value(scheme.time + scheme.h) +
                                               (1 - scheme.alpha) * load.scale.value(scheme.time);
        Vec3 force = scale * load.force, torque = scale * load.torque;
        if (load.coordinates == Coordinates::Body) {
            force = R * force;
            torque = R * torque;
        }
        work.load_force[load.body] += force;
        work.load_torque[load.body] += torque + (R * load.point).cross(force);
    }
}

// Work is force times the way that the scheme goes: then backward Euler, which loses ½m(v⁺ − v)² in
// every step, never shows more energy than went in.
void advance_body(const StepModel& model, const State& state, std::size_t b,
                  const SchemeWeights& scheme, Workspace& work) noexcept
{
    State& next = work.next;
    const Real hb = scheme.h * scheme.beta;
    const Real* x = &work.context.solution.x[work.context.layout.offset(static_cast<BodyIndex>(b))];
    next.v[b] = Vec3(x[0], x[1], x[2]);
    next.p[b] = state.p[b] + scheme.h * (scheme.beta * next.v[b] + (1 - scheme.beta) * state.v[b]);
    next.last_step.work.loads += work.context.linear.load_force[b].dot(next.p[b] - state.p[b]);
    if (model.bodies[b].kind == BodyKind::Particle) {
        next.q[b] = state.q[b];
        return;
    }
    const auto& [to, expected] = work.rotation[b];
    next.w[b] = Vec3(x[3], x[4], x[5]);
    // no torque acts on it: the solve must not add its round-off to the free rotation
    if ((next.w[b] - to.w_new).squaredNorm() <=
        kRotation.rounding * kRotation.rounding * to.w_new.squaredNorm())
        next.w[b] = to.w_new;
    next.spin_up[b] = (next.w[b] - to.w_new) / scheme.h + expected;
    next.q[b] = (exp_quat(hb * (next.w[b] - to.w_new)) * to.q_new).normalized();
    next.last_step.work.loads +=
        work.context.linear.load_torque[b].dot(to.turn + hb * (next.w[b] - to.w_new));
}

// Rigid bodies under no loads, four at a time; false: they are to be taken one by one.
bool advance_pack(const BodyPack& pack, const State& state, const SchemeWeights& scheme,
                  Workspace& work) noexcept
{
    static AdvancePack* const advance = fastest_advance_pack();
    if (!advance || scheme.beta != 1 || work.loaded || pack.kind == BodyPack::Kind::Particle)
        return false;
    State& next = work.next;
    const FreeRotation& to = work.rotation.front().to;
    return advance(
        pack, {state.p.data()->data(), state.v.data()->data(), work.context.solution.x.data(),
               to.q_new.coeffs().data(), to.w_new.data(), sizeof(RotationGuess) / sizeof(Real),
               next.p.data()->data(), next.q.data()->coeffs().data(), next.v.data()->data(),
               next.w.data()->data(), next.spin_up.data()->data(), scheme.h, kRotation.rounding});
}

void advance_bodies(const StepModel& model, const State& state, const SchemeWeights& scheme,
                    Workspace& work) noexcept
{
    State& next = work.next;
    for (const BodyIndex b : work.non_dynamic_bodies) {
        next.p[b] = state.p[b];
        next.q[b] = state.q[b];
        if (model.bodies[b].kind != BodyKind::Kinematic) continue;
        apply_kinematic_motion(model, b, scheme.time + scheme.h, next);
        next.v[b] = work.context.linear.bodies[b].v;
        next.w[b] = work.context.linear.bodies[b].w;
    }
    if (work.loaded || scheme.beta != 1) {  // work is summed in the order of the bodies
        for (std::size_t b = 0; b < model.bodies.size(); ++b)
            if (model.bodies[b].dynamic()) advance_body(model, state, b, scheme, work);
        return;
    }
    for (const BodyPack& pack : work.packs) {
        if (advance_pack(pack, state, scheme, work)) continue;
        for (int lane = 0; lane < pack.count; ++lane)
            advance_body(model, state, static_cast<std::size_t>(pack.quat.at[lane] / 4), scheme,
                         work);
    }
}

// J v⁺ of one row, of the bodies that move. Constraints are dual nodes in the order of the joints.
Real row_velocity(const Workspace& work, std::size_t joint, int row) noexcept
{
    return linalg::add_row_product(work.context.linear.system,
                                   work.context.layout.pattern.duals[joint], row,
                                   work.context.solution.x, 0);
}

// J v⁺ with the part that kinematic bodies make.
Real end_rate(const ConstraintRows& joint, std::size_t index, int r, const Workspace& work) noexcept
{
    const RowStart& row = work.context.linear.rows[r];
    return joint.law == RowLaw::Equal
               ? row.rhs - work.context.linear.system.sigma[r] * work.context.solution.y[r]
               : row.prescribed + row_velocity(work, index, r - joint.first_row);
}

void advance_rows(const StepModel& model, const SchemeWeights& scheme, Workspace& work) noexcept
{
    State& next = work.next;
    const Linearisation& linear = work.context.linear;
    const Real* const y = work.context.solution.y.data();
    const Real h = scheme.h, beta = scheme.beta;
    for (const RowRange& range : work.plain_rows) {
        const RowStart* const rows = linear.rows.data();
        const Real* const sigma = linear.system.sigma.data();
        Real *const lambda = next.lambda.data(), *const stretch = next.stretch.data();
        for (int r = range.first; r < range.first + range.count; ++r) {
            const Real rate = rows[r].rhs - sigma[r] * y[r];
            lambda[r] = y[r] / h;
            stretch[r] = rows[r].phi + h * (beta * rate + (1 - beta) * rows[r].drift);
        }
    }
    for (const int index : work.general_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowStart& row = linear.rows[r];
            const Real rate = end_rate(joint, static_cast<std::size_t>(index), r, work);
            next.lambda[r] = y[r] / h;
            next.stretch[r] =
                loaded_stretch(joint.law, row.phi + h * (beta * rate + (1 - beta) * row.drift));
        }
    }
    for (const int index : work.powered_groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowStart& row = linear.rows[r];
            next.last_step.work.prescribed -= y[r] * row.prescribed;
            if (joint.kind == RowKind::Position || model.rows.is_contact_row(r)) continue;
            const Real rate = end_rate(joint, static_cast<std::size_t>(index), r, work);
            next.last_step.work.motors += y[r] * (beta * rate + (1 - beta) * row.drift);
        }
    }
}

// Springs on kinematic bodies: the mean force of the step times the displacement of the body.
void advance_spring_work(const StepModel& model, const State& state, const SchemeWeights& scheme,
                         Workspace& work) noexcept
{
    const auto visit = [&](const auto& pool) {
        for (std::size_t k = 0; k < pool.items.size(); ++k) {
            const SpringModel& spring = model.springs[pool.groups[k]];
            for (int s = 0; s < 2; ++s) {
                if (model.bodies[spring.bodies[s]].kind != BodyKind::Kinematic) continue;
                const BodyStart& body = work.context.linear.bodies[spring.bodies[s]];
                for (const State* at : {&state, static_cast<const State*>(&work.next)}) {
                    const SpringForce f = spring_force(*at, pool.items[k], spring);
                    const Wrench& on = f.on[s];
                    work.next.last_step.work.prescribed -=
                        scheme.h / 2 * (on.force.dot(body.v) + on.torque.dot(body.w));
                }
            }
        }
    };
    visit(model.linear_springs);
    visit(model.torsional_springs);
}

}  // namespace

// visit(item, bodies, its angles in `memory`) for everything that remembers angles.
template <class Visit>
static void for_each_memory(const Model& model, std::vector<Real>& memory, Visit&& visit)
{
    for_each_joint_type([&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (T::kMemory > 0) {
            const auto& pool = model.pool<T>();
            for (std::size_t k = 0; k < pool.items.size(); ++k)
                visit(pool.items[k], pool.bodies[k],
                      &memory[model.rows.groups[pool.groups[k]].first_memory]);
        }
    });
    const auto& springs = model.torsional_springs;
    for (std::size_t k = 0; k < springs.items.size(); ++k)
        visit(springs.items[k], springs.bodies[k],
              &memory[model.springs[springs.groups[k]].first_memory]);
}

void remember_angles(const Model& model, State& next) noexcept
{
    for_each_memory(model, next.memory, [&](const auto& item, const auto& bodies, Real* memory) {
        refresh_memory(next, item, bodies, memory);
    });
}

void predict_angles(const Model& model, const State& state, Real h, State& next) noexcept
{
    for_each_memory(model, next.memory, [&](const auto& item, const auto& bodies, Real* memory) {
        follow_rotation(state, next, h, item, bodies, memory);
    });
}

bool any_wrench(const State& state) noexcept
{
    static_assert(sizeof(Wrench) == 6 * sizeof(Real));
    constexpr Real kAboveZero = std::numeric_limits<Real>::denorm_min();
    return !fastest_body_kernels().bounded(state.wrench.data()->force.data(),
                                           6 * static_cast<long>(state.wrench.size()), kAboveZero);
}

void gather_loads(const StepModel& model, const State& state, const SchemeWeights& scheme,
                  Linearisation& work) noexcept
{
    const Wrench* const wrench = state.wrench.data();
    Vec3 *const force = work.load_force.data(), *const torque = work.load_torque.data();
    const std::size_t count = model.bodies.size();
    for (std::size_t b = 0; b < count; ++b) {
        force[b] = wrench[b].force;
        torque[b] = wrench[b].torque;
    }
    add_loads(model, scheme, work);
}

SchemeWeights scheme_weights(const StepSettings& settings, Real time) noexcept
{
    if (settings.research.scheme == Scheme::AlphaBeta)
        return {settings.dt, settings.research.alpha, settings.research.beta, time};
    return {settings.dt, 1, 1, time};
}

void begin(const StepModel& model, const State& state, const SchemeWeights& scheme,
           Workspace& work) noexcept
{
    // plain pointers: behind a reference each would be looked up again after every number that is written
    const BodyModel* const bodies = model.bodies.data();
    BodyStart* const starts = work.context.linear.bodies.data();
    const Vec3 *const p = state.p.data(), *const v = state.v.data(), *const w = state.w.data();
    const std::size_t count = model.bodies.size();
    for (std::size_t b = 0; b < count; ++b) {
        BodyStart& start = starts[b];
        start.pose.p = p[b];
        if (bodies[b].kind != BodyKind::Rigid) start.pose.R = state.q[b].toRotationMatrix();
        if (!bodies[b].dynamic()) {
            begin_prescribed(model, state, static_cast<BodyIndex>(b), scheme, start);
            continue;
        }
        start.v = start.drift_v = start.carried_v = v[b];
        start.w = start.drift_w = w[b];
    }
    begin_rotations(model, state, scheme, work);
    gather_loads(model, state, scheme, work.context.linear);
    work.loaded = !model.loads.empty() || any_wrench(state);
}

void advance(const StepModel& model, const State& state, const SchemeWeights& scheme,
             Workspace& work) noexcept
{
    State& next = work.next;
    next.time = state.time + scheme.h;
    next.steps = state.steps + 1;
    next.last_step.work = state.last_step.work;
    next.last_step.dissipation = state.last_step.dissipation;
    next.wrench = state.wrench;
    next.memory = state.memory;
    next.broken = state.broken;
    next.last_step.power = {};
    next.last_step.kinetic_scale = state.last_step.kinetic_scale;
    next.last_step.forget();  // a scheme that looks back starts afresh after this one
    advance_bodies(model, state, scheme, work);
    advance_rows(model, scheme, work);
    predict_angles(model, state, scheme.h, next);
    remember_angles(model, next);
    advance_spring_work(model, state, scheme, work);
    add_one_solve_dissipation(model, work.dissipative_groups, scheme, state, next);
    add_impact_losses(model, {scheme.h, scheme.beta, &state}, work.support, state, next);
}

bool is_finite_and_bounded(const State& state) noexcept
{
    constexpr Real kLargest = kGuard.acceptance.largest_number;
    constexpr Real kInfinite = std::numeric_limits<Real>::infinity();
    const auto bounded = fastest_body_kernels().bounded;
    for (const auto* vectors : {&state.p, &state.v, &state.w, &state.spin_up})
        if (!bounded(vectors->data()->data(), 3 * static_cast<long>(vectors->size()), kLargest))
            return false;
    if (!bounded(state.q.data()->coeffs().data(), 4 * static_cast<long>(state.q.size()), kInfinite))
        return false;
    for (const auto* numbers : {&state.lambda, &state.stretch, &state.memory})
        if (!bounded(numbers->data(), static_cast<long>(numbers->size()), kLargest)) return false;
    return std::abs(state.last_step.work.total()) < kLargest * kLargest;
}

}  // namespace taut::stepper
