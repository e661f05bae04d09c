// What a step that is not guarded says about itself: whether its solve succeeded, and whether its joints held together.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

// Marks the report of a step that ended in `state` as not settled, with the reason, where the solve left a large residual
// or joints are open by a large part of the size. A step without joints that is solved costs nothing.
void judge_step(const StepModel& model, const State& state, const StepSettings& settings,
                StepReport& report) noexcept;

}  // namespace taut::stepper
