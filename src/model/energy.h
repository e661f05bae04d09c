// Mechanical energy of a state.
#pragma once

#include "model/model.h"
#include "model/state.h"

namespace taut {

Energy read_energy(const Model& model, const State& state) noexcept;

}  // namespace taut
