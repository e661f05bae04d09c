// State ↔ bytes, byte-exact, and a hash of the state.
//
//     magic "taut snapshot A" · header: fingerprint, steps, islands, contacts, items per section (64 bits each) ·
//     aspects of the fingerprint (32 bits each, an even number) · gravity · numbers of the state · commands ·
//     island of each body, numbers of each island · contacts · checksum of all that comes before it
//
// Numbers are written as they are in memory (little-endian IEEE double on every machine we build for), so an image belongs
// to the same build. The fingerprint covers all that the world was built from (fingerprint.h): an image of any other
// mechanism is refused, with what differs. Gravity and commands can be given between steps, so they belong to the image and are restored.
// A checksum protects against accidents only: every number is checked as well before any of them is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <taut/result.h>

#include "model/model.h"
#include "model/state.h"
#include "world/fingerprint.h"

namespace taut::world {

std::uint64_t hash_state(const Model& model, const State& state) noexcept;

std::vector<std::byte> write_snapshot(const Model& model,
                                      const std::vector<ColliderPrint>& colliders,
                                      const State& state);

struct Snapshot {
    State state;
    Vec3 gravity = Vec3::Zero();
};

// The contents of an image; `like` is any state of the same world.
Result<Snapshot> read_snapshot(const Model& model, const std::vector<ColliderPrint>& colliders,
                               const State& like, std::span<const std::byte> image);

}  // namespace taut::world
