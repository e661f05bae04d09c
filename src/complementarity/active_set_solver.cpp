#include "complementarity/active_set_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "complementarity/sweep_solvers.h"
#include "core/assert.h"

namespace taut::complementarity {

// `usual`, and no more than the caller allows; 0: any number.
static int within(int allowed, int usual) noexcept
{
    return allowed > 0 ? std::min(allowed, usual) : usual;
}

void ActiveSetSolver::prepare(const linalg::SaddlePattern& pattern)
{
    inner_->prepare(pattern);
    rows_.prepare(pattern);
    responses_.prepare(pattern);
    map_.prepare(pattern);
    sweeps_.prepare(pattern);
    active_.prepare(pattern);
    coupling_.prepare(pattern);
    modes_.reserve(pattern.dual_unknowns);
    best_.prepare(pattern);
    path_.prepare(pattern);
    anchor_.prepare(pattern);
    interior_point_.prepare(pattern);
    proximal_.prepare(pattern);
}

ComplementarityReport ActiveSetSolver::solve(const linalg::SaddleSystem& system,
                                             std::span<const InequalityBlock> blocks,
                                             linalg::SaddleSolution& solution,
                                             const ComplementaritySettings& settings) noexcept
{
    TAUT_ASSERT(solution.x.size() == system.f.size() && solution.y.size() == system.g.size());
    ComplementarityReport report;
    report.residual = std::numeric_limits<Real>::infinity();
    zero_non_finite(solution);
    report.refused = refuse(system, blocks, settings, rows_, responses_);
    if (!report.refused.empty()) return report;

    const auto groups = rows_.groups();
    convex_ = takes_convex_step(settings);
    if (convex_) {
        take_convex_step(system, settings, solution, report);
        return report;
    }
    active_.load(system, groups);
    sweeps_.load(system, groups, responses_);
    load_first_modes(system, settings, solution, report);

    max_iterations_ = inner_->default_iterations();
    if (settings.max_iterations > 0)
        max_iterations_ =
            settings.max_iterations * (is_hard_solve() ? Limits::kHardSolveFactor : 1);
    max_iterations_ = within(settings.most_factorisations, max_iterations_);
    form_ = settings.sliding;
    path_started_ = proximal_started_ = false;
    const Real goal = Limits::kGoal * settings.tolerance;
    // what a solve without a warm start leaves, later ones start from: the goal, if that does not take long
    const auto enough = [&] {
        return cold_ && report.iterations < settings.max_iterations ? goal : settings.tolerance;
    };
    // forces of a warm start that do not balance are corrected once: a small force on a body at rest would never move it
    // (joints whose gaps are rounding ask for velocities, and so forces, that come and go)
    const Real noise =
        map_.typical_speed() > 0
            ? Limits::kRoundingLeft * settings.equality_rounding / map_.typical_speed()
            : 0;
    bool unbalanced = map_.body_residual() > std::max(goal, noise);
    while ((report.residual > enough() || std::exchange(unbalanced, false)) &&
           !iterate_active_set(system, settings, solution, report) &&
           report.iterations < max_iterations_) {
        const bool moved = inner_->has_factor() ? try_proximal_step(system, solution, report) ||
                                                      try_central_path(system, solution, report)
                                                : restart_from_sweeps(system, solution, report);
        if (!moved) break;
        map_.measure(system, groups, responses_, solution.x, solution.y);
        for (ActiveMode& mode : modes_) mode = {};
        update_modes(solution, settings.sliding, false);
    }

    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
    if (report.residual > settings.tolerance) make_admissible(system, solution, report);
    report.accepted = report.residual <= settings.tolerance;
    report.cost = std::max(1, inner_->has_factor() ? report.factorisations : report.iterations);
    report.finite = std::isfinite(report.residual);
    count_active(groups, solution.y, report);
    return report;
}

bool ActiveSetSolver::takes_convex_step(const ComplementaritySettings& settings) const noexcept
{
    return settings.convex && inner_->has_factor() && rows_.has_cones();
}

void ActiveSetSolver::take_convex_step(const linalg::SaddleSystem& system,
                                       const ComplementaritySettings& settings,
                                       linalg::SaddleSolution& solution,
                                       ComplementarityReport& report) noexcept
{
    using Step = ConvexStepThresholds;
    const auto groups = rows_.groups();
    for (const RowGroup& group : groups) project(group, &solution.y[group.row]);
    report.residual = map_.measure(system, groups, responses_, solution.x, solution.y);
    if (report.residual > settings.tolerance) {
        const Real excess = responses_.mass_ratio() / Step::kMassRatio;
        proximal_.load(system, groups, responses_, solution);
        report.factorisations = report.iterations =
            proximal_.step(*inner_,
                           {std::min(Step::kRho, Step::kRho / excess),
                            within(settings.most_factorisations, Step::kFactorisations),
                            Step::kEnough, settings.negligible},
                           solution);
        report.residual = map_.measure(system, groups, responses_, solution.x, solution.y);
    }
    report.accepted = report.residual <= settings.tolerance;
    report.cost = std::max(1, report.factorisations);
    report.finite = std::isfinite(report.residual);
    count_active(groups, solution.y, report);
}

// An unsolved system returns admissible impulses and the motion that belongs to them, unless the residual is much larger
// then, as it is for light bodies under heavy loads.
void ActiveSetSolver::make_admissible(const linalg::SaddleSystem& system,
                                      linalg::SaddleSolution& solution,
                                      ComplementarityReport& report) noexcept
{
    if (!system.pattern->pairs.empty()) return;
    for (const RowGroup& group : rows_.groups()) project(group, &solution.y[group.row]);
    sweeps_.restart(solution.x, solution.y);
    const Real residual = map_.measure(system, rows_.groups(), responses_, solution.x, solution.y);
    if (residual < Limits::kConsistencyCost * report.residual) {
        report.residual = residual;
        return;
    }
    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
}

// Newton iterations until the residual is accepted; false where they make no progress.
bool ActiveSetSolver::iterate_active_set(const linalg::SaddleSystem& system,
                                         const ComplementaritySettings& settings,
                                         linalg::SaddleSolution& solution,
                                         ComplementarityReport& report) noexcept
{
    const int patience = is_hard_solve() ? Limits::kHardSolvePatience : Limits::kPatience;
    const Real progress = is_hard_solve() ? Limits::kHardSolveProgress : Limits::kProgress;
    const Real goal = Limits::kGoal * settings.tolerance;
    bool good = false;
    bool one_at_a_time = false, careful = false;
    Real lowest = map_.measure(system, rows_.groups(), responses_, solution.x, solution.y);
    const Real diverged =
        is_hard_solve() ? std::numeric_limits<Real>::infinity() : Limits::kDiverged * lowest;
    if (is_hard_solve()) lowest = diverged;
    int without_progress = 0;
    seen_count_ = 0;
    std::copy(solution.x.begin(), solution.x.end(), anchor_.x.begin());
    std::copy(solution.y.begin(), solution.y.end(), anchor_.y.begin());
    while (report.iterations < max_iterations_) {
        iterate(careful, solution, report);
        const Real residual =
            map_.measure(system, rows_.groups(), responses_, solution.x, solution.y);
        if (residual < report.residual) {
            report.residual = residual;
            keep_best(solution);
        }
        if (residual <= goal || good) return true;
        if (!std::isfinite(residual)) return false;
        // near the solution an iterate gains several digits: one more, so that bodies at rest need no solve in the next step
        good = residual <= settings.tolerance;
        if (good && !update_modes(solution, settings.sliding, one_at_a_time)) return true;
        if (good) continue;

        without_progress = residual < progress * lowest ? 0 : without_progress + 1;
        lowest = std::min(lowest, residual);
        const bool no_progress =
            rows_.has_cones() && (without_progress >= patience || residual > diverged);
        const bool stuck = no_progress || (!one_at_a_time && is_cycling(residual));
        if (update_modes(solution, settings.sliding, one_at_a_time) && !stuck) continue;
        if (!stuck && !careful) {  // the active set is right, the linear solve not accurate enough
            careful = true;
        } else if (!rows_.has_cones() && !one_at_a_time) {
            one_at_a_time = true;
        } else {
            return false;
        }
    }
    return good;
}

// The next stage of the central path, with a goal ten times smaller; false after the last one.
bool ActiveSetSolver::try_central_path(const linalg::SaddleSystem& system,
                                       linalg::SaddleSolution& solution,
                                       ComplementarityReport& report) noexcept
{
    using Path = CentralPathThresholds;
    if (!path_started_) {
        path_started_ = true;
        path_goal_ = Path::kFirstGoal;
        path_steps_ = 0;
        std::copy(best_.x.begin(), best_.x.end(), path_.x.begin());
        std::copy(best_.y.begin(), best_.y.end(), path_.y.begin());
        interior_point_.load(system, rows_.groups(), responses_, map_.typical_speed(), path_);
    } else if (path_goal_ < Path::kLastGoal) {
        return false;
    }
    ++report.restarts;
    Real residual = std::numeric_limits<Real>::infinity();
    while (path_steps_ < Path::kSteps && report.iterations < max_iterations_) {
        ++path_steps_;
        ++report.iterations;
        ++report.factorisations;
        const bool moved = interior_point_.step(*inner_, path_) > Path::kShortestStep;
        residual = map_.measure(system, rows_.groups(), responses_, path_.x, path_.y);
        if (residual < report.residual) {
            report.residual = residual;
            keep_best(path_);
        }
        if (!moved || residual <= path_goal_) break;
    }
    if (!std::isfinite(residual)) return false;
    if (path_steps_ >= Path::kSteps) path_goal_ = 0;
    path_goal_ = std::min(path_goal_, residual) / Path::kGoalDivisor;
    std::copy(path_.x.begin(), path_.x.end(), solution.x.begin());
    std::copy(path_.y.begin(), path_.y.end(), solution.y.begin());
    return true;
}

// The next proximal step, with ρ ten times smaller; false after the last one.
bool ActiveSetSolver::try_proximal_step(const linalg::SaddleSystem& system,
                                        linalg::SaddleSolution& solution,
                                        ComplementarityReport& report) noexcept
{
    using Sequence = ProximalSequenceThresholds;
    // proximal steps need impulses that are about right, and reach loads up to 1/ρ times heavier than the bodies that carry
    // them; the central path needs neither
    if (is_hard_solve()) return false;
    if (!proximal_started_) {
        proximal_started_ = true;
        rho_ = Sequence::kFirst;
        std::copy(best_.x.begin(), best_.x.end(), path_.x.begin());
        std::copy(best_.y.begin(), best_.y.end(), path_.y.begin());
        sweep(system, Sequence::kSweeps, path_, report);
        proximal_.load(system, rows_.groups(), responses_, path_);
    } else if (rho_ < Sequence::kLast) {
        return false;
    }
    ++report.restarts;
    const int used = proximal_.step(
        *inner_, {rho_, std::min(Sequence::kFactorisations, max_iterations_ - report.iterations)},
        path_);
    rho_ *= Sequence::kFactor;
    report.iterations += used;
    report.factorisations += used;
    const Real residual = map_.measure(system, rows_.groups(), responses_, path_.x, path_.y);
    if (residual < report.residual) {
        report.residual = residual;
        keep_best(path_);
    }
    std::copy(path_.x.begin(), path_.x.end(), solution.x.begin());
    std::copy(path_.y.begin(), path_.y.end(), solution.y.begin());
    return std::isfinite(residual);
}

bool ActiveSetSolver::restart_from_sweeps(const linalg::SaddleSystem& system,
                                          linalg::SaddleSolution& solution,
                                          ComplementarityReport& report) noexcept
{
    if (report.restarts == Limits::kRestarts) return false;
    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
    sweep(system, Limits::kRestartSweeps << report.restarts++, solution, report);
    return true;
}

void ActiveSetSolver::load_first_modes(const linalg::SaddleSystem& system,
                                       const ComplementaritySettings& settings,
                                       linalg::SaddleSolution& solution,
                                       ComplementarityReport& report) noexcept
{
    const auto groups = rows_.groups();
    bool warm = false;
    for (const RowGroup& group : groups) {
        project(group, &solution.y[group.row]);
        if (group.kind != RowGroup::Kind::Equal) warm = warm || solution.y[group.row] != 0;
    }
    cold_ = !warm;
    if (cold_) sweep(system, Limits::kColdSweeps, solution, report);

    report.residual = map_.measure(system, groups, responses_, solution.x, solution.y);
    keep_best(solution);
    modes_.resize(groups.size());
    const auto s = map_.s();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const int k = groups[i].row;
        modes_[i] = mode_of_guess(groups[i], &solution.y[k], &s[k], &responses_.rows()[k],
                                  settings.sliding);
        // of two coefficients the static one is tried first without a warm start
        const bool two =
            groups[i].kind == RowGroup::Kind::Cone && groups[i].sliding < groups[i].friction;
        if (warm || !two || modes_[i].row[0].what != ActiveMode::Row::Hard) continue;
        modes_[i] = {};
        std::fill_n(&solution.y[k], 3, Real(0));
    }
}

