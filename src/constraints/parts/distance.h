// Distance between two points, each fixed in a body.
//
//     i ●───────────● j      φ = |d| − L,  e = d/|d|,  J = (e, s_i×e, −e, −s_j×e)
//       λ < 0 pulls          f = ±λe at the points, A = λ/|d| (I − e eᵀ), P = (I, −[s]ₓ):
//                            K̃ = Σ ± Pₖᵀ A Pₗ + diag(0, [f]ₓ[s]ₓ)
// Tension form: the first part where the row pulls, and the lever form of both forces.
// Singular when the points meet: no gradient there. The row is then zero: it favours no direction.
#pragma once

#include "constraints/parts/point.h"

namespace taut::constraints::parts {

struct Strut {
    Real length;
    Vec3 e;  // zero where the points meet
};

inline Strut strut(const Vec3& d) noexcept
{
    const Real l = d.norm();
    constexpr Real kMeet = 1e-100;
    if (!(l > kMeet)) return {0, Vec3::Zero()};
    return {l, d / l};
}

template <int kRows, int kBodies>
inline void distance_row(const Points& at, Real length, int r, Rows<kRows, kBodies>& out,
                         Pair pair = {}) noexcept
{
    const Strut to = strut(at.d);
    out.phi[r] = to.length - length;
    put_row(out.J[pair.i], r, to.e, at.s_i.cross(to.e));
    put_row(out.J[pair.j], r, -to.e, -at.s_j.cross(to.e));
}

// K += scale Σ ± Pₖᵀ (I − e eᵀ) Pₗ. Points at the centre of mass, as all points of particles, have
// no rotational part, and skip it.
template <int kBodies>
inline void add_pulled_back(const Points& at, const Vec3& e, Real scale,
                            StiffnessBlocks<kBodies>& K, Pair pair) noexcept
{
    const Mat3 A = scale * across(e);
    Mat6 &ii = K.block[pair.i][pair.i], &ij = K.block[pair.i][pair.j];
    Mat6 &ji = K.block[pair.j][pair.i], &jj = K.block[pair.j][pair.j];
    linear_linear(ii) += A;
    linear_linear(ij) -= A;
    linear_linear(ji) -= A;
    linear_linear(jj) += A;
    if (at.s_i.isZero(0) && at.s_j.isZero(0)) return;

    const Mat3 S_i = skew(at.s_i), S_j = skew(at.s_j);
    const Mat3 A_i = A * S_i, A_j = A * S_j;  // A is symmetric: ([s]ₓ A) = −(A [s]ₓ)ᵀ
    linear_angular(ii) -= A_i;
    linear_angular(ij) += A_j;
    linear_angular(ji) += A_i;
    linear_angular(jj) -= A_j;
    angular_linear(ii) -= A_i.transpose();
    angular_linear(ij) += A_i.transpose();
    angular_linear(ji) += A_j.transpose();
    angular_linear(jj) -= A_j.transpose();
    angular_angular(ii) -= S_i * A_i;
    angular_angular(ij) += S_i * A_j;
    angular_angular(ji) += S_j * A_i;
    angular_angular(jj) -= S_j * A_j;
}

template <int kBodies>
inline void distance_stiffness(const Points& at, Real lambda, StiffnessBlocks<kBodies>& K,
                               Pair pair = {}) noexcept
{
    const Strut to = strut(at.d);
    if (to.length == 0) return;
    add_pulled_back(at, to.e, lambda / to.length, K, pair);
    ball_stiffness(at, lambda * to.e, K, pair);
}

template <int kBodies>
inline void distance_tension(const Points& at, Real lambda, StiffnessBlocks<kBodies>& G,
                             Pair pair = {}) noexcept
{
    const Strut to = strut(at.d);
    if (to.length == 0) return;
    if (lambda < 0) add_pulled_back(at, to.e, -lambda / to.length, G, pair);
    Mat3 G_i = Mat3::Zero(), G_j = Mat3::Zero();
    ball_tension(at, lambda * to.e, G_i, G_j);
    angular_angular(G.block[pair.i][pair.i]) += G_i;
    angular_angular(G.block[pair.j][pair.j]) += G_j;
}

}  // namespace taut::constraints::parts
