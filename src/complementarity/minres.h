// MINRES [PaigeSaunders1975] for ⎡H Jᵀ; J −Σ⎤(x, −y) = (f, g), preconditioned by the block diagonal
// (D_i of each body, J D⁻¹Jᵀ + Σ of each dual node). In its norm both parts are the square root of an energy, and mass ratios
// within a node do not matter. Those between nodes do: the number of iterations grows with the square root of the condition
// number that is left.
#pragma once

#include <vector>

#include "complementarity/responses.h"
#include "complementarity/thresholds.h"
#include "solver/linear_solver.h"

namespace taut::complementarity {

class Minres final : public LinearSolver {
public:
    std::string_view name() const noexcept override { return "minres"; }
    void prepare(const linalg::SaddlePattern& pattern) override;
    // From the guess in `solution`, until the preconditioned residual has fallen below the tolerance times that of zero; the
    // report has their ratio. Redundant rows are allowed if they are consistent, bodies must be positive definite. No allocation.
    SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution,
                      Check check) noexcept override;
    bool takes_unsymmetric() const noexcept override { return false; }
    void set_tolerance(Real tolerance) noexcept override { tolerance_ = tolerance; }

private:
    // Inverses of the diagonal blocks.
    void precondition(const linalg::SaddleSystem& system) noexcept;
    // Returns the norm of the residual.
    Real iterate(const linalg::SaddleSystem& system, Real target,
                 linalg::SaddleSolution& solution) noexcept;
    using Vector = std::vector<Real>;
    Real norm_of_right_hand_side(const linalg::SaddleSystem& system) noexcept;
    Real load_guess(const linalg::SaddleSystem& system,
                    const linalg::SaddleSolution& solution) noexcept;
    void product(const linalg::SaddleSystem& system, const Vector& v, Vector& out) const noexcept;
    void apply_inverse(const Vector& v, Vector& out) const noexcept;
    Real dot(const Vector& a, const Vector& b) const noexcept;

    const linalg::SaddlePattern* pattern_ = nullptr;
    Responses responses_;
    Real tolerance_ = InnerSolverThresholds::kMinresTolerance;
    Vector duals_;  // inverses of the dual blocks, by their first_row · 6
    Vector u_, r1_, r2_, v_, z_, w_, w1_, w2_;
};

}  // namespace taut::complementarity
