#include "complementarity/inner_solvers.h"

namespace taut {

void LdltInner::attach(const linalg::SaddlePattern& pattern)
{
    ldlt_.prepare(pattern);
    refinement_.prepare(pattern);
    residual_.prepare(pattern);
    correction_.attach(pattern);
}

int LdltInner::solve(const linalg::SaddleSystem& system, const Responses&, bool careful,
                     linalg::SaddleSolution& solution) noexcept
{
    // the usual floor shares redundant impulses evenly; the low one sees loads 1e9 times heavier
    const Real floor = careful ? linalg::RedundancyFloor::kLow : linalg::RedundancyFloor::kUsual;
    ldlt_.factor_and_solve(system, correction_.x, correction_.y, floor);
    solve_again(system, solution);
    return 1;
}

void LdltInner::solve_again(const linalg::SaddleSystem& system,
                            linalg::SaddleSolution& solution) noexcept
{
    // from the guess by what it lacks: of all solutions (nearly) that which is nearest to it
    residual_.measure(system, solution.x, solution.y);
    ldlt_.solve(residual_.f(), residual_.g(), correction_.x, correction_.y);
    for (std::size_t i = 0; i < solution.x.size(); ++i) solution.x[i] += correction_.x[i];
    for (std::size_t i = 0; i < solution.y.size(); ++i) solution.y[i] += correction_.y[i];

    SolveReport report;
    const Real good = ldlt_.has_cycles() ? Refinement::kTarget : Refinement::kGood;
    refinement_.run(system, good, solution, report,
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
    constexpr Real kUsual = 1e-13, kCareful = 1e-15;
    minres_.solve(system, careful ? kCareful : kUsual, solution);
    return 0;
}

void MinresInner::solve_again(const linalg::SaddleSystem& system,
                              linalg::SaddleSolution& solution) noexcept
{
    minres_.solve(system, 1e-13, solution);
}

}  // namespace taut
