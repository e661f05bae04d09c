// The guard of the default step: what it tries, what it accepts, and what it does when nothing settles.
//
// An attempt is accepted when
//   * the work that its residuals can do, Σ|r·v| + Σ|μ·ψ|, is below `tolerance` per second of the energy in
//     motion: the energy error of an unsettled step is the work of its residuals;
//   * no row is open by more than a small share of the way of a fall in one step (and 1e-6 of the scene);
//   * energy less the work fed in stays below the ledger: what it was lately, plus a small slack.
//     Newton may settle on a solution of the discrete equations that no motion leads to, and a two-step
//     scheme may throw back what a shock took away. Such a step solves its equations, and is refused.
//
//     step  ├───────────────────────────────┤   bdf2, then backward Euler over the same part
//     parts ├───────────────┼───────┼───┼───┤   halves of what failed; longer parts again when they fit
//
// Where bodies meet that are to bounce, a part ends: impact.h.
//
// A mechanism that starts with open joints is drawn together within a few tenths of a second instead of at
// once, and what that would add to its energy is taken out of its speed.
//
// After parts of different length the history starts afresh: a two-step scheme is unstable when its step
// grows by more than 2.4.
#pragma once

#include "stepper/impact.h"
#include "stepper/newton.h"

namespace taut::stepper {

enum class Look {
    Back,   // two steps: bdf2
    Ahead,  // one: backward Euler
};

class Guard {
public:
    Guard(const StepModel& model, State& state, Workspace& work,
          const StepSettings& settings) noexcept;

    bool done() const noexcept { return done_ == kWhole; }
    // Velocities of what meets now and bounces.
    void bounce() noexcept;
    // Settles the present part in work.next; true if that may be handed out.
    bool attempt(Look look) noexcept;
    // The attempt becomes the state.
    void commit() noexcept;
    // Cuts the present part in two; false if it is short enough or the solves are used up.
    bool halve() noexcept;
    // The rest of the step as it stands: the last iterate, slowed down until no energy appears.
    void hand_out_the_best() noexcept;
    StepReport finish() noexcept;

private:
    static constexpr std::uint32_t kWhole = 1u << 12;  // the step in units of its shortest part

    Stage stage(Look look, Real h) const noexcept;
    bool settle(const Stage& stage, bool sharp, int most_solves) noexcept;
    // Cuts the present part where something is to bounce; false if nothing is.
    bool cut_at_impact() noexcept;
    void save() noexcept;
    std::uint32_t longest_part() const noexcept;  // that the history allows, where bodies bounce
    Real excess(const Unsettled& left, const Stage& stage, Real rough) const noexcept;
    void look_for_gaps() noexcept;
    Real lift(Real h) const noexcept;  // what it takes to bring out what is pressed in [J]
    bool presses() const noexcept;     // whether contacts are pressed in, and asked to come out
    Real length(std::uint32_t part) const noexcept;
    int solves_left() const noexcept;
    Real energy_above_ledger() noexcept;  // of work.next; also carries its turnover on
    void slow_down(Real excess) noexcept;

    const StepModel& model_;
    State& state_;
    Workspace& work_;
    const StepSettings& settings_;
    StepReport report_;
    Impacts impacts_;
    Real size_ = 1;          // of the scene [m]
    Real falling_ = 0;       // kinetic energy of a fall over the square of its time [W/s]
    Real energy_start_ = 0;  // less work fed in
    Real energy_end_ = 0;    // the same of what the last attempt led to
    Real ledger_before_ = 0, open_before_ = 0, jammed_before_ = 0;
    std::uint32_t done_ = 0, part_ = kWhole;
    // joints are open at the start: put together carelessly, or left unsettled
    bool apart_ = false;
    bool jammed_ = false;    // contacts are pressed in that cannot come out
    bool unsolved_ = false;  // the last attempt ended with laws of contacts unsolved
    bool failed_ = false;    // nothing finite was found
    bool saved_ = false;     // work.saved holds the state before the step
};

}  // namespace taut::stepper
