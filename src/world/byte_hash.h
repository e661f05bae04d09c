// FNV-1a over 64 bits with a final avalanche, so that any flipped bit changes all of it: the checksum of an image and the
// hash of a state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/namespaces.h"

namespace taut::world {

class ByteHash {
public:
    void add(std::span<const std::byte> bytes) noexcept
    {
        for (const std::byte b : bytes)
            state_ = (state_ ^ static_cast<std::uint64_t>(b)) * 0x100000001b3ULL;
    }
    template <class T>
    void add_value(const T& value) noexcept
    {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        add(std::as_bytes(std::span(&value, 1)));
    }
    std::uint64_t value() const noexcept
    {
        std::uint64_t x = state_;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace taut::world
