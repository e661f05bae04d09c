// One body of each of the four pieces of a stretch and the joint after it. Known to code that is compiled for one kind of
// machine: no header that others use as well is included here.
#pragma once

#include "core/four_lanes.h"

namespace taut::linalg {

// Places in the arrays of a SaddleSystem.
struct StretchLink {
    Places body;         // diagonal block in H
    Places body_offset;  // in x and f
    Places hold;         // block in J: the joint after it, on this body
    // not meaningful in the last link, whose joint stays:
    Places joint_offset;  // in y, g and sigma
    Places onto;          // block in J: that joint, on the next body
};

inline constexpr int kStretchLanes = 4;
inline constexpr int kLeastStretchRows = 3,
                     kMostStretchRows = 5;  // of joints that there are kernels for

}  // namespace taut::linalg
