// Residual of saddle_ops.h: one product with the matrix, block by block.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/assert.h"
#include "core/cpu.h"
#include "linalg/residual_kernels.h"
#include "linalg/saddle_ops.h"

namespace taut::linalg {
namespace {

using kernels::ResidualArrays;
using kernels::ResidualSquares;
using kernels::ResidualTable;

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

template <int N>
ResidualSquares largest_squares(const Real* f, const Real* f_scale, const Real* mobility)
{
    ResidualSquares out{};
    for (int r = 0; r < N; ++r) {
        const Real square = f[r] * f[r] * mobility[r];
        out.none += 0 * square;
        out.residual = std::max(out.residual, square);
        out.scale = std::max(out.scale, f_scale[r] * f_scale[r] * mobility[r]);
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
using Largest = ResidualSquares(const Real*, const Real*, const Real*);
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

// --- the same with the size of the node ---

void start_body(const ResidualArrays& at, const SaddlePattern::Primal& body)
{
    const Real* const block = at.H + body.block;
    const int k = body.offset;
    kStart[body.size - 1](block, at.f + k, at.left_f + k, at.scale_f + k, at.mobility + k);
    kSymmetric[body.size - 1](block, at.x + k, at.left_f + k, at.scale_f + k);
}

void subtract_any_touch(const ResidualArrays& at, const SaddlePattern::Dual& dual,
                        const SaddlePattern::Touch& touch)
{
    const SaddlePattern::Primal& body = at.primals[touch.primal];
    kTouch[(dual.size - 1) * kSizes + body.size - 1](
        at.J + touch.block, at.x + body.offset, at.y + dual.offset, at.left_f + body.offset,
        at.scale_f + body.offset, at.left_g + dual.offset, at.scale_g + dual.offset);
}

ResidualSquares largest_of_body(const ResidualArrays& at, const SaddlePattern::Primal& body)
{
    const int k = body.offset;
    return kLargest[body.size - 1](at.left_f + k, at.scale_f + k, at.mobility + k);
}

const ResidualTable& best_table() noexcept
{
#ifdef __x86_64__
    if (core::has_avx2()) return kernels::residual_four_at_a_time;
#endif
    return kernels::residual_two_at_a_time;
}

// Bodies of a matrix that is not symmetric: blocks by rows.
void start_bodies_by_rows(const ResidualArrays& at)
{
    for (long n = 0; n < at.primal_count; ++n) {
        const SaddlePattern::Primal& i = at.primals[n];
        const Real* const block = at.H + i.block;
        const int k = i.offset;
        kStart[i.size - 1](block, at.f + k, at.left_f + k, at.scale_f + k, at.mobility + k);
        subtract_block(block, i.size, i.size, i.size, 1, at.x + k, at.left_f + k, at.scale_f + k);
    }
}

// Blocks of H between two bodies.
void subtract_pairs(const SaddleSystem& system, const ResidualArrays& at)
{
    for (const auto& pair : system.pattern->pairs) {
        const auto& i = at.primals[pair.i];
        const auto& j = at.primals[pair.j];
        const Real *const ij = at.H + pair.block_ij, *const ji = at.H + pair.block_ji;
        const int p = i.offset, q = j.offset;
        subtract_block(ij, i.size, j.size, j.size, 1, at.x + q, at.left_f + p, at.scale_f + p);
        if (system.symmetric)
            subtract_block(ij, j.size, i.size, 1, j.size, at.x + p, at.left_f + q, at.scale_f + q);
        else
            subtract_block(ji, j.size, i.size, i.size, 1, at.x + p, at.left_f + q, at.scale_f + q);
    }
}

}  // namespace

constexpr ResidualTable kernels::residual_two_at_a_time = kernels::ResidualKernels<2>::table();

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
    const ResidualArrays at = {p.primals.data(),
                               p.duals.data(),
                               p.touches.data(),
                               static_cast<long>(p.primals.size()),
                               static_cast<long>(p.duals.size()),
                               p.dual_unknowns,
                               system.H.data(),
                               system.J.data(),
                               system.sigma.data(),
                               system.f.data(),
                               system.g.data(),
                               x.data(),
                               y.data(),
                               f_.data(),
                               g_.data(),
                               f_scale_.data(),
                               g_scale_.data(),
                               mobility_.data(),
                               start_body,
                               subtract_any_touch,
                               largest_of_body};
    const ResidualTable& table = best_table();
    system.symmetric ? table.start_bodies(at) : start_bodies_by_rows(at);
    subtract_pairs(system, at);
    table.subtract_touches(at);

    // std::max() would ignore a NaN in one of its arguments
    const Real momentum = std::sqrt(table.worst_momentum(at));
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
            if (!(residual > worst * scale)) continue;
            if (!(residual > good * scale)) {
                worst = residual / scale;
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
