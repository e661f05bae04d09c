// Mechanical energy of a state.
#pragma once

#include "model/model.h"
#include "model/state.h"

namespace taut::model {

Energy read_energy(const Model& model, const State& state) noexcept;

// Of one body that forces move, zero for all others.
Real kinetic_energy(const Model& model, const State& state, BodyIndex b) noexcept;

// The part of it in compliant joints and springs.
void add_stored_energy(const Model& model, const State& state, Energy& e) noexcept;

}  // namespace taut::model
