// Four numbers at once: always four, as one register or as two, whatever the machine has. What is computed per number
// does not depend on it, nor on its neighbours. W is the width of a register, and is in the names of all that is compiled
// with it, so that the linker cannot take the code of one machine for that of another. For the same reason nothing here
// calls an inline function that others call too.
#pragma once

#include "core/lanes.h"

namespace taut::core {

// Entries i0 … i3 of an array that are not side by side.
struct Places {
    int at[4];
};

template <int W>
struct Four {
    static constexpr int kParts = 4 / W;
    Lane<W> part[kParts];

    static Four all(double x) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = Lane<W>{} + x;
        return out;
    }
    static Four load(const double* from) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k)
            out.part[k] = *reinterpret_cast<const Lane<W>*>(from + W * k);
        return out;
    }
    void store(double* to) const noexcept
    {
        for (int k = 0; k < kParts; ++k) *reinterpret_cast<Lane<W>*>(to + W * k) = part[k];
    }
    static Four gather(const double* from, const Places& i) noexcept
    {
        const double* const a = from + i.at[0];
        const double* const b = from + i.at[1];
        const double* const c = from + i.at[2];
        const double* const d = from + i.at[3];
        Four out;
        if constexpr (W == 4) {
            out.part[0] = Lane<W>{*a, *b, *c, *d};
        } else {
            out.part[0] = Lane<W>{*a, *b};
            out.part[1] = Lane<W>{*c, *d};
        }
        return out;
    }
    void scatter(double* to, const Places& i) const noexcept
    {
        for (int k = 0; k < 4; ++k) to[i.at[k]] = (*this)[k];
    }
    // n numbers that stand side by side in each of the four, in pairs where there are two left.
    template <int n>
    static void gather(const double* from, const Places& i, Four (&out)[n]) noexcept
    {
        for (int k = 0; k + 2 <= n; k += 2) gather_pair(from + k, i, out[k], out[k + 1]);
        if constexpr (n % 2 == 1) out[n - 1] = gather(from + n - 1, i);
    }
    template <int n>
    static void scatter(const Four (&a)[n], double* to, const Places& i) noexcept
    {
        for (int k = 0; k + 2 <= n; k += 2) scatter_pair(a[k], a[k + 1], to + k, i);
        if constexpr (n % 2 == 1) a[n - 1].scatter(to + n - 1, i);
    }
    static void gather_pair(const double* from, const Places& i, Four& x, Four& y) noexcept
    {
        const Lane<2> a = two(from + i.at[0]), b = two(from + i.at[1]);
        const Lane<2> c = two(from + i.at[2]), d = two(from + i.at[3]);
        if constexpr (W == 4) {
            const Lane<4> ac = __builtin_shufflevector(a, c, 0, 1, 2, 3);
            const Lane<4> bd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
            x.part[0] = __builtin_shufflevector(ac, bd, 0, 4, 2, 6);
            y.part[0] = __builtin_shufflevector(ac, bd, 1, 5, 3, 7);
        } else {
            x.part[0] = __builtin_shufflevector(a, b, 0, 2);
            y.part[0] = __builtin_shufflevector(a, b, 1, 3);
            x.part[1] = __builtin_shufflevector(c, d, 0, 2);
            y.part[1] = __builtin_shufflevector(c, d, 1, 3);
        }
    }
    static void scatter_pair(const Four& x, const Four& y, double* to, const Places& i) noexcept
    {
        if constexpr (W == 4) {
            const Lane<4> ac = __builtin_shufflevector(x.part[0], y.part[0], 0, 4, 2, 6);
            const Lane<4> bd = __builtin_shufflevector(x.part[0], y.part[0], 1, 5, 3, 7);
            put_two(to + i.at[0], __builtin_shufflevector(ac, ac, 0, 1));
            put_two(to + i.at[1], __builtin_shufflevector(bd, bd, 0, 1));
            put_two(to + i.at[2], __builtin_shufflevector(ac, ac, 2, 3));
            put_two(to + i.at[3], __builtin_shufflevector(bd, bd, 2, 3));
        } else {
            put_two(to + i.at[0], __builtin_shufflevector(x.part[0], y.part[0], 0, 2));
            put_two(to + i.at[1], __builtin_shufflevector(x.part[0], y.part[0], 1, 3));
            put_two(to + i.at[2], __builtin_shufflevector(x.part[1], y.part[1], 0, 2));
            put_two(to + i.at[3], __builtin_shufflevector(x.part[1], y.part[1], 1, 3));
        }
    }
    // By value: through a reference clang 14 forgets that the numbers need not be aligned.
    static Lane<2> two(const double* at) noexcept { return *reinterpret_cast<const Lane<2>*>(at); }
    static void put_two(double* at, Lane<2> value) noexcept
    {
        *reinterpret_cast<Lane<2>*>(at) = value;
    }

    double operator[](int k) const noexcept { return part[k / W][k % W]; }
    double sum() const noexcept { return ((*this)[0] + (*this)[1]) + ((*this)[2] + (*this)[3]); }

    friend Four operator+(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] + b.part[k];
        return out;
    }
    friend Four operator-(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] - b.part[k];
        return out;
    }
    friend Four operator*(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] * b.part[k];
        return out;
    }
    friend Four operator/(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] / b.part[k];
        return out;
    }
    friend Four operator-(const Four& a) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = -a.part[k];
        return out;
    }
    friend Four operator+(const Four& a, double b) noexcept { return a + all(b); }
    friend Four operator-(double a, const Four& b) noexcept { return all(a) - b; }
    friend Four operator-(const Four& a, double b) noexcept { return a - all(b); }
    friend Four operator*(double a, const Four& b) noexcept { return all(a) * b; }

    friend Four magnitude(const Four& a) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] < 0 ? -a.part[k] : a.part[k];
        return out;
    }
    // With the sign of b where that is negative.
    friend Four signed_like(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = b.part[k] < 0 ? -a.part[k] : a.part[k];
        return out;
    }
    // Either may get lost where it is not a number.
    friend Four larger(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k)
            out.part[k] = a.part[k] < b.part[k] ? b.part[k] : a.part[k];
        return out;
    }
    // a where b is above zero, else 0.
    friend Four where_positive(const Four& a, const Four& b) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = b.part[k] > 0 ? a.part[k] : Lane<W>{};
        return out;
    }
    // All below; false for what is not a number.
    friend bool all_below(const Four& a, double limit) noexcept
    {
#ifdef __x86_64__
        if constexpr (W == 4) {
            return __builtin_ia32_movmskpd256((Lane<W>)(a.part[0] < limit)) == 15;
        } else {
            const auto below = (a.part[0] < limit) & (a.part[1] < limit);
            return __builtin_ia32_movmskpd((Lane<W>)below) == 3;
        }
#else
        for (int k = 0; k < 4; ++k)
            if (!(a[k] < limit)) return false;
        return true;
#endif
    }
    // 0 where |a| is below the limit, 1 where it is not or is not a number.
    friend Four outside(const Four& a, double limit) noexcept
    {
        Four out;
        for (int k = 0; k < kParts; ++k) {
            const auto within = (a.part[k] < limit) & (a.part[k] > -limit);
            out.part[k] = within ? Lane<W>{} : Lane<W>{} + 1;
        }
        return out;
    }
};

}  // namespace taut::core
