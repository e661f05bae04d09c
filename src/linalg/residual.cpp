// Residual of saddle_ops.h: one product with the matrix, block by block.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/assert.h"
#include "linalg/saddle_ops.h"

namespace taut::linalg {
namespace {

constexpr int kSizes = 6;

// f −= H x for one block, scale += |H x|; by rows. A symmetric block is read by columns, which are its
// rows, because that vectorises.
template <int N>
void subtract_symmetric(const Real* block, const Real* x, Real* f, Real* scale)
{
    Real sum[N] = {};
    for (int c = 0; c < N; ++c)
        for (int r = 0; r < N; ++r) sum[r] += block[c * N + r] * x[c];
    for (int r = 0; r < N; ++r) {
        f[r] -= sum[r];
        scale[r] += std::abs(sum[r]);
    }
}

// f, |f| and 1/|H_rr| of one body. The division is not a branch, so that it vectorises.
template <int N>
void start_primal(const Real* block, const Real* from, Real* f, Real* scale, Real* mobility)
{
    for (int r = 0; r < N; ++r) {
        f[r] = from[r];
        scale[r] = std::abs(from[r]);
        const Real diagonal = std::abs(block[r * (N + 1)]), inverse = 1 / diagonal;
        mobility[r] = diagonal > 0 ? inverse : 0;
    }
}

// The largest f² and scale² of one body, both over its mass; whether all of the first are finite.
struct Squares {
    Real residual, scale;
    bool finite;
};

template <int N>
Squares largest_squares(const Real* f, const Real* f_scale, const Real* mobility)
{
    Squares out{0, 0, true};
    Real square[N], scale[N];
    for (int r = 0; r < N; ++r) {
        square[r] = f[r] * f[r] * mobility[r];
        scale[r] = f_scale[r] * f_scale[r] * mobility[r];
    }
    for (int r = 0; r < N; ++r) {
        out.finite &= square[r] <= std::numeric_limits<Real>::max();
        out.residual = std::max(out.residual, square[r]);
        out.scale = std::max(out.scale, scale[r]);
    }
    return out;
}

// One block of J: g −= J x and f += Jᵀ y, and both scales.
template <int M, int N>
void subtract_touch(const Real* block, const Real* x, const Real* y, Real* f, Real* f_scale,
                    Real* g, Real* g_scale)
{
    Real speed[M] = {}, force[N] = {};  // both before anything is written: that vectorises
    for (int r = 0; r < M; ++r)
        for (int c = 0; c < N; ++c) {
            speed[r] += block[r * N + c] * x[c];
            force[c] += block[r * N + c] * y[r];
        }
    for (int r = 0; r < M; ++r) {
        g[r] -= speed[r];
        g_scale[r] += std::abs(speed[r]);
    }
    for (int c = 0; c < N; ++c) {
        f[c] += force[c];
        f_scale[c] += std::abs(force[c]);
    }
}

// Any block, by rows or transposed: f −= B x.
void subtract_block(const Real* block, int rows, int columns, int row_stride, int column_stride,
                    const Real* x, Real* f, Real* scale)
{
    for (int r = 0; r < rows; ++r) {
        Real sum = 0;
        for (int c = 0; c < columns; ++c) sum += block[r * row_stride + c * column_stride] * x[c];
        f[r] -= sum;
        scale[r] += std::abs(sum);
    }
}

using Start = void(const Real*, const Real*, Real*, Real*, Real*);
using Largest = Squares(const Real*, const Real*, const Real*);
using Symmetric = void(const Real*, const Real*, Real*, Real*);
using Touch = void(const Real*, const Real*, const Real*, Real*, Real*, Real*, Real*);

template <int... N>
constexpr std::array<Symmetric*, kSizes> symmetric_table(std::integer_sequence<int, N...>)
{
    return {subtract_symmetric<N + 1>...};
}

template <int... N>
constexpr std::array<Start*, kSizes> start_table(std::integer_sequence<int, N...>)
{
    return {start_primal<N + 1>...};
}

template <int... N>
constexpr std::array<Largest*, kSizes> largest_table(std::integer_sequence<int, N...>)
{
    return {largest_squares<N + 1>...};
}

template <int... K>
constexpr std::array<Touch*, kSizes * kSizes> touch_table(std::integer_sequence<int, K...>)
{
    return {subtract_touch<K / kSizes + 1, K % kSizes + 1>...};
}

constexpr auto kStart = start_table(std::make_integer_sequence<int, kSizes>());
constexpr auto kLargest = largest_table(std::make_integer_sequence<int, kSizes>());
constexpr auto kSymmetric = symmetric_table(std::make_integer_sequence<int, kSizes>());
constexpr auto kTouch = touch_table(std::make_integer_sequence<int, kSizes * kSizes>());

}  // namespace

void Residual::prepare(const SaddlePattern& pattern)
{
    for (auto* values : {&f_, &f_scale_, &mobility_}) values->assign(pattern.primal_unknowns, 0);
    for (auto* values : {&g_, &g_scale_}) values->assign(pattern.dual_unknowns, 0);
}

Real Residual::measure(const SaddleSystem& system, std::span<const Real> x, std::span<const Real> y,
                       Real good) noexcept
{
    TAUT_ASSERT(x.size() == f_.size() && y.size() == g_.size());
    TAUT_ASSERT(system.f.size() == f_.size() && system.g.size() == g_.size());
    const SaddlePattern& p = *system.pattern;
    for (const auto& i : p.primals) {
        const Real* const block = &system.H[i.block];
        const int k = i.offset;
        kStart[i.size - 1](block, &system.f[k], &f_[k], &f_scale_[k], &mobility_[k]);
        if (system.symmetric)
            kSymmetric[i.size - 1](block, &x[k], &f_[k], &f_scale_[k]);
        else
            subtract_block(block, i.size, i.size, i.size, 1, &x[k], &f_[k], &f_scale_[k]);
    }
    for (const auto& pair : p.pairs) {
        const auto& i = p.primals[pair.i];
        const auto& j = p.primals[pair.j];
        const Real* const ij = &system.H[pair.block_ij];
        const Real* const ji = &system.H[pair.block_ji];
        subtract_block(ij, i.size, j.size, j.size, 1, &x[j.offset], &f_[i.offset],
                       &f_scale_[i.offset]);
        if (system.symmetric)
            subtract_block(ij, j.size, i.size, 1, j.size, &x[i.offset], &f_[j.offset],
                           &f_scale_[j.offset]);
        else
            subtract_block(ji, j.size, i.size, i.size, 1, &x[i.offset], &f_[j.offset],
                           &f_scale_[j.offset]);
    }
    for (const auto& dual : p.duals) {
        const int k = dual.offset;
        for (int r = k; r < k + dual.size; ++r) {
            const Real soft = system.sigma[r] * y[r];
            g_[r] = system.g[r] - soft;
            g_scale_[r] = std::abs(system.g[r]) + std::abs(soft);
        }
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const auto& i = p.primals[touch.primal];
            kTouch[(dual.size - 1) * kSizes + i.size - 1](&system.J[touch.block], &x[i.offset],
                                                          &y[k], &f_[i.offset], &f_scale_[i.offset],
                                                          &g_[k], &g_scale_[k]);
        }
    }

