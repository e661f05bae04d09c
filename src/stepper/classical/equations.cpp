#include "stepper/classical/equations.h"

#include "math/so3.h"
#include "model/builder.h"
#include "model/kinematic.h"
#include "stepper/classical/elements.h"
#include "stepper/free_rotation.h"

namespace taut::stepper::classical {
namespace {

Vec6 twist(const State& state, BodyIndex b)
{
    Vec6 v;
    v << state.v[b], state.w[b];
    return v;
}

// vᵀ K̃(e_r) v over the bodies of the element.
template <class T>
Real curvature(const Element<T>& e, int r, const State& state)
{
    StiffnessBlocks<T::kBodies> K;
    K.set_zero();
    e.item.geometric_stiffness(e.X, RowVector<T::kRows>(RowVector<T::kRows>::Unit(r)), K);
    Real sum = 0;
    for (int s = 0; s < T::kBodies; ++s)
        for (int t = 0; t < T::kBodies; ++t)
            sum += twist(state, e.bodies[s]).dot(K.block[s][t] * twist(state, e.bodies[t]));
    return sum;
}

template <class T>
void put(const Mechanism& m, const State& state, const Element<T>& e, Detail detail, RowValues& out)
{
    Rows<T::kRows, T::kBodies> rows;
    e.item.evaluate(e.X, e.memory, rows);
    for (int r = 0; r < T::kRows; ++r) {
        const int row = e.first_row + r;
        out.phi[row] = rows.phi[r];
        for (int s = 0; s < T::kBodies; ++s) {
            const BodyIndex b = e.bodies[s];
            const BodyModel& body = m.model.bodies[b];
            const Real rate = rows.J[s].row(r).dot(twist(state, b));
            out.rate[row] += rate;
            if (body.dynamic())
                out.J.block(row, m.first[b], 1, body.freedoms()) +=
                    rows.J[s].row(r).leftCols(body.freedoms());
            else
                out.kinematic_rate[row] += rate;
            if (detail == Detail::Bias && body.kind == BodyKind::Kinematic)
                out.bias[row] += rows.J[s].row(r).dot(prescribed_acceleration(m.model, state, b));
        }
        if (detail == Detail::Bias && !m.is_spring(row)) out.bias[row] += curvature(e, r, state);
    }
}

// Forces and torques that are given: gravity, loads and what was set from outside. Calls
// visit(body, force, torque) with those that count as loads apart.
template <class Visit>
void for_each_load(const Mechanism& m, const State& state, Visit&& visit)
{
    for (std::size_t b = 1; b < m.model.bodies.size(); ++b)
        if (m.model.bodies[b].dynamic())
            visit(static_cast<BodyIndex>(b), state.wrench[b].force, state.wrench[b].torque);
    for (const LoadModel& load : m.model.loads) {
        const Mat3 R = state.q[load.body].toRotationMatrix();
        const Real scale = load.scale.value(state.time);
        const bool turns = load.coordinates == Coordinates::Body;
        const Vec3 force = scale * (turns ? Vec3(R * load.force) : load.force),
                   torque = scale * (turns ? Vec3(R * load.torque) : load.torque);
        visit(load.body, force, Vec3(torque + (R * load.point).cross(force)));
    }
}

void add_wrench(const Mechanism& m, BodyIndex b, const Vec3& force, const Vec3& torque, Vector& f)
{
    f.segment<3>(m.first[b]) += force;
    if (m.model.bodies[b].freedoms() == 6) f.segment<3>(m.first[b] + 3) += torque;
}

}  // namespace

Mechanism::Mechanism(const Model& model_in, const StepSettings& settings_in)
    : model(model_in), settings(settings_in), h(settings_in.dt)
{
    first.assign(model.bodies.size(), -1);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic()) continue;
        first[b] = freedoms;
        freedoms += model.bodies[b].freedoms();
    }
    rows = model.rows.count + static_cast<int>(model.springs.size());
    joint.assign(model.rows.count, 0);
    for (std::size_t j = 0; j < model.joints.size(); ++j)
        for (int r = 0; r < model.rows.groups[j].rows; ++r)
            joint[model.rows.groups[j].first_row + r] = static_cast<int>(j);
    for (int r = 0; r < rows; ++r) {
        const bool soft = is_spring(r) || kind(r) == RowKind::Servo ||
                          (kind(r) == RowKind::Position && model.rows.softness[r].compliance > 0);
        (soft ? laws : held).push_back(r);
    }
}

