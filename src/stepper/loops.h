// Joints on loops yield a little to forces that are out of all proportion.
//
//     o────o────o────o────o     a straight row of planks between two walls: its weight calls for a tension of weight / slope,
//     │    ↓    ↓    ↓    │     and the slope is zero
//
// The rows of joints on a loop may be dependent, at some poses or at all of them. Then no force satisfies φ = 0, or any of
// many does, and Newton's method follows forces that grow without end. So such rows have the compliance C = ε h²/m, with the
// mass m of all bodies together: a force stretches the row by ε of the way on which it would move them all in one step. That is
// far below the limits of an accepted step unless the force is 10⁵ times their weight. Rows on no loop are independent at
// any pose and stay rigid.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

// Rows of joints that lie on a loop of joints; the ground, fixed and kinematic bodies are one node.
std::vector<int> find_loop_rows(const StepModel& model);

// The compliance of all of them in this step; it does not depend on the length of a sub-step.
void set_loop_compliance(const StepModel& model, Real dt, Workspace& work) noexcept;
// Of one of them [m/N or rad/(N m)].
Real loop_compliance(const StepModel& model, const Workspace& work, int row) noexcept;

// Energy that they have stored under the forces of the last step [J]: it is not of the mechanism.
Real loop_energy(const StepModel& model, const State& state, const Workspace& work) noexcept;

// Σ of the rows that yield.
void add_loop_compliance(const StepModel& model, Real h_bar, Real move, const Workspace& work,
                         linalg::SaddleSystem& system) noexcept;

}  // namespace taut::stepper
