// Islands whose contacts move: solved to what their impacts lose anyhow, not to the last digit.
//
// Where many contacts close and open in every step, an exact solution of their laws costs tens to hundreds of factorisations and is
// gone one step later. Such an island takes convex steps: one proximal step per linearisation (complementarity/proximal_newton.h), few
// linearisations, and penetration accepted as a share of the bodies' thickness. Joints are closed as ever, and the ledger
// stands as it is. What is left of a law is a small part of the change of its impulse, so that it vanishes where nothing
// changes; islands that are calm, small, bounce, or differ much in mass are solved exactly (decision 20).
#pragma once

#include "model/step_model.h"
#include "stepper/guard_settings.h"
#include "stepper/step.h"

namespace taut::stepper {

// Whether the step of this island takes convex steps; `kinetic` is the energy that it starts with [J], `fall_power` the energy
// of a fall over the square of its time [W/s]. It goes on until it is calmer than it was when it began to.
bool takes_convex_steps(const StepModel& model, const State& state, const StepSettings& settings,
                        Real kinetic, Real fall_power) noexcept;

// Whether the solvers of the settings can take one.
bool can_take_convex_steps(const StepSettings& settings) noexcept;

// Whether it will take convex steps for sure: then nothing is laid out for exact solutions. To be called with the state that the step
// starts from.
bool will_take_convex_steps(const StepModel& model, const State& state,
                            const StepSettings& settings) noexcept;

// Kinetic energy of a fall of all bodies over the square of its time [W/s].
Real fall_power(const StepModel& model) noexcept;

// Whether some contact begins the step deep in the thinner body: its recovery is a motion of its own, and may have no end.
bool any_deep_contact(const StepModel& model) noexcept;

}  // namespace taut::stepper
