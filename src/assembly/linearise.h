// Model and State → the saddle system of one step, at the state's poses.
#pragma once

#include <vector>

#include <taut/catalogue.h>

#include "assembly/damping_state.h"
#include "assembly/layout.h"
#include "assembly/scheme_weights.h"
#include "core/team.h"
#include "linalg/saddle_matrix.h"
#include "model/state.h"

namespace taut::assembly {

// What the step starts from, per body. The scheme fills it; kinematic bodies have theirs prescribed.
struct BodyStart {
    BodyPose pose;                // where φ, J and K̃ are evaluated
    Mat3 inertia = Mat3::Zero();  // world axes, where M is evaluated [kg m²]
    // Momentum on the right-hand side: that of the start, less the iterate's where it is corrected.
    Vec3 carried_v = Vec3::Zero();                        // linear momentum over mass [m/s]
    Vec3 angular_momentum = Vec3::Zero();                 // world axes [kg m²/s]
    Vec3 v = Vec3::Zero(), w = Vec3::Zero();              // velocity at the start of the step
    Vec3 drift_v = Vec3::Zero(), drift_w = Vec3::Zero();  // v̂: velocity over its first 1−β
};

// From one to the next, in numbers.
inline constexpr int kBodyStart = sizeof(BodyStart) / sizeof(Real);
static_assert(sizeof(BodyStart) % sizeof(Real) == 0);

// Per row, kept for the end of the step.
struct RowStart {
    Real phi = 0;
    Real rate = 0;   // J v at the start; computed for motors and servos always, else where needed
    Real drift = 0;  // J v̂
    Real prescribed = 0;  // the part of J v⁺ that kinematic bodies make
    Real rhs = 0;         // J v⁺ + Σμ = rhs
};

struct Linearisation {
    std::vector<BodyStart> bodies;
    std::vector<RowStart> rows;
    std::vector<Vec3> load_force,
        load_torque;             // per body, mean over the step, at the centre of mass
    std::vector<Real> reaction;  // Jᵀμ with the state's λ, per unknown of H
    linalg::SaddleSystem system;
    DampingState damping;
    Team team;  // threads for large models

    void attach(const StepModel& model, const Layout& layout);
};

// Fills work.system and work.rows from work.bodies; angles are unwrapped by the state's memory, K̃ takes
// its λ. Allocates nothing.
void linearise(const StepModel& model, const State& state, const SchemeWeights& scheme,
               Stabilisation stabilisation, const Layout& layout, Linearisation& work) noexcept;

// The same but for M and momentum, which are there already: joints, springs and K̃.
void write_elements(const StepModel& model, const State& state, const SchemeWeights& scheme,
                    Stabilisation stabilisation, const Layout& layout,
                    Linearisation& work) noexcept;

}  // namespace taut::assembly
