// The products of Residual (saddle_ops.h) for the usual sizes, bodies with six unknowns and joints with three rows, in
// registers of W numbers. Sums are formed in the order of the loops of residual.cpp, which serve all other sizes.
#pragma once

#include "core/lanes.h"
#include "linalg/saddle_matrix.h"

namespace taut::linalg::kernels {

struct ResidualSquares {
    double residual, scale;
    double none;  // 0, or NaN if a residual is not finite
};

struct ResidualArrays {
    const SaddlePattern::Primal* primals;
    const SaddlePattern::Dual* duals;
    const SaddlePattern::Touch* touches;
    long primal_count, dual_count, row_count;
    const double *H, *J, *sigma, *f, *g;  // of the system
    const double *x, *y;
    double *left_f, *left_g;    // residuals
    double *scale_f, *scale_g;  // s and t
    double* mobility;           // 1/|H_ii|

    // Any other size; the largest f² and scale² of one body, both over its mass.
    void (*start_body)(const ResidualArrays& at, const SaddlePattern::Primal& body);
    void (*subtract_touch)(const ResidualArrays& at, const SaddlePattern::Dual& dual,
                           const SaddlePattern::Touch& touch);
    ResidualSquares (*largest_squares)(const ResidualArrays& at, const SaddlePattern::Primal& body);
};

struct ResidualTable {
    // f − H x of a symmetric H without its pairs, |f| + |H x|, 1/|H_ii|
    void (*start_bodies)(const ResidualArrays& at);
    // + Jᵀ y, and g − J x − Σ y
    void (*subtract_touches)(const ResidualArrays& at);
    // The largest square of a residual over that of its scale; NaN if a residual is not finite.
    double (*worst_momentum)(const ResidualArrays& at);
};

extern const ResidualTable residual_two_at_a_time;
#ifdef __x86_64__
extern const ResidualTable residual_four_at_a_time;  // wants AVX2
#endif

// Six numbers: one register of W, the rest in pairs.
template <int W>
struct Six {
    static constexpr int kPairs = (6 - W) / 2;
    Lane<W> wide;
    Lane<2> pair[kPairs];

    static Lane<2> two(const double* at) { return *reinterpret_cast<const Lane<2>*>(at); }
    static Six zero()
    {
        Six out;
        out.wide = Lane<W>{};
        for (int k = 0; k < kPairs; ++k) out.pair[k] = Lane<2>{};
        return out;
    }
    static Six load(const double* from)
    {
        Six out;
        out.wide = *reinterpret_cast<const Lane<W>*>(from);
        for (int k = 0; k < kPairs; ++k) out.pair[k] = two(from + W + 2 * k);
        return out;
    }
    void store(double* to) const
    {
        *reinterpret_cast<Lane<W>*>(to) = wide;
        for (int k = 0; k < kPairs; ++k) *reinterpret_cast<Lane<2>*>(to + W + 2 * k) = pair[k];
    }
    template <class Combine>
    [[gnu::always_inline]] static Six each(const Six& a, const Six& b, Combine combine)
    {
        Six out;
        out.wide = combine(a.wide, b.wide);
        for (int k = 0; k < kPairs; ++k) out.pair[k] = combine(a.pair[k], b.pair[k]);
        return out;
    }
    friend Six operator+(const Six& a, const Six& b)
    {
        return each(a, b, [](auto x, auto y) { return x + y; });
    }
    friend Six operator-(const Six& a, const Six& b)
    {
        return each(a, b, [](auto x, auto y) { return x - y; });
    }
    friend Six operator*(const Six& a, const Six& b)
    {
        return each(a, b, [](auto x, auto y) { return x * y; });
    }
    friend Six operator*(const Six& a, double s)
    {
        return each(a, a, [s](auto x, auto) { return x * s; });
    }
    friend Six magnitude(const Six& a)
    {
        return each(a, a, [](auto x, auto) {
            using Bits = decltype(x < x);
            return (decltype(x))((Bits)x & 0x7fffffffffffffff);
        });
    }
    // 1/a, and 0 where a is not above zero.
    friend Six inverse(const Six& a)
    {
        return each(a, a, [](auto x, auto) {
            const auto one_over = 1 / x;
            return x > 0 ? one_over : decltype(x){};
        });
    }
    // Of numbers that are none below zero. What is not a number is left out.
    double largest() const
    {
        Lane<2> most{};
        for (int k = 0; k < W; k += 2) {
            const Lane<2> part = {wide[k], wide[k + 1]};
            most = most < part ? part : most;
        }
        for (int k = 0; k < kPairs; ++k) most = most < pair[k] ? pair[k] : most;
        return most[0] < most[1] ? most[1] : most[0];
    }
    double sum() const
    {
        double total = 0;
        for (int k = 0; k < W; ++k) total += wide[k];
        for (int k = 0; k < kPairs; ++k) total += pair[k][0] + pair[k][1];
        return total;
    }
};

template <int W>
struct ResidualKernels {
    using S = Six<W>;

    static void start_bodies(const ResidualArrays& to)
    {
        const ResidualArrays at = to;
        for (long n = 0; n < at.primal_count; ++n) {
            const SaddlePattern::Primal body = at.primals[n];
            if (body.size != 6) {
                at.start_body(to, body);
                continue;
            }
            const double *const H = at.H + body.block, *const x = at.x + body.offset;
            // by columns, which are the rows
            S sum = S::zero();
            for (int c = 0; c < 6; ++c) sum = sum + S::load(H + 6 * c) * x[c];
            const S f = S::load(at.f + body.offset);
            (f - sum).store(at.left_f + body.offset);
            (magnitude(f) + magnitude(sum)).store(at.scale_f + body.offset);
            const double diagonal[6] = {H[0], H[7], H[14], H[21], H[28], H[35]};
            inverse(magnitude(S::load(diagonal))).store(at.mobility + body.offset);
        }
    }

