// Typed handles. An id identifies one object of one World for as long as the object exists: after its removal the id is
// stale, and every function refuses it, whatever was added since.
#pragma once

#include <cstdint>

namespace taut {

template <class Tag>
struct Id {
    std::int32_t index = -2;       // in the world's table; −1 is kWorld, −2 no object at all
    std::uint32_t generation = 0;  // of the index, which is used again after a removal

    // Whether it was given out for an object; it may be stale (World::contains). False for kWorld.
    constexpr bool valid() const noexcept { return index >= 0; }
    friend constexpr bool operator==(Id, Id) noexcept = default;
};

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;    // joints, motors, servos: all objects with constraint rows
using SpringId = Id<struct SpringTag>;  // spring-dampers (forces, not constraint rows)
using ColliderId = Id<struct ColliderTag>;  // colliders
using LoadId = Id<struct LoadTag>;          // applied forces and torques

// The ground: what is attached to it does not move. It always exists. A default-constructed BodyId is not the ground.
inline constexpr BodyId kWorld{-1, 0};

}  // namespace taut
