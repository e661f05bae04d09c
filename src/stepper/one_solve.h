// The semi-implicit step of the literature (backward_euler with one solve, alpha_beta): one linearisation, one solve. Its result is
// reported and judged (step_verdict.h), not repaired.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

StepReport one_solve_step(const StepModel& model, State& state, Workspace& work,
                          const StepSettings& settings) noexcept;

}  // namespace taut::stepper
