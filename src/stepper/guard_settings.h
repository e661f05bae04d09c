// Every threshold of the guarded step: value, unit, and where it comes from.
//
// "Study" names a record in docs/decisions; "chosen" means that values around it were tried on the shipped scenes and on
// random mechanisms, and that none of them was clearly better; "assumed" means that no
// study of it is recorded. None of these is a tuning parameter for users: lengths are measured against the size of the
// island (StepRows::size), energies against the kinetic energy in motion, times against the step.
#pragma once

#include <cstdint>

#include <taut/types.h>

namespace taut::stepper {

// When Newton's method goes on, and when it gives up.
struct NewtonSettings {
    int usual_iterations = 8;  // an attempt that has not converged by then rarely does (decision 8)
    int extra_iterations = 3;  // granted whenever the largest gap has halved within that many
    int most_iterations = 30;  // however much gaps still shrink: chosen
    int tension_iterations = 1;  // with the positive tension form of K̃, before the symmetric one
    int mixed_iterations = 3;    // up to here only joints that carry torque take the symmetric form
    Real reuse_margin =
        10;  // [-] an old factor is used again if it still converges when this much worse than it looks
    Real symmetric_residual =
        1e-9;  // [-] relative residual above which an indefinite factor is rejected
    // A pile of contacts is not solved to the last digit: where its inequality rows are left unsolved and solves stop
    // halving the residual work, or at the end of the iterations, this many tolerances are accepted (decision 10).
    Real contact_slack = 100;  // [-]
    int stalled_solves = 2;    // solves that did not halve the residual work
};

// Linear solves that one step may take when the user sets no max_solves.
struct BudgetSettings {
    int solves = 2000;         // chosen: 4096 sub-steps are never reached before it
    int factorisations = 500;  // where inequality rows exist; bounds the time of a step (fuzzing)
};

// What a converged iterate must satisfy.
struct AcceptanceSettings {
    Real gap = 1e-6;  // [-] of the size: the largest row residual
    Real fall =
        30;  // [m/s²] times tolerance and h²: gaps feed back as forces like 1/h² (decision 8)
    Real contact_fall =
        1000;  // [m/s²] the same for contacts, whose gaps do not feed back: penetration is
               // recovered over kRecoveryTime, open contacts close by gravity
    Real rounding = 1e-13;  // [-] of the size, or of the distance from the origin: 500 ulp
    Real open_joint =
        1e-5;  // [-] of the size: a gap above it is an open joint, not an inexact solve
    Real torn =
        1e-4;  // [-] of the size: an iterate with larger gaps is not accepted at the end of the budget
    Real largest_number = 1e100;  // squares and products of the next step still fit into a double
};

// The energy that a step may end with.
struct LedgerSettings {
    Real slack =
        3e-3;  // [-] of the kinetic scale: errors that come and go within a swing (decision 8)
    Real rate = 5e-4;  // [1/s] of the kinetic scale: errors of the work fed in (decision 8)
    Real fading =
        10;  // [s] in which peaks of the kinetic scale and of the ledger are forgotten: chosen
};

// Sub-steps.
struct SubStepSettings {
    std::uint32_t units = 1u << 12;  // the step in units of its shortest sub-step
    std::uint32_t strict =
        64;  // a sub-step of 1/64 that still gains energy is slowed down instead of halved
    std::uint32_t after_impact = 64;  // [units] of the backward Euler sub-step after an impact
    Real impact_units = 1.5;  // [units] contacts that close within this time are resolved at once
    Real blocked_time = 0.5;  // [s] before penetration that could not be recovered is tried again
    Real penetration = 1e-9;  // [-] of the size: less is no penetration
};

// Impacts with restitution (impact.h).
struct ImpactSettings {
    Real touching_gap = 1e-9;  // [-] of the size: contacts with a smaller gap touch: assumed
    Real velocity_interval =
        64;  // [-] the step over the interval in which kinematic velocities are differenced: assumed
    Real duration = 1e-100;  // [s] of an impact: nothing but impulses acts, and 1/h is still finite
    int passes =
        200;  // then all closed contacts are resolved at once: bounds the time of a step, assumed
    Real still = 1e-3;  // [-] of the least rebound speed: slower contacts are at rest: assumed
    Real rate_rounding = 1e-12;  // [-] of the rate itself: some 4500 ulp
    Real solved =
        1e-6;  // [-] residual of the impulses above which the step counts as not settled: assumed
    Real work_rounding =
        1e-9;  // [-] of the work of the contacts: less is no gain of energy: assumed
};

// What the solver for inequality rows is asked for, and what counts as a force.
struct InequalitySettings {
    Real finer =
        1e-3;  // [-] of the tolerance, without contacts: limits are solved exactly (decision 10)
    Real finer_than_contacts =
        0.1;                  // [-] of the tolerance, with contacts: a pile never is (decision 10)
    int factorisations = 10;  // per solve (decision 10)
    int sweeps = 300;         // per solve, of the Gauss-Seidel methods: assumed
    Real slight_force =
        1e-6;  // [-] of the weight of the lighter body: forces below it come and go by rounding: assumed
};

// Rotation of the one-solve schemes and of free bodies (free_rotation.h).
struct RotationSettings {
    Real violent =
        0.2;  // [rad] a larger turn beyond free rotation in one step is no guide to the next: assumed
    Real rounding =
        1e-14;  // [-] of ω: a smaller difference from free rotation is rounding of the solve
    Real largest_turn =
        1;  // [rad] per sub-step of a free rotation, so that Newton's method converges: assumed
    int most_sub_steps = 1000;  // beyond, the body rotates about its angular momentum
    int most_iterations = 12;   // of Newton's method per sub-step; it converges quadratically
    Real tolerance =
        4e-16;  // [-] of |Λ|: a few ulp of the terms summed, smaller would chase rounding
    Real last_step =
        1e-9;  // [-] of |Λ|: after a smaller Newton step the residual is rounding, by quadratic convergence
    Real diverged = 1e3;    // [-] of |Λ|: a larger residual will not converge
    Real singular = 1e-12;  // [-] smallest determinant of Newton's 3×3 matrix, which is 1 at h = 0
    Real solvable_turn = 2;       // [rad] per sub-step: beyond it tan(hω/2) comes near its pole
    Real principal_axis = 1e-15;  // [-] of |ω||Λ|: a smaller gyroscopic torque is none, 5 ulp
    Real largest_speed = 1e150;   // [rad/s] squares still fit into a double
    Real series =
        0.05;  // [rad] half angles below it take the series of tan x / x to x⁸: error below 1e-13
};

// Numbers of the arithmetic, and of the scheme.
struct SchemeSettings {
    Real rounding_unit = 4e-16;  // [-] 2 ulp of a double: what no iterate can avoid
    Real most_growth =
        1.6;  // [-] of the step over the one before: bdf2 is unstable beyond 2.4, uneven frames stay below this
    int dense_unknowns =
        1000;  // unsymmetric systems up to this size are solved by the dense LU, which bears redundant rows
};

struct GuardSettings {
    NewtonSettings newton;
    BudgetSettings budget;
    AcceptanceSettings acceptance;
    LedgerSettings ledger;
    SubStepSettings sub_steps;
    ImpactSettings impact;
    InequalitySettings inequality;
    RotationSettings rotation;
    SchemeSettings scheme;
};

inline constexpr GuardSettings kGuard;
inline constexpr RotationSettings kRotation = kGuard.rotation;

}  // namespace taut::stepper
