// The held rows of a mechanism at one state, with J M⁻¹ Jᵀ factored; and the projections made of it.
//
// Rows that follow from others (closed loops often have some) are found by pivoting and carry no force:
// the motion does not depend on which of them carries it.
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "stepper/classical/equations.h"

namespace taut::stepper::classical {

class HeldRows {
public:
    // `softness`, one per held row, is added to the diagonal; none if empty.
    HeldRows(const Mechanism& mechanism, const State& state, const RowValues& rows,
             const Vector& softness = {});

    bool none() const noexcept { return J.rows() == 0; }
    Vector solve(const Vector& b);  // (J M⁻¹ Jᵀ + softness)⁻¹ b
    // Positions, among the held rows, of those that no others imply.
    const std::vector<int>& independent() const noexcept { return independent_; }

    Matrix J;                // held rows only
    Matrix mass_inverse_Jt;  // M⁻¹ Jᵀ
    Real residual = 0;       // worst so far, relative
    int solves = 0;

private:
    Matrix A_;  // scaled to a unit diagonal
    Vector scale_;
    std::vector<int> independent_;
    Eigen::LLT<Matrix> factor_;  // of the independent rows
};

Vector pick(const Vector& all, const std::vector<int>& which);
void put_back(const Vector& part, const std::vector<int>& which, Vector& all);

// Poses moved onto φ = 0, shortest way in the metric of M, gradients at the iterate. False where the
// iteration does not converge. Rows that hold a velocity take no part.
bool project_poses(const Mechanism& mechanism, State& state, int& solves, Real& residual);

// Velocities projected onto J v = target. Adds the impulses per held row.
Vector project_velocities(const Mechanism& mechanism, State& state, int& solves, Real& residual);

// Whether an iteration on φ has converged: to round-off of positions of the scene's size, or a little above
// where the error no longer falls.
class ConvergenceTest {
public:
    explicit ConvergenceTest(const Mechanism& mechanism);
    bool has_converged(const Vector& error) noexcept;
    bool has_failed() const noexcept { return !std::isfinite(before_) || steps_ > kMostSteps; }

private:
    static constexpr int kMostSteps = 50;
    Real closed_;
    Real before_ = std::numeric_limits<Real>::max();
    int steps_ = 0;
};

}  // namespace taut::stepper::classical
