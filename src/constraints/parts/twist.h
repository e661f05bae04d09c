// Twist: how far frame j is turned about the joint axis against frame i, bending taken out
// (swing–twist angle). Any number of turns.
//
// q the quaternion of Q_iᵀQ_j (Q = R · joint frame):  Ω = 2 atan2(q_n, q₀), and without roots
//     Ω = atan2(v_i·u_j − u_i·v_j,  u_i·u_j + v_i·v_j).
// With a = n_i, b = n_j, t = (a+b)/(1+a·b), x = a×b:
//     J = (0, −t, 0, t),  T_i = (−[a]ₓ − t xᵀ)/(1+a·b),  T_j = (−[b]ₓ + t xᵀ)/(1+a·b)
//     K̃ on the rotations:  ⎡−λT_i −λT_j⎤
//                          ⎣ λT_i  λT_j⎦
// At a = b this is the hinge angle, t = n. Singular only at a = −b (folded back by half a turn):
// there the row is zero.
#pragma once

#include "constraints/parts/blocks.h"
#include "math/so3.h"

namespace taut::constraints::parts {

// In (−π, π].
inline Real twist_angle(const Mat3& Q_i, const Mat3& Q_j) noexcept
{
    return std::atan2(Q_i.col(1).dot(Q_j.col(0)) - Q_i.col(0).dot(Q_j.col(1)),
                      Q_i.col(0).dot(Q_j.col(0)) + Q_i.col(1).dot(Q_j.col(1)));
}

// On the turn nearest to `near`.
inline Real twist_angle(const BodyPose& X_i, const BodyFrame& F_i, const BodyPose& X_j,
                        const BodyFrame& F_j, Real near) noexcept
{
    return unwrap(twist_angle(X_i.R * F_i.R, X_j.R * F_j.R), near);
}

// 1/(1 + a·b), zero where the axes oppose each other.
inline Real twist_scale(const Vec3& a, const Vec3& b) noexcept
{
    const Real sum = 1 + a.dot(b);
    return sum > 1e-14 ? 1 / sum : 0;
}

// Row r ← dΩ/dt; φ is the caller's.
template <int kRows, int kBodies>
inline void twist_jacobian(const Vec3& a, const Vec3& b, int r, Rows<kRows, kBodies>& out,
                           Pair pair = {}) noexcept
{
    const Vec3 t = twist_scale(a, b) * (a + b);
    put_row(out.J[pair.i], r, Vec3::Zero(), -t);
    put_row(out.J[pair.j], r, Vec3::Zero(), t);
}

// Row r += factor dΩ/dt, for rows that also measure something else.
template <int kRows, int kBodies>
inline void add_twist_jacobian(const Vec3& a, const Vec3& b, Real factor, int r,
                               Rows<kRows, kBodies>& out, Pair pair = {}) noexcept
{
    const Vec3 t = (factor * twist_scale(a, b)) * (a + b);
    out.J[pair.i].template block<1, 3>(r, 3) -= t.transpose();
    out.J[pair.j].template block<1, 3>(r, 3) += t.transpose();
}

template <int kBodies>
inline void twist_stiffness(const Vec3& a, const Vec3& b, Real lambda, StiffnessBlocks<kBodies>& K,
                            Pair pair = {}) noexcept
{
    const Real scale = twist_scale(a, b);
    const Mat3 t_x = (scale * (a + b)) * a.cross(b).transpose();
    const Mat3 T_i = (lambda * scale) * (-skew(a) - t_x);
    const Mat3 T_j = (lambda * scale) * (t_x - skew(b));
    angular_angular(K.block[pair.i][pair.i]) -= T_i;
    angular_angular(K.block[pair.i][pair.j]) -= T_j;
    angular_angular(K.block[pair.j][pair.i]) += T_i;
    angular_angular(K.block[pair.j][pair.j]) += T_j;
}

}  // namespace taut::constraints::parts
