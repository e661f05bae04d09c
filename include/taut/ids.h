// Typed handles. An id names one thing of one World; the default-constructed id names nothing,
// which for the body of a joint means the world itself.
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
using JointId =
    Id<struct JointTag>;  // joints, motors, servos: everything that is a row of the solve
using SpringId = Id<struct SpringTag>;      // spring-dampers in the stiffness formulation
using ColliderId = Id<struct ColliderTag>;  // surfaces that touch
using LoadId = Id<struct LoadTag>;          // applied forces and torques

// The body of a joint that is attached to the ground.
inline constexpr BodyId kWorld{};

}  // namespace taut
