// The midpoint scheme: an implicit midpoint step that keeps energy, momentum and angular momentum to the tolerance of Newton's
// method, whatever the amplitude.
//
// Unknowns are the mean velocities (D, ω̄) of the step. With bars for plain means of both ends, Ω in body axes:
//
//     p⁺ = p + hD,   R⁺ = cay(hω̄) R,   v⁺ = 2D − v,   Ω⁺ = 2Rᵀω̄ − Ω
//     m (D − v) = h/2 (f̄ + Σ ±λ),   ½ (R⁺IΩ⁺ − RIΩ) = h/2 (τ̄ + Σ ± s̄×λ),   φ(x⁺) = 0
//
// R⁺s − Rs = hω̄ × s̄ holds exactly, so that a force λ on a joint with arms s̄ does the work λ·(φ⁺ − φ): none where the joint is
// closed, and −Δ(φ²/2C) for λ = −(φ + φ⁺)/2C. With Ω⁺ as above the kinetic energy of turning changes by exactly ω̄·ΔL.
//
// Newton's matrix has J at the mean pose in both places and is symmetric; the true derivatives differ, so that the iteration
// converges linearly, by 0.1 to 0.3 a solve, and a factor is kept for several solves (anderson.h).
//
// Nothing damps here: a massless link wants its mean direction along the force, and its end direction alternates. The
// scheme is for islands whose tension modes the step resolves (scheme_choice.h).
#pragma once

#include "stepper/newton.h"

namespace taut::stepper {

// Of newton.h, for an attempt of this scheme.
void begin_midpoint(const StepModel& model, const State& state, const Attempt& attempt,
                    Workspace& work) noexcept;
// Poses, M and momenta; returns the kinetic energy at the end [J].
Real write_midpoint_system(const StepModel& model, const Attempt& attempt, Depth depth,
                           Workspace& work, SolveContext& context) noexcept;
// What is left of the momenta, to work.defect_f; returns the work that it can do [J].
Real measure_midpoint(Workspace& work, const SolveContext& context) noexcept;
// The correction of a solve, mixed with those of the iterations before (anderson.h).
void correct_midpoint(const StepModel& model, const Attempt& attempt, Forces forces,
                      Workspace& work, const SolveContext& context) noexcept;
// The end of the step that the mean velocities lead to.
void place_midpoint(const StepModel& model, const Attempt& attempt, Workspace& work) noexcept;
// Mean velocities as the rates that the next step continues.
void keep_midpoint_rates(const StepModel& model, const Workspace& work, State& next) noexcept;

}  // namespace taut::stepper
