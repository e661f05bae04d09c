// Newton's method on the equations at the end of a (sub-)step.
//
// The tension form of K̃ leads from afar; the symmetric form converges faster close to the solution. It may lead astray where
// links fold under compression, so that not every attempt uses it. After a solve only the residual is computed. Mostly it
// is small enough; if one more solve with the old factor suffices, the factor is used again, and a new one is made otherwise.
//
// An iterate is accepted when
//   * the work that its residuals can do, Σ|r·v| + Σ|μ·ψ|, is below `tolerance` per second of the energy in motion: the
//     energy error of a step that has not converged is the work of its residuals. r is what is left of the momentum
//     equations, ψ of the rows as a velocity, μ = h̄λ;
//   * no row is open by more than a small part of the way of a fall in one step, and of the size of the island.
#pragma once

#include "stepper/newton.h"

namespace taut::stepper {

// What stays the same for all attempts of a step.
struct NewtonProblem {
    const StepModel& model;
    const State& state;  // at the start of the (sub-)step
    const StepSettings& settings;
    Workspace& workspace;  // the iterate is workspace.next
    Real size = 1;         // of the island, StepRows::size [m]
    Real fall_power =
        0;            // kinetic energy of a fall of all bodies over the square of its time [W/s]
    Real bodies = 1;  // that move
    bool convex = false;  // contacts take convex steps (moving_contacts.h)
};

struct NewtonOptions {
    bool use_symmetric = false;  // the symmetric form of K̃ after the first iterations
    int max_solves = 0;
};

struct NewtonOutcome {
    bool converged = false;
    bool finite = false;             // workspace.next is finite and bounded
    bool contacts_unsolved = false;  // the last solve left inequality rows of contacts unsolved
    Real relative_depth = 0;         // Residuals::relative_depth of the last iterate
};

NewtonOutcome newton_solve(const NewtonProblem& problem, const Attempt& attempt,
                           const NewtonOptions& options, StepReport& report) noexcept;

}  // namespace taut::stepper
