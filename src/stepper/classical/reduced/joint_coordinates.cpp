#include "stepper/classical/reduced/joint_coordinates.h"

#include "math/so3.h"
#include "model/builder.h"

namespace taut::stepper::classical {
namespace {

// Both joint frames of a branch in the world.
struct Ends {
    Mat3 P, C;      // axes
    Vec3 s_p, s_c;  // from the centres of mass
    Vec3 d;         // from P to C
};

Ends ends(const Branch& b, const State& state)
{
    const BodyPose parent = body_pose(state, b.parent), child = body_pose(state, b.body);
    Ends e{parent.R * b.on_parent.R, child.R * b.on_child.R, parent.R * b.on_parent.p,
           child.R * b.on_child.p, Vec3::Zero()};
    e.d = child.p + e.s_c - parent.p - e.s_p;
    return e;
}

// Axes that the turn's speeds are counted about.
void turn_axes(const Branch& b, const Ends& e, std::array<Vec3, 3>& axes)
{
    if (b.turn == Turn::About) axes[0] = e.P.col(2);
    if (b.turn == Turn::Crossed) {
        axes[0] = e.P.col(b.first_axis);
        axes[1] = e.C.col(b.second_axis);
    }
    if (b.turn == Turn::Free)
        for (int k = 0; k < 3; ++k) axes[k] = e.P.col(k);
}

Mat3 about(int axis, Real angle) { return exp_so3(angle * Vec3(Vec3::Unit(axis))); }

Mat3 relative(const Branch& b, const Real* turn, const Mat3& start)
{
    switch (b.turn) {
        case Turn::None: break;
        case Turn::About: return about(2, turn[0]);
        case Turn::Crossed: return about(b.first_axis, turn[0]) * about(b.second_axis, turn[1]);
        case Turn::Free: return exp_so3(Vec3(turn[0], turn[1], turn[2])) * start;
    }
    return Mat3::Identity();
}

void read_turn(const Branch& b, const Mat3& rel, Real* turn)
{
    if (b.turn == Turn::About) turn[0] = std::atan2(rel(1, 0) - rel(0, 1), rel(0, 0) + rel(1, 1));
    if (b.turn == Turn::Crossed && b.first_axis == 2) {  // rot_z rot_x
        turn[0] = std::atan2(rel(1, 0), rel(0, 0));
        turn[1] = std::atan2(rel(2, 1), rel(2, 2));
    }
    if (b.turn == Turn::Crossed && b.first_axis == 0) {  // rot_x rot_z
        turn[0] = std::atan2(-rel(1, 2), rel(2, 2));
        turn[1] = std::atan2(-rel(0, 1), rel(0, 0));
    }
    if (b.turn == Turn::Free) turn[0] = turn[1] = turn[2] = 0;
}

}  // namespace

JointCoordinates::JointCoordinates(const Mechanism& mechanism, const Tree& tree, const State& state)
    : mechanism_(mechanism),
      tree_(tree),
      position_(Vector::Zero(tree.freedoms)),
      speed_(Vector::Zero(tree.freedoms)),
      start_(tree.branches.size(), Mat3::Identity())
{
    for (std::size_t i = 0; i < tree.branches.size(); ++i) {
        const Branch& b = tree.branches[i];
        const Ends e = ends(b, state);
        const Vec3 &w_p = state.w[b.parent], &w_c = state.w[b.body];
        const Vec3 slide_rate =
            state.v[b.body] + w_c.cross(e.s_c) - state.v[b.parent] - w_p.cross(e.s_p + e.d);
        int k = b.first;
        for (const int axis : b.slides) {
            position_[k] = e.P.col(axis).dot(e.d);
            speed_[k++] = e.P.col(axis).dot(slide_rate);
        }
        if (b.turn == Turn::None) continue;
        start_[i] = e.P.transpose() * e.C;
        read_turn(b, start_[i], &position_[k]);
        std::array<Vec3, 3> axes;
        turn_axes(b, e, axes);
        for (int t = 0; t < b.turns(); ++t) speed_[k + t] = axes[t].dot(w_c - w_p);
    }
}

void JointCoordinates::place(const Vector& position, const Vector& speed, State& state) const
{
    for (std::size_t i = 0; i < tree_.branches.size(); ++i) {
        const Branch& b = tree_.branches[i];
        const bool particle = mechanism_.model.bodies[b.body].kind == BodyKind::Particle;
        const int turn = b.first + static_cast<int>(b.slides.size());
        const Mat3 P = state.q[b.parent].toRotationMatrix() * b.on_parent.R;
        if (!particle) {
            const Mat3 R = P * relative(b, b.turns() > 0 ? &position[turn] : nullptr, start_[i]) *
                           b.on_child.R.transpose();
            state.q[b.body] = Quat(R).normalized();
        }
        Vec3 d = Vec3::Zero(), d_rate = Vec3::Zero(), w = Vec3::Zero();
        for (std::size_t k = 0; k < b.slides.size(); ++k) {
            d += position[b.first + k] * P.col(b.slides[k]);
            d_rate += speed[b.first + k] * P.col(b.slides[k]);
        }
        state.p[b.body] = state.p[b.parent] + state.q[b.parent] * b.on_parent.p + d -
                          state.q[b.body] * b.on_child.p;
        const Ends e = ends(b, state);
        std::array<Vec3, 3> axes;
        turn_axes(b, e, axes);
        for (int t = 0; t < b.turns(); ++t) w += speed[turn + t] * axes[t];
        const Vec3& w_p = state.w[b.parent];
        state.v[b.body] = state.v[b.parent] + w_p.cross(state.p[b.body] - state.p[b.parent]) +
                          d_rate - w.cross(e.s_c);
        if (!particle) state.w[b.body] = w_p + w;
    }
}

Vector JointCoordinates::rates(const Vector& position, const Vector& speed) const
{
    Vector rates = speed;
    for (const Branch& b : tree_.branches) {
        if (b.turn != Turn::Free) continue;
        const int turn = b.first + static_cast<int>(b.slides.size());
        rates.segment<3>(turn) =
            left_jacobian_inverse(position.segment<3>(turn)) * speed.segment<3>(turn);
    }
    return rates;
}

// c: what twist_c changes by while u and twist_p stay. P turns with the parent, C with the child, and
// r = s_p + d − s_c with its ends.
void JointCoordinates::motion(const Branch& b, const State& state, const Vector& speed, Columns& S,
                              Vec6& c) const
{
    const Ends e = ends(b, state);
    const Vec3 &w_p = state.w[b.parent], &w_c = state.w[b.body];
    S.setZero(6, b.freedoms());
    int k = 0;
    Vec3 d_rate = Vec3::Zero(), w = Vec3::Zero(), spin_up = Vec3::Zero();
    for (const int axis : b.slides) {
        S.col(k).head<3>() = e.P.col(axis);
        d_rate += speed[b.first + k++] * e.P.col(axis);
    }
    std::array<Vec3, 3> axes;
    turn_axes(b, e, axes);
    for (int t = 0; t < b.turns(); ++t, ++k) {
        const Vec3 turning = speed[b.first + k] * axes[t];
        const bool on_child = b.turn == Turn::Crossed && t == 1;
        S.col(k) << e.s_c.cross(axes[t]), axes[t];
        w += turning;
        spin_up += (on_child ? w_c : w_p).cross(turning);
    }
    c << w_p.cross(state.v[b.body] - state.v[b.parent]) + w_p.cross(d_rate) - spin_up.cross(e.s_c) -
             w.cross(w_c.cross(e.s_c)),
        spin_up;
}

}  // namespace taut::stepper::classical
