#include "world/readings.h"

#include <algorithm>
#include <cmath>

#include "constraints/parts/twist.h"
#include "model/apply_commands.h"
#include "model/gaps.h"
#include "model/springs.h"
#include "world/world_settings.h"

namespace taut::world {
namespace {

// Angle and slide of body 1 against body 0, from the frames alone: every type has them.
template <class T>
void read_coordinates(const State& state, const ConstraintRows& joint,
                      std::span<const BodyIndex> bodies, const T& item, const Poses<T::kBodies>& X,
                      JointReading& out) noexcept
{
    const Mat3 Q_0 = X[0].R * item.frames[0].R, Q_1 = X[1].R * item.frames[1].R;
    const Vec3 s_0 = X[0].R * item.frames[0].p, s_1 = X[1].R * item.frames[1].p;
    const Real near = T::kMemory > 0 ? state.memory[joint.first_memory] : 0;
    out.angle = unwrap(parts::twist_angle(Q_0, Q_1), near);
    const Vec3 a = Q_0.col(2), b = Q_1.col(2);
    const Vec3 t = parts::twist_scale(a, b) * (a + b);
    const Vec3 &w_0 = state.w[bodies[0]], &w_1 = state.w[bodies[1]];
    out.angle_rate = t.dot(w_1 - w_0);

    const Vec3 d = X[1].p + s_1 - X[0].p - s_0;
    const Vec3 d_dot = state.v[bodies[1]] + w_1.cross(s_1) - state.v[bodies[0]] - w_0.cross(s_0);
    out.slide = a.dot(d);
    out.slide_rate = a.dot(d_dot) + d.dot(w_0.cross(a));
}

Mat3 axes_of(Axes axes, const BodyPose& X_0, const BodyPose& X_1, const Mat3& Q) noexcept
{
    switch (axes) {
        case Axes::Body0: return X_0.R;
        case Axes::Body1: return X_1.R;
        case Axes::JointFrame: return Q;
        case Axes::World: break;
    }
    return Mat3::Identity();
}

// The engine measures frames from the centre of mass, its users from the body's origin.
JointFrame from_origin(const Model& model, BodyIndex body, const BodyFrame& frame) noexcept
{
    return {frame.p + model.bodies[body].com, Quat(frame.R).normalized()};
}

}  // namespace

Momentum read_momentum(const Model& model, const State& state) noexcept
{
    Momentum m;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic() || state.division.is_frozen(static_cast<BodyIndex>(b))) continue;
        const Vec3 p = body.mass * state.v[b];
        m.linear += p;
        m.angular += state.p[b].cross(p);
        if (body.kind == BodyKind::Rigid)
            m.angular += state.q[b] * (body.inertia * (state.q[b].conjugate() * state.w[b]));
    }
    return m;
}

JointReading read_joint(const Model& model, const State& state, int index, Axes axes) noexcept
{
    JointReading out;
    const ConstraintRows& joint = model.rows.groups[index];
    const std::span<const BodyIndex> bodies = model.rows.bodies(joint);
    const Real cap = model.joints[index].max_force;
    visit_joint(model, joint, [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        const Evaluated<T> now = evaluate(state, joint, bodies, item);
        read_coordinates(state, joint, bodies, item, now.X, out);
        Gaps gaps;
        if (joint_acts(model, state, index)) widen<T>(model.rows, state, joint, now.rows, gaps);
        out.broken = state.broken[index] != 0;
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            out.loaded = out.loaded || state.lambda[r] != 0;
            out.capped = out.capped ||
                         std::abs(state.lambda[r]) >= cap * (1 - kWorldSettings.at_force_limit);
        }
        out.gap = gaps.length;
        out.angular_gap = gaps.angle;

        // the body that is read: body 0, or body 1 where body 0 is the ground
        const int s = bodies[0] == kGround ? 1 : 0;
        const Eigen::Map<const RowVector<T::kRows>> lambda(&state.lambda[joint.first_row]);
        const Eigen::Matrix<Real, 6, 1> wrench = now.rows.J[s].transpose() * lambda;
        const Vec3 lever = now.X[s].R * item.frames[s].p;
        const Vec3 force = wrench.template head<3>();
        const Vec3 torque = wrench.template tail<3>() - lever.cross(force);
        const Mat3 R = axes_of(axes, now.X[0], now.X[1], now.X[0].R * item.frames[0].R);
        out.force = R.transpose() * force;
        out.torque = R.transpose() * torque;
    });
    return out;
}

JointFrame joint_frame(const Model& model, int joint, int side) noexcept
{
    const ConstraintRows& of = model.rows.groups[joint];
    const std::span<const BodyIndex> bodies = model.rows.bodies(of);
    JointFrame out;
    visit_joint(model, of, [&](const auto& item) {
        if (side < 0 || side >= static_cast<int>(item.frames.size())) return;
        out = from_origin(model, bodies[side_of_frame(side)], item.frames[side]);
    });
    return out;
}

JointFrame spring_frame(const Model& model, int spring, int side) noexcept
{
    if (side < 0 || side > 1) return {};
    const SpringModel& of = model.springs[spring];
    const BodyFrame& frame = of.kind == SpringDef::Kind::Linear
                                 ? model.linear_springs.items[of.slot].frames[side]
                                 : model.torsional_springs.items[of.slot].frames[side];
    return from_origin(model, of.bodies[side], frame);
}

void reread_joint(const Model& model, State& state, int index) noexcept
{
    const ConstraintRows& joint = model.rows.groups[index];
    visit_joint(model, joint, [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        if constexpr (T::kMemory > 0)
            refresh_memory(state, item, model.pool<T>().bodies[joint.slot],
                           &state.memory[joint.first_memory]);
        if (!joint_acts(model, state, index)) return;
        const Evaluated<T> now = evaluate(state, joint, model.rows.bodies(joint), item);
        for (int r = 0; r < T::kRows; ++r)
            state.stretch[joint.first_row + r] = loaded_stretch(joint.law, now.rows.phi[r]);
    });
}

void reread_joints(const Model& model, State& state, BodyIndex moved) noexcept
{
    for (int j = 0; j < model.rows.joints; ++j) {
        const std::span<const BodyIndex> bodies = model.rows.bodies(model.rows.groups[j]);
        if (std::find(bodies.begin(), bodies.end(), moved) == bodies.end()) continue;
        reread_joint(model, state, j);
    }
    const Pool<TwistAngle>& springs = model.torsional_springs;
    for (std::size_t k = 0; k < springs.items.size(); ++k) {
        const SpringModel& spring = model.springs[springs.groups[k]];
        if (spring.bodies[0] == moved || spring.bodies[1] == moved)
            refresh_memory(state, springs.items[k], springs.bodies[k],
                           &state.memory[spring.first_memory]);
    }
}

}  // namespace taut::world
