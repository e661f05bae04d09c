#include "complementarity/natural_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "complementarity/thresholds.h"
#include "core/assert.h"
#include "linalg/saddle_ops.h"

namespace taut::complementarity {
namespace {

// error / scale, without division by zero; infinite where either is not finite.
Real ratio(Real error, Real scale)
{
    if (!(error < kInfinity && scale < kInfinity)) return kInfinity;
    if (error <= 0) return 0;
    return scale > 0 ? error / scale : 1;
}

// y − clamp(y − s) in units of velocity, written so that the error of an inactive bound is s itself: as the difference of two
// large impulses it would be lost in round-off.
Real bounded_error(Real y, Real s, Real lower, Real upper, Real d)
{
    const Real p = y - s / d;
    if (p < lower) return std::abs(d * (y - lower));
    if (p > upper) return std::abs(d * (y - upper));
    return std::abs(s);
}

Real tangent_error(const RowGroup& group, const Real* y, const Real* s, Real d)
{
    const Real normal = std::max(y[0], Real(0));
    const Real radius = group.sliding * normal;
    const Real round = NaturalMapThresholds::kRoundOff * d *
                       radius;  // of the sliding impulse, which is not known better
    Real sliding, force;
    if (group.pyramid) {
        sliding = norm(bounded_error(y[1], s[1], -radius, radius, d),
                       bounded_error(y[2], s[2], -radius, radius, d));
        force = std::max(std::abs(y[1]), std::abs(y[2]));
        if (force >= radius) sliding -= round;
    } else {
        const Real p1 = y[1] - s[1] / d, p2 = y[2] - s[2] / d;
        const Real length = norm(p1, p2);
        const Real shrink = radius / length;
        sliding = length > radius ? d * norm(y[1] - shrink * p1, y[2] - shrink * p2) - round
                                  : norm(s[1], s[2]);
        force = norm(y[1], y[2]);
    }
    if (group.sliding == group.friction) return sliding;
    const Real sticking = std::max(norm(s[1], s[2]), d * (force - group.friction * normal) - round);
    return std::min(sliding, sticking);
}

// What one body does to the rows of a contact or joint, and they to it.
struct TouchArrays {
    const Real *J, *W, *x, *y;
    Real free;  // |f|_D⁻¹ of the body
    Real *s, *speed, *momentum;
};

// Adds to s, speed and momentum; `impulse` ← Jᵀy. R, C: 0 where they are not constants.
template <int R, int C>
void measure_touch(const TouchArrays& at, int rows, int size, Real* impulse) noexcept
{
    const int m = R > 0 ? R : rows, n = C > 0 ? C : size;
    for (int r = 0; r < m; ++r) {
        Real sum = 0, lever = 0;
        for (int c = 0; c < n; ++c) {
            const Real a = at.J[r * n + c];
            sum += a * at.x[c];
            lever += a * at.W[c * m + r];
            impulse[c] += a * at.y[r];
        }
        at.s[r] += sum;
        at.speed[r] += std::abs(sum) + std::sqrt(std::max(lever, Real(0))) * at.free;
    }
    for (int c = 0; c < n; ++c) at.momentum[c] += impulse[c];
}

}  // namespace

Real natural_map_error(const RowGroup& group, const Real* y, const Real* s, const Real* d) noexcept
{
    switch (group.kind) {
        case RowGroup::Kind::Equal: {
            Real worst = 0;
            for (int r = 0; r < group.rows; ++r) worst = std::max(worst, std::abs(s[r]));
            return worst;
        }
        case RowGroup::Kind::NonNegative: return std::abs(std::min(d[0] * y[0], s[0]));
        case RowGroup::Kind::Interval:
            return bounded_error(y[0], s[0], group.lower, group.upper, d[0]);
        case RowGroup::Kind::Cone:
            return std::max(std::abs(std::min(d[0] * y[0], s[0])),
                            tangent_error(group, y, s, std::max(d[1], d[2])));
    }
    return kInfinity;
}

void project(const RowGroup& group, Real* y) noexcept
{
    switch (group.kind) {
        case RowGroup::Kind::Equal: return;
        case RowGroup::Kind::NonNegative: y[0] = std::max(y[0], Real(0)); return;
        case RowGroup::Kind::Interval: y[0] = std::clamp(y[0], group.lower, group.upper); return;
        case RowGroup::Kind::Cone: {
            y[0] = std::max(y[0], Real(0));
            const Real radius = group.friction * y[0];
            if (group.pyramid) {
                y[1] = std::clamp(y[1], -radius, radius);
                y[2] = std::clamp(y[2], -radius, radius);
                return;
            }
            const Real length = norm(y[1], y[2]);
            if (!(length > radius)) return;
            y[1] *= radius / length;
            y[2] *= radius / length;
        }
    }
}

void count_active(std::span<const RowGroup> groups, std::span<const Real> y,
                  ComplementarityReport& report) noexcept
{
    report.closed = report.sliding = report.at_bound = 0;
    for (const RowGroup& group : groups) {
        const Real* const v = &y[group.row];
        if (group.is_one_sided() && v[0] > 0) ++report.closed;
        if (group.kind == RowGroup::Kind::Interval && (v[0] <= group.lower || v[0] >= group.upper))
            ++report.at_bound;
        if (group.kind != RowGroup::Kind::Cone || !(v[0] > 0)) continue;
        const Real length =
            group.pyramid ? std::max(std::abs(v[1]), std::abs(v[2])) : norm(v[1], v[2]);
        if (length >= NaturalMapThresholds::kAtFrictionBound * group.sliding * v[0])
            ++report.sliding;
    }
}

void NaturalMap::prepare(const linalg::SaddlePattern& pattern)
{
    s_.assign(pattern.dual_unknowns, 0);
    speed_.assign(pattern.dual_unknowns, 0);
    free_.assign(pattern.primals.size(), 0);
    round_.assign(pattern.primals.size(), 0);
    momentum_.assign(pattern.primal_unknowns, 0);
}

Real NaturalMap::measure(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
                         const Responses& responses, std::span<const Real> x,
                         std::span<const Real> y) noexcept
{
    TAUT_ASSERT(x.size() == momentum_.size() && y.size() == s_.size());
    const auto& p = *system.pattern;
    linalg::primal_residual(system, x, momentum_);
    for (std::size_t i = 0; i < p.primals.size(); ++i)
        free_[i] = responses.energy_norm(static_cast<int>(i), &system.f[p.primals[i].offset]);
    measure_rows(system, responses, x, y);
    body_residual_ = worst_body(system, responses, x);
    return std::max(body_residual_, worst_row(groups, responses, y));
}

// s and its scale per row; what the rows' impulses do to the momentum, and their size.
void NaturalMap::measure_rows(const linalg::SaddleSystem& system, const Responses& responses,
                              std::span<const Real> x, std::span<const Real> y) noexcept
{
    const auto& p = *system.pattern;
    std::fill(round_.begin(), round_.end(), Real(0));
    for (const auto& dual : p.duals) {
        for (int r = dual.offset; r < dual.offset + dual.size; ++r) {
            const Real soft = system.sigma[r] * y[r];
            s_[r] = soft - system.g[r];
            speed_[r] = std::abs(soft) + std::abs(system.g[r]);
        }
        for (int t = 0; t < dual.touches; ++t) {
            const auto& touch = p.touches[dual.first_touch + t];
            const auto& primal = p.primals[touch.primal];
            Real impulse[6] = {};
            const TouchArrays at = {&system.J[touch.block], responses.touch(touch.block),
                                    &x[primal.offset],      &y[dual.offset],
                                    free_[touch.primal],    &s_[dual.offset],
                                    &speed_[dual.offset],   &momentum_[primal.offset]};
            if (dual.size == 3 && primal.size == 6)
                measure_touch<3, 6>(at, 3, 6, impulse);
            else
                measure_touch<0, 0>(at, dual.size, primal.size, impulse);
            round_[touch.primal] += responses.energy_norm(touch.primal, impulse);
        }
    }
}

Real NaturalMap::worst_row(std::span<const RowGroup> groups, const Responses& responses,
                           std::span<const Real> y) noexcept
{
    Real worst = 0;
    const auto d = responses.rows();
    typical_ = 0;
    for (const Real speed : speed_)
        if (std::isfinite(speed)) typical_ = std::max(typical_, speed);
    for (const RowGroup& group : groups) {
        const int k = group.row;
        Real round = group.rounding, scale = NaturalMapThresholds::kSmallestScale * typical_;
        bool finite = true;
        for (int r = k; r < k + group.rows; ++r) {
            round = std::max(round, NaturalMapThresholds::kRoundOff * speed_[r]);
            scale = std::max(scale, speed_[r]);
            finite = finite && std::isfinite(s_[r]) && std::isfinite(y[r]);
        }
        const Real error = natural_map_error(group, &y[k], &s_[k], &d[k]);
        worst = std::max(worst, finite ? ratio(error - round, scale) : kInfinity);
    }
    return worst;
}

Real NaturalMap::worst_body(const linalg::SaddleSystem& system, const Responses& responses,
                            std::span<const Real> x) const noexcept
{
    const auto& p = *system.pattern;
    const auto motion = [&](std::size_t i) {
        const auto& primal = p.primals[i];
        Real energy = 0;
        for (int r = 0; r < primal.size; ++r) {
            const Real v = x[primal.offset + r];
            energy += std::abs(system.H[primal.block + r * (primal.size + 1)]) * v * v;
        }
        return free_[i] + std::sqrt(energy);
    };
    Real worst = 0, largest = 0;
    for (std::size_t i = 0; i < p.primals.size(); ++i) {
        const Real scale = motion(i);
        if (std::isfinite(scale)) largest = std::max(largest, scale);
    }
    for (std::size_t i = 0; i < p.primals.size(); ++i) {
        const auto& primal = p.primals[i];
        const Real scale = std::max(motion(i), NaturalMapThresholds::kSmallestScale * largest);
        const Real error = responses.energy_norm(static_cast<int>(i), &momentum_[primal.offset]);
        worst = std::max(
            worst, ratio(error - NaturalMapThresholds::kRoundOff * (scale + round_[i]), scale));
    }
    return worst;
}

}  // namespace taut::complementarity
