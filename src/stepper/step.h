// The time step.
#pragma once

#include <memory>

#include <taut/report.h>
#include <taut/result.h>

#include "assembly/linearise.h"
#include "complementarity/complementarity_solver.h"
#include "model/state.h"
#include "solver/linear_solver.h"
#include "stepper/anderson.h"
#include "stepper/free_rotation.h"
#include "stepper/packs/kernel_table.h"

namespace taut::stepper {

// Where a body is expected to turn: freely, and on top of that as in the last step.
struct RotationGuess {
    FreeRotation to;
    Vec3 spin_up =
        Vec3::Zero();  // angular acceleration beyond free rotation that `to` contains [rad/s²]
};

// How a body is held, for the guarded schemes.
struct BodySupport {
    bool is_free = false;        // no joint, contact or spring acts on it: rotate_free() rotates it
    bool unconstrained = false;  // no joint or spring acts on it; contacts may
    bool ballistic = false;      // unconstrained, and no contact is near
};

// A contact's gap at the start of a part of a step (impact.h).
struct Approach {
    Real gap = 0;           // [m]
    Real rate = 0;          // [m/s]
    Real acceleration = 0;  // by gravity alone [m/s²]
};

// Rows side by side.
struct RowRange {
    int first = 0, count = 0;
};

// The system of one stabilisation: its pattern, its numbers and its solvers.
struct SolveContext {
    Layout layout;
    Linearisation linear;
    linalg::SaddleSolution solution;
    // One of the two: `laws`, which has a linear solver of its own inside, where there are inequality rows.
    std::unique_ptr<LinearSolver> solver;
    std::unique_ptr<ComplementaritySolver> laws;
    std::vector<InequalityBlock> blocks;
    ComplementaritySettings law_settings;
    Real kinetic = 0;  // of the iterate that it was made at [J]

    // `convex`: inequality rows will be solved by convex steps alone (moving_contacts.h).
    void prepare(const StepModel& model, Stabilisation stabilisation, const StepSettings& settings,
                 bool convex);
};

// Everything a step needs besides model and state; can be rebuilt from them at any moment.
struct Workspace {
    SolveContext context;  // with the stabilisation of the settings
    // with the symmetric K̃, for the last iterations of the guarded step; no solver: not used
    SolveContext symmetric_context;
    std::vector<RotationGuess> rotation;        // per body
    std::vector<BodySupport> support;           // per body
    std::vector<BodyPack> packs;                // dynamic bodies
    std::vector<AttemptPack> attempts;          // data of the attempt, per pack
    std::vector<BodyIndex> non_dynamic_bodies;  // fixed and kinematic ones
    std::vector<RowRange> plain_rows;           // undamped equality rows of lengths
    std::vector<int> general_groups;            // row groups with any other row
    std::vector<int>
        powered_groups;  // row groups that drive, or are on kinematic bodies or moving surfaces
    std::vector<int> dissipative_groups;   // row groups that are damped, or of contacts
    std::vector<int> loop_rows;            // of joints on loops, see loops.h
    Real loop_compliance = 0;              // of those that measure length [m/N]
    bool wants_rates = false;              // some of them, or springs, ask for velocities
    bool plain_balls_only = false;         // all constraints are BallPacks::plain
    bool any_rotates_freely = false;       // a rigid body that nothing holds
    bool loaded = false;                   // loads act during this attempt
    std::vector<Real> defect_f, defect_g;  // what is left of momentum and of rows, see measure()
    std::vector<Wrench> load_before;       // per body: loads at the start of a two-step attempt
    Real distance_from_origin = 0;         // how far from the origin a body is, for rounding [m]
    std::vector<Real> initial_gap;         // per row: gap at the start of a part of a step
    std::vector<Real> recovery_speed;      // per body, of penetration [m/s]
    std::vector<Approach> approach;        // per row, of the normal rows of contacts
    std::vector<Real> impact_jacobian;     // J, while an impact leaves some rows out
    std::vector<Real> mean;              // midpoint: mean velocities, in the order of the unknowns
    std::vector<Real> force_correction;  // midpoint: per row
    std::vector<Real> resolved_rows;     // midpoint: per row, see find_resolved_rows()
    bool any_resolved = false;           // midpoint: one of them is
    AndersonMixing mixing;
    std::vector<Real>
        tension_inertia;        // per body: what its tension turns, see scheme_choice.h [kg m²]
    bool few_freedoms = false;  // of the whole mechanism, see scheme_choice.h
    State next;                 // what the step would lead to, until it is committed
    State saved;                // the state before the step, while it is taken in parts

    // per part of the packs, see each_part() in newton.cpp
    std::vector<BodyEnergy> energies;
    std::vector<Real> sums;

    // Threads for a step that is large enough to use them.
    void set_threads(const Team& team) noexcept;

    // what the above was made for
    bool convex_only = false;  // steps of islands that move (moving_contacts.h)
    std::uint64_t topology = ~std::uint64_t(0);
    StepSettings settings;
};

// Whether the settings make sense; a static text says why not, nullptr that they do.
const char* refuse(const StepSettings& settings) noexcept;

// Schemes that look back on the step before.
inline bool is_two_step(Scheme scheme) noexcept
{
    return scheme == Scheme::Automatic || scheme == Scheme::Midpoint || scheme == Scheme::Adams ||
           scheme == Scheme::Bdf2;
}

// Whether steps are settled by Newton's method, or taken with one solve.
inline bool is_guarded(const StepSettings& settings) noexcept
{
    return is_two_step(settings.research.scheme) || settings.max_solves > 1;
}

// The solver that Auto stands for in a system of that many unknowns.
Solver resolve_solver(const StepSettings& settings, int unknowns) noexcept;

// Whether the memory is laid out for this model and these settings.
bool is_prepared(const StepModel& model, const StepSettings& settings,
                 const Workspace& work) noexcept;

// Lays out memory if model, stabilisation or solver have changed since the last time. May allocate.
void prepare(const StepModel& model, const State& state, const StepSettings& settings,
             Workspace& work);

// Advances `state` by settings.dt. Allocates nothing if prepared, throws nothing.
StepReport step(const StepModel& model, State& state, Workspace& work,
                const StepSettings& settings) noexcept;

}  // namespace taut::stepper
