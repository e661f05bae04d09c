#include "complementarity/inner_solvers.h"

namespace taut {

void LdltInner::attach(const linalg::SaddlePattern& pattern)
{
    ldlt_.prepare(pattern);
    refinement_.prepare(pattern);
}

int LdltInner::solve(const linalg::SaddleSystem& system, const Responses&, bool careful,
                     linalg::SaddleSolution& solution) noexcept
{
    // the usual floor shares redundant impulses evenly; the low one sees loads 1e9 times heavier
    const Real floor =
        careful ? linalg::RedundancyFloor::kLow : linalg::RedundancyFloor::kUsual;
    ldlt_.factor_and_solve(system, solution.x, solution.y, floor);
    refine(system, solution);
    return 1;
}

void LdltInner::solve_again(const linalg::SaddleSystem& system,
                            linalg::SaddleSolution& solution) noexcept
{
    ldlt_.solve(system.f, system.g, solution.x, solution.y);
    refine(system, solution);
}

void LdltInner::answer(std::span<const Real> f, std::span<const Real> g,
                       linalg::SaddleSolution& solution) noexcept
{
    ldlt_.solve(f, g, solution.x, solution.y);
}

void LdltInner::refine(const linalg::SaddleSystem& system,
                       linalg::SaddleSolution& solution) noexcept
{
    SolveReport report;
    const Real good = ldlt_.has_cycles() ? Refinement::kTarget : Refinement::kGood;
    refinement_.run(system, good, solution, report,
                    [&](auto f, auto g, linalg::SaddleSolution& correction) {
                        ldlt_.solve(f, g, correction.x, correction.y);
                    });
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
