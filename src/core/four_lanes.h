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
    // The four places as addresses, looked up once: a vector store may alias the indices, which the compiler would read
    // again after each. T is double or const double.
    template <class T>
    struct Located {
        T *a, *b, *c, *d;

        [[gnu::always_inline]] Located(T* first, const Places& i) noexcept
            : a(first + i.at[0]), b(first + i.at[1]), c(first + i.at[2]), d(first + i.at[3])
        {}
        Located(T* a_, T* b_, T* c_, T* d_) noexcept : a(a_), b(b_), c(c_), d(d_) {}
        Located operator+(int k) const noexcept { return {a + k, b + k, c + k, d + k}; }
    };

    template <class T>
    static Four gather(const Located<T>& at) noexcept
    {
        Four out;
        if constexpr (W == 4) {
            out.part[0] = Lane<W>{*at.a, *at.b, *at.c, *at.d};
        } else {
            out.part[0] = Lane<W>{*at.a, *at.b};
            out.part[1] = Lane<W>{*at.c, *at.d};
        }
        return out;
    }
    void scatter(const Located<double>& to) const noexcept
    {
        *to.a = (*this)[0], *to.b = (*this)[1], *to.c = (*this)[2], *to.d = (*this)[3];
    }
    // n numbers that stand side by side in each of the four, in pairs where there are two left.
    template <class T, int n>
    static void gather(const Located<T>& at, Four (&out)[n]) noexcept
    {
        for (int k = 0; k + 2 <= n; k += 2) gather_pair(at + k, out[k], out[k + 1]);
        if constexpr (n % 2 == 1) out[n - 1] = gather(at + (n - 1));
    }
    template <int n>
    static void scatter(const Four (&numbers)[n], const Located<double>& to) noexcept
    {
        for (int k = 0; k + 2 <= n; k += 2) scatter_pair(numbers[k], numbers[k + 1], to + k);
        if constexpr (n % 2 == 1) numbers[n - 1].scatter(to + (n - 1));
    }
    template <int n>
    static void gather(const double* from, const Places& i, Four (&out)[n]) noexcept
    {
        gather(Located<const double>(from, i), out);
    }
    template <int n>
    static void scatter(const Four (&numbers)[n], double* to, const Places& i) noexcept
    {
        scatter(numbers, Located<double>(to, i));
    }
    template <class T>
    static void gather_pair(const Located<T>& at, Four& x, Four& y) noexcept
    {
        const Lane<2> a = two(at.a), b = two(at.b), c = two(at.c), d = two(at.d);
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
    static void scatter_pair(const Four& x, const Four& y, const Located<double>& to) noexcept
    {
        if constexpr (W == 4) {
            const Lane<4> ac = __builtin_shufflevector(x.part[0], y.part[0], 0, 4, 2, 6);
            const Lane<4> bd = __builtin_shufflevector(x.part[0], y.part[0], 1, 5, 3, 7);
            put_two(to.a, half(ac, 0));
            put_two(to.b, half(bd, 0));
            put_two(to.c, half(ac, 1));
            put_two(to.d, half(bd, 1));
        } else {
            put_two(to.a, __builtin_shufflevector(x.part[0], y.part[0], 0, 2));
            put_two(to.b, __builtin_shufflevector(x.part[0], y.part[0], 1, 3));
            put_two(to.c, __builtin_shufflevector(x.part[1], y.part[1], 0, 2));
            put_two(to.d, __builtin_shufflevector(x.part[1], y.part[1], 1, 3));
        }
    }
    // Stored with one instruction by g++ 12, which needs two where it is a shuffle.
    static Lane<2> half(const Lane<4>& four, int k) noexcept
    {
        return reinterpret_cast<const Lane<2>*>(&four)[k];
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
        using Bits = decltype(Lane<W>{} < Lane<W>{});
        constexpr long long kAllButSign = 0x7fffffffffffffff;
        Four out;
        for (int k = 0; k < kParts; ++k) out.part[k] = (Lane<W>)((Bits)a.part[k] & kAllButSign);
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
    // Yes or no per lane; no for what is not a number.
    struct Mask {
        decltype(Lane<W>{} < Lane<W>{}) part[kParts];

        friend Mask operator&(const Mask& a, const Mask& b) noexcept
        {
            Mask out;
            for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] & b.part[k];
            return out;
        }
        friend bool holds_everywhere(const Mask& a) noexcept
        {
#ifdef __x86_64__
            if constexpr (W == 4)
                return __builtin_ia32_movmskpd256((Lane<W>)a.part[0]) == 15;
            else
                return __builtin_ia32_movmskpd((Lane<W>)(a.part[0] & a.part[1])) == 3;
#else
            for (int k = 0; k < 4; ++k)
                if (a.part[k / W][k % W] == 0) return false;
            return true;
#endif
        }
    };
    friend Mask below(const Four& a, double limit) noexcept
    {
        Mask out;
        for (int k = 0; k < kParts; ++k) out.part[k] = a.part[k] < limit;
        return out;
    }
    // Between −limit and limit.
    friend Mask within(const Four& a, double limit) noexcept
    {
        Mask out;
        for (int k = 0; k < kParts; ++k) out.part[k] = (a.part[k] < limit) & (a.part[k] > -limit);
        return out;
    }
    friend bool all_below(const Four& a, double limit) noexcept
    {
        return holds_everywhere(below(a, limit));
    }
};

}  // namespace taut::core
