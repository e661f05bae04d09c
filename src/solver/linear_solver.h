// One interface for every solver of the saddle system of a step with equality rows.
#pragma once

#include <memory>
#include <span>

#include <taut/report.h>

#include "core/team.h"
#include "linalg/saddle_matrix.h"

namespace taut::solver {

// When the residual of a solution is measured. A step by Newton's method measures its own equations after
// every solve; there a factorisation that is known to be accurate need not be measured as well.
enum class Check { Always, WhereUnreliable };

class LinearSolver {
public:
    virtual ~LinearSolver() = default;
    // As in solvers(), if it is in that list.
    virtual std::string_view name() const noexcept = 0;
    // Symbolic work and all allocation, once per pattern.
    virtual void prepare(const linalg::SaddlePattern& pattern) = 0;
    // Numeric work. Fills x and y, which an iterative solver reads as its guess; throws nothing. The block LDLᵀ allocates
    // nothing either.
    virtual SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                              Check check = Check::Always) noexcept = 0;
    // Whether an unsymmetric H is supported.
    virtual bool takes_unsymmetric() const noexcept = 0;
    // Whether it needs H as a block diagonal matrix and terms of rank one, in system.rank.
    virtual bool wants_rank_terms() const noexcept { return false; }
    // Threads that the solver may use from here on. The results do not depend on them.
    virtual void set_threads(const Team&) noexcept {}

    // --- one factor for several right-hand sides: what follows does nothing without one ---

    // Whether the factor of the last solve() or factorise() is kept.
    virtual bool keeps_factor() const noexcept { return false; }
    // Factorises the matrix, and solves for its right-hand sides as the factor gives it: neither measured nor refined. In the
    // factor, Σ of rows that may be redundant is at least `floor` of their response. False: there is no factor.
    virtual bool factorise(const linalg::SaddleSystem&, Real /*floor*/,
                           linalg::SaddleSolution&) noexcept
    {
        return false;
    }
    // A solve with the factor for another right-hand side, without measuring the residual.
    virtual void solve_again(std::span<const Real>, std::span<const Real>,
                             linalg::SaddleSolution&) noexcept
    {}
    // Corrects `out` with the factor while its residual is above `good` and that helps.
    virtual SolveReport refine(const linalg::SaddleSystem&, Real /*good*/,
                               linalg::SaddleSolution&) noexcept
    {
        return {};
    }
    // Whether some rows are eliminated before their bodies: they lose as many digits as their floor is small.
    virtual bool eliminates_early() const noexcept { return false; }

    // --- iterative solvers ---

    // The relative residual that a solve iterates to.
    virtual void set_tolerance(Real) noexcept {}
};

// Auto is resolved by the caller. Never null for a value of the list.
std::unique_ptr<LinearSolver> make_solver(Solver kind);

}  // namespace taut::solver
