// Every threshold of the guarded step: value, unit, and where it comes from.
//
// "Study" names a record in docs/decisions; "chosen" means that values around it were tried on the shipped scenes and on
// random mechanisms, and that none of them was clearly better. None of these is a tuning parameter for users: lengths are
// measured against the size of the scene, energies against the kinetic energy in motion, times against the step.
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
    Real gap = 1e-6;  // [-] of the size of the scene: the largest row residual
    Real fall =
        30;  // [m/s²] times tolerance and h²: gaps feed back as forces like 1/h² (decision 8)
    Real contact_fall =
        1000;  // [m/s²] the same for contacts, whose gaps do not feed back: penetration is
               // recovered over kRecoveryTime, open contacts close by gravity
    Real rounding =
        1e-13;  // [-] of the size of the scene, or of the distance from the origin: 500 ulp
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
    Real penetration = 1e-9;  // [-] of the size of the scene: less is no penetration
};

struct GuardSettings {
    NewtonSettings newton;
    BudgetSettings budget;
    AcceptanceSettings acceptance;
    LedgerSettings ledger;
    SubStepSettings sub_steps;
};

inline constexpr GuardSettings kGuard;

}  // namespace taut::stepper
