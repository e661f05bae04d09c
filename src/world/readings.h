// What can be read off a state.
#pragma once

#include <taut/report.h>

#include "model/energy.h"
#include "model/model.h"
#include "model/state.h"

namespace taut {

Momentum read_momentum(const Model& model, const State& state) noexcept;
JointReading read_joint(const Model& model, const State& state, int joint, Axes axes) noexcept;

// Stretches and remembered angles of the joints and springs of a body that was moved from outside.
void reread_joints(const Model& model, State& state, BodyIndex moved) noexcept;

// Largest gap over all joints: rows that measure length, rows that measure angle.
struct Gaps {
    Real length = 0;
    Real angle = 0;
};
Gaps read_gaps(const Model& model, const State& state) noexcept;

}  // namespace taut
