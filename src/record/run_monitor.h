// Summary of a run: observes every step and keeps the extreme values.
//
//     RunMonitor monitor(world, settings, planned_steps);
//     monitor.observe(world, world.step(settings));      // once per step
//     RunSummary summary = monitor.summary(world);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <taut/world.h>

#include "core/namespaces.h"
#include "record/island_watch.h"

namespace taut::record {

enum class RunStatus {
    Ok,
    Diverged,  // no new state was found, or a joint gap exceeds the size of the scene
    Refused,   // the world refused the step settings
    // Completed, but this is no motion of the scene: more than half of the steps were not settled, an island was not for a
    // stretch (UnsettledLimits), or joints came open by more than a tenth of the size of the scene.
    Unsettled,
    ExpectationFailed,  // completed, but an expectation of the scene is not met
    Interrupted,        // stopped by the caller
};

std::string_view status_name(RunStatus status) noexcept;

// Above this share of the energy throughput, numerical dissipation is part of the verdict on a run.
inline constexpr Real kMostNumericalDissipation = 0.05;

// Where a run is no motion of the scene, although it came to its end.
struct UnsettledLimits {
    Real share = 0.5;  // of all steps [-]
    // Of one island, in a row. An unsettled step keeps poses or slows bodies down, which is not seen where it is alone: bodies
    // that jam as they land have a few. Ten in a row are a stop, and so is a tenth of a second, a moment that is seen, of more than
    // the two or three steps that a landing takes at 0.1 s.
    int steps = 10;
    Real time = 0.1;       // [s]
    int fewest_steps = 4;  // within that time
    // Of the size of the scene, which is 1 rad as well: the limit at which a step of one solve is not settled (GuardSettings). Gaps
    // of the description may be twice as large as that while they close.
    Real gap = 0.1;
};
inline constexpr UnsettledLimits kUnsettled;

// The break of a joint.
struct BreakEvent {
    std::string joint;
    Real time = 0;  // at the end of the step [s]
};

struct RunSummary {
    RunStatus status = RunStatus::Ok;
    std::string reason;  // why, when the status is not Ok

    std::uint64_t steps = 0;
    Real simulated_seconds = 0;
    Real wall_seconds = 0;     // in World::prepare and World::step; without readings and output
    Real realtime_factor = 0;  // simulated over wall

    // solves
    Real solves_mean = 0;  // linear solves per step
    int solves_max = 0;
    std::uint64_t midpoint_steps = 0;   // in which some island was stepped by the midpoint scheme
    std::uint64_t hard_steps = 0;       // that needed a restart or halving
    std::uint64_t halvings = 0;         // sum over all steps
    std::uint64_t unsettled_steps = 0;  // whose equations were not solved, see StepReport::settled
    std::string unsettled_reason;       // of the first of them
    Real unsettled_time = 0;            // [s]
    std::uint64_t unsettled_stretch = 0;  // the most in a row for one island
    std::string hardest_reason;  // reason of the step with the most solves, if it was retried
    std::string hardest_body;    // body with the largest residual in that step
    Real hardest_time = 0;       // [s]
    Real residual_max = -1;      // largest relative residual of a linear solve; −1: none measured
    std::uint64_t refinements = 0;  // sum over all solves
    // steps whose factorisation had a wrong number of negative pivots
    std::uint64_t wrong_inertia_steps = 0;

    // joints
    Real joint_gap_max = 0;           // largest |φ + Cλ| of a row that measures length [m]
    Real joint_gap_max_relative = 0;  // the same over World::size() [-]
    Real angular_gap_max = 0;         // [rad]

    std::vector<BreakEvent> breaks;  // in the order of time

    // contacts
    int contacts_max = 0;      // largest number of points that carry force
    Real penetration_max = 0;  // largest penetration [m]

