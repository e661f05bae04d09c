// The classical ways to constrain motion, as schemes beside the engine's own: for comparison, and
// `reduced` as an independent oracle on open trees.
#pragma once

#include <taut/report.h>

#include "model/model.h"
#include "model/state.h"

namespace taut::stepper {

bool is_classical(Scheme scheme) noexcept;

// Advances `state` by settings.dt. Throws nothing; may allocate. A step that does not lead to a finite
// state on the method's own terms is Diverged, a scene that the method cannot treat is Refused; both
// leave the state as it was.
StepReport classical_step(const Model& model, State& state, const StepSettings& settings) noexcept;

}  // namespace taut::stepper
