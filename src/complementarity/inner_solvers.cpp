#include "complementarity/inner_solvers.h"

#include <algorithm>

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

}  // namespace

void LdltInner::prepare(const linalg::SaddlePattern& pattern)
{
    ldlt_.prepare(pattern);
    refinement_.prepare(pattern);
    residual_.prepare(pattern);
    correction_.prepare(pattern);
}

int LdltInner::solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
                     linalg::SaddleSolution& solution) noexcept
{
    // rows that are eliminated before their bodies lose as many digits as their floor is small; springs may make H
    // ill-conditioned even where masses are similar
    const Real floor = redundancy_floor(responses.mass_ratio(), careful);
    ldlt_.factor_and_solve(
        system, correction_.x, correction_.y,
        ldlt_.has_early() ? std::max(floor, InnerSolverThresholds::kLeastEarlyFloor) : floor);
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
void LdltInner::refine(const linalg::SaddleSystem& system,
                       linalg::SaddleSolution& solution) noexcept
{
    if (residual_.measure(system, solution.x, solution.y, good_) <= good_) return;
    ldlt_.solve(residual_.f(), residual_.g(), correction_.x, correction_.y);
    for (std::size_t i = 0; i < solution.x.size(); ++i) solution.x[i] += correction_.x[i];
    for (std::size_t i = 0; i < solution.y.size(); ++i) solution.y[i] += correction_.y[i];
    SolveReport report;
    refinement_.run(system, good_, solution, report,
                    [&](auto f, auto g, linalg::SaddleSolution& correction) {
                        ldlt_.solve(f, g, correction.x, correction.y);
                    });
}

void LdltInner::back_substitute(std::span<const Real> f, std::span<const Real> g,
                                linalg::SaddleSolution& solution) noexcept
{
    ldlt_.solve(f, g, solution.x, solution.y);
}

int MinresInner::solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
                       linalg::SaddleSolution& solution) noexcept
{
    minres_.precondition(system, responses);
    minres_.solve(system,
                  careful ? InnerSolverThresholds::kCarefulMinresTolerance
                          : InnerSolverThresholds::kMinresTolerance,
                  solution);
    return 0;
}

void MinresInner::refine(const linalg::SaddleSystem& system,
                         linalg::SaddleSolution& solution) noexcept
{
    minres_.solve(system, InnerSolverThresholds::kMinresTolerance, solution);
}

}  // namespace taut::complementarity