    // energy
    Real energy_start = 0;  // total mechanical energy [J]
    Real energy_end = 0;
    Real work_end = 0;     // by motors, prescribed motion and loads, since the start [J]
    Real kinetic_max = 0;  // largest kinetic energy [J]
    // Largest excess of the total energy over its initial value plus the work done, over kinetic_max. An excess below
    // the rounding error of that sum counts as zero.
    Real energy_rise_max_relative = 0;
    // Largest kinetic energy in the last tenth of the planned run over kinetic_max. NaN if the run did not reach it
    // or nothing moved.
    Real energy_kept = 0;
    Dissipation dissipation;  // since the start
    // Energy throughput: kinetic_max plus what damping, friction and impacts took, or the most that was fed in if that is
    // more. Numerical dissipation is measured against it, because a mechanism that is driven and braked all the time passes
    // on more energy than it ever has.
    Real energy_throughput = 0;
    // Numerical dissipation over the energy throughput, of the part of the scene where this is largest (IslandWatch): islands
    // that have never met are judged each by itself. Negative: the scheme added energy. Zero where it is
    // rounding error, or less than a fall of the bodies through 1e-6 of the scene's size.
    Real numerical_dissipation_relative = 0;
    std::string numerical_dissipation_body;  // one of that part; empty: nothing else has moved
    Real numerical_dissipation_of_part = 0;  // [J]
    Real energy_throughput_of_part = 0;      // [J]

    // method and final state
    std::string state_hash;  // 16 hexadecimal digits
    StepSettings settings;
};

// "ok" only for a run that ended well and whose energy the scheme left alone; otherwise "energy_lost", "energy_gained", or
// the status.
std::string_view verdict_name(const RunSummary& summary) noexcept;

class RunMonitor {
public:
    RunMonitor(const World& world, const StepSettings& settings, std::uint64_t planned_steps);

    // Observes the world after a step. After the first failed step, status() is not Ok.
    void observe(const World& world, const StepReport& report) noexcept;

    RunStatus status() const noexcept { return status_; }
    void add_wall_seconds(Real seconds) noexcept { wall_seconds_ += seconds; }
    void interrupt() noexcept { status_ = RunStatus::Interrupted; }

    RunSummary summary(const World& world) const;

private:
    void watch_energy(const World& world) noexcept;
    void read_dissipation(const World& world, RunSummary& summary) const;
    void judge_settling(const World& world, RunSummary& summary) const;
    void watch_contacts(const World& world);
    void watch_breaks(const World& world);

    StepSettings settings_;
    IslandWatch islands_;
    std::uint64_t last_tenth_;  // first step of it
    RunStatus status_ = RunStatus::Ok;
    std::string_view step_reason_;
    BodyId frozen_body_;  // whose numbers are out of range
    bool came_apart_ = false;

    Energy start_;
    Real work_start_ = 0;
    Dissipation dissipation_start_;
    Real start_time_ = 0;
    Real size_ = 0;
    Real rounding_scale_ = 0;
    Real rise_max_ = 0;
    Real work_max_ = 0;  // largest work fed in, or taken out [J]
    Real kinetic_max_ = 0;
    Real kinetic_late_;

    std::uint64_t steps_ = 0;
    std::uint64_t solves_ = 0;
    std::uint64_t refinements_ = 0;
    std::uint64_t wrong_inertia_ = 0;
    std::uint64_t midpoint_ = 0;
    std::uint64_t hard_ = 0;
    std::uint64_t halvings_ = 0;
    std::uint64_t unsettled_ = 0;
    std::string_view unsettled_reason_;
    Real unsettled_time_ = 0;
    int solves_max_ = 0;
    int hardest_solves_ = 0;
    std::string_view hardest_reason_;
    BodyId hardest_body_;
    Real hardest_time_ = 0;
    Real residual_max_ = -1;
    Real gap_max_ = 0;
    Real angular_gap_max_ = 0;
    Real gap_start_ = 0;  // the larger of both at the start, over their limits [-]
    Real wall_seconds_ = 0;
    std::vector<char> broken_;  // broken joints after the last step
    std::vector<BreakEvent> breaks_;
    int contacts_max_ = 0;
    Real penetration_max_ = 0;
};

}  // namespace taut::record
