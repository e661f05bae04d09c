#include "stepper/newton.h"

#include <algorithm>
#include <cmath>

#include "math/so3.h"
#include "math/turn.h"
#include "model/springs.h"
#include "stepper/lawful_solve.h"
#include "stepper/phases.h"

namespace taut {
namespace {

// The rotation matrix of a unit quaternion, written entry by entry where it belongs: a copy of what was just
// written would have to wait for it.
void put_rotation(const Quat& q, Mat3& R) noexcept
{
    const Real x = 2 * q.x(), y = 2 * q.y(), z = 2 * q.z();
    const Real wx = x * q.w(), wy = y * q.w(), wz = z * q.w();
    const Real xx = x * q.x(), xy = y * q.x(), xz = z * q.x();
    const Real yy = y * q.y(), yz = z * q.y(), zz = z * q.z();
    R(0, 0) = 1 - (yy + zz), R(0, 1) = xy - wz, R(0, 2) = xz + wy;
    R(1, 0) = xy + wz, R(1, 1) = 1 - (xx + zz), R(1, 2) = yz - wx;
    R(2, 0) = xz - wy, R(2, 1) = yz + wx, R(2, 2) = 1 - (xx + yy);
}

// R I Rᵀ of a symmetric I.
void put_turned(const Mat3& I, const Mat3& R, Mat3& out) noexcept
{
    for (int r = 0; r < 3; ++r) {
        const Real x = R(r, 0), y = R(r, 1), z = R(r, 2);
        const Real a = x * I(0, 0) + y * I(1, 0) + z * I(2, 0);
        const Real b = x * I(0, 1) + y * I(1, 1) + z * I(2, 1);
        const Real c = x * I(0, 2) + y * I(1, 2) + z * I(2, 2);
        for (int k = 0; k <= r; ++k)
            out(r, k) = out(k, r) = a * R(k, 0) + b * R(k, 1) + c * R(k, 2);
    }
}

SchemeWeights weights(const Stage& stage) noexcept
{
    SchemeWeights s;
    s.h = stage.h_bar;
    s.time = stage.time;
    s.newton = true;
    s.end = stage.time + stage.h;
    return s;
}

// Bodies that move as told sit at the end of the step, with the velocity of the scheme's own difference.
void lead(const Model& model, const State& state, BodyIndex b, const Stage& stage,
          State& next) noexcept
{
    const BodyModel& body = model.bodies[b];
    next.p[b] = state.p[b];
    next.q[b] = state.q[b];
    next.v[b].setZero();
    next.w[b].setZero();
    if (body.kind != BodyKind::Kinematic) return;
    const Real t = stage.time + stage.h;
    lead_body(model, b, t, next);
    const Real angle = body.motion.angle.value(t), now = body.motion.angle.value(stage.time);
    Vec3 from = state.p[b];
    Real turned = now;
    if (stage.a > 0) {
        from += stage.a * (state.p[b] - state.history.p[b]);
        turned += stage.a * (now - body.motion.angle.value(stage.time - state.history.h));
    }
    next.v[b] = (next.p[b] - from) / stage.h_bar;
    next.w[b] = body.motion.axis * ((angle - turned) / stage.h_bar);
}

// Angular momentum, with the part about the spin axis s apart: L = swing + spin s.
//
// A light link that is pulled by its ends has no torque about its own axis, so its spin must not change.
// World angular momentum does not know that: where s turns by θ out of the plane of a pull with impulse hλ,
// L⁺ = L + hτ⁺ leaks hλθ into the spin, which the small moment about s turns into hundreds of rad/s.
// So the two parts are carried separately, each with its own share of the gyroscopic torque:
//
//     swing⁺ = P⊥ swing + h̄(P⊥τ − spin⁺ ω⁺×s⁺),    spin⁺ = spin + h̄ s⁺·(τ + L⁺×ω⁺),    P⊥ = 1 − s⁺s⁺ᵀ
//
// The same equation to the scheme's order for any choice of s. Round bodies carry L as a whole.
struct Momenta {
    Vec3 swing;
    Real spin = 0;
};

Momenta momenta(const BodyModel& body, const Quat& q, const Vec3& w) noexcept
{
    if (body.axial) {
        const Vec3 s = turn(q, body.spin_axis);
        const Real about = s.dot(w);
        return {body.across * (w - about * s), body.along * about};
    }
    const Vec3 L_B = body.inertia * turn_back(q, w);
    const Real spin = L_B.dot(body.spin_axis);
    return {turn(q, L_B - spin * body.spin_axis), spin};
}

// What the angular momentum should be at the iterate, less what it is; torques are added by the assembly. `s` is the
// spin axis in world axes, zero where there is none.
Vec3 momentum_wanted(const StageBody& start, const BodyStart& at, const Vec3& s,
                     Real h_bar) noexcept
{
    const Vec3& L = at.L;
    const Vec3 swing = start.L - s * s.dot(start.L);
    const Real spin = start.spin + h_bar * s.dot(L.cross(at.w));
    return swing + spin * s - h_bar * L.dot(s) * at.w.cross(s) - L;
}

// I and L = I ω of the iterate in world axes; I only where it is asked for.
void put_inertia(const BodyModel& body, const Vec3& s, Depth depth, BodyStart& at) noexcept
{
    const Mat3& R = at.pose.R;
    if (body.axial) {
        const Real more = body.along - body.across;
        at.L = body.across * at.w + (more * s.dot(at.w)) * s;
        if (depth == Depth::Values) return;
        const Vec3 t = more * s;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) at.inertia(r, c) = t[c] * s[r];
        for (int k = 0; k < 3; ++k) at.inertia(k, k) += body.across;
    } else if (depth == Depth::Values) {
        const Vec3 w_B = R.transpose() * at.w;
        at.L.noalias() = R * (body.inertia * w_B);
    } else {
        put_turned(body.inertia, R, at.inertia);
        at.L.noalias() = at.inertia * at.w;
    }
}

void begin_rotation(const BodyModel& body, const State& state, BodyIndex b, const Stage& stage,
                    StageBody& start, State& next) noexcept
{
    Quat X = state.q[b];
    Momenta now = momenta(body, state.q[b], state.w[b]);
    start.base_w = state.w[b];
    if (stage.a > 0) {
        const History& past = state.history;
        const Vec3 turned =
            log_near(state.q[b] * past.q[b].conjugate(), past.h / 2 * (state.w[b] + past.w[b]));
        X = exp_quat(stage.a * turned) * X;
        const Momenta before = momenta(body, past.q[b], past.w[b]);
        now.swing += stage.a * (now.swing - before.swing);
        now.spin += stage.a * (now.spin - before.spin);
        start.base_w += (stage.h / past.h) * (state.w[b] - past.w[b]);
    }
    start.L = now.swing;
    start.spin = now.spin;
    start.base_q = made_unit(exp_quat(stage.h_bar * start.base_w) * X);
    next.q[b] = start.base_q;
    next.w[b] = start.base_w;
}

void begin_body(const BodyModel& body, const State& state, BodyIndex b, const Stage& stage,
                StageBody& start, State& next) noexcept
{
    start.X = state.p[b];
    start.V = state.v[b];
    next.v[b] = state.v[b];
    if (stage.a > 0) {
        const History& past = state.history;
        start.X += stage.a * (state.p[b] - past.p[b]);
        start.V += stage.a * (state.v[b] - past.v[b]);
        next.v[b] += (stage.h / past.h) * (state.v[b] - past.v[b]);
    }
    next.p[b] = start.X + stage.h_bar * next.v[b];
    if (body.kind == BodyKind::Rigid)
        begin_rotation(body, state, b, stage, start, next);
    else
        next.q[b] = state.q[b];
}

// Loads at the start of the step, as they are applied now.
void read_loads(const Model& model, const State& state, const Stage& stage,
                Workspace& work) noexcept
{
    Linearisation& linear = work.linear;
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
        linear.bodies[k].pose = body_pose(state, static_cast<BodyIndex>(k));
    SchemeWeights scheme = weights(stage);
    scheme.end = stage.time;
    gather_loads(model, state, scheme, linear);
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
        work.load_before[k] = {linear.load_force[k], linear.load_torque[k]};
}

// Bodies that nothing holds turn as free bodies do, with half of the applied torque's kick before and half
// after: angular momentum and, without torque, energy are kept exactly whatever the spin.
void turn_lonely(const Model& model, const State& state, const Stage& stage,
                 Workspace& work) noexcept
{
    State& next = work.next;
    Linearisation& linear = work.linear;
    const auto torques_at = [&](const State& at, Real time) {
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (work.stage[k].alone)
                linear.bodies[k].pose = body_pose(at, static_cast<BodyIndex>(k));
        SchemeWeights scheme = weights(stage);
        scheme.end = time;
        gather_loads(model, at, scheme, linear);
    };
    const auto each = [&](auto&& visit) {
        for (std::size_t k = 0; k < model.bodies.size(); ++k)
            if (work.stage[k].alone && model.bodies[k].kind == BodyKind::Rigid) visit(k);
    };
    bool any = false;
    each([&](std::size_t) { any = true; });
    if (!any) return;

    torques_at(state, stage.time);
    each([&](std::size_t k) {
        const BodyModel& body = model.bodies[k];
        const Vec3 kick = stage.h / 2 * (state.q[k].conjugate() * linear.load_torque[k]);
        const Vec3 w = state.w[k] + state.q[k] * (body.inverse_inertia * kick);
        const FreeRotation to =
            rotate_free(body.inertia, body.inverse_inertia, state.q[k], w, stage.h, Real(0.5));
        next.q[k] = to.q_new;
        next.w[k] = to.w_new;
    });
    torques_at(next, stage.time + stage.h);
    each([&](std::size_t k) {
        const Vec3 kick = stage.h / 2 * (next.q[k].conjugate() * linear.load_torque[k]);
        next.w[k] += next.q[k] * (model.bodies[k].inverse_inertia * kick);
    });
}

// Power of springs on bodies that move as told; others exchange it with stored energy.
Real spring_power(const Model& model, const State& next) noexcept
{
    Real power = 0;
    const auto visit = [&](const auto& pool) {
        for (std::size_t k = 0; k < pool.items.size(); ++k) {
            const SpringModel& spring = model.springs[pool.joints[k]];
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

// Backward Euler lets what flies fall by gh²/2 too far. Where nothing held a body and no contact is so near that it
// matters, it goes on with the mean of its velocities: exact for a throw.
void fly(const Model& model, const State& state, const Stage& stage, Workspace& work,
         const SystemSpace& system) noexcept
{
    State& next = work.next;
    for (StageBody& body : work.stage) body.flies = body.unheld;
    const auto shift = [&](BodyIndex b) { return stage.h / 2 * (state.v[b] - next.v[b]).norm(); };
    for (const int index : model.lawful) {
        const JointModel& joint = model.joints[index];
        if (joint.law != RowLaw::Cone) continue;
        const int r = joint.first_row;
        const Real room = system.linear.rows[r].phi;
        if (next.lambda[r] == 0 && room > shift(joint.bodies[0]) + shift(joint.bodies[1])) continue;
        work.stage[joint.bodies[0]].flies = work.stage[joint.bodies[1]].flies = false;
    }
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (work.stage[b].flies && model.bodies[b].dynamic())
            next.p[b] = state.p[b] + stage.h / 2 * (state.v[b] + next.v[b]);
}

Power measure_power(const Model& model, const Linearisation& linear, const State& next) noexcept
{
    Power power;
    for (const JointModel& joint : model.joints)
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowStart& row = linear.rows[r];
            power.prescribed -= next.lambda[r] * row.prescribed;
            const bool drives = joint.kind != RowKind::Position && joint.normal_row < 0;
            if (drives) power.motors += next.lambda[r] * row.rate;
        }
    power.prescribed += spring_power(model, next);
    return power;
}

}  // namespace

void lead_body(const Model& model, BodyIndex b, Real time, State& next) noexcept
{
    const BodyModel& body = model.bodies[b];
    if (body.kind != BodyKind::Kinematic) return;
    const Pose to = prescribed_pose(body, time);
    next.p[b] = to.p + to.q * body.com;
    next.q[b] = to.q;
}

Stage euler_stage(const State& state, Real h) noexcept { return {h, 0, h, state.time}; }

Stage two_step_stage(const State& state, Real h) noexcept
{
    if (!(h <= kMostGrowth * state.history.h)) return euler_stage(state, h);
    const Real w = h / state.history.h;
    return {h, w * w / (1 + 2 * w), h * (1 + w) / (1 + 2 * w), state.time};
}

void begin_stage(const Model& model, const State& state, const Stage& stage,
                 Workspace& work) noexcept
{
    State& next = work.next;
    next.lambda = state.lambda;
    next.memory = state.memory;
    next.broken = state.broken;
    next.wrench = state.wrench;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyIndex b = static_cast<BodyIndex>(k);
        if (model.bodies[k].dynamic())
            begin_body(model.bodies[k], state, b, stage, work.stage[k], next);
        else
            lead(model, state, b, stage, next);
    }
    turn_lonely(model, state, stage, work);
    if (stage.a > 0) read_loads(model, state, stage, work);
}

void linearise_iterate(const Model& model, const Stage& stage, Stabilisation stabilisation,
                       bool mixed, Depth depth, const Workspace& work, SystemSpace& system) noexcept
{
    SchemeWeights scheme = weights(stage);
    scheme.mixed = mixed;
    scheme.values_only = depth == Depth::Values;
    const State& next = work.next;
    Linearisation& linear = system.linear;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        BodyStart& start = linear.bodies[k];
        start.pose.p = next.p[k];
        put_rotation(next.q[k], start.pose.R);
        start.v = next.v[k];
        start.w = next.w[k];
        if (!body.dynamic()) continue;
        start.carried_v = work.stage[k].V - next.v[k];
        if (body.kind == BodyKind::Particle) continue;
        const Vec3 s = start.pose.R * body.spin_axis;
        put_inertia(body, s, depth, start);
        start.angular_momentum = momentum_wanted(work.stage[k], start, s, stage.h_bar);
    }
    gather_loads(model, next, scheme, linear);
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
        if (work.stage[k].alone)  // turns by itself: nothing to be found
            linear.bodies[k].angular_momentum = -scheme.h * linear.load_torque[k];
    linearise(model, next, scheme, stabilisation, system.layout, linear);
    if (stage.lenience == 0 && !stage.jammed) return;
    for (int r = 0; r < model.rows; ++r) {
        const Real share = stage.jammed && r >= model.lasting_rows ? 1 : stage.lenience;
        linear.system.g[r] +=
            share * work.inherited[r] / (stage.h_bar + model.softness[r].damping_time);
    }
}

