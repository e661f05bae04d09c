// Typed handles. An id identifies one object of one World; a default-constructed id is invalid, and as the body
// of a joint it stands for the world itself.
#pragma once

#include <cstdint>

namespace taut {

template <class Tag>
struct Id {
    std::int32_t index = -1;

    constexpr bool valid() const noexcept { return index >= 0; }
    friend constexpr bool operator==(Id, Id) noexcept = default;
};

using BodyId = Id<struct BodyTag>;
using JointId = Id<struct JointTag>;    // joints, motors, servos: all objects with constraint rows
using SpringId = Id<struct SpringTag>;  // spring-dampers (forces, not constraint rows)
using ColliderId = Id<struct ColliderTag>;  // colliders
using LoadId = Id<struct LoadTag>;          // applied forces and torques

// Stands for the body of a joint that is attached to the ground.
inline constexpr BodyId kWorld{};

}  // namespace taut
