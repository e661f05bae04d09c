#include "complementarity/inner_solver.h"

#include <algorithm>
#include <limits>

namespace taut::complementarity {
namespace {

// ε of linalg::RedundancyFloor. The larger it is, the less redundant rows amplify round-off. But a load that is carried by
// bodies r times lighter has a response of 1/r of that of the row alone, which must be large beside ε: refinement
// converges like rε.
Real redundancy_floor(Real mass_ratio, bool careful)
{
    const Real floor = std::min(InnerSolverThresholds::kLargestFloor,
                                InnerSolverThresholds::kFloorTimesMassRatio / mass_ratio);
    return std::max(careful ? InnerSolverThresholds::kCarefulFactor * floor : floor,
                    linalg::FactorThresholds::kLowRedundancyFloor);
}

void set_nan(linalg::SaddleSolution& solution) noexcept
{
    for (auto* values : {&solution.x, &solution.y})
        std::fill(values->begin(), values->end(), std::numeric_limits<Real>::quiet_NaN());
}

}  // namespace

void InnerSolver::prepare(const linalg::SaddlePattern& pattern)
{
    linear_->prepare(pattern);
    residual_.prepare(pattern);
    correction_.prepare(pattern);
}

int InnerSolver::default_iterations() const noexcept
{
    return has_factor() ? InnerSolverThresholds::kDirectIterations
                        : InnerSolverThresholds::kMinresIterations;
}

int InnerSolver::solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
                       linalg::SaddleSolution& solution) noexcept
{
    if (!has_factor()) {
        linear_->set_tolerance(careful ? InnerSolverThresholds::kCarefulMinresTolerance
                                       : InnerSolverThresholds::kMinresTolerance);
        linear_->solve(system, solution);
        return 0;
    }
    // rows that are eliminated before their bodies lose as many digits as their floor is small; springs may make H
    // ill-conditioned even where masses are similar
    const Real floor = redundancy_floor(responses.mass_ratio(), careful);
    const bool early = linear_->eliminates_early();
    if (!linear_->factorise(
            system, early ? std::max(floor, InnerSolverThresholds::kLeastEarlyFloor) : floor,
            correction_)) {
        set_nan(solution);
        return 1;
    }
    // a small residual may hide a load that is far heavier than the bodies that carry it
    good_ = responses.mass_ratio() > linalg::FactorThresholds::kSimilarMassRatio
                ? RefinementThresholds::kTarget
                : RefinementThresholds::kGood;
    refine(system, solution);
    return 1;
}

// Solves for the correction of the guess, which gives (nearly) the solution nearest to it. Redundant rows whose g disagree
// by round-off ρ change their self-stress by ρ/ε with every correction, without end: a solution that is accurate enough is
// not corrected.
void InnerSolver::refine(const linalg::SaddleSystem& system,
                         linalg::SaddleSolution& solution) noexcept
{
    if (residual_.measure(system, solution.x, solution.y, good_) <= good_) return;
    linear_->solve_again(residual_.f(), residual_.g(), correction_);
    for (std::size_t i = 0; i < solution.x.size(); ++i) solution.x[i] += correction_.x[i];
    for (std::size_t i = 0; i < solution.y.size(); ++i) solution.y[i] += correction_.y[i];
    linear_->refine(system, good_, solution);
}

void InnerSolver::back_substitute(std::span<const Real> f, std::span<const Real> g,
                                  linalg::SaddleSolution& solution) noexcept
{
    linear_->solve_again(f, g, solution);
}

}  // namespace taut::complementarity
