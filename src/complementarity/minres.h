// MINRES [PaigeSaunders1975] for ⎡H Jᵀ; J −Σ⎤(x, −y) = (f, g), preconditioned by the block diagonal
// (D_i of each body, J D⁻¹Jᵀ + Σ of each dual node). In its norm both parts are the square root of an energy, and mass ratios
// within a node do not matter. Those between nodes do: the number of iterations grows with the square root of the condition
// number that is left.
#pragma once

#include <vector>

#include "complementarity/responses.h"
#include "linalg/saddle_matrix.h"

namespace taut::complementarity {

class Minres {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // Inverses of the diagonal blocks; `responses` of the same H.
    void precondition(const linalg::SaddleSystem& system, const Responses& responses) noexcept;
    // From the guess in `solution`, until the preconditioned residual has fallen below tolerance times that of zero.
    // Returns the number of products. Redundant rows are allowed if they are consistent. No allocation.
    int solve(const linalg::SaddleSystem& system, Real tolerance,
              linalg::SaddleSolution& solution) noexcept;

private:
    using Vector = std::vector<Real>;
    Real norm_of_right_hand_side(const linalg::SaddleSystem& system) noexcept;
    Real load_guess(const linalg::SaddleSystem& system,
                    const linalg::SaddleSolution& solution) noexcept;
    void product(const linalg::SaddleSystem& system, const Vector& v, Vector& out) const noexcept;
    void apply_inverse(const Vector& v, Vector& out) const noexcept;
    Real dot(const Vector& a, const Vector& b) const noexcept;

    const linalg::SaddlePattern* pattern_ = nullptr;
    const Responses* responses_ = nullptr;
    Vector duals_;  // inverses of the dual blocks, by their first_row · 6
    Vector u_, r1_, r2_, v_, z_, w_, w1_, w2_;
};

}  // namespace taut::complementarity
