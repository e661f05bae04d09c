// State ↔ bytes, byte-exact, and a hash of the state.
//
//     magic "taut snapshot 5" · fingerprint of the model · numbers, islands, steps · payload · hash of all before
//
// Numbers are written as they are in memory (little-endian IEEE double on every machine we build for),
// so an image belongs to the same build. The fingerprint covers masses, topology, geometry and material of
// the model and of what bodies touch with: an image of any other mechanism is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <taut/colliders.h>
#include <taut/result.h>

#include "model/model.h"
#include "model/state.h"

namespace taut::world {

std::uint64_t hash_state(const Model& model, const State& state) noexcept;
// `surfaces` is that of all colliders, one after the other: 0 where there are none.
std::uint64_t fingerprint(const Model& model, std::uint64_t surfaces) noexcept;
std::uint64_t with_collider(std::uint64_t surfaces, BodyIndex body,
                            const ColliderDef& def) noexcept;
std::vector<std::byte> write_snapshot(const Model& model, std::uint64_t surfaces,
                                      const State& state);

// The state of an image; `like` gives the sizes that it must have.
Result<State> read_snapshot(const Model& model, std::uint64_t surfaces, const State& like,
                            std::span<const std::byte> image);

}  // namespace taut::world
