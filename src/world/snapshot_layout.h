// Where things are in the image of a snapshot.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "world/command_numbers.h"
#include "world/fingerprint.h"

namespace taut::world {

inline constexpr char kSnapshotMagic[16] = "taut snapshot A";

struct SnapshotHeader {
    std::uint64_t fingerprint = 0;
    std::uint64_t steps = 0;
    std::uint64_t islands = 0;  // 0: the world is solved as one
    std::uint64_t contacts = 0;
    std::array<std::uint64_t, kFingerprintSections.size()> items{};  // per section
};

// Refuses images whose counts would overflow the sizes below; no world has so many of anything.
inline constexpr std::uint64_t kMostItems = std::uint64_t(1) << 31;
// Above it, the count of steps could not have been reached one by one.
inline constexpr std::uint64_t kMostSteps = std::uint64_t(1) << 53;

inline std::uint64_t count_aspects(const SnapshotHeader& header) noexcept
{
    std::uint64_t n = 0;
    for (std::size_t s = 0; s < header.items.size(); ++s)
        n += header.items[s] * static_cast<std::uint64_t>(kFingerprintSections[s].aspect_count);
    return n;
}

// Without gravity, commands, islands and contacts.
inline std::uint64_t count_state_numbers(const Model& model, const State& state) noexcept
{
    std::uint64_t n = 0;
    for_each_number(model, state, [&](const auto&...) { ++n; });
    return n;
}

inline std::uint64_t count_command_numbers(const Model& model, const State& state) noexcept
{
    std::uint64_t n = 0;
    for_each_command_number(model, state, [&](const auto&...) { ++n; });
    return n;
}

inline std::uint64_t count_island_numbers() noexcept
{
    std::uint64_t n = 0;
    IslandMemory memory;
    for_each_island_number(memory, 0, [&](const auto&...) { ++n; });
    return n;
}

// In 64 bits on every machine: counts of a forged image must not wrap around.
inline std::uint64_t image_size(const SnapshotHeader& header, std::uint64_t state_numbers,
                                std::uint64_t bodies) noexcept
{
    const std::uint64_t division =
        header.islands == 0 ? 0 : bodies + header.islands * count_island_numbers();
    const std::uint64_t numbers =
        3 + state_numbers + division + header.contacts * std::tuple_size_v<ContactNumbers>;
    return sizeof kSnapshotMagic + sizeof header + (count_aspects(header) + 1) / 2 * 8 +
           numbers * sizeof(Real) + sizeof(std::uint64_t);
}

}  // namespace taut::world
