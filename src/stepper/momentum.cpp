#include "stepper/momentum.h"

#include <algorithm>
#include <limits>

#include <Eigen/Eigenvalues>

namespace taut::stepper {
namespace {

struct BodyMomentum {
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();  // about the origin
    Mat3 inertia = Mat3::Zero();  // about the centre of mass, world axes
};

BodyMomentum momentum_of(const BodyModel& body, const Vec3& p, const Quat& q, const Vec3& v,
                         const Vec3& w) noexcept
{
    BodyMomentum out;
    out.linear = body.mass * v;
    out.angular = p.cross(out.linear);
    if (body.kind != BodyKind::Rigid) return out;
    const Mat3 R = q.toRotationMatrix();
    out.inertia = R * body.inertia * R.transpose();
    out.angular += out.inertia * w;
    return out;
}

// I⁻¹ L; about an axis without inertia nothing turns.
Vec3 solve_inertia(const Mat3& inertia, const Vec3& L) noexcept
{
    Eigen::SelfAdjointEigenSolver<Mat3> axes;
    axes.computeDirect(inertia);
    const Real least = 8 * std::numeric_limits<Real>::epsilon() * axes.eigenvalues()[2];
    Vec3 out = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = axes.eigenvectors().col(k);
        if (axes.eigenvalues()[k] > least) out += axis.dot(L) / axes.eigenvalues()[k] * axis;
    }
    return out;
}

}  // namespace

bool is_unanchored(const StepModel& model) noexcept
{
    const auto is_dynamic = [&](BodyIndex b) { return model.bodies[b].dynamic(); };
    const auto all_dynamic = [&](std::span<const BodyIndex> bodies) {
        return std::all_of(bodies.begin(), bodies.end(), is_dynamic);
    };
    // bodies that fly by themselves have exact steps of their own; those in contact have little momentum to keep
    if (model.rows.joints == 0 || model.rows.has_contacts()) return false;
    return std::all_of(model.rows.groups.begin(), model.rows.groups.end(),
                       [&](const ConstraintRows& group) {
                           return all_dynamic(model.rows.bodies(group));
                       }) &&
           std::all_of(model.springs.begin(), model.springs.end(),
                       [&](const SpringModel& spring) { return all_dynamic(spring.bodies); });
}

void restore_momentum(const StepModel& model, const State& state, Real h, bool loaded,
                      const Linearisation& linear, State& next) noexcept
{
    // about the centre of mass at the end, where small numbers are subtracted
    Real mass = 0;
    Vec3 c = Vec3::Zero();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic()) continue;
        mass += model.bodies[b].mass;
        c += model.bodies[b].mass * next.p[b];
    }
    c /= mass;
    Vec3 linear_gap = Vec3::Zero(), angular_gap = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const Vec3 p = state.p[b] - c, p_end = next.p[b] - c;
        const BodyMomentum before = momentum_of(body, p, state.q[b], state.v[b], state.w[b]);
        const BodyMomentum after = momentum_of(body, p_end, next.q[b], next.v[b], next.w[b]);
        Vec3 force = body.mass * model.gravity, torque = Vec3::Zero();
        if (loaded) {
            force += linear.load_force[b];
            torque = linear.load_torque[b];
        }
        linear_gap += before.linear + h * force - after.linear;
        angular_gap += before.angular + h * ((p + p_end).cross(force) / 2 + torque) - after.angular;
        inertia += after.inertia +
                   body.mass * (p_end.squaredNorm() * Mat3::Identity() - p_end * p_end.transpose());
    }
    const Vec3 V = linear_gap / mass, turn = solve_inertia(inertia, angular_gap);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (!model.bodies[b].dynamic()) continue;
        next.v[b] += V + turn.cross(next.p[b] - c);
        if (model.bodies[b].kind == BodyKind::Rigid) next.w[b] += turn;
    }
}

}  // namespace taut::stepper
