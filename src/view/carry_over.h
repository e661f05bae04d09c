// Transfers the state of a world to a rebuilt one.
#pragma once

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

enum class Carried {
    Whole,   // same mechanism: the complete state
    Motion,  // same bodies with other masses or drives: poses, velocities and time
    Nothing  // different mechanism: initial state
};

// `to` is a world in its initial state, and is left unchanged if the state does not fit.
Carried carry_over(const World& from, World& to, bool with_commands = true);

}  // namespace taut::view
