// Settings of a step, and the reports of a step and of a world.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <taut/ids.h>
#include <taut/step_settings.h>
#include <taut/types.h>

namespace taut {

// Time spent per phase of a step [s]; the remainder is spent in the Newton iteration and the step control.
struct StepTimes {
    double whole = 0;
    double collision = 0;  // contact detection
    double assembly = 0;   // assembly of the linear systems
    double solve = 0;      // factorisations and inequality rows
};

enum class StepStatus {
    Ok,
    Refused,  // settings are out of range or incompatible; the world is unchanged
    // no new state was found: it would not be finite, or a step of one solve has no solution; the world keeps the state
    // before the step. Where this holds for a part of the
    // islands only, these are frozen, see StepReport::frozen.
    Diverged,
};

// How a linear solve ended.
enum class SolveOutcome {
    Solved,      // the residual is as small as the solver was asked for, or known to be
    Inaccurate,  // the best solution that was found has a larger residual: rows that contradict each other, a matrix that
                 // the factorisation does not bear, or too few iterations
    Failed,      // there is no solution to use
};

struct SolveReport {
    SolveOutcome outcome = SolveOutcome::Solved;
    std::string_view reason;  // static text: why it failed; empty otherwise
    bool finite = true;       // the numbers of the solution are; see outcome for whether it is one
    // ‖b − A x‖ over ‖b‖ + ‖A‖‖x‖, largest row, after refinement; empty: not measured, because a converged step
    // measures the residual of its nonlinear equations instead. With inequality rows: of the natural map, relative
    std::optional<Real> residual = 0;
    int refinements = 0;
    std::optional<int>
        negative_pivots;  // of the factorisation; empty if the solver does not provide it
    std::optional<int> expected_negative_pivots;  // number of constraint rows
    bool inertia_right() const noexcept
    {
        return !negative_pivots || negative_pivots == expected_negative_pivots;
    }
};

// Energy taken from the bodies, or given to them where it is negative [J]:
//
//     change of the total energy = work done on the bodies − damping − friction − impacts − numerical
//
// All but `numerical` are what the described mechanism takes. `numerical` is the rest, the energy error of the time
// integration: dissipation of the scheme, adaptive damping of the stabilisation, steps that were slowed down, drift
// correction. An exact integration has none.
struct Dissipation {
    Real damping = 0;   // damped joints and springs
    Real friction = 0;  // of contacts: sliding, rolling and spinning
    // Velocities that jump: bounces, contacts, stops and ropes that begin to act, initial velocities that joints or
    // motors do not allow; and the energy stored in joints that break.
    Real impacts = 0;
    Real numerical = 0;
    Real physical() const noexcept { return damping + friction + impacts; }
    Real total() const noexcept { return physical() + numerical; }
};

// Report of the whole world. Islands are solved separately and share one report: solves, gap and residual are the
// maxima over the islands, counts and energies are sums, reason and hardest body belong to the island with the
// hardest step.
struct StepReport {
    StepStatus status = StepStatus::Ok;
    std::string_view reason;  // static text: why the step failed or was retried; empty otherwise
    int solves = 0;
    int back_substitutions = 0;  // how many of them used a factor once more; the others made one
    int midpoint = 0;            // number of islands that were stepped by the midpoint scheme
    SolveReport solve;           // of the last linear solve
    int islands = 1;             // parts of the world that no joint, spring or contact connects
    int asleep = 0;              // number of sleeping islands
    // Number of frozen islands: their state would not be finite after a step, because numbers in them are out of range. They
    // stay where they are and meet nothing, the other islands go on; hardest_body is the body whose numbers are farthest
    // out of range, and `settled` is false. An island is stepped again when its bodies are set from outside.
    int frozen = 0;

    // False: the end of the step does not satisfy its equations, and `reason` says what is wrong. Guarded schemes: accepted
    // at the maximum number of solves, see StepSettings::max_solves. One solve a step, and the classical schemes: the
    // solve was not accurate, or joints are open by more than a tenth of the size of the mechanism.
    bool settled = true;

    // actions of the step control (guarded schemes)
    // number of sub-steps that fell back from the two-step scheme to backward Euler
    int restarts = 0;
    int gains_refused = 0;   // number of converged sub-steps rejected because of an energy gain
    int impacts = 0;         // number of impacts that the step was cut at
    int halvings = 0;        // number of times a sub-step was halved
    int sub_steps = 0;       // of the island that took most; 1: every island took the step whole
    Real residual_work = 0;  // bound of the energy error due to the remaining residuals [J]
    // largest remaining |φ + Cλ|, or new penetration left by max_solves; angles times the size of the scene [m]
    Real residual_gap = 0;
    Real energy_change = 0;   // change of the total energy minus the work done on the bodies [J]
    Dissipation dissipation;  // where it went: −energy_change = dissipation.total()
    StepTimes times;          // with StepSettings::profile; sum over all islands
    BodyId hardest_body;      // with the largest residual; by default none
};

// [J]. total() is constant in a conservative scene.
struct Energy {
    Real translation = 0;
    Real rotation = 0;
    Real gravity = 0;  // zero at height 0
    Real joints = 0;   // stored in compliant rows
    Real springs = 0;
    Real kinetic() const noexcept { return translation + rotation; }
    Real total() const noexcept { return translation + rotation + gravity + joints + springs; }
};

// Work done on the bodies since time 0 [J].
struct Work {
    Real motors = 0;      // motors and servos
    Real prescribed = 0;  // kinematic bodies and moving surfaces
    Real loads = 0;       // applied forces and torques
    Real total() const noexcept { return motors + prescribed + loads; }
};

struct Momentum {
    Vec3 linear = Vec3::Zero();   // [kg m/s]
    Vec3 angular = Vec3::Zero();  // about the world's origin [kg m²/s]
};

// Damping that an adaptive stabilisation added to one body in the last step: diagonal of B, world axes.
struct BodyDamping {
    Vec3 linear = Vec3::Zero();   // [N s/m]
    Vec3 angular = Vec3::Zero();  // [N m s/rad]
};

enum class Axes { World, Body0, Body1, JointFrame };

// One point of contact.
struct ContactReading {
    BodyId a, b;
    Vec3 point = Vec3::Zero();   // on b, in the world [m]
    Vec3 normal = Vec3::Zero();  // from b to a
    Vec3 force = Vec3::Zero();   // on a, at the point [N]
    Vec3 torque = Vec3::Zero();  // rolling and torsional friction on a [N m]
    Real gap = 0;                // before the step [m]; negative: penetration
    ColliderId collider_a, collider_b;
    // On a: force times the length of the step [N s], that of the last part where it was taken in parts; no impacts.
    Vec3 impulse = Vec3::Zero();
};

struct JointReading {
    // on body 0 (on body 1 where body 0 is the world), at the joint frame [N]
    Vec3 force = Vec3::Zero();
    Vec3 torque = Vec3::Zero();  // on the same body about the joint frame's origin [N m]
    // rotation of body 1 relative to body 0 about n [rad]; types that only rotate about n count full turns
    Real angle = 0;
    Real angle_rate = 0;   // [rad/s]
    Real slide = 0;        // displacement of body 1 along n of body 0 [m]
    Real slide_rate = 0;   // [m/s]
    Real gap = 0;          // largest |φ + Cλ| over rows that measure length [m]
    Real angular_gap = 0;  // the same over rows that measure angle [rad]
    bool loaded = false;   // carries force: a taut rope, a limit at its stop, an active drive
    bool capped = false;   // a drive at its force limit
    bool broken = false;   // has exceeded its break force or break torque
};

}  // namespace taut
