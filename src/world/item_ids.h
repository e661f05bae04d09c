// Ids of colliders and joints from their indices inside the engine; those of bodies are in model/body_index.h.
#pragma once

#include <taut/ids.h>

#include "core/namespaces.h"

namespace taut::world {

constexpr ColliderId collider_id(int index) noexcept { return ColliderId{index}; }
constexpr JointId joint_id(int index) noexcept { return JointId{index}; }

}  // namespace taut::world
