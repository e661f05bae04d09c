#include "complementarity/active_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::complementarity {

Strategy::Turn FirstGuess::run(Search& search) noexcept
{
    using Limits = ActiveSetThresholds;
    const InequalityProblem& problem = search.problem;
    linalg::SaddleSolution& solution = *search.iterate;
    search.begun = true;
    search.sweeps.load(problem.system(), problem.groups(), problem.responses());
    problem.make_admissible(solution.y);
    search.cold = true;
    for (const RowGroup& group : problem.groups())
        if (group.kind != RowGroup::Kind::Equal && solution.y[group.row] != 0) search.cold = false;
    if (search.cold) search.sweep(Limits::kColdSweeps, solution);
    search.report.residual = search.problem.measure(solution);
    copy_solution(solution, search.best);

    search.max_iterations = search.inner.default_iterations();
    if (search.settings.max_iterations > 0)
        search.max_iterations =
            search.settings.max_iterations * (search.is_hard() ? Limits::kHardSolveFactor : 1);
    search.max_iterations = search.settings.allowed(search.max_iterations);
    // forces of a warm start that do not balance: a small force on a body at rest would never move it
    // (joints whose gaps are rounding ask for velocities, and so forces, that come and go)
    const NaturalMap& map = problem.map();
    const Real noise =
        map.typical_speed() > 0
            ? Limits::kRoundingLeft * search.settings.equality_rounding / map.typical_speed()
            : 0;
    search.unbalanced = map.body_residual() > std::max(search.goal(), noise);
    return Turn::Moved;
}

void ActiveSetNewton::prepare(const linalg::SaddlePattern& pattern)
{
    active_.prepare(pattern);
    coupling_.prepare(pattern);
    modes_.reserve(pattern.dual_unknowns);
    anchor_.prepare(pattern);
}

// The active set of the iterate: that of a warm start, or the one that the natural map gives.
void ActiveSetNewton::begin(Search& search) noexcept
{
    InequalityProblem& problem = search.problem;
    linalg::SaddleSolution& solution = *search.iterate;
    const auto groups = problem.groups();
    if (begun_) {
        problem.measure(solution);
        std::fill(modes_.begin(), modes_.end(), ActiveMode{});
        update_modes(search, false);
        return;
    }
    begun_ = true;
    active_.load(problem.system(), groups);
    modes_.resize(groups.size());
    const auto s = problem.map().s(), d = problem.responses().rows();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const int k = groups[i].row;
        modes_[i] = mode_of_guess(groups[i], &solution.y[k], &s[k], &d[k], search.settings.sliding);
        // of two coefficients the static one is tried first without a warm start
        const bool two =
            groups[i].kind == RowGroup::Kind::Cone && groups[i].sliding < groups[i].friction;
        if (!search.cold || !two || modes_[i].row[0].what != ActiveMode::Row::Hard) continue;
        modes_[i] = {};
        std::fill_n(&solution.y[k], 3, Real(0));
    }
}

Strategy::Turn ActiveSetNewton::run(Search& search) noexcept
{
    begin(search);
    InequalityProblem& problem = search.problem;
    linalg::SaddleSolution& solution = *search.iterate;
    const bool hard = search.is_hard();
    const int patience = hard ? Limits::kHardSolvePatience : Limits::kPatience;
    const Real progress = hard ? Limits::kHardSolveProgress : Limits::kProgress;
    bool good = false;
    bool one_at_a_time = false, careful = false;
    Real lowest = problem.measure(solution);
    const Real diverged = hard ? std::numeric_limits<Real>::infinity() : Limits::kDiverged * lowest;
    if (hard) lowest = diverged;
    int without_progress = 0;
    seen_count_ = 0;
    copy_solution(solution, anchor_);
    while (!search.is_spent()) {
        solve_active_set(search, careful);
        const Real residual = problem.measure(solution);
        search.keep_if_better(solution, residual);
        if (residual <= search.goal() || good) return Turn::Done;
        if (!std::isfinite(residual)) return Turn::Stuck;
        // near the solution an iterate gains several digits: one more, so that bodies at rest need no solve in the next step
        good = residual <= search.settings.tolerance;
        if (good && !update_modes(search, one_at_a_time)) return Turn::Done;
        if (good) continue;

        without_progress = residual < progress * lowest ? 0 : without_progress + 1;
        lowest = std::min(lowest, residual);
        const bool no_progress =
            problem.has_cones() && (without_progress >= patience || residual > diverged);
        const bool stuck = no_progress || (!one_at_a_time && is_cycling(search, residual));
        if (update_modes(search, one_at_a_time) && !stuck) continue;
        if (!stuck && !careful) {  // the active set is right, the linear solve not accurate enough
            careful = true;
        } else if (!problem.has_cones() && !one_at_a_time) {
            one_at_a_time = true;
        } else {
            return Turn::Stuck;
        }
    }
    return good ? Turn::Done : Turn::Stuck;
}

void ActiveSetNewton::solve_active_set(Search& search, bool careful) noexcept
{
    linalg::SaddleSolution& solution = *search.iterate;
    const Responses& responses = search.problem.responses();
    active_.build(modes_);
    coupling_.load(active_, solution.y);
    active_.set_slips(coupling_.z());
    copy_solution(anchor_, solution);
    active_.to_active_rows(solution.y);
    search.report.factorisations +=
        search.inner.solve(active_.system(), responses, careful, solution);
    if (search.settings.sliding == SlidingForm::Coupled)
        coupling_.solve_coupling(active_, search.inner, responses, solution);
    active_.to_true_rows(coupling_.z(), solution.y);
    ++search.report.iterations;
}

bool ActiveSetNewton::update_modes(const Search& search, bool one_at_a_time) noexcept
{
    const auto groups = search.problem.groups();
    const auto s = search.problem.map().s(), d = search.problem.responses().rows();
    bool changed = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].kind == RowGroup::Kind::Equal) continue;
        const int k = groups[i].row;
        const ActiveMode next = next_mode(groups[i], &search.iterate->y[k], &s[k], &d[k], modes_[i],
                                          search.settings.sliding);
        const bool same = next.code() == modes_[i].code() && next.cosine == modes_[i].cosine &&
                          next.sine == modes_[i].sine &&
                          next.row[2].extra == modes_[i].row[2].extra;
        modes_[i] = next;
        changed = changed || !same;
        if (changed && one_at_a_time) return true;
    }
    return changed;
}

bool ActiveSetNewton::is_cycling(const Search& search, Real residual) noexcept
{
    const std::uint64_t now = fingerprint(search.problem.groups(), modes_);
    const int known = std::min(seen_count_, Limits::kMemory);
    bool again = false;
    for (int i = 0; i < known; ++i)
        if (seen_[i] == now && !(residual < Limits::kCycleProgress * seen_residual_[i]))
            again = true;
    seen_[seen_count_ % Limits::kMemory] = now;
    seen_residual_[seen_count_ % Limits::kMemory] = residual;
    ++seen_count_;
    return again;
}

}  // namespace taut::complementarity
