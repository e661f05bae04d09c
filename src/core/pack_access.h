// Kernels are written once for a number type: Four<W> works on all four lanes of a pack, double on one lane after the
// other. The two give the same bits, because sums over bodies are kept per lane in either case. The scalar form is the one
// to read and to debug; it also serves machines without vector registers.
#pragma once

#include "core/four_lanes.h"

namespace taut::core {

// --- one number, with the functions of a Four ---

inline double magnitude(double a) noexcept { return __builtin_fabs(a); }
inline double signed_like(double a, double b) noexcept { return b < 0 ? -a : a; }
inline double larger(double a, double b) noexcept { return a < b ? b : a; }
inline double where_positive(double a, double b) noexcept { return b > 0 ? a : 0; }
inline bool within(double a, double limit) noexcept { return a < limit && a > -limit; }
inline bool holds_everywhere(bool lane) noexcept { return lane; }
inline bool all_below(double a, double limit) noexcept { return a < limit; }

template <class Number>
inline constexpr bool kIsScalar = false;
template <>
inline constexpr bool kIsScalar<double> = true;

template <class Number>
[[gnu::always_inline]] inline Number broadcast(double x) noexcept
{
    if constexpr (kIsScalar<Number>)
        return x;
    else
        return Number::all(x);
}

// From and to places that PackAccess::at() has looked up: one number, or n that stand side by side.
template <class Number, class Place>
[[gnu::always_inline]] inline Number load_at(const Place& at) noexcept
{
    if constexpr (kIsScalar<Number>)
        return *at;
    else
        return Number::gather(at);
}
template <class Number, class Place, int n>
[[gnu::always_inline]] inline void load_at(const Place& at, Number (&out)[n]) noexcept
{
    if constexpr (kIsScalar<Number>)
        for (int k = 0; k < n; ++k) out[k] = at[k];
    else
        Number::gather(at, out);
}
template <class Number, class Place>
[[gnu::always_inline]] inline void store_at(const Number& a, const Place& to) noexcept
{
    if constexpr (kIsScalar<Number>)
        *to = a;
    else
        a.scatter(to);
}
template <class Number, class Place, int n>
[[gnu::always_inline]] inline void store_at(const Number (&a)[n], const Place& to) noexcept
{
    if constexpr (kIsScalar<Number>)
        for (int k = 0; k < n; ++k) to[k] = a[k];
    else
        Number::scatter(a, to);
}

// --- the lanes of a pack that a kernel works on at a time ---

template <class Number>
struct PackAccess;

template <int W>
struct PackAccess<Four<W>> {
    using Number = Four<W>;

    static constexpr int passes(int /*bodies*/) noexcept { return 1; }
    explicit PackAccess(int /*pass*/) noexcept {}

    Number load(const double* lanes) const noexcept { return Number::load(lanes); }
    void store(const Number& a, double* lanes) const noexcept { a.store(lanes); }
    // The places of an array that belong to the lanes, looked up once.
    using In = typename Number::template Located<const double>;
    using Out = typename Number::template Located<double>;
    In at(const double* from, const Places& i) const noexcept { return {from, i}; }
    Out at(double* to, const Places& i) const noexcept { return {to, i}; }

    template <class Visit>
    [[gnu::always_inline]] void each_lane(Visit&& visit) const noexcept
    {
        for (int lane = 0; lane < 4; ++lane) visit(lane);
    }
};

template <>
struct PackAccess<double> {
    int lane;

    // Lanes that repeat a body are left out.
    static constexpr int passes(int bodies) noexcept { return bodies; }
    explicit PackAccess(int pass) noexcept : lane(pass) {}

    double load(const double* lanes) const noexcept { return lanes[lane]; }
    void store(double a, double* lanes) const noexcept { lanes[lane] = a; }
    using In = const double*;
    using Out = double*;
    In at(const double* from, const Places& i) const noexcept { return from + i.at[lane]; }
    Out at(double* to, const Places& i) const noexcept { return to + i.at[lane]; }

    template <class Visit>
    void each_lane(Visit&& visit) const noexcept
    {
        visit(lane);
    }
};

// --- sums and maxima over bodies or rows, per lane ---

template <class Number>
struct LaneTotals {
    Number lanes = broadcast<Number>(0);

    void add(PackAccess<Number>, const Number& a) noexcept { lanes = lanes + a; }
    void keep_larger(PackAccess<Number>, const Number& a) noexcept { lanes = larger(lanes, a); }
    double sum() const noexcept { return lanes.sum(); }
    double largest() const noexcept
    {
        double out = lanes[0];
        for (int k = 1; k < 4; ++k) out = out < lanes[k] ? lanes[k] : out;
        return out;
    }
};

template <>
struct LaneTotals<double> {
    double lanes[4] = {};

    void add(PackAccess<double> at, double a) noexcept { lanes[at.lane] = lanes[at.lane] + a; }
    void keep_larger(PackAccess<double> at, double a) noexcept
    {
        lanes[at.lane] = larger(lanes[at.lane], a);
    }
    double sum() const noexcept { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }
    double largest() const noexcept
    {
        double out = lanes[0];
        for (int k = 1; k < 4; ++k) out = larger(out, lanes[k]);
        return out;
    }
};

}  // namespace taut::core
