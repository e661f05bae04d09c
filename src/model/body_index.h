// Numbers of bodies, which no other number turns into by itself.
#pragma once

#include <cstddef>

#include <taut/ids.h>

#include "core/namespaces.h"

namespace taut::model {

// Index into Model::bodies and the arrays per body of a State; 0 is the ground. Public BodyId k is index k + 1, kWorld is 0.
// A number becomes an index only where that is written down; an index may be used wherever an array wants a number.
class BodyIndex {
public:
    constexpr BodyIndex() noexcept = default;
    template <class Integer>
    constexpr explicit BodyIndex(Integer value) noexcept : value_(static_cast<int>(value))
    {}
    constexpr operator int() const noexcept { return value_; }  // NOLINT: arrays are indexed by it
    constexpr BodyIndex& operator++() noexcept
    {
        ++value_;
        return *this;
    }

    constexpr bool operator==(const BodyIndex&) const noexcept = default;

private:
    int value_ = 0;
};

inline constexpr BodyIndex kGround{};
inline constexpr BodyIndex kNoBody{-1};

constexpr BodyIndex index_of(BodyId id) noexcept { return BodyIndex(id.index + 1); }
constexpr BodyId id_of(BodyIndex b) noexcept { return BodyId{b - 1}; }

// for (const BodyIndex b : BodyRange(model.bodies.size()))
class BodyRange {
public:
    explicit constexpr BodyRange(std::size_t count) noexcept : count_(count) {}

    struct Iterator {
        BodyIndex at;
        constexpr BodyIndex operator*() const noexcept { return at; }
        constexpr Iterator& operator++() noexcept
        {
            ++at;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const noexcept = default;
    };
    constexpr Iterator begin() const noexcept { return {}; }
    constexpr Iterator end() const noexcept { return {BodyIndex(count_)}; }

private:
    std::size_t count_;
};

}  // namespace taut::model
