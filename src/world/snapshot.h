// State ↔ bytes, byte-exact, and a hash of the state.
//
//     magic "taut snapshot 3" · fingerprint of the model · length · payload · hash of all before
//
// Numbers are written as they are in memory (little-endian IEEE double on every machine we build for),
// so an image belongs to the same build. The fingerprint covers masses,
// topology, geometry and material of the model: an image of any other mechanism is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <taut/result.h>

#include "model/model.h"
#include "model/state.h"

namespace taut {

std::uint64_t hash_state(const Model& model, const State& state) noexcept;
std::uint64_t fingerprint(const Model& model) noexcept;
std::vector<std::byte> write_snapshot(const Model& model, const State& state);

// The state of an image; `like` gives the sizes that it must have.
Result<State> read_snapshot(const Model& model, const State& like,
                            std::span<const std::byte> image);

}  // namespace taut
