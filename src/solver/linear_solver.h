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
    // Symbolic work and all allocation, once per pattern.
    virtual void prepare(const linalg::SaddlePattern& pattern) = 0;
    // Numeric work. Fills x and y; throws nothing. The block LDLᵀ allocates nothing either.
    virtual SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                              Check check = Check::Always) noexcept = 0;
    // Whether the factor of the last solve() is kept, and a solve with it for another right-hand side, without measuring
    // the residual. Does nothing where no factor is kept.
    virtual bool keeps_factor() const noexcept { return false; }
    virtual void solve_again(std::span<const Real>, std::span<const Real>,
                             linalg::SaddleSolution&) noexcept
    {}
    // Threads that the solver may use from here on. The results do not depend on them.
    virtual void set_threads(const Team&) noexcept {}
    // Whether an unsymmetric H is supported.
    virtual bool takes_unsymmetric() const noexcept = 0;
    // Whether it needs H as a block diagonal matrix and terms of rank one, in system.rank.
    virtual bool wants_rank_terms() const noexcept { return false; }
};

// A solver that allocates while it solves, and always measures the residual. Where memory runs out, the report says that the
// result is not finite.
class AllocatingSolver : public LinearSolver {
public:
    SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out,
                      Check check) noexcept final;

private:
    virtual SolveReport allocate_and_solve(const linalg::SaddleSystem& system,
                                           linalg::SaddleSolution& out) = 0;
};

// Auto is resolved by the caller. Never null for a value of the list.
std::unique_ptr<LinearSolver> make_solver(Solver kind);

}  // namespace taut::solver
