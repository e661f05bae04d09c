#include "complementarity/inner_solvers.h"

#include <algorithm>

namespace taut::complementarity {
namespace {

// ε of linalg::RedundancyFloor. The larger it is, the less do redundant rows amplify rounding; a load
// that reaches the ground through bodies r times lighter answers like 1/r of a row's own response, and has to be
// seen beside ε: then refinement converges like rε.
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
    // rows that go before their bodies take their floor off the digits; springs may make H uneven where masses are alike
    const Real floor = redundancy_floor(responses.mass_ratio(), careful);
    ldlt_.factor_and_solve(
        system, correction_.x, correction_.y,
        ldlt_.has_early() ? std::max(floor, InnerSolverThresholds::kLeastEarlyFloor) : floor);
    // a small residual may hide a load that is far heavier than what carries it
    good_ = responses.mass_ratio() > linalg::FactorThresholds::kSimilarMassRatio
                ? RefinementThresholds::kTarget
                : RefinementThresholds::kGood;
    refine(system, solution);
    return 1;
}

// From the guess by what it lacks: of all solutions (nearly) that which is nearest to it. Redundant rows
// whose g disagree by rounding ρ pull their self-stress along by ρ/ε each time that they are
// corrected, without end: what is good enough is left alone.
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

void LdltInner::answer(std::span<const Real> f, std::span<const Real> g,
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