void inherit_gaps(const Model& model, const State& state, const StepSettings& settings,
                  Workspace& work) noexcept
{
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        BodyStart& start = work.linear.bodies[k];
        start.pose = body_pose(state, static_cast<BodyIndex>(k));
        start.v = state.v[k];
        start.w = state.w[k];
    }
    SchemeWeights scheme;
    scheme.h = settings.dt;
    scheme.newton = true;
    scheme.end = state.time;
    linearise(model, state, scheme, Stabilisation::None, work.layout, work.linear);
    for (const JointModel& joint : model.joints)
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const RowSoftness& soft = model.softness[r];
            const RowStart& row = work.linear.rows[r];
            // a compliant row that is stretched is not open
            const bool hard = joint.kind == RowKind::Position && soft.compliance == 0;
            work.inherited[r] =
                hard ? loaded_stretch(joint, row.phi + soft.damping_time * row.rate) : 0;
        }
}

Unsettled measure(const Model& model, const Stage& stage, Workspace& work,
                  const SystemSpace& space) noexcept
{
    Unsettled out;
    const linalg::SaddleSystem& system = space.linear.system;
    const State& next = work.next;

    // momentum rows: r = f + Jᵀμ
    constexpr Real kEpsilon = 4e-16;
    Real worst = 0;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        if (!body.dynamic()) continue;
        const int first = space.layout.offset(static_cast<BodyIndex>(k));
        const auto r = [&](int i) {
            const Vec3 left = Eigen::Map<const Vec3>(&system.f[first + i]) +
                              Eigen::Map<const Vec3>(&space.linear.reaction[first + i]);
            Eigen::Map<Vec3>(&work.defect_f[first + i]) = left;
            return left;
        };
        Real share = std::abs(r(0).dot(next.v[k]));
        out.kinetic += body.mass * next.v[k].squaredNorm() / 2;
        if (body.kind == BodyKind::Rigid) {
            share += std::abs(r(3).dot(next.w[k]));
            out.kinetic += next.w[k].dot(space.linear.bodies[k].L) / 2;
        }
        out.work += share;
        if (share > worst) {
            worst = share;
            out.worst = static_cast<BodyIndex>(k);
        }
    }

    out.rounding = 4 * kEpsilon * out.kinetic;

    // constraint rows: ψ = g − Σμ, a velocity
    const Real size = scene_size(model), h_bar = stage.h_bar;
    const Real grain = kEpsilon * std::max(size, work.reach);  // of φ
    const Real *lambda = next.lambda.data(), *g = system.g.data(), *sigma = system.sigma.data();
    const Real* row_time = space.linear.damping.row_time.data();
    for (const JointModel& joint : model.joints) {
        if (joint.law != RowLaw::Equal) {
            const LawResidual left =
                law_residual(joint, space.law_settings.shape, stage.h_bar, next.lambda, system);
            out.work += left.work;
            const Real scale = model.units[joint.first_row] == RowUnit::Length ? 1 : size;
            Real& gap = joint.law == RowLaw::Cone ? out.pressed : out.gap;
            gap = std::max(gap, scale * stage.h_bar * left.slip);
            continue;
        }
        for (int k = joint.first_row; k < joint.first_row + joint.rows; ++k) {
            const Real mu = h_bar * lambda[k];
            const Real psi = g[k] - sigma[k] * mu;
            work.defect_g[k] = psi;
            out.work += std::abs(mu * psi);
            out.rounding += grain * std::abs(lambda[k]);
            if (joint.kind != RowKind::Position) continue;
            const Real phi = std::abs(psi) * (h_bar + model.softness[k].damping_time + row_time[k]);
            out.gap = std::max(out.gap, model.units[k] == RowUnit::Length ? phi : size * phi);
        }
    }
    out.finite = std::isfinite(out.work) && std::isfinite(out.gap) && std::isfinite(out.pressed);
    return out;
}

