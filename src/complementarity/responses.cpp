#include "complementarity/responses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.h"

namespace taut::complementarity {
namespace {

using Block =
    Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// The inverse of a positive definite N×N matrix by rows; false where it is none. By its Cholesky factor: L⁻ᵀ L⁻¹.
template <int N>
bool invert(const Real* D, Real* inverse) noexcept
{
    Real factor[N][N], w[N][N] = {};  // L with 1/l on its diagonal, and L⁻¹
    for (int j = 0; j < N; ++j) {
        Real square = D[j * N + j];
        for (int k = 0; k < j; ++k) square -= factor[j][k] * factor[j][k];
        if (!(square > 0)) return false;
        factor[j][j] = 1 / std::sqrt(square);
        for (int i = j + 1; i < N; ++i) {
            Real sum = D[i * N + j];
            for (int k = 0; k < j; ++k) sum -= factor[i][k] * factor[j][k];
            factor[i][j] = sum * factor[j][j];
        }
    }
    for (int j = 0; j < N; ++j) {
        w[j][j] = factor[j][j];
        for (int i = j + 1; i < N; ++i) {
            Real sum = 0;
            for (int k = j; k < i; ++k) sum -= factor[i][k] * w[k][j];
            w[i][j] = sum * factor[i][i];
        }
    }
    bool finite = true;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j) {
            Real sum = 0;
            for (int k = i; k < N; ++k) sum += w[k][i] * w[k][j];
            inverse[i * N + j] = inverse[j * N + i] = sum;
            finite = finite && std::isfinite(sum);
        }
    return finite;
}

bool invert(int size, const Real* D, Real* inverse) noexcept
{
    switch (size) {
        case 1: return invert<1>(D, inverse);
        case 2: return invert<2>(D, inverse);
        case 3: return invert<3>(D, inverse);
        case 4: return invert<4>(D, inverse);
        case 5: return invert<5>(D, inverse);
        default: return invert<6>(D, inverse);
    }
}

// W (C×R) ← D⁻¹ Jᵀ, and the responses of the rows. C, R: 0 where they are not constants.
template <int R, int C>
void respond(const Real* J, const Real* inverse, int rows, int size, Real* W, Real* d) noexcept
{
    const int m = R > 0 ? R : rows, n = C > 0 ? C : size;
    for (int r = 0; r < m; ++r) {
        Real response = 0;
        for (int i = 0; i < n; ++i) {
            Real sum = 0;
            for (int j = 0; j < n; ++j) sum += inverse[i * n + j] * J[r * n + j];
            W[i * m + r] = sum;
            response += J[r * n + i] * sum;
        }
        d[r] += response;
    }
}

void apply_six(const Real* inverse, const Real* f, Real* x) noexcept
{
    for (int r = 0; r < 6; ++r) {
        Real sum = 0;
        for (int c = 0; c < 6; ++c) sum += inverse[r * 6 + c] * f[c];
        x[r] = sum;
    }
}

}  // namespace

void Responses::prepare(const linalg::SaddlePattern& pattern)
{
    pattern_ = &pattern;
    extra_.assign(pattern.primal_unknowns, 0);
    inverse_of_.clear();
    int size = 0;
    for (const auto& primal : pattern.primals) {
        inverse_of_.push_back(size);
        size += primal.size * primal.size;
    }
    inverses_.assign(size, 0);
    w_.assign(pattern.j_values, 0);
    rows_.assign(pattern.dual_unknowns, 1);
    touched_.assign(pattern.primals.size(), false);
    for (const auto& touch : pattern.touches) touched_[touch.primal] = true;
}

// extra_ ← the diagonal that bounds the blocks of H between bodies.
void Responses::bound_coupling(const linalg::SaddleSystem& system) noexcept
{
    const auto& p = *pattern_;
    std::fill(extra_.begin(), extra_.end(), Real(0));
    for (const auto& pair : p.pairs) {
        const auto &i = p.primals[pair.i], &j = p.primals[pair.j];
        for (int r = 0; r < i.size; ++r)
            for (int c = 0; c < j.size; ++c) {
                const Real b = std::abs(system.H[pair.block_ij + r * j.size + c]);
                const Real hr = std::sqrt(std::abs(system.H[i.block + r * (i.size + 1)]));
                const Real hc = std::sqrt(std::abs(system.H[j.block + c * (j.size + 1)]));
                if (!(b > 0) || !(hr > 0) || !(hc > 0)) continue;
                extra_[i.offset + r] += b * hr / hc;
                extra_[j.offset + c] += b * hc / hr;
            }
    }
}

