// The one list of solvers. A new one is a file pair here, an enumerator in catalogue.h and one line in
// solver_types.cpp; the shared suite then runs on it.
#pragma once

#include "solver/linear_solver.h"

namespace taut::solver {

struct SolverType {
    Choice<Solver> choice;
    std::unique_ptr<LinearSolver> (*make)();
};

// Every line makes a solver; that of Auto is what Auto means for a symmetric system.
std::span<const SolverType> solver_types() noexcept;

}  // namespace taut::solver
