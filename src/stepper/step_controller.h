// The retry ladder of the guarded step: which attempts are made, what is accepted, and what happens when nothing converges.
//
//     step      ├───────────────────────────────┤   midpoint where the island takes it, else adams or bdf2, then backward Euler
//     sub-steps ├───────────────┼───────┼───┼───┤   halves of what failed; longer ones again when they fit
//
// An attempt is accepted when Newton's method converged (newton_solve.h) and the energy lies below the ledger
// (energy_ledger.h). Where bodies meet, a sub-step ends (impact.h). When the budget of solves is spent, the
// last iterate is accepted, slowed down so that no energy is gained, and the report says so.
//
// Joints that are open at the start, by the description or by a step that did not converge, are closed within a few tenths
// of a second instead of at once. After sub-steps of different length the two-step history starts afresh: a two-step scheme
// is unstable when its step grows by more than 2.4.
#pragma once

#include "stepper/energy_ledger.h"
#include "stepper/impact.h"
#include "stepper/newton_solve.h"

namespace taut::stepper {

enum class AttemptKind {
    Midpoint,  // where the island takes it (scheme_choice.h)
    TwoStep,   // adams or bdf2 where there is a previous step, else backward Euler
    Euler,     // backward Euler
    Convex,    // the same, with contacts by convex steps: laws that are not solved exactly
};

class StepController {
public:
    StepController(const StepModel& model, State& state, Workspace& workspace,
                   const StepSettings& settings) noexcept;

    bool done() const noexcept { return elapsed_ == kUnits; }
    // Velocities at the ends of midpoint steps are brought back to what joints allow, now and then.
    void fit_velocities() noexcept;
    // Velocities jump where bodies touch and approach.
    void resolve_impacts() noexcept;
    // Solves the present sub-step for workspace.next; true if it is accepted.
    bool attempt(AttemptKind kind) noexcept;
    // Once more with contacts by convex steps, where laws were not solved exactly: such a step has a solution wherever bodies are wedged.
    bool attempt_convex() noexcept;
    // The accepted attempt becomes the state.
    void commit() noexcept;
    // The midpoint scheme did not converge: shorter sub-steps of it, if they are not too short; false: other schemes.
    bool halve_midpoint() noexcept;
    // Cuts the present sub-step in two; false if it is the shortest one or the budget is spent.
    bool halve() noexcept;
    // The rest of the step as it stands: the last iterate, slowed down until no energy is gained.
    void accept_last_iterate() noexcept;
    StepReport finish() noexcept;

private:
    static constexpr std::uint32_t kUnits = kGuard.sub_steps.units;

    Attempt make_attempt(AttemptKind kind) const noexcept;
    // The attempt becomes the state, and what was the state its history. `keeps_rates`: those before the attempt mean the same.
    void accept(bool keeps_rates) noexcept;
    bool contacts_change() const noexcept;
    bool scheme_suits(const Attempt& attempt, bool activity_changed) noexcept;
    // Whether an attempt that failed may be repeated without recovery of penetration, which has no solution for a body that is
    // wedged between others. Recovery is blocked from then on.
    bool block_recovery() noexcept;
    void limit_turn() noexcept;
    void limit_orbit() noexcept;
    void limit_growth() noexcept;
    std::uint32_t most_parts() const noexcept;
    void shorten_first_sub_step() noexcept;
    bool may_take_midpoint() const noexcept;
    bool may_restart() const noexcept;  // by backward Euler, after the two-step scheme failed
    bool cut_at_impact() noexcept;      // false if no impact falls into the sub-step
    bool cut_at_closing() noexcept;     // the same for contacts without restitution
    bool is_cut() const noexcept { return impacts_.any() || cuts_left_ < kGuard.impact.cuts; }
    void choose_contact_solution(Real kinetic) noexcept;
    void set_convex(bool convex) noexcept;
    void find_open_joints() noexcept;
    bool has_penetration() const noexcept;  // that contacts are to recover
    Real recovered_way(std::size_t contact) const noexcept;
    // What it takes to recover penetration against gravity [J]: no more than the weight of the island on the way of each contact,
    // nor than the bodies were lifted.
    Real recovery_work(Real h) const noexcept;
    // Kinetic energy of bodies that are pushed out of each other [J]. It is taken from the velocities again.
    Real recovery_energy() noexcept;
    Real post_energy() noexcept;  // of workspace.next; returns the excess above the ledger [J]
    bool can_slow_down(Real excess) noexcept;
    Real closing_work() const noexcept;
    void slow_down(Real excess) noexcept;
    void hold_poses() noexcept;
    void save_state() noexcept;
    std::uint32_t longest_sub_step() const noexcept;
    Real length(std::uint32_t units) const noexcept;  // [s]
    int solves_left() const noexcept;
    int attempt_budget() const noexcept;
    std::string_view reason() const noexcept;

    const StepModel& model_;
    State& state_;
    Workspace& workspace_;
    const StepSettings& settings_;
    StepReport report_;
    Impacts impacts_;
    NewtonProblem problem_;
    EnergyLedger ledger_;
    StepMemory memory_before_;                       // of the state that the step started from
    NewtonOutcome outcome_;                          // of the last attempt
    std::uint32_t elapsed_ = 0, sub_step_ = kUnits;  // [units]
    bool short_first_sub_step_ = false;              // the step begins with a short sub-step
    bool midpoint_unfit_ =
        false;             // the last attempt by the midpoint scheme is not to be repeated in parts
    bool gained_ = false;  // the last attempt was refused because it added energy
    int halved_for_gains_ = 0;            // halvings after such attempts
    bool midpoint_gained_ = false;        // one of them was by the midpoint scheme
    bool midpoint_ = false;               // the step is taken by the midpoint scheme
    bool yields_ = false;                 // rows on loops, by more than is negligible (loops.h)
    bool keeps_rates_ = false;            // those before the last attempt mean the same
    bool joints_open_ = false;            // at the start of the step
    bool recovery_blocked_ = false;       // penetration is left as it is
    bool deep_penetration_ = false;       // of some contact it is more than slight
    int cuts_left_ = kGuard.impact.cuts;  // at impacts without restitution
    bool saved_ = false;                  // workspace.saved holds the state before the step
};

}  // namespace taut::stepper
