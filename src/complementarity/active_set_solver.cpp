#include "complementarity/active_set_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.h"

namespace taut::complementarity {

ActiveSetSolver::ActiveSetSolver(std::unique_ptr<LinearSolver> linear,
                                 std::unique_ptr<LinearSolver> condensed)
    : search_(std::move(linear)),
      proximal_(std::move(condensed)),
      strategies_{&convex_step_,       &first_guess_,  &active_set_,
                  &proximal_sequence_, &central_path_, &sweeps_}
{}

void ActiveSetSolver::prepare(const linalg::SaddlePattern& pattern)
{
    search_.prepare(pattern);
    if (proximal_.available()) proximal_.prepare(pattern);
    for (Strategy* strategy : strategies_) strategy->prepare(pattern);
}

void ActiveSetSolver::prepare_convex(const linalg::SaddlePattern& pattern)
{
    if (!proximal_.available()) return prepare(pattern);
    search_.problem.prepare(pattern);
    proximal_.prepare(pattern);
}

bool ActiveSetSolver::wants_rank_terms() const noexcept
{
    return search_.inner.linear().wants_rank_terms();
}

void ActiveSetSolver::set_threads(const Team& team) noexcept
{
    search_.inner.linear().set_threads(team);
    if (proximal_.available()) proximal_.set_threads(team);
}

ComplementarityReport ActiveSetSolver::solve(const linalg::SaddleSystem& system,
                                             std::span<const InequalityBlock> blocks,
                                             linalg::SaddleSolution& solution,
                                             const ComplementaritySettings& settings) noexcept
{
    TAUT_ASSERT(solution.x.size() == system.f.size() && solution.y.size() == system.g.size());
    search_.report = {};
    search_.report.residual = std::numeric_limits<Real>::infinity();
    search_.report.linear_solver = search_.inner.linear().name();
    zero_non_finite(solution);
    search_.report.refused = search_.problem.load(system, blocks, settings);
    if (!search_.report.refused.empty()) return search_.report;

    search_.settings = settings;
    search_.iterate = &solution;
    search_.begun = search_.cold = search_.unbalanced = search_.as_it_is = false;
    for (Strategy* strategy : strategies_) strategy->reset();
    drive();
    finish();
    return search_.report;
}

void ActiveSetSolver::drive() noexcept
{
    bool moved = true;
    while (moved && search_.wants_more()) {
        moved = false;
        for (Strategy* strategy : strategies_) {
            if (!strategy->applies(search_)) continue;
            const Strategy::Turn turn = strategy->run(search_);
            if (turn == Strategy::Turn::Done) return;
            moved = turn == Strategy::Turn::Moved;
            if (moved) break;
        }
    }
}

void ActiveSetSolver::finish() noexcept
{
    ComplementarityReport& report = search_.report;
    linalg::SaddleSolution& solution = *search_.iterate;
    if (!search_.as_it_is) {
        copy_solution(search_.best, solution);
        if (report.residual > search_.settings.tolerance) make_admissible();
    }
    report.accepted = report.residual <= search_.settings.tolerance;
    report.cost =
        std::max(1, search_.inner.has_factor() ? report.factorisations : report.iterations);
    report.finite = std::isfinite(report.residual);
    count_active(search_.problem.groups(), solution.y, report);
}

// An unsolved system returns admissible impulses and the motion that belongs to them, unless the residual is much larger
// then, as it is for light bodies under heavy loads.
void ActiveSetSolver::make_admissible() noexcept
{
    InequalityProblem& problem = search_.problem;
    linalg::SaddleSolution& solution = *search_.iterate;
    if (!problem.system().pattern->pairs.empty()) return;
    problem.make_admissible(solution.y);
    search_.sweeps.restart(solution.x, solution.y);
    const Real residual = problem.measure(solution);
    if (residual < ActiveSetThresholds::kConsistencyCost * search_.report.residual)
        search_.report.residual = residual;
    else
        copy_solution(search_.best, solution);
}

}  // namespace taut::complementarity
