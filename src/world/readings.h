// What can be read off a state.
#pragma once

#include <taut/report.h>

#include "model/energy.h"
#include "model/gaps.h"
#include "model/state.h"
#include "model/step_model.h"

namespace taut::world {

Momentum read_momentum(const Model& model, const State& state) noexcept;
JointReading read_joint(const Model& model, const State& state, int index, Axes axes) noexcept;

// Frame `side` of a joint or spring, in the axes of its body from the body's origin; none beyond the last.
JointFrame joint_frame(const Model& model, int joint, int side) noexcept;
JointFrame spring_frame(const Model& model, int spring, int side) noexcept;

// Stretches and remembered angles of the joints and springs of a body that was moved from outside.
void reread_joint(const Model& model, State& state, int index) noexcept;
void reread_joints(const Model& model, State& state, BodyIndex moved) noexcept;

}  // namespace taut::world
