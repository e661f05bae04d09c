// The retry ladder of the guarded step: which attempts are made, what is accepted, and what happens when nothing converges.
//
//     step      ├───────────────────────────────┤   bdf2, then backward Euler over the same interval
//     sub-steps ├───────────────┼───────┼───┼───┤   halves of what failed; longer ones again when they fit
//
// An attempt is accepted when Newton's method converged (newton_solve.h) and the energy lies below the ledger
// (energy_ledger.h). Where bodies with restitution meet, a sub-step ends (impact.h). When the budget of solves is spent, the
// last iterate is accepted, slowed down so that no energy appears, and the report says so.
//
// Joints that are open at the start, by the description or by a step that did not converge, are closed within a few tenths
// of a second instead of at once. After sub-steps of different length the two-step history starts afresh: a two-step scheme
// is unstable when its step grows by more than 2.4.
#pragma once

#include "stepper/energy_ledger.h"
#include "stepper/impact.h"
#include "stepper/newton_solve.h"

namespace taut::stepper {

enum class Lookback {
    TwoSteps,  // bdf2 where there is a previous step, else backward Euler
    OneStep,   // backward Euler
};

class StepController {
public:
    StepController(const StepModel& model, State& state, Workspace& workspace,
                   const StepSettings& settings) noexcept;

    bool done() const noexcept { return elapsed_ == kUnits; }
    // Velocities jump where bodies with restitution touch and approach.
    void resolve_impacts() noexcept;
    // Solves the present sub-step for workspace.next; true if it is accepted.
    bool attempt(Lookback lookback) noexcept;
    // The accepted attempt becomes the state.
    void commit() noexcept;
    // Cuts the present sub-step in two; false if it is the shortest one or the budget is spent.
    bool halve() noexcept;
    // The rest of the step as it stands: the last iterate, slowed down until no energy appears.
    void accept_last_iterate() noexcept;
    StepReport finish() noexcept;

private:
    static constexpr std::uint32_t kUnits = kGuard.sub_steps.units;

    Attempt make_attempt(Lookback lookback) const noexcept;
    // Whether an attempt that failed may be repeated without recovery of penetration, which has no solution for a body that is
    // wedged between others. Recovery is blocked from then on.
    bool block_recovery() noexcept;
    bool may_restart() const noexcept;  // by backward Euler, after the two-step scheme failed
    bool cut_at_impact() noexcept;      // false if no impact falls into the sub-step
    void find_open_joints() noexcept;
    bool has_penetration() const noexcept;      // that contacts are to recover
    Real recovery_work(Real h) const noexcept;  // what it takes to recover penetration [J]
    Real post_energy() noexcept;  // of workspace.next; returns the excess above the ledger [J]
    void slow_down(Real excess) noexcept;
    void hold_poses() noexcept;
    void save_state() noexcept;
    std::uint32_t longest_sub_step() const noexcept;
    Real length(std::uint32_t units) const noexcept;  // [s]
    int solves_left() const noexcept;
    std::string_view reason() const noexcept;

    const StepModel& model_;
    State& state_;
    Workspace& workspace_;
    const StepSettings& settings_;
    StepReport report_;
    Impacts impacts_;
    NewtonProblem problem_;
    EnergyLedger ledger_;
    NewtonOutcome outcome_;                          // of the last attempt
    std::uint32_t elapsed_ = 0, sub_step_ = kUnits;  // [units]
    bool joints_open_ = false;                       // at the start of the step
    bool recovery_blocked_ = false;                  // penetration is left as it is
    Real recovery_blocked_before_ = 0;
    bool saved_ = false;  // workspace.saved holds the state before the step
};

}  // namespace taut::stepper
