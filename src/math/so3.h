// Rotations: skew matrices, exponential, logarithm and the derivative of the exponential.
//
// θ is a rotation vector, R = exp([θ]ₓ). Everything is accurate to round-off for all angles: near
// zero by series or by forms that do not cancel, near π by way of the quaternion.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::math {

// [a]ₓ, such that [a]ₓ b = a × b.
inline Mat3 skew(const Vec3& a) noexcept
{
    Mat3 S;
    // clang-format off
    S <<      0, -a.z(),  a.y(),
          a.z(),      0, -a.x(),
         -a.y(),  a.x(),      0;
    // clang-format on
    return S;
}

// [a]ₓ[b]ₓ = b aᵀ − (a·b) I
inline Mat3 skew_skew(const Vec3& a, const Vec3& b) noexcept
{
    Mat3 S;
    S.noalias() = b * a.transpose();
    S.diagonal().array() -= a.dot(b);
    return S;
}

// I − e eᵀ for a unit vector e.
inline Mat3 across(const Vec3& e) noexcept
{
    Mat3 P;
    P.noalias() = -e * e.transpose();
    P.diagonal().array() += 1;
    return P;
}

// Σ a_k xᵏ
template <int kTerms>
Real series(Real x, const std::array<Real, kTerms>& a) noexcept
{
    Real sum = a[kTerms - 1];
    for (int k = kTerms - 2; k >= 0; --k) sum = sum * x + a[k];
    return sum;
}

// asin s / s for y = s² < 0.02, to rounding.
inline Real small_arcsine_ratio(Real y) noexcept
{
    if (y < 1e-4) return series<4>(y, {1.0, 1.0 / 6, 3.0 / 40, 15.0 / 336});
    return series<9>(y, {1.0, 1.0 / 6, 3.0 / 40, 15.0 / 336, 105.0 / 3456, 945.0 / 42240,
                         10395.0 / 599040, 135135.0 / 9676800, 2027025.0 / 175472640});
}

// sin x / x
inline Real sinc(Real x) noexcept
{
    const Real y = x * x;
    return y < 1e-4 ? 1 - y / 6 * (1 - y / 20 * (1 - y / 42)) : std::sin(x) / x;
}

// (1 − cos x) / x²
inline Real versine_ratio(Real x) noexcept
{
    const Real s = sinc(x / 2);
    return s * s / 2;
}

// (x − sin x) / x³
inline Real sine_gap_ratio(Real x) noexcept
{
    const Real y = x * x;
    if (y > 1.5) return (x - std::sin(x)) / (y * x);
    // Σ (−y)ᵏ / (2k + 3)!, nested from the tenth term
    Real sum = 1;
    for (int k = 9; k >= 1; --k) sum = 1 - y / ((2 * k + 2) * (2 * k + 3)) * sum;
    return sum / 6;
}

inline Mat3 exp_so3(const Vec3& theta) noexcept
{
    // I + a [θ]ₓ + b [θ]ₓ², with [θ]ₓ² = θ θᵀ − |θ|² I
    const Real angle = theta.norm();
    const Real a = sinc(angle), b = versine_ratio(angle);
    const Real x = theta.x(), y = theta.y(), z = theta.z();
    const Real xx = b * x * x, yy = b * y * y, zz = b * z * z;
    const Real xy = b * x * y, yz = b * y * z, zx = b * z * x;
    Mat3 R;
    // clang-format off
    R << 1 - yy - zz, xy - a * z,  zx + a * y,
         xy + a * z,  1 - zz - xx, yz - a * x,
         zx - a * y,  yz + a * x,  1 - xx - yy;
    // clang-format on
    return R;
}

inline Quat exp_quat(const Vec3& theta) noexcept
{
    // up to a radian, the usual case of one step: series in y = |θ|²/4, neither roots nor sines
    const Real y = theta.squaredNorm() / 4;
    if (y < Real(0.25)) {
        const bool tiny = y < 1e-4;
        const Real s = tiny ? series<4>(-y, {1, 1.0 / 6, 1.0 / 120, 1.0 / 5040})
                            : series<7>(-y, {1, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880,
                                             1.0 / 39916800, 1.0 / 6227020800});
        const Real c = tiny ? series<4>(-y, {1, 1.0 / 2, 1.0 / 24, 1.0 / 720})
                            : series<8>(-y, {1, 1.0 / 2, 1.0 / 24, 1.0 / 720, 1.0 / 40320,
                                             1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200});
        const Real half_s = s / 2;
        return {c, half_s * theta.x(), half_s * theta.y(), half_s * theta.z()};
    }
    const Real half = theta.norm() / 2;
    const Real s = sinc(half) / 2;
    return {std::cos(half), s * theta.x(), s * theta.y(), s * theta.z()};
}

