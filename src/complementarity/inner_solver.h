// Systems of one active set, of one proximal step and of one step along the central path, solved by the LinearSolver that the
// settings name: the redundancy floor of its factor, corrections from a guess, and refinement.
#pragma once

#include <memory>

#include "complementarity/responses.h"
#include "complementarity/thresholds.h"
#include "linalg/saddle_ops.h"
#include "solver/linear_solver.h"
#include "solver/thresholds.h"

namespace taut::complementarity {

class InnerSolver {
public:
    explicit InnerSolver(std::unique_ptr<LinearSolver> linear) : linear_(std::move(linear)) {}

    void prepare(const linalg::SaddlePattern& pattern);
    LinearSolver& linear() const noexcept { return *linear_; }
    // Whether back_substitute() is available: cheap and accurate enough for a Krylov iteration over it.
    bool has_factor() const noexcept { return linear_->keeps_factor(); }
    // Limit of iterations where the caller sets none.
    int default_iterations() const noexcept;

    // Solves H x − Jᵀy = f, J x + Σy = g. Redundant rows do not determine y: its free part stays as it is in the guess
    // `solution`. `careful` asks for more accuracy where redundant rows meet extreme mass ratios. Returns the number of
    // factorisations. Without a factor the solution is NaN.
    int solve(const linalg::SaddleSystem& system, const Responses& responses, bool careful,
              linalg::SaddleSolution& solution) noexcept;
    // The same matrix with the right-hand sides that `system` has at this call. `solution` as above, unchanged where it is
    // accurate enough. No factorisation.
    void refine(const linalg::SaddleSystem& system, linalg::SaddleSolution& solution) noexcept;
    // One back substitution of (f, g) with the same matrix, without refinement.
    void back_substitute(std::span<const Real> f, std::span<const Real> g,
                         linalg::SaddleSolution& solution) noexcept;

private:
    std::unique_ptr<LinearSolver> linear_;
    Real good_ = RefinementThresholds::kGood;
    linalg::Residual residual_;
    linalg::SaddleSolution correction_;
};

}  // namespace taut::complementarity
