// Scalar products: the cheap rows. They measure sines, so they have a second zero half a turn away,
// and a compliant one yields beyond 90°.
//
// Dot-1, axes a on body i and b on body j:  φ = a·b
//     J = (0, a×b, 0, −a×b),   η = λ(a bᵀ − φ I):   K̃ = ⎡ η −ηᵀ⎤ on the rotations of i and j
//                                                        ⎣−η  ηᵀ⎦
// Dot-2, axis u on body i:  φ = d·u
//     J = (u, u×(d−s_i), −u, u×s_j).   Several rows of one pair add up to the one force f = Σ λ u,
//     which acts on body i at the point of body j, lever s_i − d.  U = [f]ₓ, X = [s_j]ₓ U:
//         ⎡ 0    Uᵀ             0    0 ⎤
//     K̃ = ⎢ U   [d−s_i]ₓ U      Uᵀ   Xᵀ⎥
//         ⎢ 0    U              0    0 ⎥
//         ⎣ 0    X              0   −Xᵀ⎦
#pragma once

#include "constraints/parts/point.h"

namespace taut::constraints::parts {

template <int kRows, int kBodies>
[[gnu::always_inline]] inline void dot_1_row(const Vec3& a, const Vec3& b, int r,
                                             Rows<kRows, kBodies>& out, Pair pair = {}) noexcept
{
    const Vec3 x = a.cross(b);
    out.phi[r] = a.dot(b);
    put_row(out.J[pair.i], r, Vec3::Zero(), x);
    put_row(out.J[pair.j], r, Vec3::Zero(), -x);
}

template <int kBodies>
inline void dot_1_stiffness(const Vec3& a, const Vec3& b, Real lambda, StiffnessBlocks<kBodies>& K,
                            Pair pair = {}) noexcept
{
    const Mat3 eta = lambda * skew_skew(b, a);
    angular_angular(K.block[pair.i][pair.i]) += eta;
    angular_angular(K.block[pair.i][pair.j]) -= eta.transpose();
    angular_angular(K.block[pair.j][pair.i]) -= eta;
    angular_angular(K.block[pair.j][pair.j]) += eta.transpose();
}

template <int kRows, int kBodies>
inline void dot_2_row(const Points& at, const Vec3& u, int r, Rows<kRows, kBodies>& out,
                      Pair pair = {}) noexcept
{
    out.phi[r] = at.d.dot(u);
    put_row(out.J[pair.i], r, u, u.cross(at.d - at.s_i));
    put_row(out.J[pair.j], r, -u, u.cross(at.s_j));
}

// f = Σ λ u over the dot-2 rows of the pair.
template <int kBodies>
inline void dot_2_stiffness(const Points& at, const Vec3& f, StiffnessBlocks<kBodies>& K,
                            Pair pair = {}) noexcept
{
    const Mat3 U = skew(f);
    const Mat3 X_transposed = skew_skew(f, at.s_j);  // Uᵀ[s_j]ₓᵀ = U [s_j]ₓ
    Mat6 &ii = K.block[pair.i][pair.i], &ij = K.block[pair.i][pair.j];
    Mat6 &ji = K.block[pair.j][pair.i], &jj = K.block[pair.j][pair.j];
    linear_angular(ii) -= U;
    angular_linear(ii) += U;
    angular_angular(ii) += skew_skew(at.d - at.s_i, f);
    angular_linear(ij) -= U;
    angular_angular(ij) += X_transposed;
    linear_angular(ji) += U;
    angular_angular(ji) += X_transposed.transpose();
    angular_angular(jj) -= X_transposed;
}

inline void dot_2_tension(const Points& at, const Vec3& f, Mat3& G_i, Mat3& G_j) noexcept
{
    lever_tension(f, at.s_i - at.d, G_i);
    lever_tension(-f, at.s_j, G_j);
}

}  // namespace taut::constraints::parts
