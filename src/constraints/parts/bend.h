// Bend: by which rotation vector the axis n_j is swung away from n_i, in the frame of body i.
// Two smooth rows whose length is the angle itself, |β| = θ, up to half a turn.
//
//     n_i ↑  ↗ n_j        c = n_i·n_j,  f(c) = θ/sin θ
//         │θ╱             β_u = −f (v_i·n_j),  β_v = f (u_i·n_j)
//         ●               so that β is the part of f n_i×n_j across n_i
// λ·β = f(c) g with g = w·n_j, w = −λ_u v_i + λ_v u_i, x = n_i×n_j, y = w×n_j; composition rule:
//     K̃ = K̃ of dot-1 (f w + f′g n_i, n_j)  +  ⎡ B −B⎤,   B = f″g x xᵀ + f′(x yᵀ + y xᵀ)
//                                             ⎣−B  B⎦
// Singular at θ = π, where the bending plane is not defined: sin θ is held above 1e-6 there, so
// that the rows stay finite.
#pragma once

#include "constraints/parts/dot.h"

namespace taut::constraints::parts {

// f(c) = θ/sin θ and its derivatives after c = cos θ; s = sin θ ≥ 0.
struct BendTerms {
    Real f;
    Real f_1;
    Real f_2;
};

inline BendTerms bend_terms(Real s, Real c) noexcept
{
    const Real x = 1 - c;
    if (x > 0.1) {
        s = std::max(s, 1e-6);
        const Real f = std::atan2(s, c) / s;
        const Real f_1 = (c * f - 1) / (s * s);
        return {f, f_1, (f + 3 * c * f_1) / (s * s)};
    }
    // f = Σ aₖ xᵏ, a₀ = 1, aₖ₊₁ = aₖ (k+1)/(2k+3); terms fall like (x/2)ᵏ. Nested with derivatives.
    constexpr int kTerms = 14;
    constexpr auto a = [] {
        std::array<Real, kTerms> value{1};
        for (int k = 0; k + 1 < kTerms; ++k) value[k + 1] = value[k] * (k + 1) / (2 * k + 3);
        return value;
    }();
    Real f = 0, after_x = 0, after_xx = 0;
    for (int k = kTerms - 1; k >= 0; --k) {
        after_xx = after_xx * x + 2 * after_x;
        after_x = after_x * x + f;
        f = f * x + a[k];
    }
    return {f, -after_x, after_xx};
}

// Rows r, r+1.
template <int kRows, int kBodies>
inline void bend_rows(const Mat3& Q_i, const Vec3& n_j, int r, Rows<kRows, kBodies>& out,
                      Pair pair = {}) noexcept
{
    const Vec3 n_i = Q_i.col(2);
    const Vec3 x = n_i.cross(n_j);
    const BendTerms b = bend_terms(x.norm(), n_i.dot(n_j));
    const auto row = [&](const Vec3& w, int at) {
        const Real g = w.dot(n_j);
        const Vec3 gradient = b.f * w.cross(n_j) + (b.f_1 * g) * x;
        out.phi[at] = b.f * g;
        put_row(out.J[pair.i], at, Vec3::Zero(), gradient);
        put_row(out.J[pair.j], at, Vec3::Zero(), -gradient);
    };
    row(-Q_i.col(1), r);
    row(Q_i.col(0), r + 1);
}

template <int kBodies>
inline void bend_stiffness(const Mat3& Q_i, const Vec3& n_j, Real lambda_u, Real lambda_v,
                           StiffnessBlocks<kBodies>& K, Pair pair = {}) noexcept
{
    const Vec3 n_i = Q_i.col(2);
    const Vec3 w = lambda_v * Q_i.col(0) - lambda_u * Q_i.col(1);
    const Vec3 x = n_i.cross(n_j), y = w.cross(n_j);
    const BendTerms b = bend_terms(x.norm(), n_i.dot(n_j));
    const Real g = w.dot(n_j);
    const Mat3 x_y = (b.f_1 * x) * y.transpose();
    const Mat3 B = (b.f_2 * g * x) * x.transpose() + x_y + x_y.transpose();
    dot_1_stiffness(b.f * w + (b.f_1 * g) * n_i, n_j, 1, K, pair);
    angular_angular(K.block[pair.i][pair.i]) += B;
    angular_angular(K.block[pair.i][pair.j]) -= B;
    angular_angular(K.block[pair.j][pair.i]) -= B;
    angular_angular(K.block[pair.j][pair.j]) += B;
}

}  // namespace taut::constraints::parts