void ActiveSetSolver::sweep(const linalg::SaddleSystem&, int count,
                            linalg::SaddleSolution& solution,
                            ComplementarityReport& report) noexcept
{
    for (const RowGroup& group : rows_.groups()) project(group, &solution.y[group.row]);
    sweeps_.restart(solution.x, solution.y);
    for (int k = 0; k < count; ++k) sweeps_.sweep(solution.x, solution.y);
    report.sweeps += count;
}

void ActiveSetSolver::iterate(bool careful, linalg::SaddleSolution& solution,
                              ComplementarityReport& report) noexcept
{
    active_.build(modes_);
    coupling_.load(active_, solution.y);
    active_.set_slips(coupling_.z());
    std::copy(anchor_.x.begin(), anchor_.x.end(), solution.x.begin());
    std::copy(anchor_.y.begin(), anchor_.y.end(), solution.y.begin());
    active_.to_active_rows(solution.y);
    report.factorisations += inner_->solve(active_.system(), responses_, careful, solution);
    if (form_ == SlidingForm::Coupled)
        coupling_.solve_coupling(active_, *inner_, responses_, solution);
    active_.to_true_rows(coupling_.z(), solution.y);
    ++report.iterations;
}

bool ActiveSetSolver::update_modes(const linalg::SaddleSolution& solution, SlidingForm form,
                                   bool one_at_a_time) noexcept
{
    const auto groups = rows_.groups();
    const auto s = map_.s();
    bool changed = false;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (groups[i].kind == RowGroup::Kind::Equal) continue;
        const int k = groups[i].row;
        const ActiveMode next =
            next_mode(groups[i], &solution.y[k], &s[k], &responses_.rows()[k], modes_[i], form);
        const bool same = next.code() == modes_[i].code() && next.cosine == modes_[i].cosine &&
                          next.sine == modes_[i].sine &&
                          next.row[2].extra == modes_[i].row[2].extra;
        modes_[i] = next;
        changed = changed || !same;
        if (changed && one_at_a_time) return true;
    }
    return changed;
}

bool ActiveSetSolver::is_cycling(Real residual) noexcept
{
    const std::uint64_t now = fingerprint(rows_.groups(), modes_);
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

void ActiveSetSolver::keep_best(const linalg::SaddleSolution& solution) noexcept
{
    std::copy(solution.x.begin(), solution.x.end(), best_.x.begin());
    std::copy(solution.y.begin(), solution.y.end(), best_.y.begin());
}

}  // namespace taut::complementarity