// Rotation vector of a unit quaternion, |θ| ≤ π.
inline Vec3 log_so3(const Quat& q) noexcept
{
    // small turns: θ = 2 (asin n / n) times the vector part, n its length, no roots
    const Real y = q.vec().squaredNorm();
    if (y < 0.02) return ((q.w() < 0 ? -2 : 2) * small_arcsine_ratio(y)) * q.vec();
    const Real n = std::sqrt(y);
    // atan2(n, w)/n loses nothing down to the smallest n; q and −q are the same rotation
    const Real scale = 2 * std::atan2(n, std::abs(q.w())) / n;
    return (q.w() < 0 ? -scale : scale) * q.vec();
}

// Rotation vector of a rotation matrix, |θ| ≤ π. At π exactly one of the two signs is returned.
inline Vec3 log_so3(const Mat3& R) noexcept
{
    // small angles, the usual case of a joint that holds: θ = (asin s / s) w, s = |w|, no roots
    const Vec3 w(Real(0.5) * (R(2, 1) - R(1, 2)), Real(0.5) * (R(0, 2) - R(2, 0)),
                 Real(0.5) * (R(1, 0) - R(0, 1)));
    const Real y = w.squaredNorm();
    if (y < 0.02 && R.trace() > 1) return small_arcsine_ratio(y) * w;
    return log_so3(Quat(R));  // Eigen branches on the largest component: no cancellation near π
}

// The rotation vector of q on the turn nearest to `near`: log(q) + 2πk about the same axis. Where q is the
// identity its axis is that of `near`.
inline Vec3 log_near(const Quat& q, const Vec3& near) noexcept
{
    constexpr Real kTurn = 6.283185307179586;
    const Vec3 theta = log_so3(q);
    if (theta.squaredNorm() < 2.2 && near.squaredNorm() < 2.2) return theta;  // together below π
    const Real angle = theta.norm();
    const Vec3 axis = angle > 1e-12 ? Vec3(theta / angle) : near.stableNormalized();
    const Real turns = std::round((near.dot(axis) - angle) / kTurn);
    return turns == 0 ? theta : Vec3(theta + (turns * kTurn) * axis);
}

// Derivative of the exponential for increments on the left: exp(θ + δ) ≈ exp([L δ]ₓ) exp(θ).
inline Mat3 left_jacobian(const Vec3& theta) noexcept
{
    // L = I + b [θ]ₓ + c [θ]ₓ²
    const Real angle = theta.norm();
    const Real c = sine_gap_ratio(angle);
    Mat3 L = versine_ratio(angle) * skew(theta) + c * theta * theta.transpose();
    L.diagonal().array() += 1 - c * angle * angle;
    return L;
}

// L⁻¹ = I − ½ [θ]ₓ + c [θ]ₓ²; c and ċ = (dc/dφ)/φ at φ = |θ| < 2π.
struct InverseJacobianTerms {
    Real c;
    Real c_dot;
};

inline InverseJacobianTerms inverse_jacobian_terms(Real angle) noexcept
{
    const Real y = angle * angle;
    if (y > 1) {
        const Real s = std::sin(angle / 2), cot = std::cos(angle / 2) / s;
        return {(1 - angle / 2 * cot) / y, (-2 / y + cot / (2 * angle) + 1 / (4 * s * s)) / y};
    }
    // c = Σ |B₂ₖ|/(2k)! φ²ᵏ⁻², Bernoulli numbers
    constexpr std::array<Real, 10> a = {1.0 / 12,
                                        1.0 / 720,
                                        1.0 / 30240,
                                        1.0 / 1209600,
                                        1.0 / 47900160,
                                        691.0 / 1307674368000.0,
                                        1.0 / 74724249600.0,
                                        3617.0 / 10670622842880000.0,
                                        43867.0 / 5109094217170944000.0,
                                        174611.0 / 802857662698291200000.0};
    Real c = 0, c_dot = 0;
    for (int k = y < 0.01 ? 5 : 9; k >= 1; --k) {
        c = (c + a[k]) * y;
        c_dot = c_dot * y + 2 * k * a[k];
    }
    return {c + a[0], c_dot};
}

inline Mat3 left_jacobian_inverse(const Vec3& theta) noexcept
{
    const Real c = inverse_jacobian_terms(theta.norm()).c;
    Mat3 L = Real(-0.5) * skew(theta) + c * theta * theta.transpose();
    L.diagonal().array() += 1 - c * theta.squaredNorm();
    return L;
}

// The angle equal to `angle` up to whole turns that is nearest to `near`.
inline Real unwrap(Real angle, Real near) noexcept
{
    constexpr Real turn = 2 * std::numbers::pi_v<Real>;
    return angle + turn * std::round((near - angle) / turn);
}

}  // namespace taut::math
