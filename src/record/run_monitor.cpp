#include "record/run_monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace taut::record {

namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();

// Energies are sums of terms of either sign; a rise below this fraction of the largest term is rounding error.
constexpr Real kRounding = 1e-12;

// A fall of all bodies through this fraction of the scene's size is no motion: scenes at rest move by rounding.
constexpr Real kRest = 1e-6;

// Per mass [J/kg].
Real energy_of_rest(const World& world) noexcept
{
    return kRest * world.gravity().norm() * world.size();
}

// Gaps of joints over what they may be; angles count as lengths at the size of the scene.
Real relative_gap(Real length, Real angle, Real size) noexcept
{
    return std::max(size > 0 ? length / size : 0, angle) / kUnsettled.gap;
}

bool is_long(const UnsettledStretch& stretch) noexcept
{
    return stretch.steps >= kUnsettled.steps ||
           (stretch.steps >= kUnsettled.fewest_steps && stretch.time > kUnsettled.time);
}

Real largest_term(const Energy& e, const Work& w) noexcept
{
    return std::max({e.kinetic(), std::abs(e.gravity), std::abs(e.joints), std::abs(e.springs),
                     std::abs(w.motors), std::abs(w.prescribed), std::abs(w.loads)});
}

std::string hex(std::uint64_t number)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
    return text;
}

}  // namespace

std::string_view status_name(RunStatus status) noexcept
{
    switch (status) {
        case RunStatus::Ok: return "ok";
        case RunStatus::Diverged: return "diverged";
        case RunStatus::Refused: return "refused";
        case RunStatus::Unsettled: return "unsettled";
        case RunStatus::ExpectationFailed: return "expectation_failed";
        case RunStatus::Interrupted: return "interrupted";
    }
    return "?";
}

std::string_view verdict_name(const RunSummary& s) noexcept
{
    if (s.status != RunStatus::Ok) return status_name(s.status);
    if (s.numerical_dissipation_relative > kMostNumericalDissipation) return "energy_lost";
    if (s.numerical_dissipation_relative < -kMostNumericalDissipation) return "energy_gained";
    return "ok";
}

RunMonitor::RunMonitor(const World& world, const StepSettings& settings,
                       std::uint64_t planned_steps)
    : settings_(settings),
      islands_(world),
      last_tenth_(planned_steps - planned_steps / 10),
      start_(world.energy()),
      work_start_(world.work().total()),
      dissipation_start_(world.dissipation()),
      start_time_(world.time()),
      size_(world.size()),
      kinetic_max_(start_.kinetic()),
      kinetic_late_(kNaN)
{
    rounding_scale_ = largest_term(start_, world.work());
    gap_start_ = relative_gap(world.joint_gap(), world.angular_gap(), size_);
    for (int i = 0; i < world.joint_count(); ++i)
        broken_.push_back(world.broken(world.joint_at(i)));
}

void RunMonitor::observe(const World& world, const StepReport& report) noexcept
{
    // a failed step leaves the world, or the frozen part of it, unchanged: there is nothing to measure
    if (report.status != StepStatus::Ok || report.frozen > 0) {
        status_ = report.status == StepStatus::Refused ? RunStatus::Refused : RunStatus::Diverged;
        step_reason_ = report.reason;
        if (report.frozen > 0) frozen_body_ = report.hardest_body;
        return;
    }

    ++steps_;
    solves_ += static_cast<std::uint64_t>(report.solves);
    solves_max_ = std::max(solves_max_, report.solves);
    halvings_ += static_cast<std::uint64_t>(report.halvings);
    if (report.midpoint > 0) ++midpoint_;
    if (!report.settled && ++unsettled_ == 1) {
        unsettled_reason_ = report.reason;
        unsettled_time_ = world.time();
    }
    if (!report.reason.empty()) {
        ++hard_;
        if (report.solves > hardest_solves_) {
            hardest_solves_ = report.solves;
            hardest_reason_ = report.reason;
            hardest_body_ = report.hardest_body;
            hardest_time_ = world.time();
        }
    }
    // NaN compares with nothing: it counts as infinite
    const Real residual = report.solve.residual.value_or(residual_max_);
    residual_max_ = std::isnan(residual) ? std::numeric_limits<Real>::infinity()
                                         : std::max(residual_max_, residual);
    refinements_ += static_cast<std::uint64_t>(report.solve.refinements);
    if (!report.solve.inertia_right()) ++wrong_inertia_;

    gap_max_ = std::max(gap_max_, world.joint_gap());
    angular_gap_max_ = std::max(angular_gap_max_, world.angular_gap());
    watch_energy(world);
    islands_.observe(world, settings_.dt, report.reason);
    watch_contacts(world);
    watch_breaks(world);

    // a joint gap as large as the scene counts as divergence
    if (size_ > 0 && gap_max_ > size_) {
        status_ = RunStatus::Diverged;
        came_apart_ = true;
    }
}

void RunMonitor::watch_energy(const World& world) noexcept
{
    const Energy energy = world.energy();
    const Work work = world.work();
    const Real kinetic = energy.kinetic();

    kinetic_max_ = std::max(kinetic_max_, kinetic);
    if (steps_ > last_tenth_)
        kinetic_late_ = std::isnan(kinetic_late_) ? kinetic : std::max(kinetic_late_, kinetic);

    rounding_scale_ = std::max(rounding_scale_, largest_term(energy, work));
    work_max_ = std::max(work_max_, std::abs(work.total() - work_start_));
    rise_max_ = std::max(rise_max_, energy.total() - start_.total() - (work.total() - work_start_));
}

