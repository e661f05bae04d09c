#include "complementarity/responses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "core/assert.h"

namespace taut::complementarity {
namespace {

using Block =
    Eigen::Map<const Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using MutableBlock =
    Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

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
        SmallMatrix D = Block(&system.H[primal.block], primal.size, primal.size);
        for (int r = 0; r < primal.size; ++r) D(r, r) += extra_[primal.offset + r];
        const Eigen::LLT<SmallMatrix> llt(D);
        SmallMatrix inverse = SmallMatrix::Identity(primal.size, primal.size);
        if (llt.info() == Eigen::Success) {
            llt.solveInPlace(inverse);
        } else {
            sound = false;
            inverse.setZero();
        }
        sound = sound && inverse.allFinite();
        std::copy_n(inverse.data(), primal.size * primal.size, &inverses_[inverse_of_[i]]);
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
            const Block J(&system.J[touch.block], dual.size, size);
            const Block inverse(&inverses_[inverse_of_[touch.primal]], size, size);
            MutableBlock W(&w_[touch.block], size, dual.size);
            W = inverse.lazyProduct(J.transpose());
            for (int r = 0; r < dual.size; ++r) rows_[dual.offset + r] += J.row(r).dot(W.col(r));
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
