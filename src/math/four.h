// Vectors and rotations of one body (Number is double) or of four at once (Four<W>), by the same formulas. As in
// four_lanes.h nothing here calls an inline function that others call too (Eigen's, or those of so3.h): what series do not
// reach goes through four_rare.h.
#pragma once

#include "core/pack_access.h"
#include "math/four_rare.h"

namespace taut::math {

template <class Number>
struct Vector3 {
    Number x, y, z;

    template <class Place>
    [[gnu::always_inline]] static Vector3 from(const Place& at) noexcept
    {
        Number a[3];
        load_at(at, a);
        return {a[0], a[1], a[2]};
    }
    template <class Place>
    [[gnu::always_inline]] void to(const Place& at) const noexcept
    {
        const Number a[3] = {x, y, z};
        store_at(a, at);
    }

    friend Vector3 operator+(const Vector3& a, const Vector3& b) noexcept
    {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend Vector3 operator-(const Vector3& a, const Vector3& b) noexcept
    {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend Vector3 operator*(const Number& s, const Vector3& a) noexcept
    {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend Vector3 operator*(double s, const Vector3& a) noexcept requires(!kIsScalar<Number>)
    {
        return broadcast<Number>(s) * a;
    }
    friend Number dot(const Vector3& a, const Vector3& b) noexcept
    {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    friend Vector3 cross(const Vector3& a, const Vector3& b) noexcept
    {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
};

template <class Number>
struct Matrix3 {
    Vector3<Number> row[3];

    friend Vector3<Number> operator*(const Matrix3& m, const Vector3<Number>& a) noexcept
    {
        return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
    }
    Vector3<Number> times_transposed(const Vector3<Number>& a) const noexcept
    {
        return a.x * row[0] + a.y * row[1] + a.z * row[2];
    }
};

// A unit quaternion.
template <class Number>
struct Quaternion {
    Number x, y, z, w;

    template <class Place>
    [[gnu::always_inline]] static Quaternion from(const Place& at) noexcept
    {
        Number a[4];
        load_at(at, a);
        return {a[0], a[1], a[2], a[3]};
    }
    template <class Place>
    [[gnu::always_inline]] void to(const Place& at) const noexcept
    {
        const Number a[4] = {x, y, z, w};
        store_at(a, at);
    }
    Vector3<Number> vec() const noexcept { return {x, y, z}; }
    Quaternion conjugate() const noexcept { return {-x, -y, -z, w}; }
    friend Quaternion operator*(const Quaternion& a, const Quaternion& b) noexcept
    {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
};

// v turned by q: q v q⁻¹ = v + 2w u×v + 2 u×(u×v), u the vector part.
template <class Number>
[[gnu::always_inline]] inline Vector3<Number> turn(const Quaternion<Number>& q,
                                                   const Vector3<Number>& v) noexcept
{
    const Vector3<Number> t = 2.0 * cross(q.vec(), v);
    return v + q.w * t + cross(q.vec(), t);
}

template <class Number>
[[gnu::always_inline]] inline Matrix3<Number> rotation(const Quaternion<Number>& q) noexcept
{
    const Number x = 2.0 * q.x, y = 2.0 * q.y, z = 2.0 * q.z;
    const Number wx = x * q.w, wy = y * q.w, wz = z * q.w;
    const Number xx = x * q.x, xy = y * q.x, xz = z * q.x;
    const Number yy = y * q.y, yz = z * q.y, zz = z * q.z;
    return {{{1 - (yy + zz), xy - wz, xz + wy},
             {xy + wz, 1 - (xx + zz), yz - wx},
             {xz - wy, yz + wx, 1 - (xx + yy)}}};
}

template <class Number, int kTerms>
Number series(const Number& x, const double (&a)[kTerms]) noexcept
{
    Number sum = broadcast<Number>(a[kTerms - 1]);
    for (int k = kTerms - 2; k >= 0; --k) sum = sum * x + a[k];
    return sum;
}

// Lanes whose size is beyond the limit of a series take the exact function: out = exact(in), lane by lane.
template <class Number, class In, class Out, class Exact>
[[gnu::noinline]] void replace_far_lanes(const Number& size, double limit, const In& in, Out& out,
                                         Exact exact) noexcept
{
    constexpr int kLanes = sizeof(Number) / sizeof(double);
    constexpr int kIn = sizeof(In) / sizeof(Number), kOut = sizeof(Out) / sizeof(Number);
    double sizes[kLanes], from[kIn][kLanes], to[kOut][kLanes];
    __builtin_memcpy(sizes, &size, sizeof(Number));
    __builtin_memcpy(from, &in, sizeof(In));
    __builtin_memcpy(to, &out, sizeof(Out));
    for (int i = 0; i < kLanes; ++i) {
        if (sizes[i] < limit) continue;
        double a[kIn], b[kOut];
        for (int k = 0; k < kIn; ++k) a[k] = from[k][i];
        exact(a, b);
        for (int k = 0; k < kOut; ++k) to[k][i] = b[k];
    }
    __builtin_memcpy(&out, to, sizeof(Out));
}

// exp_quat(): by series up to a radian.
template <class Number>
[[gnu::always_inline]] inline Quaternion<Number> exp_quat(const Vector3<Number>& theta) noexcept
{
    constexpr double kSine[] = {
        1, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800};
    constexpr double kCosine[] = {1,           1.0 / 2,       1.0 / 24,        1.0 / 720,
                                  1.0 / 40320, 1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200};
    constexpr double kFar = 0.25;
    const Number y = 0.25 * dot(theta, theta);
    const Number s = 0.5 * series(-y, kSine);
    Quaternion<Number> q = {s * theta.x, s * theta.y, s * theta.z, series(-y, kCosine)};
    if (!all_below(y, kFar)) replace_far_lanes(y, kFar, theta, q, exp_quat_far);
    return q;
}

// log_so3(): by series up to about a quarter of a radian.
template <class Number>
[[gnu::always_inline]] inline Vector3<Number> log_so3(const Quaternion<Number>& q) noexcept
{
    constexpr double kArcsine[] = {
        1.0,           1.0 / 6,          3.0 / 40,           15.0 / 336,           105.0 / 3456,
        945.0 / 42240, 10395.0 / 599040, 135135.0 / 9676800, 2027025.0 / 175472640};
    constexpr double kFar = 0.02;
    const Number y = dot(q.vec(), q.vec());
    Vector3<Number> theta = signed_like(2.0 * series(y, kArcsine), q.w) * q.vec();
    if (!all_below(y, kFar)) replace_far_lanes(y, kFar, q, theta, log_so3_far);
    return theta;
}

// Back to length 1, see turn.h.
template <class Number>
[[gnu::always_inline]] inline Quaternion<Number> made_unit(const Quaternion<Number>& q) noexcept
{
    constexpr double kRounding = 1e-8;
    const Number square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    const Number scale = 1.5 - 0.5 * square, off = magnitude(square - 1.0);
    Quaternion<Number> out = {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
    if (!all_below(off, kRounding)) replace_far_lanes(off, kRounding, q, out, made_unit_far);
    return out;
}

// log_near(): the rotation vector on the turn nearest to `near`.
template <class Number>
[[gnu::always_inline]] inline Vector3<Number> log_near(const Quaternion<Number>& q,
                                                       const Vector3<Number>& near) noexcept
{
    struct Both {
        Quaternion<Number> q;
        Vector3<Number> near;
    };
    constexpr double kFar = 2.2;  // two angles below √2.2 are together below π
    Vector3<Number> theta = log_so3(q);
    const Number a = dot(theta, theta), b = dot(near, near);
    if (!all_below(a, kFar) || !all_below(b, kFar))
        replace_far_lanes(larger(a, b), kFar, Both{q, near}, theta, log_near_far);
    return theta;
}

}  // namespace taut::math
