// One step of the guarded schemes as equations at its end, and the operations of Newton's method on them.
//
// With the previous step h₀, w = h/h₀, a = w²/(1+2w), h̄ = h(1+w)/(1+2w)  (backward Euler: a = 0, h̄ = h):
//
//     X = x + a (x − x₀),  V = v + a (v − v₀)      angular: rotation vectors, world angular momentum
//     x⁺ = X ⊕ h̄ v⁺,   M(v⁺ − V) = h̄ (f⁺ + J⁺ᵀλ⁺),   φ(x⁺) + τ φ̇⁺ + C λ⁺ = 0
//
// Rotations are measured from a base B = exp(h̄ω*) X that already turns with the extrapolated ω*:
// R⁺ = exp(h̄(ω⁺ − ω*)) B. The same to the order of the scheme, and it lets a fast spin turn by any angle
// in a step: what Newton has to find is only what the spin changes by.
// The iterate lives in Workspace::next; its velocity is always read back from its pose.
#pragma once

#include "stepper/guard_settings.h"
#include "stepper/step.h"

namespace taut::stepper {

// One attempt: how far, and how much of the past is used.
struct Attempt {
    Real h = 0;      // [s]
    Real a = 0;      // weight of the last step in what this one starts from; 0: backward Euler
    Real h_bar = 0;  // h̄
    Real time = 0;   // at its start
    Real gap_fraction_kept =
        0;  // share of the gaps it starts with that it may leave, see read_initial_gaps()
    bool recovery_blocked = false;  // penetration of contacts is not recovered
};

// How far an iterate is from solving its equations.
struct Residuals {
    Real work = 0;  // energy that the residuals can make on the way of this step [J]
    Real gap = 0;   // largest row residual |φ + τ φ̇ + Cλ| [m], angles times the size
    Real penetration =
        0;              // largest amount by which contacts penetrate, or are open under force [m]
    Real rounding = 0;  // the part of it that no iterate could avoid [J]
    Real kinetic = 0;   // of the iterate [J]
    bool finite = true;
};

inline constexpr Real kMostGrowth = kGuard.scheme.most_growth;
Attempt two_step_attempt(const State& state,
                         Real h) noexcept;  // bdf2, or Euler where there is no past
Attempt euler_attempt(const State& state, Real h) noexcept;

// The past, loads and prescribed motion of the attempt, and the first iterate: velocities extrapolated.
void begin_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                   Workspace& work) noexcept;

// Part of a step: what gaps it starts with, so that a short part need not close them at once. Closing φ
// within h takes forces that grow like 1/h², and shorter parts would be harder instead of easier.
void read_initial_gaps(const StepModel& model, const State& state, const StepSettings& settings,
                       Workspace& work) noexcept;

// How much of the system is made anew.
enum class Depth {
    Matrix,  // all of it
    Values,  // its right-hand sides; the matrix stays that of an earlier iterate
};

// The system at the iterate. `mixed`: joints that carry no torque take the tension form all the same.
void linearise_iterate(const StepModel& model, const Attempt& attempt, Stabilisation stabilisation,
                       bool mixed, Depth depth, Workspace& work, SolveContext& context) noexcept;

// What is left of the system at the iterate with its present λ; the defects themselves to work.defect_f and _g.
Residuals measure(const StepModel& model, const Attempt& attempt, Workspace& work,
                  const SolveContext& context) noexcept;

// The body whose residual does most work, as last measured.
BodyIndex hardest_body(const StepModel& model, const Workspace& work) noexcept;

// read_energy(), by packs.
Energy energy_of(const StepModel& model, const State& state, Workspace& work) noexcept;

// Iterate ⊕ h̄u. λ is that of the solve, or grows by it where the right-hand side was a defect.
enum class Forces { Anew, Added };
void correct(const StepModel& model, const Attempt& attempt, Forces forces, Workspace& work,
             const SolveContext& context) noexcept;

// Turns the iterate into a state: time, stretches, work fed in, remembered angles. Its history is the state before it, and is
// handed over where the attempt is accepted.
void finish_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                    Workspace& work, const SolveContext& context) noexcept;

}  // namespace taut::stepper
