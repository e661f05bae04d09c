#include "complementarity/active_set_solver.h"

#include <algorithm>
#include <cmath>

#include "complementarity/sweep_solvers.h"

namespace taut {

void ActiveSetSolver::attach(const linalg::SaddlePattern& pattern)
{
    inner_->attach(pattern);
    rows_.attach(pattern);
    responses_.attach(pattern);
    map_.attach(pattern);
    sweeps_.attach(pattern);
    active_.attach(pattern);
    coupling_.attach(pattern);
    modes_.reserve(pattern.dual_unknowns);
    best_.attach(pattern);
}

LawReport ActiveSetSolver::solve(const linalg::SaddleSystem& system,
                                 std::span<const LawBlock> blocks,
                                 linalg::SaddleSolution& solution,
                                 const LawSettings& settings) noexcept
{
    LawReport report;
    report.residual = std::numeric_limits<Real>::infinity();
    clean(solution);
    if (!system.symmetric || !all_finite(system) || !rows_.read(blocks, settings.shape) ||
        !responses_.compute(system))
        return report;

    const auto units = rows_.units();
    active_.begin(system, units);
    sweeps_.begin(system, units, responses_);
    first_guess(system, settings, solution, report);
    keep(solution);

    constexpr int kUsual = 100, kRestarts = 6, kFirstSweeps = 20;
    const int most = settings.max_iterations > 0 ? settings.max_iterations : kUsual;
    bool one_at_a_time = false, careful = false;
    seen_count_ = 0;
    while (report.iterations < most) {
        iterate(careful, solution, report);
        const Real residual = map_.measure(system, units, responses_, solution.x, solution.y);
        if (residual < report.residual) {
            report.residual = residual;
            keep(solution);
        }
        if (residual <= settings.tolerance) break;

        const bool stuck = !std::isfinite(residual) || returns(residual);
        const bool changed =
            correct_guess(solution, settings.sliding, one_at_a_time) && !stuck;
        if (changed) continue;
        // the right rows, but not well enough solved
        if (!stuck && !careful) {
            careful = true;
            continue;
        }
        if (!rows_.has_cones() && !one_at_a_time && std::isfinite(residual)) {
            one_at_a_time = true;
            seen_count_ = 0;
            continue;
        }
        if (report.restarts == kRestarts) break;
        std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
        std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
        sweep(system, kFirstSweeps << report.restarts++, solution, report);
        map_.measure(system, units, responses_, solution.x, solution.y);
        for (std::size_t i = 0; i < units.size(); ++i) modes_[i] = {};
        correct_guess(solution, settings.sliding, false);
        seen_count_ = 0;
    }

    std::copy(best_.x.begin(), best_.x.end(), solution.x.begin());
    std::copy(best_.y.begin(), best_.y.end(), solution.y.begin());
    report.accepted = report.residual <= settings.tolerance;
    report.finite = true;
    count_active(units, solution.y, report);
    return report;
}

void ActiveSetSolver::first_guess(const linalg::SaddleSystem& system, const LawSettings& settings,
                                  linalg::SaddleSolution& solution, LawReport& report) noexcept
{
    const auto units = rows_.units();
    bool warm = false;
    for (const LawUnit& unit : units) {
        project(unit, &solution.y[unit.row]);
        if (unit.kind != LawUnit::Kind::Equal) warm = warm || solution.y[unit.row] != 0;
    }
    constexpr int kSweeps = 5;
    if (!warm) sweep(system, kSweeps, solution, report);

    map_.measure(system, units, responses_, solution.x, solution.y);
    modes_.resize(units.size());
    const auto s = map_.s();
    for (std::size_t i = 0; i < units.size(); ++i) {
        const int k = units[i].row;
        modes_[i] = guess_mode(units[i], &solution.y[k], &s[k], &responses_.rows()[k],
                               settings.sliding);
    }
}

void ActiveSetSolver::sweep(const linalg::SaddleSystem&, int count,
                            linalg::SaddleSolution& solution, LawReport& report) noexcept
{
    for (const LawUnit& unit : rows_.units()) project(unit, &solution.y[unit.row]);
    sweeps_.restart(solution.x, solution.y);
    for (int k = 0; k < count; ++k) sweeps_.sweep(solution.x, solution.y);
    report.sweeps += count;
}

void ActiveSetSolver::iterate(bool careful, linalg::SaddleSolution& solution,
                              LawReport& report) noexcept
{
    active_.build(modes_);
    coupling_.start(active_, solution.y);
    active_.set_slips(coupling_.z());
    report.factorisations += inner_->solve(active_.system(), responses_, careful, solution);
    coupling_.agree(active_, *inner_, responses_, solution);
    active_.unfold(coupling_.z(), solution.y);
    ++report.iterations;
}

bool ActiveSetSolver::correct_guess(const linalg::SaddleSolution& solution, SlidingForm form,
                                    bool one_at_a_time) noexcept
{
    const auto units = rows_.units();
    const auto s = map_.s();
    bool changed = false;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (units[i].kind == LawUnit::Kind::Equal) continue;
        const int k = units[i].row;
        const ActiveMode next = next_mode(units[i], &solution.y[k], &s[k], &responses_.rows()[k],
                                          modes_[i], form);
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
    const std::uint64_t now = fingerprint(rows_.units(), modes_);
    const int known = std::min(seen_count_, kMemory);
    constexpr Real kBetter = 0.7;
    bool again = false;
    for (int i = 0; i < known; ++i)
        if (seen_[i] == now && !(residual < kBetter * seen_residual_[i])) again = true;
    seen_[seen_count_ % kMemory] = now;
    seen_residual_[seen_count_ % kMemory] = residual;
    ++seen_count_;
    return again;
}

void ActiveSetSolver::keep(const linalg::SaddleSolution& solution) noexcept
{
    std::copy(solution.x.begin(), solution.x.end(), best_.x.begin());
    std::copy(solution.y.begin(), solution.y.end(), best_.y.begin());
}

}  // namespace taut