void RunMonitor::watch_contacts(const World& world)
{
    int count = 0;
    for (const ContactReading& contact : world.contact_points()) {
        count += contact.force.isZero(0) ? 0 : 1;
        penetration_max_ = std::max(penetration_max_, -contact.gap);
    }
    contacts_max_ = std::max(contacts_max_, count);
}

void RunMonitor::watch_breaks(const World& world)
{
    for (std::size_t i = 0; i < broken_.size(); ++i) {
        const JointId id = world.joint_at(static_cast<int>(i));
        if (broken_[i] || !world.broken(id)) continue;
        broken_[i] = 1;
        breaks_.push_back({std::string(world.name(id)), world.time()});
    }
}

void RunMonitor::read_dissipation(const World& world, RunSummary& s) const
{
    const Dissipation now = world.dissipation(), &before = dissipation_start_;
    // every step adds the rounding error of two sums
    const Real rounding = kRounding * rounding_scale_ * std::sqrt(static_cast<Real>(steps_) + 1);
    const auto above_rounding = [&](Real x) { return std::abs(x) > rounding ? x : 0; };
    s.dissipation = {above_rounding(now.damping - before.damping),
                     above_rounding(now.friction - before.friction),
                     above_rounding(now.impacts - before.impacts),
                     now.numerical - before.numerical};
    s.energy_throughput =
        std::max(kinetic_max_ + std::max(s.dissipation.physical(), Real(0)), work_max_);
    const PartDissipation worst = islands_.worst(rounding, energy_of_rest(world));
    if (worst.share == 0) {
        s.numerical_dissipation_of_part = s.dissipation.numerical;
        s.energy_throughput_of_part = s.energy_throughput;
        return;
    }
    s.numerical_dissipation_relative = worst.share;
    s.numerical_dissipation_of_part = worst.numerical;
    s.energy_throughput_of_part = worst.throughput;
    if (!worst.whole_world) s.numerical_dissipation_body = std::string(world.name(worst.body));
}

// Whether the run shows a motion of the scene.
void RunMonitor::judge_settling(const World& world, RunSummary& s) const
{
    const UnsettledStretch& longest = islands_.longest();
    s.unsettled_stretch = static_cast<std::uint64_t>(longest.steps);
    if (status_ != RunStatus::Ok) return;
    const Real gap = relative_gap(gap_max_, angular_gap_max_, size_);
    char text[200] = "";
    if (static_cast<Real>(unsettled_) > kUnsettled.share * static_cast<Real>(steps_)) {
        s.reason = std::to_string(unsettled_) + " of " + std::to_string(steps_) +
                   " steps were not settled: " + std::string(unsettled_reason_);
    } else if (is_long(longest)) {
        std::snprintf(text, sizeof text,
                      "did not settle for %d steps from %.6g s on, %.3g s: ", longest.steps,
                      longest.begin, longest.time);
        s.reason = "the island of body '" + std::string(world.name(longest.body)) + "' " + text +
                   std::string(longest.reason);
    } else if (gap > std::max(Real(1), 2 * gap_start_)) {
        std::snprintf(text, sizeof text,
                      "joints were open by %.3g m and %.3g rad: more than a tenth of the size of "
                      "the scene, %.3g m",
                      gap_max_, angular_gap_max_, size_);
        s.reason = text;
    } else {
        return;
    }
    s.status = RunStatus::Unsettled;
}

RunSummary RunMonitor::summary(const World& world) const
{
    RunSummary s;
    s.status = status_;
    s.reason = std::string(step_reason_);
    if (world.contains(frozen_body_))
        s.reason += " (body '" + std::string(world.name(frozen_body_)) + "')";
    if (came_apart_)
        s.reason =
            "a joint gap of " + std::to_string(gap_max_) + " m exceeds the size of the scene";

    judge_settling(world, s);

    s.steps = steps_;
    s.simulated_seconds = world.time() - start_time_;
    s.wall_seconds = wall_seconds_;
    s.realtime_factor = wall_seconds_ > 0 ? s.simulated_seconds / wall_seconds_ : 0;

    s.solves_mean = steps_ > 0 ? static_cast<Real>(solves_) / static_cast<Real>(steps_) : 0;
    s.solves_max = solves_max_;
    s.midpoint_steps = midpoint_;
    s.hard_steps = hard_;
    s.halvings = halvings_;
    s.unsettled_steps = unsettled_;
    s.unsettled_reason = std::string(unsettled_reason_);
    s.unsettled_time = unsettled_time_;
    s.hardest_reason = std::string(hardest_reason_);
    if (world.contains(hardest_body_)) s.hardest_body = std::string(world.name(hardest_body_));
    s.hardest_time = hardest_time_;
    s.residual_max = residual_max_;
    s.refinements = refinements_;
    s.wrong_inertia_steps = wrong_inertia_;

    s.joint_gap_max = gap_max_;
    s.joint_gap_max_relative = size_ > 0 ? gap_max_ / size_ : 0;
    s.angular_gap_max = angular_gap_max_;
    s.breaks = breaks_;
    s.contacts_max = contacts_max_;
    s.penetration_max = penetration_max_;

    s.energy_start = start_.total();
    s.energy_end = world.energy().total();
    s.work_end = world.work().total() - work_start_;
    s.kinetic_max = kinetic_max_;
    const Real rise = rise_max_ > kRounding * rounding_scale_ ? rise_max_ : 0;
    s.energy_rise_max_relative = kinetic_max_ > 0 ? rise / kinetic_max_ : 0;
    s.energy_kept = kinetic_max_ > 0 ? kinetic_late_ / kinetic_max_ : kNaN;

    read_dissipation(world, s);

    s.state_hash = hex(world.hash());
    s.settings = settings_;
    return s;
}

}  // namespace taut::record
