// The papers' step: one linearisation, one solve, no questions asked.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

StepReport one_solve_step(const StepModel& model, State& state, Workspace& work,
                          const StepSettings& settings) noexcept;

}  // namespace taut::stepper