    static Lane<4> three(const double* from) { return Lane<4>{from[0], from[1], from[2], 0}; }
    static void put_three(Lane<4> a, double* to) { to[0] = a[0], to[1] = a[1], to[2] = a[2]; }

    // Σ_c block[r][c] x[c] of three rows, from the left; the fourth number means nothing.
    static Lane<4> multiply_rows(const double* block, const double* x)
    {
        const auto row = [&](int at) { return *reinterpret_cast<const Lane<4>*>(block + at); };
        const Lane<4> first = *reinterpret_cast<const Lane<4>*>(x);
        const Lane<4> a = row(0) * first, b = row(6) * first, c = row(12) * first;
        const Lane<4> ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
        const Lane<4> ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const Lane<4> c_odd = __builtin_shufflevector(c, c, 1, 1, 3, 3);
        const Lane<2> last = S::two(x + 4);
        const Lane<2> a_last = S::two(block + 4) * last, b_last = S::two(block + 10) * last;
        const Lane<2> c_last = S::two(block + 16) * last;
        const Lane<2> ab_4 = __builtin_shufflevector(a_last, b_last, 0, 2);
        const Lane<2> ab_5 = __builtin_shufflevector(a_last, b_last, 1, 3);
        Lane<4> sum = Lane<4>{} + __builtin_shufflevector(ab_even, c, 0, 1, 4, 5);
        sum = sum + __builtin_shufflevector(ab_odd, c_odd, 0, 1, 4, 5);
        sum = sum + __builtin_shufflevector(ab_even, c, 2, 3, 6, 7);
        sum = sum + __builtin_shufflevector(ab_odd, c_odd, 2, 3, 6, 7);
        sum = sum + __builtin_shufflevector(ab_4, c_last, 0, 1, 2, 3);
        return sum + __builtin_shufflevector(ab_5, c_last, 0, 1, 3, 3);
    }

    // A joint with three rows on bodies with six unknowns each.
    [[gnu::always_inline]] static void subtract_three(const ResidualArrays& at,
                                                      const SaddlePattern::Dual& dual)
    {
        constexpr long long kAllButSign = 0x7fffffffffffffff;
        using Bits = decltype(Lane<4>{} < Lane<4>{});
        const int row = dual.offset;
        const SaddlePattern::Touch* touch = at.touches + dual.first_touch;
        const SaddlePattern::Touch* const end = touch + dual.touches;
        const double y[3] = {at.y[row], at.y[row + 1], at.y[row + 2]};
        Lane<4> left = three(at.left_g + row), scale = three(at.scale_g + row);
        for (; touch != end; ++touch) {
            const double* const block = at.J + touch->block;
            const int body = at.primals[touch->primal].offset;
            const Lane<4> speed = multiply_rows(block, at.x + body);
            left = left - speed;
            scale = scale + (Lane<4>)((Bits)speed & kAllButSign);
            S force = S::zero();
            for (int r = 0; r < 3; ++r) force = force + S::load(block + 6 * r) * y[r];
            (S::load(at.left_f + body) + force).store(at.left_f + body);
            (S::load(at.scale_f + body) + magnitude(force)).store(at.scale_f + body);
        }
        put_three(left, at.left_g + row);
        put_three(scale, at.scale_g + row);
    }

    static bool is_usual(const ResidualArrays& at, const SaddlePattern::Dual& dual)
    {
        if (dual.size != 3) return false;
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t)
            if (at.primals[at.touches[t].primal].size != 6) return false;
        return true;
    }

    static void subtract_touches(const ResidualArrays& to)
    {
        const ResidualArrays at = to;
        for (long r = 0; r < at.row_count; ++r) {
            const double soft = at.sigma[r] * at.y[r];
            at.left_g[r] = at.g[r] - soft;
            at.scale_g[r] = __builtin_fabs(at.g[r]) + __builtin_fabs(soft);
        }
        for (long n = 0; n < at.dual_count; ++n) {
            const SaddlePattern::Dual& dual = at.duals[n];
            if constexpr (W == 4) {
                if (is_usual(at, dual)) {
                    subtract_three(at, dual);
                    continue;
                }
            }
            for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t)
                at.subtract_touch(to, dual, at.touches[t]);
        }
    }

    static double worst_momentum(const ResidualArrays& to)
    {
        const ResidualArrays at = to;
        double worst = 0, none = 0;
        S nothing = S::zero();  // 0 times each residual
        for (long n = 0; n < at.primal_count; ++n) {
            const SaddlePattern::Primal body = at.primals[n];
            ResidualSquares most{};
            if (body.size == 6) {
                const S f = S::load(at.left_f + body.offset);
                const S scale = S::load(at.scale_f + body.offset);
                const S mobility = S::load(at.mobility + body.offset);
                const S square = f * f * mobility;
                nothing = nothing + square * 0.0;
                most.residual = square.largest();
                most.scale = (scale * scale * mobility).largest();
            } else {
                most = at.largest_squares(to, body);
                none += most.none;
            }
            if (most.residual > worst * most.scale)
                worst = most.scale > 0 ? most.residual / most.scale : 1;
        }
        return worst + (none + nothing.sum());
    }

    static constexpr ResidualTable table()
    {
        return {start_bodies, subtract_touches, worst_momentum};
    }
};

}  // namespace taut::linalg::kernels