SpringLaw Mechanism::law(int row, Real time) const
{
    if (is_spring(row)) {
        const SpringModel& spring = model.springs[row - model.rows.count];
        return {spring.stiffness, spring.damping, spring.rest, 0};
    }
    const JointModel& servo = model.joints[joint[row]];
    if (kind(row) == RowKind::Servo)
        return {servo.stiffness, servo.damping, servo.target_value(time), servo.target_rate(time)};
    const RowSoftness& soft = model.rows.softness[row];
    return {1 / soft.compliance, soft.damping_time / soft.compliance, 0, 0};
}

Real Mechanism::target(int row, Real time) const
{
    return kind(row) == RowKind::Velocity ? model.joints[joint[row]].target_value(time) : 0;
}

Real Mechanism::target_rate(int row, Real time) const
{
    return kind(row) == RowKind::Velocity ? model.joints[joint[row]].target_rate(time) : 0;
}

void evaluate(const Mechanism& m, const State& state, Detail detail, RowValues& out)
{
    out.J.setZero(m.rows, m.freedoms);
    for (Vector* v : {&out.phi, &out.rate, &out.kinematic_rate, &out.bias}) v->setZero(m.rows);
    for_each_element(m.model, state, [&](const auto& e) { put(m, state, e, detail, out); });
}

Matrix rows_of(const RowValues& rows, const std::vector<int>& which)
{
    Matrix J(which.size(), rows.J.cols());
    for (std::size_t k = 0; k < which.size(); ++k) J.row(k) = rows.J.row(which[k]);
    return J;
}

Vector applied_force(const Mechanism& m, const State& state, const RowValues& rows, Vector& lambda)
{
    Vector f = Vector::Zero(m.freedoms);
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b)
        if (m.first[b] >= 0) f.segment<3>(m.first[b]) += m.model.bodies[b].mass * m.model.gravity;
    for_each_load(m, state, [&](BodyIndex b, const Vec3& force, const Vec3& torque) {
        add_wrench(m, b, force, torque, f);
    });
    for (const int r : m.laws) {
        const SpringLaw law = m.law(r, state.time);
        lambda[r] =
            -law.stiffness * (rows.phi[r] - law.at) - law.damping * (rows.rate[r] - law.rate);
        f += lambda[r] * rows.J.row(r).transpose();
    }
    return f;
}

void add_gyroscopic_torque(const Mechanism& m, const State& state, Vector& f)
{
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const BodyModel& body = m.model.bodies[b];
        if (body.kind != BodyKind::Rigid) continue;
        const Vec3 w = state.q[b].conjugate() * state.w[b];
        f.segment<3>(m.first[b] + 3) -= state.q[b] * w.cross(body.inertia * w);
    }
}

EnergyRates power(const Mechanism& m, const State& state, const RowValues& rows,
                  const Vector& lambda)
{
    EnergyRates out;
    Work& p = out.work;
    for_each_load(m, state, [&](BodyIndex b, const Vec3& force, const Vec3& torque) {
        p.loads += force.dot(state.v[b]) + torque.dot(state.w[b]);
    });
    for (int r = 0; r < m.rows; ++r) {
        p.prescribed -= lambda[r] * rows.kinematic_rate[r];
        if (!m.is_spring(r) && m.kind(r) != RowKind::Position) p.motors += lambda[r] * rows.rate[r];
    }
    for (const int r : m.laws)
        if (m.is_spring(r) || m.kind(r) == RowKind::Position)
            out.damping += m.law(r, state.time).damping * rows.rate[r] * rows.rate[r];
    return out;
}

void add_work(StepMemory& memory, const EnergyRates& power, Real time)
{
    model::add_work(power.work, memory.work, time);
    memory.dissipation.damping += time * power.damping;
}

void divide_by_mass(const Mechanism& m, const State& state, Eigen::Ref<Matrix> X)
{
    if (X.size() == 0) return;
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const BodyModel& body = m.model.bodies[b];
        if (!body.dynamic()) continue;
        X.middleRows<3>(m.first[b]) /= body.mass;
        if (body.kind != BodyKind::Rigid) continue;
        const Mat3 R = state.q[b].toRotationMatrix();
        const Mat3 inverse = R * body.inverse_inertia * R.transpose();
        X.middleRows<3>(m.first[b] + 3) = (inverse * X.middleRows<3>(m.first[b] + 3)).eval();
    }
}

Matrix mass_matrix(const Mechanism& m, const State& state)
{
    Matrix M = Matrix::Zero(m.freedoms, m.freedoms);
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const BodyModel& body = m.model.bodies[b];
        if (!body.dynamic()) continue;
        const int k = m.first[b];
        M.block<3, 3>(k, k).diagonal().setConstant(body.mass);
        if (body.kind != BodyKind::Rigid) continue;
        const Mat3 R = state.q[b].toRotationMatrix();
        M.block<3, 3>(k + 3, k + 3) = R * body.inertia * R.transpose();
    }
    return M;
}

