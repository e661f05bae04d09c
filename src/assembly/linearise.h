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
    Vec3 carried_v = Vec3::Zero();            // linear momentum over mass [m/s]
    Vec3 angular_momentum = Vec3::Zero();     // world axes [kg m²/s]
    Vec3 v = Vec3::Zero(), w = Vec3::Zero();  // velocity at the start of the step
    // v̂: velocity over its first 1−β; midpoint: velocity at the end of the step
    Vec3 drift_v = Vec3::Zero(), drift_w = Vec3::Zero();
};

// From one to the next, in numbers.
inline constexpr int kBodyStart = sizeof(BodyStart) / sizeof(Real);
static_assert(sizeof(BodyStart) % sizeof(Real) == 0);

// Poses of the midpoint scheme besides BodyStart::pose, which is the mean of both ends there: p and R as plain means. Products
// of points and axes at that pose have a J with JΔx = Δφ exactly.
struct MidpointPose {
    BodyPose end;
    Mat3 mid_R = Mat3::Identity();  // halfway, a rotation: for rows that measure angles

    BodyPose start(const BodyPose& mean) const noexcept
    {
        return {2 * mean.p - end.p, 2 * mean.R - end.R};
    }
};
inline constexpr int kMidpointPose = sizeof(MidpointPose) / sizeof(Real);

// Per row, kept for the end of the step.
struct RowStart {
    Real phi = 0;
    Real rate = 0;   // J v at the start; computed for motors and servos always, else where needed
    Real drift = 0;  // J v̂; midpoint: J v⁺, while `rate` is that of the mean velocity
    Real prescribed = 0;  // the part of J v⁺ that kinematic bodies make
    Real rhs = 0;         // J v⁺ + Σμ = rhs
};

// Per spring: its force along φ, and the rate that the force works on, which is that of the mean velocities in the midpoint scheme.
struct SpringStart {
    Real pull = 0;        // −k(φ − rest) − d φ̇
    Real rate = 0;        // φ̇
    Real prescribed = 0;  // the part of it that kinematic bodies make
};

struct Linearisation {
    std::vector<BodyStart> bodies;
    std::vector<MidpointPose> midpoint;  // per body, while the scheme is that
    std::vector<RowStart> rows;
    std::vector<SpringStart> springs;
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

// Per row 1 or 0, whether a midpoint step of length h resolves the oscillation of a compliant row or a servo at the state: h² < 16 C m,
// with m the mass that the row feels. Returns whether it does for any.
bool find_resolved_rows(const StepModel& model, const State& state, Real h,
                        std::vector<Real>& resolved) noexcept;

// The same but for M and momentum, which are there already: joints, springs and K̃.
void write_elements(const StepModel& model, const State& state, const SchemeWeights& scheme,
                    Stabilisation stabilisation, const Layout& layout,
                    Linearisation& work) noexcept;

}  // namespace taut::assembly