// D⁻¹ of every body, and the ratio of masses. False where a block has no finite inverse.
bool Responses::invert_bodies(const linalg::SaddleSystem& system) noexcept
{
    const auto& p = *pattern_;
    bool sound = true;
    Real lightest = std::numeric_limits<Real>::infinity(), heaviest = 0;
    for (std::size_t i = 0; i < p.primals.size(); ++i) {
        const auto& primal = p.primals[i];
        if (touched_[i]) {
            lightest = std::min(lightest, system.H[primal.block]);
            heaviest = std::max(heaviest, system.H[primal.block]);
        }
        const int n = primal.size;
        Real D[36];
        std::copy_n(&system.H[primal.block], n * n, D);
        for (int r = 0; r < n; ++r) D[r * (n + 1)] += extra_[primal.offset + r];
        Real* const inverse = &inverses_[inverse_of_[i]];
        if (invert(n, D, inverse)) continue;
        sound = false;
        std::fill_n(inverse, n * n, Real(0));
    }

    mass_ratio_ = lightest > 0 && lightest < heaviest ? heaviest / lightest : 1;
    return sound;
}

bool Responses::compute(const linalg::SaddleSystem& system) noexcept
{
    TAUT_ASSERT(system.sigma.size() == rows_.size() && system.J.size() == w_.size());
    const auto& p = *pattern_;
    bound_coupling(system);
    bool sound = invert_bodies(system);

    std::copy(system.sigma.begin(), system.sigma.end(), rows_.begin());
    for (const auto& dual : p.duals)
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const int size = p.primals[touch.primal].size;
            const Real* const J = &system.J[touch.block];
            const Real* const inverse = &inverses_[inverse_of_[touch.primal]];
            Real *const W = &w_[touch.block], *const d = &rows_[dual.offset];
            if (dual.size == 3 && size == 6)
                respond<3, 6>(J, inverse, 3, 6, W, d);
            else
                respond<0, 0>(J, inverse, dual.size, size, W, d);
        }
    for (Real& d : rows_) {
        sound = sound && std::isfinite(d) && d >= 0;
        if (!(d > 0)) d = 1;  // a row that moves no body: any scale will do
    }
    return sound;
}

void Responses::apply(int primal, const Real* f, Real* x) const noexcept
{
    TAUT_ASSERT(primal >= 0 && primal < static_cast<int>(inverse_of_.size()));
    const int size = pattern_->primals[primal].size;
    const Real* inverse = &inverses_[inverse_of_[primal]];
    if (size == 6) return apply_six(inverse, f, x);
    for (int r = 0; r < size; ++r) {
        Real sum = 0;
        for (int c = 0; c < size; ++c) sum += inverse[r * size + c] * f[c];
        x[r] = sum;
    }
}

Real Responses::energy_norm(int primal, const Real* f) const noexcept
{
    Real x[6];
    apply(primal, f, x);
    Real sum = 0;
    for (int r = 0; r < pattern_->primals[primal].size; ++r) sum += f[r] * x[r];
    return std::sqrt(std::max(sum, Real(0)));
}

void Responses::excess(const linalg::SaddleSystem& system, std::span<const Real> x,
                       std::span<Real> y) const noexcept
{
    for (std::size_t r = 0; r < y.size(); ++r) y[r] = extra_[r] * x[r];
    for (const auto& pair : pattern_->pairs) {
        const auto &i = pattern_->primals[pair.i], &j = pattern_->primals[pair.j];
        for (int r = 0; r < i.size; ++r)
            for (int c = 0; c < j.size; ++c) {
                const Real b = system.H[pair.block_ij + r * j.size + c];
                y[i.offset + r] -= b * x[j.offset + c];
                y[j.offset + c] -= b * x[i.offset + r];
            }
    }
}

SmallMatrix Responses::block(const linalg::SaddleSystem& system, int dual, int first,
                             int rows) const noexcept
{
    TAUT_ASSERT(dual >= 0 && dual < static_cast<int>(pattern_->duals.size()));
    TAUT_ASSERT(first >= 0 && first + rows <= pattern_->duals[dual].size);
    const auto& node = pattern_->duals[dual];
    SmallMatrix sum = SmallMatrix::Zero(rows, rows);
    for (int t = 0; t < node.touches; ++t) {
        const auto& touch = pattern_->touches[node.first_touch + t];
        const int size = pattern_->primals[touch.primal].size;
        const Block J(&system.J[touch.block], node.size, size);
        const Block W(&w_[touch.block], size, node.size);
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < rows; ++c) sum(r, c) += J.row(first + r).dot(W.col(first + c));
    }
    return sum;
}

}  // namespace taut::complementarity