void geometric_stiffness(const Mechanism& m, const State& state, const Vector& lambda, Matrix& K,
                         Vector& Kv)
{
    K.setZero(m.freedoms, m.freedoms);
    Kv.setZero(m.freedoms);
    for_each_element(m.model, state, [&](const auto& e) {
        constexpr int kRows = std::decay_t<decltype(e.item)>::kRows;
        constexpr int kBodies = std::decay_t<decltype(e.item)>::kBodies;
        StiffnessBlocks<kBodies> S;
        S.set_zero();
        e.item.geometric_stiffness(e.X, RowVector<kRows>(lambda.segment<kRows>(e.first_row)), S);
        for (int s = 0; s < kBodies; ++s) {
            const BodyIndex b = e.bodies[s];
            const int n = m.model.bodies[b].freedoms();
            if (n == 0) continue;
            for (int t = 0; t < kBodies; ++t) {
                const BodyIndex c = e.bodies[t];
                const int k = m.model.bodies[c].freedoms();
                Kv.segment(m.first[b], n) += (S.block[s][t] * twist(state, c)).head(n);
                if (k > 0)
                    K.block(m.first[b], m.first[c], n, k) += S.block[s][t].topLeftCorner(n, k);
            }
        }
    });
}

Vector velocities(const Mechanism& m, const State& state)
{
    Vector v(m.freedoms);
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const int n = m.model.bodies[b].freedoms();
        if (n > 0) v.segment(m.first[b], n) = twist(state, static_cast<BodyIndex>(b)).head(n);
    }
    return v;
}

void set_velocities(const Mechanism& m, const Vector& v, State& state)
{
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const int n = m.model.bodies[b].freedoms();
        if (n > 0) state.v[b] = v.segment<3>(m.first[b]);
        if (n == 6) state.w[b] = v.segment<3>(m.first[b] + 3);
    }
}

void move(const Mechanism& m, const Eigen::Ref<const Vector>& delta, State& state)
{
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const int n = m.model.bodies[b].freedoms();
        if (n > 0) state.p[b] += delta.segment<3>(m.first[b]);
        if (n == 6)
            state.q[b] = (exp_quat(delta.segment<3>(m.first[b] + 3)) * state.q[b]).normalized();
    }
}

void set_prescribed(const Mechanism& m, Real t, State& state)
{
    state.time = t;
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const BodyModel& body = m.model.bodies[b];
        if (body.kind != BodyKind::Kinematic) continue;
        apply_kinematic_motion(m.model, static_cast<BodyIndex>(b), t, state);
        const Motion& motion = m.model.body_details[b].motion;
        const Vec3 r = state.q[b] * body.com;
        state.w[b] = motion.axis * motion.angle.rate(t);
        state.v[b] =
            Vec3(motion.shift[0].rate(t), motion.shift[1].rate(t), motion.shift[2].rate(t)) +
            state.w[b].cross(r);
    }
}

Vec6 prescribed_acceleration(const Model& model, const State& state, BodyIndex b)
{
    Vec6 a;
    const Motion& m = model.body_details[b].motion;
    const Real t = state.time;
    const Vec3 r = state.q[b] * model.bodies[b].com, w = m.axis * m.angle.rate(t),
               alpha = m.axis * m.angle.acceleration(t);
    a << Vec3(m.shift[0].acceleration(t), m.shift[1].acceleration(t), m.shift[2].acceleration(t)) +
             alpha.cross(r) + w.cross(w.cross(r)),
        alpha;
    return a;
}

void advance_unconstrained(const Mechanism& m, const Vector& impulse, State& state)
{
    Vector gain = impulse;
    divide_by_mass(m, state, gain);
    set_velocities(m, velocities(m, state) + gain, state);
    for (std::size_t b = 0; b < m.model.bodies.size(); ++b) {
        const BodyModel& body = m.model.bodies[b];
        if (!body.dynamic()) continue;
        state.p[b] += m.h * state.v[b];
        if (body.kind != BodyKind::Rigid) continue;
        const FreeRotation to =
            rotate_free(body.inertia, body.inverse_inertia, state.q[b], state.w[b], m.h, Real(0.5));
        state.q[b] = to.q_new;
        state.w[b] = to.w_new;
    }
    set_prescribed(m, state.time + m.h, state);
}

}  // namespace taut::stepper::classical
