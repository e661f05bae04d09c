#include "complementarity/active_set_solver.h"

#include <algorithm>
#include <cmath>

#include "complementarity/sweep_solvers.h"
#include "core/assert.h"

namespace taut::complementarity {

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
    path_method_.prepare(pattern);
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
    clean(solution);
    if (!system.symmetric || !all_finite(system) || !rows_.load(blocks, settings.shape) ||
        !responses_.compute(system))
        return report;

    const auto groups = rows_.groups();
    active_.load(system, groups);
    sweeps_.load(system, groups, responses_);
    first_guess(system, settings, solution, report);

    most_ = inner_->usual_iterations();
    if (settings.max_iterations > 0)
        most_ = settings.max_iterations * (patient() ? Limits::kHardSolveFactor : 1);
    form_ = settings.sliding;
    path_begun_ = approached_ = false;
    while (report.residual > settings.tolerance && !settle(system, settings, solution, report) &&
           report.iterations < most_) {
        const bool moved = inner_->answers_well() ? approach(system, solution, report) ||
                                                        follow_path(system, solution, report)
                                                  : sweep_on(system, solution, report);
        if (!moved) break;
        map_.measure(system, groups, responses_, solution.x, solution.y);
        for (ActiveMode& mode : modes_) mode = {};
        correct_guess(solution, settings.sliding, false);
    }

    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
    if (report.residual > settings.tolerance) make_consistent(system, solution, report);
    report.accepted = report.residual <= settings.tolerance;
    report.finite = true;
    count_active(groups, solution.y, report);
    return report;
}

// What is not solved is handed out with impulses that are admissible and the motion that they make, unless that
// is much worse: light bodies under heavy loads do not bear it.
void ActiveSetSolver::make_consistent(const linalg::SaddleSystem& system,
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

// Newton until it is accepted, or stuck: false.
bool ActiveSetSolver::settle(const linalg::SaddleSystem& system,
                             const ComplementaritySettings& settings,
                             linalg::SaddleSolution& solution,
                             ComplementarityReport& report) noexcept
{
    const int patience = patient() ? Limits::kHardSolvePatience : Limits::kPatience;
    const Real progress = patient() ? Limits::kHardSolveProgress : Limits::kProgress;
    const Real goal = Limits::kGoal * settings.tolerance;
    bool good = false;
    bool one_at_a_time = false, careful = false;
    Real lowest = map_.measure(system, rows_.groups(), responses_, solution.x, solution.y);
    const Real hopeless =
        patient() ? std::numeric_limits<Real>::infinity() : Limits::kDiverged * lowest;
    if (patient()) lowest = hopeless;
    int since = 0;
    seen_count_ = 0;
    std::copy(solution.x.begin(), solution.x.end(), anchor_.x.begin());
    std::copy(solution.y.begin(), solution.y.end(), anchor_.y.begin());
    while (report.iterations < most_) {
        iterate(careful, solution, report);
        const Real residual =
            map_.measure(system, rows_.groups(), responses_, solution.x, solution.y);
        if (residual < report.residual) {
            report.residual = residual;
            keep(solution);
        }
        if (residual <= goal || good) return true;
        if (!std::isfinite(residual)) return false;
        // near the end an iterate gains several digits: one more, and what rests need not be solved again
        good = residual <= settings.tolerance;
        if (good && !correct_guess(solution, settings.sliding, one_at_a_time)) return true;
        if (good) continue;

        since = residual < progress * lowest ? 0 : since + 1;
        lowest = std::min(lowest, residual);
        const bool tired = rows_.has_cones() && (since >= patience || residual > hopeless);
        const bool stuck = tired || (!one_at_a_time && returns(residual));
        if (correct_guess(solution, settings.sliding, one_at_a_time) && !stuck) continue;
        if (!stuck && !careful) {  // the right rows, but not well enough solved
            careful = true;
        } else if (!rows_.has_cones() && !one_at_a_time) {
            one_at_a_time = true;
        } else {
            return false;
        }
    }
    return good;
}

// On along the central path, each time ten times closer to its end; false where there is no more to gain.
bool ActiveSetSolver::follow_path(const linalg::SaddleSystem& system,
                                  linalg::SaddleSolution& solution,
                                  ComplementarityReport& report) noexcept
{
    using Path = CentralPathThresholds;
    if (!path_begun_) {
        path_begun_ = true;
        path_goal_ = Path::kFirstGoal;
        path_steps_ = 0;
        std::copy(best_.x.begin(), best_.x.end(), path_.x.begin());
        std::copy(best_.y.begin(), best_.y.end(), path_.y.begin());
        path_method_.load(system, rows_.groups(), responses_, map_.typical_speed(), path_);
    } else if (path_goal_ < Path::kLastGoal) {
        return false;
    }
    ++report.restarts;
    Real residual = std::numeric_limits<Real>::infinity();
    while (path_steps_ < Path::kSteps && report.iterations < most_) {
        ++path_steps_;
        ++report.iterations;
        ++report.factorisations;
        const bool moved = path_method_.step(*inner_, path_) > Path::kShortestStep;
        residual = map_.measure(system, rows_.groups(), responses_, path_.x, path_.y);
        if (residual < report.residual) {
            report.residual = residual;
            keep(path_);
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

// Proximal steps, each time ten times less held; false where there is no more to gain.
bool ActiveSetSolver::approach(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                               ComplementarityReport& report) noexcept
{
    using Sequence = ProximalSequenceThresholds;
    // such steps start at impulses that are about right, and reach loads 1/ρ heavier than what carries
    // them; the central path starts anywhere and reaches any
    if (patient()) return false;
    if (!approached_) {
        approached_ = true;
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
        *inner_, rho_, std::min(Sequence::kFactorisations, most_ - report.iterations), path_);
    rho_ *= Sequence::kFactor;
    report.iterations += used;
    report.factorisations += used;
    const Real residual = map_.measure(system, rows_.groups(), responses_, path_.x, path_.y);
    if (residual < report.residual) {
        report.residual = residual;
        keep(path_);
    }
    std::copy(path_.x.begin(), path_.x.end(), solution.x.begin());
    std::copy(path_.y.begin(), path_.y.end(), solution.y.begin());
    return std::isfinite(residual);
}

bool ActiveSetSolver::sweep_on(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                               ComplementarityReport& report) noexcept
{
    if (report.restarts == Limits::kRestarts) return false;
    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
    sweep(system, Limits::kRestartSweeps << report.restarts++, solution, report);
    return true;
}

void ActiveSetSolver::first_guess(const linalg::SaddleSystem& system,
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
    keep(solution);
    modes_.resize(groups.size());
    const auto s = map_.s();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const int k = groups[i].row;
        modes_[i] =
            guess_mode(groups[i], &solution.y[k], &s[k], &responses_.rows()[k], settings.sliding);
        // of two coefficients the static one is tried first where nothing is known
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
    active_.fold(solution.y);
    report.factorisations += inner_->solve(active_.system(), responses_, careful, solution);
    if (form_ == SlidingForm::Coupled) coupling_.agree(active_, *inner_, responses_, solution);
    active_.unfold(coupling_.z(), solution.y);
    ++report.iterations;
}

bool ActiveSetSolver::correct_guess(const linalg::SaddleSolution& solution, SlidingForm form,
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

bool ActiveSetSolver::returns(Real residual) noexcept
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

void ActiveSetSolver::keep(const linalg::SaddleSolution& solution) noexcept
{
    std::copy(solution.x.begin(), solution.x.end(), best_.x.begin());
    std::copy(solution.y.begin(), solution.y.end(), best_.y.begin());
}

}  // namespace taut::complementarity
