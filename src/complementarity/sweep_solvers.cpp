#include "complementarity/sweep_solvers.h"

#include <algorithm>
#include <cmath>

#include "complementarity/thresholds.h"
#include "core/assert.h"

namespace taut::complementarity {

static bool all_finite(const linalg::SaddleSystem& system) noexcept
{
    for (const auto* values : {&system.H, &system.J, &system.sigma, &system.f, &system.g})
        for (const Real v : *values)
            if (!std::isfinite(v)) return false;
    return true;
}

std::string_view refuse(const linalg::SaddleSystem& system, std::span<const InequalityBlock> blocks,
                        const ComplementaritySettings& settings, InequalityRows& rows,
                        Responses& responses) noexcept
{
    if (!system.symmetric) return "inequality rows require a symmetric matrix, and this one is not";
    if (!all_finite(system)) return "the matrix of the step has numbers that are not finite";
    if (!rows.load(blocks, settings.shape, settings.equality_rounding))
        return "the bounds of the inequality rows contradict each other";
    if (!responses.compute(system))
        return "inequality rows require a matrix that is positive definite for every body, and the "
               "stabilisation left one that is not: shorter steps, or the stabilisations tension "
               "and projected, keep it positive definite";
    return {};
}

void zero_non_finite(linalg::SaddleSolution& solution) noexcept
{
    for (auto* values : {&solution.x, &solution.y})
        for (Real& v : *values)
            if (!std::isfinite(v)) v = 0;
}

void SweepSolver::prepare(const linalg::SaddlePattern& pattern)
{
    rows_.prepare(pattern);
    responses_.prepare(pattern);
    map_.prepare(pattern);
    sweeps_.prepare(pattern);
    best_.prepare(pattern);
    before_.assign(pattern.dual_unknowns, 0);
    direction_.assign(pattern.dual_unknowns, 0);
}

ComplementarityReport SweepSolver::solve(const linalg::SaddleSystem& system,
                                         std::span<const InequalityBlock> blocks,
                                         linalg::SaddleSolution& solution,
                                         const ComplementaritySettings& settings) noexcept
{
    TAUT_ASSERT(solution.x.size() == system.f.size() && solution.y.size() == system.g.size());
    ComplementarityReport report;
    report.residual = std::numeric_limits<Real>::infinity();
    zero_non_finite(solution);
    report.refused = refuse(system, blocks, settings, rows_, responses_);
    if (!report.refused.empty()) return report;

    const auto groups = rows_.groups();
    for (const RowGroup& group : groups) project(group, &solution.y[group.row]);
    sweeps_.load(system, groups, responses_);
    sweeps_.restart(solution.x, solution.y);
    std::fill(direction_.begin(), direction_.end(), Real(0));
    last_square_ = 0;

    const int most =
        settings.max_iterations > 0 ? settings.max_iterations : SweepThresholds::kSweeps;
    int since_best = 0;
    for (int k = 0; k <= most; ++k) {
        const Real residual = map_.measure(system, groups, responses_, solution.x, solution.y);
        ++since_best;
        if (k == 0 || residual < report.residual) {
            report.residual = residual;
            std::copy(solution.x.begin(), solution.x.end(), best_.x.begin());
            std::copy(solution.y.begin(), solution.y.end(), best_.y.begin());
            since_best = 0;
        }
        if (!(report.residual > settings.tolerance) || !std::isfinite(residual) || k == most) break;
        if (since_best >= SweepThresholds::kPatience) {
            last_square_ = 0;
            since_best = 0;
        }

        std::copy(solution.y.begin(), solution.y.end(), before_.begin());
        sweeps_.sweep(solution.x, solution.y);
        ++report.iterations;
        if (conjugate_) extrapolate(solution);
        // increments of x accumulate round-off: x is computed anew at intervals
        if (k % SweepThresholds::kRecompute == SweepThresholds::kRecompute - 1)
            sweeps_.restart(solution.x, solution.y);
    }

    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
    zero_non_finite(solution);
    report.accepted = report.residual <= settings.tolerance;
    report.finite = std::isfinite(report.residual);
    report.sweeps = report.iterations;
    report.cost = 1 + report.sweeps / SweepThresholds::kSweepsPerFactorisation;
    count_active(groups, solution.y, report);
    return report;
}

void SweepSolver::extrapolate(linalg::SaddleSolution& solution) noexcept
{
    Real square = 0;
    for (std::size_t i = 0; i < before_.size(); ++i) {
        const Real change = solution.y[i] - before_[i];
        square += responses_.row(static_cast<int>(i)) * change * change;
    }
    const Real beta = last_square_ > 0 ? square / last_square_ : 2;
    last_square_ = square;
    if (!(beta <= 1)) {
        for (std::size_t i = 0; i < before_.size(); ++i) direction_[i] = solution.y[i] - before_[i];
        return;
    }
    for (std::size_t i = 0; i < before_.size(); ++i) {
        const Real change = solution.y[i] - before_[i];
        solution.y[i] += beta * direction_[i];
        direction_[i] = beta * direction_[i] + change;
    }
    for (const RowGroup& group : rows_.groups()) project(group, &solution.y[group.row]);
    sweeps_.restart(solution.x, solution.y);
}

}  // namespace taut::complementarity