void correct(const Model& model, const Stage& stage, Forces forces, Workspace& work,
             const SystemSpace& system) noexcept
{
    State& next = work.next;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        if (!body.dynamic()) continue;
        const StageBody& start = work.stage[k];
        const Real* u = &system.solution.x[system.layout.offset(static_cast<BodyIndex>(k))];
        next.v[k] += Vec3(u[0], u[1], u[2]);
        next.p[k] = start.X + stage.h_bar * next.v[k];
        if (body.kind == BodyKind::Particle || start.alone) continue;
        next.q[k] = made_unit(exp_quat(stage.h_bar * Vec3(u[3], u[4], u[5])) * next.q[k]);
        next.w[k] = start.base_w + log_so3(next.q[k] * start.base_q.conjugate()) / stage.h_bar;
    }
    const Real rate = 1 / stage.h_bar;
    for (std::size_t r = 0; r < next.lambda.size(); ++r) {
        const Real lambda = system.solution.y[r] * rate;
        next.lambda[r] = forces == Forces::Added ? next.lambda[r] + lambda : lambda;
    }
}

void finish_stage(const Model& model, const State& state, const Stage& stage, Workspace& work,
                  const SystemSpace& system) noexcept
{
    State& next = work.next;
    if (stage.a == 0) fly(model, state, stage, work, system);
    next.time = state.time + stage.h;
    next.steps = state.steps;
    for (std::size_t r = 0; r < next.stretch.size(); ++r) {
        const RowSoftness& soft = model.softness[r];
        const Real damping_time = soft.damping_time + system.linear.damping.row_time[r];
        next.stretch[r] =
            -soft.compliance * next.lambda[r] - damping_time * system.linear.rows[r].rate;
    }
    remember_angles(model, next);

    // Work as the scheme feels it: a share h̄/h of the force at the end, the rest of that at the start.
    const Real end = stage.h_bar / stage.h, start = 1 - end;
    next.power = measure_power(model, system.linear, next);
    next.work = state.work;
    next.work.motors += stage.h * (start * state.power.motors + end * next.power.motors);
    next.work.prescribed +=
        stage.h * (start * state.power.prescribed + end * next.power.prescribed);
    // loads on the mean velocity: exact for a constant force, whatever the velocity
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic()) continue;
        const Vec3 force = start * work.load_before[b].force + end * system.linear.load_force[b];
        const Vec3 torque = start * work.load_before[b].torque + end * system.linear.load_torque[b];
        next.work.loads +=
            stage.h / 2 * (force.dot(state.v[b] + next.v[b]) + torque.dot(state.w[b] + next.w[b]));
    }
    std::fill(next.spin_up.begin(), next.spin_up.end(), Vec3::Zero());  // of the one-solve schemes

    next.history.h = stage.h;
    next.history.time = state.time;
    next.history.ledger_open = 0;
    next.history.apart = state.history.apart;
    next.history.jammed = state.history.jammed;
    next.history.p = state.p;
    next.history.q = state.q;
    next.history.v = state.v;
    next.history.w = state.w;
}

}  // namespace taut
