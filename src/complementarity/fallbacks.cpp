#include "complementarity/fallbacks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::complementarity {

using Turn = Strategy::Turn;

// --- one convex step ---

bool ConvexStep::applies(const Search& search) const noexcept
{
    return !search.begun && search.settings.convex && proximal_.available();
}

Turn ConvexStep::run(Search& search) noexcept
{
    using Step = ConvexStepThresholds;
    InequalityProblem& problem = search.problem;
    linalg::SaddleSolution& solution = *search.iterate;
    problem.make_admissible(solution.y);
    const Real excess = problem.responses().mass_ratio() / Step::kMassRatio;
    proximal_.load(problem.system(), problem.groups(), problem.responses(), solution);
    search.report.factorisations = search.report.iterations = proximal_.step(
        {std::min(Step::kRho, Step::kRho / excess), search.settings.allowed(Step::kFactorisations),
         Step::kEnough, search.settings.negligible},
        solution);
    search.report.residual = problem.measure(solution);
    search.as_it_is = true;
    return Turn::Done;
}

// --- proximal steps with falling ρ ---

bool ProximalSequence::applies(const Search& search) const noexcept
{
    return proximal_.available() && !search.is_spent() && !search.is_hard() &&
           (!begun_ || rho_ >= ProximalSequenceThresholds::kLast);
}

Turn ProximalSequence::run(Search& search) noexcept
{
    using Sequence = ProximalSequenceThresholds;
    InequalityProblem& problem = search.problem;
    ComplementarityReport& report = search.report;
    if (!begun_) {
        begun_ = true;
        rho_ = Sequence::kFirst;
        copy_solution(search.best, point_);
        search.sweep(Sequence::kSweeps, point_);
        proximal_.load(problem.system(), problem.groups(), problem.responses(), point_);
    }
    ++report.restarts;
    const int used = proximal_.step(
        {rho_, std::min(Sequence::kFactorisations, search.max_iterations - report.iterations)},
        point_);
    rho_ *= Sequence::kFactor;
    report.iterations += used;
    report.factorisations += used;
    const Real residual = problem.measure(point_);
    search.keep_if_better(point_, residual);
    copy_solution(point_, *search.iterate);
    return std::isfinite(residual) ? Turn::Moved : Turn::Stuck;
}

// --- the central path ---

void CentralPath::prepare(const linalg::SaddlePattern& pattern)
{
    interior_point_.prepare(pattern);
    point_.prepare(pattern);
}

bool CentralPath::applies(const Search& search) const noexcept
{
    return search.inner.has_factor() && !search.is_spent() &&
           (!begun_ || stage_goal_ >= CentralPathThresholds::kLastGoal);
}

Turn CentralPath::run(Search& search) noexcept
{
    using Path = CentralPathThresholds;
    InequalityProblem& problem = search.problem;
    ComplementarityReport& report = search.report;
    if (!begun_) {
        begun_ = true;
        stage_goal_ = Path::kFirstGoal;
        steps_ = 0;
        copy_solution(search.best, point_);
        interior_point_.load(problem.system(), problem.groups(), problem.responses(),
                             problem.map().typical_speed(), point_);
    }
    ++report.restarts;
    Real residual = std::numeric_limits<Real>::infinity();
    while (steps_ < Path::kSteps && !search.is_spent()) {
        ++steps_;
        ++report.iterations;
        ++report.factorisations;
        const bool moved = interior_point_.step(search.inner, point_) > Path::kShortestStep;
        residual = problem.measure(point_);
        search.keep_if_better(point_, residual);
        if (!moved || residual <= stage_goal_) break;
    }
    if (!std::isfinite(residual)) return Turn::Stuck;
    if (steps_ >= Path::kSteps) stage_goal_ = 0;
    stage_goal_ = std::min(stage_goal_, residual) / Path::kGoalDivisor;
    copy_solution(point_, *search.iterate);
    return Turn::Moved;
}

// --- sweeps ---

bool SweepsFromTheBest::applies(const Search& search) const noexcept
{
    return !search.inner.has_factor() && !search.is_spent() &&
           search.report.restarts < ActiveSetThresholds::kRestarts;
}

Turn SweepsFromTheBest::run(Search& search) noexcept
{
    copy_solution(search.best, *search.iterate);
    search.sweep(ActiveSetThresholds::kRestartSweeps << search.report.restarts++, *search.iterate);
    return Turn::Moved;
}

}  // namespace taut::complementarity
