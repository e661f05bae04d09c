// One interface for every way to solve the step's saddle system.
#pragma once

#include <memory>

#include <taut/report.h>

#include "linalg/saddle_matrix.h"

namespace taut {

class LinearSolver {
public:
    virtual ~LinearSolver() = default;
    // Symbolic work and all allocation, once per pattern.
    virtual void prepare(const linalg::SaddlePattern& pattern) = 0;
    // Numeric work. Fills x and y; throws nothing. The block LDLᵀ allocates nothing either; the others
    // do, and where memory runs out the report says that the result is not finite.
    SolveReport solve(const linalg::SaddleSystem& system, linalg::SaddleSolution& out) noexcept;
    // Whether an unsymmetric H is understood.
    virtual bool takes_unsymmetric() const noexcept = 0;
    // Whether it would like H as a block diagonal matrix and terms of rank one, in system.rank.
    virtual bool wants_rank_terms() const noexcept { return false; }

private:
    virtual SolveReport do_solve(const linalg::SaddleSystem& system,
                                 linalg::SaddleSolution& out) = 0;
};

// Auto is resolved by the caller. Never null for a value of the list.
std::unique_ptr<LinearSolver> make_solver(Solver kind);

}  // namespace taut
