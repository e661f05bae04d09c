// What takes energy from the bodies: as power at the end of a step, and as a loss where velocities jump.
//
//     damping    τ φ̇²/C of a compliant row with damping time τ, d φ̇² of a spring
//     friction   −λ·slip of the tangential rows of a contact and of its resistance to rolling
//     impacts    −μ (u⁻ + u⁺)/2 of a row whose impulse μ changes its rate from u⁻ to u⁺: exact, for any impulses beside it
//
// What is left of the energy balance is numerical. Rows without compliance dissipate nothing: their damping time decides how
// fast an open joint closes, which is no property of the mechanism.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

// Adds power.damping and power.friction of a step whose rows and springs have the rates of `linear`: at its end, or the mean ones.
void add_dissipated_power(const StepModel& model, std::span<const int> groups,
                          const Linearisation& linear, const State& next, Power& power) noexcept;

// The same as energy, for a step of the one-solve schemes from `state` to `next`.
void add_one_solve_dissipation(const StepModel& model, std::span<const int> groups,
                               const SchemeWeights& scheme, const State& state,
                               State& next) noexcept;

// How the scheme books the work of a force over the step: the force at its end, on a mean of both velocities.
struct WorkBooking {
    Real h = 0;  // impulse over the force at the end of the step [s]
    Real end =
        1;  // weight of the velocity at the end, the rest is that of the velocity at the start
    const State* row = nullptr;  // at whose poses the rows act
    // A convex step of backward Euler: velocities may jump at all of its contacts, and impulses fit them but roughly.
    bool convex = false;
    bool feeds = false;  // loads act, which this does not know of
};

// Adds the energy that velocities lost by jumping between `state` and `next` to its dissipation, and notes whether a row
// began to act. Jumps are where a contact, stop or rope begins to act, or still approaches in the step after that, and where
// joints and motors meet velocities that were set from outside. Returns the energy of the latter jumps [J].
Real add_impact_losses(const StepModel& model, const WorkBooking& booking,
                       std::span<const BodySupport> support, const State& state,
                       State& next) noexcept;

// In a convex step every impulse of a contact works on the mean of both velocities, so that the losses of all contacts add up to what
// the bodies lost. Newton's method leaves such a step before impulses fit the velocities; where they would have taken more than
// the bodies lost, the losses are reduced to that, all by the same factor.

// Completes the balance of a step: what its energy change does not owe to damping, friction and impacts is numerical.
// `before` is the dissipation up to the start of the step.
void settle_dissipation(Real energy_change, const Dissipation& before, State& next,
                        StepReport& report) noexcept;

}  // namespace taut::stepper
