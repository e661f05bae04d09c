// Goes on with a motion in a mechanism that was built anew.
#pragma once

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

enum class Carried {
    Whole,   // the mechanism is the same: every bit of the state
    Motion,  // the same bodies with other masses or drives: poses, velocities and time
    Nothing  // another mechanism: it begins at its own start
};

// `to` is a world at its start, and is left there if the motion does not fit it.
Carried carry_over(const World& from, World& to);

}  // namespace taut::view
