// Kernels are written once for a number type: Four<W> works on all four lanes of a pack, double on one lane after the
// other. The two give the same bits, because sums over bodies are kept per lane in either case. The scalar form is the one
// to read and to debug; it also serves machines without vector registers.
#pragma once

#include "core/four_lanes.h"

namespace taut::core {

// --- one number, with the functions of a Four ---

inline double magnitude(double a) noexcept { return a < 0 ? -a : a; }
inline double signed_like(double a, double b) noexcept { return b < 0 ? -a : a; }
inline double larger(double a, double b) noexcept { return a < b ? b : a; }
inline double where_positive(double a, double b) noexcept { return b > 0 ? a : 0; }
inline double outside(double a, double limit) noexcept { return a < limit && a > -limit ? 0 : 1; }
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
    Number gather(const double* from, const Places& at) const noexcept
    {
        return Number::gather(from, at);
    }
    void scatter(const Number& a, double* to, const Places& at) const noexcept
    {
        a.scatter(to, at);
    }
    // n numbers side by side.
    template <int n>
    void gather(const double* from, const Places& at, Number (&out)[n]) const noexcept
    {
        Number::gather(from, at, out);
    }
    template <int n>
    void scatter(const Number (&a)[n], double* to, const Places& at) const noexcept
    {
        Number::scatter(a, to, at);
    }
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
    double gather(const double* from, const Places& at) const noexcept { return from[at.at[lane]]; }
    void scatter(double a, double* to, const Places& at) const noexcept { to[at.at[lane]] = a; }
    template <int n>
    void gather(const double* from, const Places& at, double (&out)[n]) const noexcept
    {
        for (int k = 0; k < n; ++k) out[k] = from[at.at[lane] + k];
    }
    template <int n>
    void scatter(const double (&a)[n], double* to, const Places& at) const noexcept
    {
        for (int k = 0; k < n; ++k) to[at.at[lane] + k] = a[k];
    }
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
