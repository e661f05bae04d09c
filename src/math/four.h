// Vectors and rotations of four bodies at once. As in four_lanes.h nothing here calls an inline function that others call
// too (Eigen's, or those of so3.h): rare cases go through four_rare.h.
#pragma once

#include "core/four_lanes.h"
#include "math/four_rare.h"

namespace taut::math {

template <class F>
struct FourVectors {
    F x, y, z;

    static FourVectors gather(const double* from, const Places& at) noexcept
    {
        F a[3];
        F::gather(from, at, a);
        return {a[0], a[1], a[2]};
    }
    void scatter(double* to, const Places& at) const noexcept
    {
        const F a[3] = {x, y, z};
        F::scatter(a, to, at);
    }

    friend FourVectors operator+(const FourVectors& a, const FourVectors& b) noexcept
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend FourVectors operator-(const FourVectors& a, const FourVectors& b) noexcept
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend FourVectors operator*(const F& s, const FourVectors& a) noexcept
    {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend FourVectors operator*(double s, const FourVectors& a) noexcept { return F::all(s) * a; }
    friend F dot(const FourVectors& a, const FourVectors& b) noexcept
    {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    friend FourVectors cross(const FourVectors& a, const FourVectors& b) noexcept
    {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
};

template <class F>
struct FourMatrices {
    FourVectors<F> row[3];

    friend FourVectors<F> operator*(const FourMatrices& m, const FourVectors<F>& a) noexcept
    {
        return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
    }
    FourVectors<F> times_transposed(const FourVectors<F>& a) const noexcept
    {
        return a.x * row[0] + a.y * row[1] + a.z * row[2];
    }
};

// Unit quaternions.
template <class F>
struct FourTurns {
    F x, y, z, w;

    static FourTurns gather(const double* from, const Places& at) noexcept
    {
        F a[4];
        F::gather(from, at, a);
        return {a[0], a[1], a[2], a[3]};
    }
    void scatter(double* to, const Places& at) const noexcept
    {
        const F a[4] = {x, y, z, w};
        F::scatter(a, to, at);
    }
    FourVectors<F> vec() const noexcept { return {x, y, z}; }
    FourTurns conjugate() const noexcept { return {-x, -y, -z, w}; }
    friend FourTurns operator*(const FourTurns& a, const FourTurns& b) noexcept
    {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
};

// q v q⁻¹ = v + 2w u×v + 2 u×(u×v), u the vector part.
template <class F>
[[gnu::always_inline]] inline FourVectors<F> turn(const FourTurns<F>& q,
                                                  const FourVectors<F>& v) noexcept
{
    const FourVectors<F> t = 2.0 * cross(q.vec(), v);
    return v + q.w * t + cross(q.vec(), t);
}

template <class F>
[[gnu::always_inline]] inline FourMatrices<F> rotation(const FourTurns<F>& q) noexcept
{
    const F x = 2.0 * q.x, y = 2.0 * q.y, z = 2.0 * q.z;
    const F wx = x * q.w, wy = y * q.w, wz = z * q.w;
    const F xx = x * q.x, xy = y * q.x, xz = z * q.x;
    const F yy = y * q.y, yz = z * q.y, zz = z * q.z;
    return {{{1 - (yy + zz), xy - wz, xz + wy},
             {xy + wz, 1 - (xx + zz), yz - wx},
             {xz - wy, yz + wx, 1 - (xx + yy)}}};
}

template <class F, int kTerms>
F series(const F& x, const double (&a)[kTerms]) noexcept
{
    F sum = F::all(a[kTerms - 1]);
    for (int k = kTerms - 2; k >= 0; --k) sum = sum * x + a[k];
    return sum;
}

// A function of one lane after the other, where the short way does not reach: out = rare(in) for those not below.
template <class F, class In, class Out, class Rare>
[[gnu::noinline]] void mend(const F& size, double limit, const In& in, Out& out, Rare rare) noexcept
{
    constexpr int kIn = sizeof(In) / sizeof(F), kOut = sizeof(Out) / sizeof(F);
    double from[kIn][4], to[kOut][4];
    for (int k = 0; k < kIn; ++k) reinterpret_cast<const F*>(&in)[k].store(from[k]);
    for (int k = 0; k < kOut; ++k) reinterpret_cast<const F*>(&out)[k].store(to[k]);
    for (int i = 0; i < 4; ++i) {
        if (size[i] < limit) continue;
        double a[kIn], b[kOut];
        for (int k = 0; k < kIn; ++k) a[k] = from[k][i];
        rare(a, b);
        for (int k = 0; k < kOut; ++k) to[k][i] = b[k];
    }
    for (int k = 0; k < kOut; ++k) reinterpret_cast<F*>(&out)[k] = F::load(to[k]);
}

// exp_quat(): by series up to a radian.
template <class F>
[[gnu::always_inline]] inline FourTurns<F> exp_quat(const FourVectors<F>& theta) noexcept
{
    constexpr double kSine[] = {
        1, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800};
    constexpr double kCosine[] = {1,           1.0 / 2,       1.0 / 24,        1.0 / 720,
                                  1.0 / 40320, 1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200};
    constexpr double kFar = 0.25;
    const F y = 0.25 * dot(theta, theta);
    const F s = 0.5 * series(-y, kSine);
    FourTurns<F> q = {s * theta.x, s * theta.y, s * theta.z, series(-y, kCosine)};
    if (!all_below(y, kFar)) mend(y, kFar, theta, q, exp_quat_far);
    return q;
}

// log_so3(): by series up to about a quarter of a radian.
template <class F>
[[gnu::always_inline]] inline FourVectors<F> log_so3(const FourTurns<F>& q) noexcept
{
    constexpr double kArcsine[] = {
        1.0,           1.0 / 6,          3.0 / 40,           15.0 / 336,           105.0 / 3456,
        945.0 / 42240, 10395.0 / 599040, 135135.0 / 9676800, 2027025.0 / 175472640};
    constexpr double kFar = 0.02;
    const F y = dot(q.vec(), q.vec());
    FourVectors<F> theta = signed_like(2.0 * series(y, kArcsine), q.w) * q.vec();
    if (!all_below(y, kFar)) mend(y, kFar, q, theta, log_so3_far);
    return theta;
}

// Back to length 1, see turn.h.
template <class F>
[[gnu::always_inline]] inline FourTurns<F> made_unit(const FourTurns<F>& q) noexcept
{
    constexpr double kRounding = 1e-8;
    const F square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    const F scale = 1.5 - 0.5 * square, off = abs(square - 1.0);
    FourTurns<F> out = {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
    if (!all_below(off, kRounding)) mend(off, kRounding, q, out, made_unit_far);
    return out;
}

}  // namespace taut::math
