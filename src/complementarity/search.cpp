#include <utility>

#include "complementarity/strategy.h"

namespace taut::complementarity {

void Search::prepare(const linalg::SaddlePattern& pattern)
{
    problem.prepare(pattern);
    inner.prepare(pattern);
    sweeps.prepare(pattern);
    best.prepare(pattern);
}

bool Search::wants_more() noexcept
{
    // what a solve without a warm start leaves, later ones start from: the goal, if that does not take long
    const bool to_the_goal = cold && report.iterations < settings.max_iterations;
    // forces of a warm start that do not balance are corrected once
    return report.residual > (to_the_goal ? goal() : settings.tolerance) ||
           std::exchange(unbalanced, false);
}

void Search::keep_if_better(const linalg::SaddleSolution& solution, Real residual) noexcept
{
    if (!(residual < report.residual)) return;
    report.residual = residual;
    copy_solution(solution, best);
}

void Search::sweep(int count, linalg::SaddleSolution& solution) noexcept
{
    problem.make_admissible(solution.y);
    sweeps.restart(solution.x, solution.y);
    for (int k = 0; k < count; ++k) sweeps.sweep(solution.x, solution.y);
    report.sweeps += count;
}

}  // namespace taut::complementarity
