// One step of the guarded schemes as equations at its end, and the operations of Newton's method on them.
//
//     x⁺ = X ⊕ h̄ v⁺,   M(v⁺ − V) = h̄ (f⁺ + J⁺ᵀλ⁺),   φ(x⁺) + τ φ̇⁺ + C λ⁺ = 0
//
// with X and V of the past (angular: rotation vectors, world angular momentum), r = h/h₀ of the previous step h₀:
//
//     backward Euler   h̄ = h                  X = x,                      V = v
//     bdf2             h̄ = h(1+r)/(1+2r)      X = x + a (x − x₀),         V = v + a (v − v₀),    a = r²/(1+2r)
//     adams            h̄ = 0.6 h              X = x ⊕ h(w v + w₀ v₀),     V = v + h(w A + w₀ A₀),  w₀ = 0.1 r, w = 0.4 − w₀
//
// A is the acceleration at the end of a step, (v⁺ − V)/h̄. adams is the two-step Adams method with weights 6 : 3 : 1: second
// order for every r, A-stable, and it takes a fifth of the energy that bdf2 takes (decision 15).
//
// Rotations are measured from a base B = exp(h̄ω*) X that already turns with the extrapolated ω*:
// R⁺ = exp(h̄(ω⁺ − ω*)) B. The same to the order of the scheme, and it lets a fast spin turn by any angle
// in a step: what Newton has to find is only what the spin changes by.
// The iterate lives in Workspace::next; its velocity is always read back from its pose.
#pragma once

#include "stepper/guard_settings.h"
#include "stepper/step.h"

namespace taut::stepper {

// One attempt: how far, by which formula.
struct Attempt {
    enum class Formula { Euler, Bdf2, Adams, Midpoint };

    Real h = 0;      // [s]
    Real h_bar = 0;  // h̄
    Real time = 0;   // at its start
    Formula formula = Formula::Euler;
    Real a = 0;  // bdf2: weight of the last step in what this one starts from
    Real weight_now = 0,
         weight_before = 0;  // adams: weights of what was at the start, and before the last step
    Real gap_fraction_kept =
        0;  // share of the gaps it starts with that it may leave, see read_initial_gaps()
    Real penetration_kept = 0;  // the same for contacts, whose own recovery is that of a whole step
    bool recovery_blocked = false;  // penetration of contacts is not recovered
    bool writes_rates = true;       // State::rates, for steps of adams and midpoint that follow

    // Way of a pose per unit of the correction, and impulse on a body over the force of a row [s]. Equations of the midpoint
    // scheme are halved.
    Real move() const noexcept { return formula == Formula::Midpoint ? h : h_bar; }
    bool uses_history() const noexcept
    {
        return formula == Formula::Bdf2 || formula == Formula::Adams;
    }
};

// How far an iterate is from solving its equations.
struct Residuals {
    Real work = 0;   // energy that the residuals can make on the way of this step [J]
    Real gap = 0;    // largest row residual |φ + τ φ̇ + Cλ| [m], angles times the size
    Real drift = 0;  // the same over 1 + τ/h̄: by how much the end of the step misses a row [m]
    Real penetration =
        0;  // largest amount by which contacts penetrate, or are open under force [m]
    Real relative_penetration = 0;  // the same over the half width of the thinner body [-]
    Real relative_depth =
        0;  // of that what contacts penetrate: beyond 1 bodies may leave on the other side [-]
    Real rounding = 0;  // the part of it that no iterate could avoid [J]
    Real kinetic = 0;   // of the iterate [J]
    bool finite = true;
};

inline constexpr Real kMostGrowth = kGuard.scheme.most_growth;
// Euler where there is no past, or too short a one.
Attempt bdf2_attempt(const State& state, Real h) noexcept;
Attempt midpoint_attempt(const State& state, Real h) noexcept;  // midpoint.h
Attempt adams_attempt(const State& state, Real h) noexcept;
Attempt euler_attempt(const State& state, Real h) noexcept;

// A fixed or kinematic body at the end of the attempt, with no velocity yet; true if it is kinematic.
bool place_non_dynamic_body(const StepModel& model, const State& state, BodyIndex b,
                            const Attempt& attempt, State& next) noexcept;

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

// How well the gap of an inequality row is known, by rounding of the poses that it is the difference of [m].
Real gap_rounding(const StepModel& model, const Workspace& work) noexcept;

// The body whose residual does most work, as last measured.
BodyIndex hardest_body(const StepModel& model, const Workspace& work) noexcept;

// read_energy(), by packs.
Energy energy_of(const StepModel& model, const State& state, Workspace& work) noexcept;

// Iterate ⊕ h̄u. λ is that of the solve, or grows by it where the right-hand side was a defect.
enum class Forces { Replaced, Added };
void correct(const StepModel& model, const Attempt& attempt, Forces forces, Workspace& work,
             const SolveContext& context) noexcept;

// Turns the iterate into a state: time, stretches, work fed in, remembered angles. Its history is the state before it, and is
// handed over where the attempt is accepted.
void finish_attempt(const StepModel& model, const State& state, const Attempt& attempt,
                    Workspace& work, const SolveContext& context) noexcept;

}  // namespace taut::stepper
