// Solvers that factorise the matrix and keep the factor.
#pragma once

#include "solver/linear_solver.h"
#include "solver/refinement.h"

namespace taut::solver {

class DirectSolver : public LinearSolver {
public:
    bool keeps_factor() const noexcept final { return true; }
    SolveReport refine(const linalg::SaddleSystem& system, Real good,
                       linalg::SaddleSolution& out) noexcept final;

protected:
    // Corrections by the factor; the report says how that ended.
    void refine(const linalg::SaddleSystem& system, Real good, linalg::SaddleSolution& out,
                SolveReport& report) noexcept;

    Refinement refinement_;
};

// A solver that allocates while it solves, and always measures the residual. Where memory runs out, the report says that the
// result is not finite.
class AllocatingSolver : public DirectSolver {
public:
    void prepare(const linalg::SaddlePattern& pattern) final;
    SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                      Check check) noexcept final;
    // The floor acts on all rows: in the order of these solvers rows may come before their bodies.
    bool factorise(const linalg::SaddleSystem& system, Real floor,
                   linalg::SaddleSolution& out) noexcept final;
    // Fills `out` with NaN where there is no factor.
    void solve_again(std::span<const Real> f, std::span<const Real> g,
                     linalg::SaddleSolution& out) noexcept final;

private:
    virtual void analyse(const linalg::SaddlePattern&) {}
    // A static text says why there is no factor; empty: there is one.
    virtual std::string_view allocate_and_factorise(const linalg::SaddleSystem& system) = 0;
    virtual void allocate_and_substitute(std::span<const Real> f, std::span<const Real> g,
                                         linalg::SaddleSolution& out) = 0;
    // Of the factor; −1 where they are not known.
    virtual std::optional<int> negative_pivots() const { return {}; }
    // The residual up to which a solution is not refined.
    virtual Real good_residual() const noexcept { return RefinementThresholds::kGood; }

    linalg::SaddleSystem raised_;  // with the floor
    bool has_factor_ = false;
};

}  // namespace taut::solver
