// Every threshold of the guarded step: value, unit, and where it comes from. Those of the contact search, of sleep and of the
// solvers are in contacts/contact_settings.h, islands/island_settings.h and the thresholds.h of their folders.
//
// "Study" names a record in docs/decisions; "chosen" means that values around it were tried on the shipped scenes and on
// random mechanisms, and that none of them was clearly better; "assumed" means that no
// study of it is recorded, neither in docs/decisions nor in the history of the value. A decision at the head of a struct is the source
// of all entries that name no other. None of these is a tuning parameter for users: lengths are measured against the size of the
// island (StepRows::size), energies against the kinetic energy in motion, times against the step.
#pragma once

#include <cstddef>
#include <cstdint>

#include <taut/types.h>

namespace taut::stepper {

// When Newton's method goes on, and when it gives up (decision 8).
struct NewtonSettings {
    int usual_iterations = 8;  // an attempt that has not converged by then rarely does (decision 8)
    int extra_iterations =
        3;  // granted whenever the largest gap has halved within that many: assumed
    int most_iterations = 30;    // however much gaps still shrink: chosen
    int tension_iterations = 1;  // with the positive tension form of K̃, before the symmetric one
    int mixed_iterations = 3;    // up to here only joints that carry torque take the symmetric form
    Real reuse_margin =
        10;  // [-] an old factor is used again if it still converges when this much worse than it looks: assumed
    Real symmetric_residual =
        1e-9;  // [-] relative residual above which an indefinite factor is rejected: assumed
    // A pile of contacts is not solved to the last digit: where its inequality rows are left unsolved and solves stop
    // halving the residual work, or at the end of the iterations, this many tolerances are accepted (decision 10).
    Real contact_slack = 100;  // [-]
    int stalled_solves = 2;    // solves that did not halve the residual work (decision 10)
};

// Islands whose contacts move (moving_contacts.h, decision 20).
struct MovingContactSettings {
    std::size_t fewest_contacts = 5;  // fewer are solved exactly
    // [-] of the kinetic energy of a fall of one step: with more an island begins to take convex steps, with less it ceases to
    Real enter = 1e-4, leave = 1e-5;
    // [-] of the kinetic energy without rotation: an island that has enough of it takes convex steps whatever rounding does to the energy: assumed
    Real certain = 0.9;
    // Linearisations of an attempt. After the second it is accepted if no contact penetrates by more than `penetration`, after the
    // last if joints are closed.
    int iterations = 3, usual_iterations = 2;
    // [-] of the thinner body's half width: after the first linearisation, and after the second
    Real small_penetration = 0.002, penetration = 0.01;
    Real joint_gap = 1e-5;  // [-] of the size
    // [-] of the half width of the thinner body: recovery of deeper contacts is suspended where it would gain energy, and tried again
    // even if nothing moves: assumed
    Real deep = 0.1;
    Real slack = 1e3;  // [-] of the tolerance: residual work after the first linearisation
    // [-] of the energy of a fall of one step of a mean body: less is not worth another factorisation
    Real negligible = 1e-2;
    Real law_tolerance = 10;  // [-] of the tolerance: of the laws
    // [-] without a change of the active set before the two-step scheme is tried: its attempt is lost where one begins or ceases to act
    Real unchanged_steps = 4;
    std::uint32_t blocking_part =
        8;  // recovery of penetration is given up in sub-steps of 1/8 and shorter: assumed
};

// Linear solves that one step may take when the user sets no max_solves.
struct BudgetSettings {
    int solves = 2000;  // chosen: 4096 sub-steps are never reached before it
    int factorisations =
        500;  // or sweeps that cost as much, where inequality rows exist: bounds the time of a step (fuzzing)
    // of one attempt where inequality rows exist, and a quarter of what is left where that is more: else two attempts whose laws
    // are not solved take them all, and none is left for shorter sub-steps. An attempt that converges takes up to 80: by trial
    int of_attempt = 100;
    // for the inequality rows of one solve, whatever is left: with fewer, bodies sink into each other: by trial
    int least_factorisations = 5;
};

// Retries of a step that ended with new penetration (world/world_step.h).
struct RetrySettings {
    // of a step: 1 ms at 60 Hz. What penetrates in a retry of so many parts is accepted (docs/results/contacts.md)
    int most_parts = 16;
    // of one group in its first attempt and all its retries, where the user sets no max_solves: chosen
    int solves = 1000;
    // Parts that an island with contacts is stepped in from the start: so many that no contact which closes moves by more than
    // `motion` of the half width, or turns by more than that [rad], in one of them: with 0.7 a pile takes as many solves (decision 20).
    int most_first_parts = 4;
    Real motion = 0.5;
    int fewest_contacts = 5;  // of such an island, as MovingContactSettings::fewest_contacts
    // A part that was taken again with the contacts of its end is not halved for new penetration at this share of the contacts of
    // its group [-], if none of it is deeper than `accepted_depth` of the half width: one contact in 200, hence never in a small
    // group (decision 20)
    Real accepted_share = 0.005;
    Real accepted_depth = 0.25;
    // of one group in all its attempts at a step: when they are spent, any number of contacts may penetrate by that much. By trial:
    // a pile of 500 takes 80 on average
    int usual_solves = 200;
    // Restarts of a group that met another island: from then on it is searched for what it may meet in the whole step before it is
    // stepped (decision 20)
    int restarts_before_search = 1;
    // of each part, even if the others are spent, where the user sets no max_solves: the most that a part takes (below)
    int fewest_solves_per_part = 10;
    // of max_solves for each part: with fewer the step is taken in fewer parts, so that the budget bounds its cost. A part
    // takes 3 to 10: by trial
    int solves_worth_a_part = 10;
    // [-] of the half width of the thinner body: what is deeper in another one than AcceptanceSettings::tunnelling_depth, and deeper than
    // before by this, is held where max_solves leaves no retry: above the rounding of what rests there: assumed
    Real held_growth = 1e-3;
};

// What a converged iterate must satisfy.
struct AcceptanceSettings {
    Real gap = 1e-6;  // [-] of the size: the largest row residual (decision 8)
    Real fall =
        30;  // [m/s²] times tolerance and h²: gaps feed back as forces like 1/h² (decision 8)
    Real contact_fall =
        1000;  // [m/s²] the same for contacts, whose gaps do not feed back: penetration is
               // recovered over kRecoveryTime, open contacts close by gravity: assumed
    Real rounding = 1e-13;  // [-] of the size, or of the distance from the origin: 500 ulp
    Real row_rounding =
        16e-16;  // [-] of the same, 8 ulp: how well φ of one row is known. A gap is a
                 // sum of about as many terms of that size
    Real open_joint =
        1e-5;  // [-] of the size: a gap above it is an open joint, not an inexact solve, which leaves 1e-6: assumed
    Real largest_final_gap =
        1e-4;  // [-] of the size: an iterate with larger gaps is not accepted at the end of the budget (decision 8)
    // [-] of the half width of the thinner body: no step that leads a contact farther in is accepted, because the next one might
    // push the bodies out on the other side. Half of what it takes.
    Real tunnelling_depth = 0.5;
    Real unguarded_gap =
        0.1;  // [-] of the size: a step that is not guarded and ends with larger gaps is not settled: assumed
    Real largest_number = 1e100;  // squares and products of the next step still fit into a double
};

// The energy that a step may end with.
struct LedgerSettings {
    Real slack =
        3e-3;  // [-] of the kinetic scale: errors that come and go within a swing (decision 8)
    Real rate = 5e-4;  // [1/s] of the kinetic scale: errors of the work fed in (decision 8)
    Real most_slowed =
        0.5;  // [-] of the kinetic energy that slowing down may take: velocities by 1/√2 at most: assumed
    Real fading =
        10;  // [s] in which peaks of the kinetic scale and of the ledger are forgotten: chosen
};

// Sub-steps. Units are powers of two, so that halves of halves stay whole numbers.
struct SubStepSettings {
    std::uint32_t units =
        1u
        << 12;  // the step in units of its shortest sub-step: assumed; BudgetSettings ends a step before it
    std::uint32_t least_refused_part =
        64;  // a sub-step of 1/64 that still gains energy is slowed down instead of halved: chosen (decision 19)
    std::uint32_t after_impact =
        64;  // [units] of the backward Euler sub-step after an impact: takes (ωh/64)² of the energy
    std::uint32_t first =
        64;  // [units] of the first sub-step of a mechanism on contacts, as after an impact,
    std::uint32_t first_without_contacts = 256;  // and of others: costs 1.2 (ωh/16)² of the speed
    int first_solves =
        16;  // that max_solves must allow for the sub-steps of such a start: six, with up to two each
    Real impact_units =
        1.5;  // [units] contacts that close within this time are resolved at once: no sub-step is shorter than one
    Real blocked_time =
        0.5;  // [s] before penetration that could not be recovered is tried again (decision 10)
    Real penetration =
        1e-9;  // [-] of the size: less is no penetration, as ImpactSettings::touching_gap
};

// Bodies that rest on contacts.
struct ContactRestSettings {
    Real speed =
        1e-5;  // [-] of the velocity of a fall of one step: slower bodies start from rest. The
               // tolerance of the solver for inequality rows: smaller velocities are what it leaves
};

// Impacts with restitution (impact.h).
struct ImpactSettings {
    Real touching_gap = 1e-9;  // [-] of the size: contacts with a smaller gap touch: assumed
    std::size_t most_contacts =
        24;  // of an island whose impacts without restitution cut the step: a few bodies. In a pile one closes in every step
    int cuts = 4;              // per step, without restitution: an impact takes 2 or 3, by trial
    Real inelastic_soon = 16;  // [units] the same as impact_units: 1/256 of the step: assumed
    Real velocity_interval =
        64;  // [-] the step over the interval in which kinematic velocities are differenced: assumed
    Real duration = 1e-100;  // [s] of an impact: nothing but impulses acts, and 1/h is still finite
    Real joint_loss =
        1e-3;  // [-] of the kinetic energy: velocities set from outside that fit joints and motors to this have a history: assumed
    int most_passes =
        200;  // then all closed contacts are resolved at once: bounds the time of a step, assumed
    Real resting_rate =
        1e-3;  // [-] of the least rebound speed: slower contacts are at rest: assumed
    Real rate_rounding = 1e-12;  // [-] of the rate itself: some 4500 ulp
    Real largest_residual =
        1e-6;  // [-] residual of the impulses above which the step counts as not settled: assumed
    Real work_rounding =
        1e-9;  // [-] of the work of the contacts: less is no gain of energy: assumed
};

// What the solver for inequality rows is asked for, and what counts as a force.
struct InequalitySettings {
    Real tolerance_without_contacts =
        1e-3;  // [-] of the tolerance, without contacts: limits are solved exactly (decision 10)
    Real tolerance_with_contacts =
        0.1;  // [-] of the tolerance, with contacts: a pile never is (decision 10)
    Real finest =
        1e-9;  // [-] asked for where a solve that met its tolerance did not suffice: a tenth
               // of what it usually leaves, above round-off of piles
    Real finest_without_contacts = 1e-14;  // [-] the same, 50 ulp (decision 16)
    int factorisations = 10;               // per solve (decision 10)
    int sweeps = 300;                      // per solve, of the Gauss-Seidel methods: assumed
    Real slight_force =
        1e-6;  // [-] of the weight of the lighter body: forces below it come and go by rounding: assumed
};

// Rotation of the one-solve schemes and of free bodies (free_rotation.h).
struct RotationSettings {
    Real most_extra_turn =
        0.2;  // [rad] a larger turn beyond free rotation in one step is no guide to the next: assumed
    Real rounding =
        1e-14;  // [-] of ω: a smaller difference from free rotation is rounding of the solve
    Real largest_turn =
        1;  // [rad] per sub-step of a free rotation, so that Newton's method converges: assumed
    int most_sub_steps =
        1000;  // beyond, the body rotates about its angular momentum: bounds the time of a step, assumed
    int most_iterations =
        12;  // of Newton's method per sub-step; it converges quadratically: assumed
    Real tolerance =
        4e-16;  // [-] of |Λ|: a few ulp of the terms summed, smaller would chase rounding
    Real last_step =
        1e-9;  // [-] of |Λ|: after a smaller Newton step the residual is rounding, by quadratic convergence
    Real diverged = 1e3;  // [-] of |Λ|: a larger residual will not converge: assumed
    Real singular =
        1e-12;  // [-] smallest determinant of Newton's 3×3 matrix, which is 1 at h = 0: assumed
    Real solvable_turn = 2;  // [rad] per sub-step: beyond it tan(hω/2) comes near its pole at π
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
    Real adams_end =
        0.6;  // [-] weight of the end of the step: dissipation 0.1 Ω⁴ a step, ρ∞ = 0.41,
    Real adams_before = 0.1;  // [-] and of the end of the step before the last (decision 15)
    Real adams_growth =
        3;  // [-] of the step over the one before: with weights 0.6, 0.1, 0.3 the largest factor of stiff modes is 0.8
    Real damped_time =
        1;  // [s] in which bdf2 replaces adams after a step had to be cut (decision 15)
    // Mean tension frequencies times the step at which an island changes to the midpoint scheme and back, and one that a
    // single step may have (decision 15)
    Real midpoint_enter = 4, midpoint_leave = 9, midpoint_most = 20;  // [-]
    Real tension_rise = 0.1, tension_fall = 1;  // [s] in which the mean follows (decision 15)
    // [rad] per step: an island whose bodies turn faster does not change to the midpoint scheme, whose angle lags by (hω)²/12, here 2 %
    Real entering_turn = 0.5;
    // [rad] per step: how far the change of an angular velocity may turn a body of a mechanism with few degrees of freedom. Velocities at the
    // ends of longer steps alternate about the mean, with energy that the mean motion misses: a slider-crank lagged by 5 % (decision 15).
    // The motion of longer chains is chaotic, and would cost five times as much.
    Real midpoint_spin_change = 0.03;
    int few_freedoms = 4;  // [-] assumed
    Real spin_fading =
        1;  // [s] in which peaks of it are forgotten: every change of the sub-steps leaves such an oscillation, too: assumed
    // [-] and [rad/s²] tension frequencies and changes of spin above it are remembered as this: far above all that the choice of the
    // scheme goes by, and below what a snapshot may hold
    Real most_remembered = 1e30;
    Real midpoint_turn = 2;  // [rad] per step: Cayley's turn lags behind faster ones (decision 15)
    // [1/s] (ωh)⁴/h of bodies that orbit about joints, where the midpoint scheme does not take them: adams takes a quarter of it of
    // their energy per second. Above it they are taken in sub-steps, at most so many (decision 15)
    Real damped_rate = 0.008;
    std::uint32_t damped_parts = 8;
    // [-] of the square of an angular velocity that is left in its product with the one before: what swings or tumbles has less: assumed
    Real damped_steadiness = 0.9;
    Real damped_orbit_angle =
        3.2;  // [rad] by which it has moved on its orbit steadily before: half a turn, so that a swing is damped at less cost
    int damped_solves = 3;  // of max_solves for each of these sub-steps: assumed
    // [rad] per step: bdf2 takes 1e-7 of the energy of slower turns in a step, which is not worth the midpoint scheme on contacts,
    // nor a sub-step at the start: derived from the error of bdf2
    Real least_turn = 0.02;
    Real unchanged_steps =
        1;  // [-] without a change of the active set before contacts take part in the midpoint scheme: the fewest
    Real taut =
        0.999;  // [-] of its length: a rope with less between its ends does not make bodies orbit: assumed
    Real midpoint_slack =
        10;  // [-] of the tolerance: the residual work of the midpoint scheme has no sign: assumed
    // Steps of the midpoint scheme after which velocities are fitted to the joints, and the share of the kinetic energy that this may
    // take: more is motion of modes that the step hardly resolves, which the scheme is to keep (decision 15)
    int fit_interval = 128;
    Real largest_fit = 1e-4;       // [-]
    int midpoint_iterations = 12;  // of Newton's method (decision 15)
    int midpoint_reuse = 5;  // solves with one factor while they do not halve the residual: assumed
    std::uint32_t midpoint_parts =
        16;  // sub-steps down to 1/16 of the step keep to the midpoint scheme: assumed
    // [-] of the kinetic energy, or of that of a fall of one step: more of it in rows that yield is a straight bridge or net, which
    // hangs in an elasticity that is not its own. The midpoint scheme would let it swing there without end. 5 planks: 0.01 to 0.1
    Real loop_energy = 1e-3;
    Real loop_yield =
        1e-8;  // [-] of the way on which its force would move all bodies in a step: how far a row on a loop yields (loops.h): chosen
    int dense_unknowns =
        1000;  // unsymmetric systems up to this size are solved by the dense LU, which bears redundant rows
};

// Anderson mixing of the midpoint scheme (anderson.h).
struct MixingSettings {
    Real most_weight =
        3;  // [-] of one of the last corrections: above it the past misleads (decision 15)
    Real regularisation =
        1e-10;  // [-] of the normal equations: corrections that depend on each other get no large weights: assumed
    Real least_scale =
        1e-3;  // [-] 1 + cos of the turn of an axis since the factor: beyond it the factor is of no use: assumed
};

struct GuardSettings {
    NewtonSettings newton;
    MovingContactSettings moving;
    BudgetSettings budget;
    RetrySettings retry;
    AcceptanceSettings acceptance;
    LedgerSettings ledger;
    SubStepSettings sub_steps;
    ContactRestSettings rest;
    ImpactSettings impact;
    InequalitySettings inequality;
    RotationSettings rotation;
    SchemeSettings scheme;
    MixingSettings mixing;
};

inline constexpr GuardSettings kGuard;
inline constexpr RotationSettings kRotation = kGuard.rotation;

}  // namespace taut::stepper
