// How to step, and what a step or a world has to say about itself. Numbers, no prose in the step.
#pragma once

#include <string>
#include <string_view>

#include <taut/catalogue.h>
#include <taut/ids.h>
#include <taut/types.h>

namespace taut {

struct StepSettings {
    Real dt = Real(1) / 60;  // [s]
    Scheme scheme = Scheme::Bdf2;
    Stabilisation stabilisation = Stabilisation::Tension;
    Solver solver = Solver::Auto;
    LawMethod laws = LawMethod::Newton;  // where limits, contacts or capped drives are
    FrictionShape friction = FrictionShape::Cone;
    Real alpha = Real(0.5);  // alpha_beta: weight of the new forces in the momentum row, in (0, 1]
    Real beta = Real(0.5);  // alpha_beta: weight of the new velocity in the position row, in (0, 1]
    // Most linear solves in one step; 0: as many as it takes for bdf2, one for the other schemes. One is
    // the papers' one-solve step, more let backward_euler settle as well. When it is reached the last
    // iterate is handed out with its velocities scaled so that no energy appears (`settled` is false).
    // Where limits or contacts are, factorisations count, and the last solve is brought to its end; a step that is taken
    // again because bodies ended inside each other has ten for each of its parts all the same.
    int max_solves = 0;
    // Guarded schemes: what the residuals of a settled step may do in work per second, over the energy
    // in motion [1/s].
    Real tolerance = Real(1e-4);
    // penalty, implicit_penalty: of rigid rows of length [N/m]; 0 takes it from masses and dt
    Real penalty_stiffness = 0;
    Real baumgarte_rate = 0;  // baumgarte: γ, how fast errors fade [1/s]; 0 is 1/(5 dt)
    // adaptive damping: how close to the edge of stability, above 0; 1 is on it, less is inside
    Real damping_alpha = 1;
    // Parts of the world that nothing connects, and parts of large mechanisms, are solved side by side: on
    // how many threads, 0: on all that the machine has, at most 256. The bits are the same for any number.
    // A build without threads (CMake option TAUT_THREADS=OFF) accepts any number and steps on the caller's thread.
    int threads = 1;
    // What has come to rest, and would stay there, is no longer solved until something touches it.
    bool sleep = false;
    bool profile = false;  // measure StepReport::times
};

// Where the time of a step went [s]; what is missing from the whole is Newton's own work and the guard's.
struct StepTimes {
    double whole = 0;
    double collision = 0;  // finding contacts
    double assembly = 0;   // numbers of the systems
    double solve = 0;      // factorisations and laws
};

enum class StepStatus {
    Ok,
    Refused,   // settings are out of range or do not go together; nothing changed
    Diverged,  // the new state would not be finite; the world keeps the state before the step
};

struct SolveReport {
    bool finite = true;
    // ‖b − A x‖ over ‖b‖ + ‖A‖‖x‖, largest row, after refinement; −1: not measured, because a step that settles
    // measures what is left of its own equations
    Real residual = 0;
    int refinements = 0;
    int negative_pivots = -1;           // of the factorisation; −1 where the solver cannot tell
    int expected_negative_pivots = -1;  // number of constraint rows
    bool inertia_right() const noexcept
    {
        return negative_pivots < 0 || negative_pivots == expected_negative_pivots;
    }
};

// Of the whole world. Islands, which are solved each by itself, share one report: solves, gap and residual
// are those of the island with most, counts of what the guard did and energies are sums, reason and
// hardest body belong to the island that fared worst.
struct StepReport {
    StepStatus status = StepStatus::Ok;
    std::string_view reason;  // static text: why it failed or was hard; empty when all is well
    int solves = 0;
    SolveReport solve;  // of the last one
    int islands = 1;    // parts of the world that nothing connects
    int asleep = 0;     // of these, such as were left at rest

    // what the guard had to do (schemes that settle)
    bool settled = true;     // false: handed out at the cap on solves, see StepSettings::max_solves
    int restarts = 0;        // times the two-step scheme gave way to backward Euler
    int gains_refused = 0;   // times what had settled was refused because energy appeared
    int impacts = 0;         // times velocities jumped because bodies met and bounced
    int halvings = 0;        // times a part of the step was cut in two
    Real residual_work = 0;  // the energy that what is left unsettled can make, at most [J]
    Real residual_gap = 0;   // largest |φ + Cλ| left; angles count times the scene's size [m]
    Real energy_change = 0;  // of the total energy, less the work fed in [J]
    StepTimes times;         // with StepSettings::profile; of all islands together
    int hardest_body = -2;   // index of the BodyId that was furthest from settling; −2: none was
};

// [J]. total() is what a conservative scene keeps.
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
    Real prescribed = 0;  // kinematic bodies
    Real loads = 0;       // applied forces and torques
    Real total() const noexcept { return motors + prescribed + loads; }
};

struct Momentum {
    Vec3 linear = Vec3::Zero();   // [kg m/s]
    Vec3 angular = Vec3::Zero();  // about the world's origin [kg m²/s]
};

// What the adaptive stabilisations added to one body in the last step: diagonal of B, world axes.
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
    Vec3 torque = Vec3::Zero();  // on a, against rolling and spinning [N m]
    Real gap = 0;                // before the step [m]; negative: pressed in
};

struct JointReading {
    Vec3 force =
        Vec3::Zero();  // on body 0 (on body 1 where body 0 is the world), at the joint frame [N]
    Vec3 torque = Vec3::Zero();  // on the same body about the joint frame's origin [N m]
    Real angle =
        0;  // about n, of body 1 against body 0 [rad]; types that turn about n alone count turns
    Real angle_rate = 0;   // [rad/s]
    Real slide = 0;        // of body 1 along n of body 0 [m]
    Real slide_rate = 0;   // [m/s]
    Real gap = 0;          // largest |φ + Cλ| over rows that measure length [m]
    Real angular_gap = 0;  // the same over rows that measure angle [rad]
    bool loaded = false;   // carries force now: a rope is taut, a limit is at a stop, a drive gives
    bool capped = false;   // a drive at its max_force
    bool broken = false;   // has given way
};

}  // namespace taut
