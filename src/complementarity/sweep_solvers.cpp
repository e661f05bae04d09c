#include "complementarity/sweep_solvers.h"

#include <algorithm>
#include <cmath>

#include "complementarity/thresholds.h"
#include "core/assert.h"

namespace taut::complementarity {

void SweepSolver::prepare(const linalg::SaddlePattern& pattern)
{
    problem_.prepare(pattern);
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
    report.refused = problem_.load(system, blocks, settings);
    if (!report.refused.empty()) return report;

    problem_.make_admissible(solution.y);
    sweeps_.load(system, problem_.groups(), problem_.responses());
    sweeps_.restart(solution.x, solution.y);
    std::fill(direction_.begin(), direction_.end(), Real(0));
    last_square_ = 0;

    const int most =
        settings.max_iterations > 0 ? settings.max_iterations : SweepThresholds::kSweeps;
    int since_best = 0;
    for (int k = 0; k <= most; ++k) {
        const Real residual = problem_.measure(solution);
        ++since_best;
        if (k == 0 || residual < report.residual) {
            report.residual = residual;
            copy_solution(solution, best_);
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

    copy_solution(best_, solution);
    zero_non_finite(solution);
    report.accepted = report.residual <= settings.tolerance;
    report.finite = std::isfinite(report.residual);
    report.sweeps = report.iterations;
    report.cost = 1 + report.sweeps / SweepThresholds::kSweepsPerFactorisation;
    count_active(problem_.groups(), solution.y, report);
    return report;
}

void SweepSolver::extrapolate(linalg::SaddleSolution& solution) noexcept
{
    Real square = 0;
    for (std::size_t i = 0; i < before_.size(); ++i) {
        const Real change = solution.y[i] - before_[i];
        square += problem_.responses().row(static_cast<int>(i)) * change * change;
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
    problem_.make_admissible(solution.y);
    sweeps_.restart(solution.x, solution.y);
}

}  // namespace taut::complementarity
