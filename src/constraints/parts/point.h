// Two points, one on each body, and forces through points.
//
//       i o───s_i──●                d = p_i + s_i − p_j − s_j     (body i minus body j)
//                  ↑ d              levers run from the centres of mass, world axes
//       j o───s_j──●
//
// Ball rows:  φ = d,  J = (I, −[s_i]ₓ, −I, [s_j]ₓ),
//             K̃ = diag(0, [λ]ₓ[s_i]ₓ, 0, −[λ]ₓ[s_j]ₓ).
// A force f through a point fixed in a body at lever s turns with it: that is the [f]ₓ[s]ₓ.
#pragma once

#include "constraints/parts/blocks.h"
#include "math/so3.h"

namespace taut::constraints::parts {

struct Points {
    Vec3 s_i;
    Vec3 s_j;
    Vec3 d;
};

inline Points points(const BodyPose& X_i, const BodyFrame& F_i, const BodyPose& X_j,
                     const BodyFrame& F_j) noexcept
{
    Points at;
    at.s_i.noalias() = X_i.R * F_i.p;
    at.s_j.noalias() = X_j.R * F_j.p;
    at.d = X_i.p + at.s_i - X_j.p - at.s_j;
    return at;
}

// Rows r … r+2.
template <int kRows, int kBodies>
inline void ball_rows(const Points& at, int r, Rows<kRows, kBodies>& out, Pair pair = {}) noexcept
{
    const Vec3 &s = at.s_i, &t = at.s_j;
    for (int k = 0; k < 3; ++k) out.phi[r + k] = at.d[k];
    put_row(out.J[pair.i], r + 0, {1, 0, 0}, {0, s.z(), -s.y()});
    put_row(out.J[pair.i], r + 1, {0, 1, 0}, {-s.z(), 0, s.x()});
    put_row(out.J[pair.i], r + 2, {0, 0, 1}, {s.y(), -s.x(), 0});
    put_row(out.J[pair.j], r + 0, {-1, 0, 0}, {0, -t.z(), t.y()});
    put_row(out.J[pair.j], r + 1, {0, -1, 0}, {t.z(), 0, -t.x()});
    put_row(out.J[pair.j], r + 2, {0, 0, -1}, {-t.y(), t.x(), 0});
}

template <int kBodies>
inline void ball_stiffness(const Points& at, const Vec3& lambda, StiffnessBlocks<kBodies>& K,
                           Pair pair = {}) noexcept
{
    angular_angular(K.block[pair.i][pair.i]) += skew_skew(lambda, at.s_i);
    angular_angular(K.block[pair.j][pair.j]) -= skew_skew(lambda, at.s_j);
}

// Tension form of a force f at lever s: G += max(0, f·ŝ) |s| (I − ŝ ŝᵀ), written without a root.
// A force that pushes towards the centre of mass adds nothing, nor does a vanishing lever.
inline void lever_tension(const Vec3& f, const Vec3& s, Mat3& G) noexcept
{
    const Real pull = f.dot(s);
    if (!(pull > 0)) return;
    const Real scale = pull / s.squaredNorm();
    G.noalias() -= (scale * s) * s.transpose();
    G.diagonal().array() += pull;
}

inline void ball_tension(const Points& at, const Vec3& lambda, Mat3& G_i, Mat3& G_j) noexcept
{
    lever_tension(lambda, at.s_i, G_i);
    lever_tension(-lambda, at.s_j, G_j);
}

}  // namespace taut::constraints::parts
