// The equations of motion of a mechanism in dense matrices, at any state: M, J, φ, J̇v and forces.
//
//     M v̇ = f + Jᵀλ,     J v̇ = −J̇v + …        rows: those of the joints in the model's order, then springs
//
// Written apart from assembly/ on purpose: these methods are there to be compared with it.
// A row is *held* by a multiplier (rigid position rows, motors) or obeys a *law* (compliant rows, servos,
// springs), λ = −k(φ − φ₀) − d(φ̇ − φ̇₀). Kinematic bodies have no columns; their velocity and
// acceleration enter through `rate` and `bias`.
#pragma once

#include <vector>

#include <taut/report.h>

#include "model/model.h"
#include "model/state.h"

namespace taut::stepper::classical {

using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Vec6 = Eigen::Matrix<Real, 6, 1>;

// λ = −stiffness (φ − at) − damping (φ̇ − rate)
struct SpringLaw {
    Real stiffness = 0;
    Real damping = 0;
    Real at = 0;
    Real rate = 0;
};

// What stays the same during a step.
struct Mechanism {
    const Model& model;
    const StepSettings& settings;
    Real h;
    std::vector<int> first;  // per body: its first column, −1 for bodies that forces do not move
    int freedoms = 0;
    int rows = 0;            // joints' rows and one per spring
    std::vector<int> held;   // rows with a multiplier
    std::vector<int> laws;   // rows with a law
    std::vector<int> joint;  // per row of a joint: which

    Mechanism(const Model& model, const StepSettings& settings);

    RowKind kind(int row) const { return model.rows.groups[joint[row]].kind; }
    bool is_spring(int row) const { return row >= model.rows.count; }
    SpringLaw law(int row, Real time) const;     // of a row of `laws`
    Real target(int row, Real time) const;       // speed a held row asks for: motors; else zero
    Real target_rate(int row, Real time) const;  // its derivative
};

struct RowValues {
    Matrix J;  // rows × freedoms
    Vector phi;
    Vector rate;            // J v, kinematic bodies included
    Vector kinematic_rate;  // the part of it that kinematic bodies contribute
    Vector bias;  // J̇v, and J v̇ of the kinematic bodies; joints' rows, only where asked for
};

// With bias: J̇v is exact. d(Jᵀλ)/dt = K̃(λ) v for a fixed λ, so (J̇v)_r = vᵀ K̃(e_r) v.
enum class Detail { Rates, Bias };
void evaluate(const Mechanism& mechanism, const State& state, Detail detail, RowValues& out);

// The rows `which` of J.
Matrix rows_of(const RowValues& rows, const std::vector<int>& which);

// Force of all laws and everything applied from outside, without gyroscopic torque. `lambda` gets the
// multipliers of the laws.
Vector applied_force(const Mechanism& mechanism, const State& state, const RowValues& rows,
                     Vector& lambda);

// f += −ω × Iω
void add_gyroscopic_torque(const Mechanism& mechanism, const State& state, Vector& f);

// Power at which motors, kinematic bodies and loads do work on the bodies, and at which compliant rows and springs damp.
struct EnergyRates {
    static constexpr int kCount = 4;
    Work work;
    Real damping = 0;

    Eigen::Matrix<Real, kCount, 1> vector() const
    {
        return {work.motors, work.prescribed, work.loads, damping};
    }
    static EnergyRates from(const Eigen::Matrix<Real, kCount, 1>& v)
    {
        return {{v[0], v[1], v[2]}, v[3]};
    }
};
EnergyRates power(const Mechanism& mechanism, const State& state, const RowValues& rows,
                  const Vector& lambda);
void add_work(StepMemory& memory, const EnergyRates& power, Real time);

// X ← M⁻¹ X, at the state's orientations; X has one row per freedom.
void divide_by_mass(const Mechanism& mechanism, const State& state, Eigen::Ref<Matrix> X);

// The inverse of which: dense M.
Matrix mass_matrix(const Mechanism& mechanism, const State& state);

// K̃(λ) of all rows on the columns of the mechanism, and K̃ v with kinematic bodies in v.
void geometric_stiffness(const Mechanism& mechanism, const State& state, const Vector& lambda,
                         Matrix& K, Vector& Kv);

Vector velocities(const Mechanism& mechanism, const State& state);
void set_velocities(const Mechanism& mechanism, const Vector& v, State& state);

// Poses ⊕ δ: p + δp, exp([δθ]ₓ) R.
void move(const Mechanism& mechanism, const Eigen::Ref<const Vector>& delta, State& state);

// state.time ← t; poses and velocities that are prescribed to kinematic bodies at that time.
void set_prescribed(const Mechanism& mechanism, Real t, State& state);

// Acceleration of the centre of mass and angular acceleration of a kinematic body.
Vec6 prescribed_acceleration(const Model& model, const State& state, BodyIndex b);

// An impulse on every body, then motion over the whole step as if nothing held it: straight, and with angular momentum kept.
void advance_unconstrained(const Mechanism& mechanism, const Vector& impulse, State& state);

}  // namespace taut::stepper::classical
