// Momentum of an island that nothing outside holds.
//
// An iterate that is accepted leaves residuals r of the momenta. They are small enough for the energy, and their sum is a force
// from nowhere all the same: free mechanisms lost up to 4e-4 of their angular momentum in 10 s. It is given back as a motion of the
// whole island as one rigid body, which moves no joint:
//
//     P = P₀ + h Σ f,   L = L₀ + h Σ (p̄ × f + τ),   v ← v + V + Ω × (p − c),   ω ← ω + Ω
//
// with f and τ of gravity and loads, and p̄ the mean of both ends. For the midpoint scheme, which is exact but for residuals.
#pragma once

#include "stepper/newton.h"

namespace taut::stepper {

// Whether all that the rows and springs of the model act on is dynamic, and there is something that connects.
bool is_unanchored(const StepModel& model) noexcept;

// Corrects the velocities of `next`, the end of a midpoint attempt of length h from `state`, under the loads of `linear`.
void restore_momentum(const StepModel& model, const State& state, Real h, bool loaded,
                      const Linearisation& linear, State& next) noexcept;

}  // namespace taut::stepper
