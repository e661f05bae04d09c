// The second fallback for active sets that cycle: a primal-dual interior point method that follows the
// central path of the associated problem, with the correction of De Saxcé [DeSaxce1998] lagged:
//
//     J x + Σy − g + μ|s_t| e_n = s̃,   y ∈ K_μ,  s̃ ∈ K_μ*,  y ∘ s̃ = τ ω e,   τ → 0
//
// At its fixed point s_n = s̃_n − μ|s_t| satisfies Coulomb's law. For a given correction the problem is convex, and the number of
// steps depends little on mass ratios and redundant rows: each step is one factorisation of the same pattern, about
// twenty in all. The scaling is that of Nesterov and Todd [Vandenberghe2010]; the block Σ + W⁻² = T⁻¹T⁻ᵀ of a group enters as rows
// T J with Σ = 1. Normals are scaled by 1/μ, which makes K_μ the self-dual cone. ω = 1/d gives light and heavy contacts the same weight.
// It stops far from the boundary and hands over to Newton: it only identifies the active set.
#pragma once

#include <span>
#include <vector>

#include "complementarity/gmres.h"
#include "complementarity/inequality_rows.h"
#include "complementarity/inner_solver.h"
#include "complementarity/responses.h"

namespace taut::complementarity {

class InteriorPoint {
public:
    void prepare(const linalg::SaddlePattern& pattern);
    // Starts at a point inside all cones; `speed` is a typical value of s [m/s].
    void load(const linalg::SaddleSystem& system, std::span<const RowGroup> groups,
              const Responses& responses, Real speed, linalg::SaddleSolution& solution) noexcept;
    // One predictor-corrector step; `solution` is updated. Returns the step length in (0, 1], or zero where no step is
    // possible.
    Real step(InnerSolver& inner, linalg::SaddleSolution& solution) noexcept;
    Real tau() const noexcept { return tau_; }

private:
    using Vector = std::vector<Real>;
    // The barrier of a group: of a cone of three rows, of an interval (perhaps one-sided), or none.
    enum class Barrier : unsigned char { None, Fixed, Scalar, Cone };
    Barrier barrier(const RowGroup& group) const noexcept;
    Real lower(const RowGroup& group) const noexcept;
    Real upper(const RowGroup& group) const noexcept;
    Real normal_scale(const RowGroup& group, int r) const noexcept;

    void residuals(const linalg::SaddleSolution& solution) noexcept;
    void scale_cone(std::size_t group) noexcept;
    Mat3 row_factor(std::size_t group) const noexcept;
    void write_rows() noexcept;
    void write_right_hand_side(Real tau, bool corrector) noexcept;
    void recover(Real tau, bool corrector, const linalg::SaddleSolution& step) noexcept;
    Real longest_step() const noexcept;
    void couple(InnerSolver& inner) noexcept;
    Real average(Real step) const noexcept;
    Vec3 cone_target(const RowGroup& group, Real tau, bool corrector) const noexcept;

    const linalg::SaddleSystem* system_ = nullptr;
    std::span<const RowGroup> groups_;
    const Responses* responses_ = nullptr;
    linalg::SaddleSystem barrier_system_;
    linalg::SaddleSolution answer_, trial_;
    Vector y_, s_, t_;                // scaled impulses and slacks; t: slack of upper bounds
    Vector dy_, ds_, dt_;             // directions
    Vector ay_, as_;                  // predictor's, for the second-order term
    Vector momentum_, row_;           // residuals
    std::vector<Mat3> T_, W_, Winv_;  // per group; scalars in (0, 0)
    std::vector<Vec3> lambda_;
    Gmres gmres_;
    Vector gap_, zero_, push_;  // of the correction's change, per cone; right-hand sides
    Real tau_ = 0, weight_ = 1;
};

}  // namespace taut::complementarity
