// The time step.
#pragma once

#include <memory>

#include <taut/report.h>
#include <taut/result.h>

#include "assembly/linearise.h"
#include "model/state.h"
#include "solver/linear_solver.h"
#include "stepper/free_rotation.h"

namespace taut {

// Where a body is expected to turn: freely, and on top of that as in the last step.
struct RotationGuess {
    FreeRotation to;
    Vec3 spin_up =
        Vec3::Zero();  // angular acceleration beyond free rotation that `to` contains [rad/s²]
};

// Everything a step needs besides model and state; can be rebuilt from them at any moment.
struct Workspace {
    Layout layout;
    Linearisation linear;
    std::vector<RotationGuess> rotation;  // per body
    linalg::SaddleSolution solution;
    std::unique_ptr<LinearSolver> solver;
    State next;  // what the step would lead to, until it is committed

    // what the above was made for
    std::uint64_t topology = ~std::uint64_t(0);
    Stabilisation stabilisation = Stabilisation::Tension;
    Solver asked_solver = Solver::Auto;
};

// Whether the settings make sense; a static text says why not, nullptr that they do.
const char* refuse(const StepSettings& settings) noexcept;

// The solver that Auto stands for in a system of that many unknowns.
Solver resolve_solver(const StepSettings& settings, int unknowns) noexcept;

// Lays out memory if model, stabilisation or solver have changed since the last time. May allocate.
void prepare(const Model& model, const State& state, const StepSettings& settings, Workspace& work);

// Advances `state` by settings.dt. Allocates nothing if prepared, throws nothing.
StepReport step(const Model& model, State& state, Workspace& work,
                const StepSettings& settings) noexcept;

}  // namespace taut
