// Numbers of bodies.
#pragma once

#include "core/namespaces.h"

namespace taut::model {

// Index into Model::bodies; 0 is the ground. Public BodyId k is index k + 1, kWorld is 0.
using BodyIndex = int;
inline constexpr BodyIndex kGround = 0;

}  // namespace taut::model