    // std::max() would ignore a NaN in one of its arguments
    const Real momentum = worst_momentum(p);
    const Real constraint = worst_constraint(system, good);
    return constraint > momentum || std::isnan(constraint) ? constraint : momentum;
}

Real Residual::energy_norm(std::span<const Real> x) const noexcept
{
    Real sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (mobility_[i] > 0) sum += x[i] * x[i] / mobility_[i];
    return std::sqrt(sum);
}

Real Residual::worst_momentum(const SaddlePattern& p) const noexcept
{
    Real worst = 0;
    bool finite = true;
    for (const auto& i : p.primals) {
        const Squares most =
            kLargest[i.size - 1](&f_[i.offset], &f_scale_[i.offset], &mobility_[i.offset]);
        finite &= most.finite;
        if (most.residual > worst * most.scale)
            worst = most.scale > 0 ? most.residual / most.scale : 1;
    }
    return finite ? std::sqrt(worst) : std::numeric_limits<Real>::quiet_NaN();
}

Real Residual::worst_constraint(const SaddleSystem& system, Real good) const noexcept
{
    const SaddlePattern& p = *system.pattern;
    Real worst = 0;
    bool finite = true;
    for (const auto& dual : p.duals)
        for (int r = 0; r < dual.size; ++r) {
            const Real residual = std::abs(g_[dual.offset + r]);
            finite &= residual <= std::numeric_limits<Real>::max();
            Real scale = g_scale_[dual.offset + r];
            if (!(residual > std::max(worst, good) * scale)) {
                if (residual > worst * scale) worst = residual / scale;
                continue;
            }
            for (int t = 0; t < dual.touches; ++t) {
                const auto& touch = p.touches[dual.first_touch + t];
                const auto& i = p.primals[touch.primal];
                const Real* const row = &system.J[touch.block + r * i.size];
                Real lever = 0, impulse = 0;
                for (int c = 0; c < i.size; ++c) {
                    const Real f = system.f[i.offset + c];
                    lever += row[c] * row[c] * mobility_[i.offset + c];
                    impulse += f * f * mobility_[i.offset + c];
                }
                scale += std::sqrt(lever * impulse);
            }
            if (residual > worst * scale) worst = scale > 0 ? residual / scale : 1;
        }
    return finite ? worst : std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace taut::linalg
