// Every threshold of islands: value, unit, and where it comes from.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::islands {

// When an island falls asleep (decision 11).
struct RestSettings {
    Real speed = 1e-6;  // [1/s] of the size of the island: slower than this is no motion
    // [-] of gravity: a pendulum at its turning point stands still, too, but is accelerated by more
    Real acceleration = 1e-6;
    Real time = 0.5;  // [s] without motion: chosen
};

// When all threads work on one island (docs/performance.md).
struct SharingSettings {
    // unknowns, a thousand bodies on ball joints: a tree of 2000 bodies is half as fast again on two threads, one of 500
    // hardly
    int large = 9000;
    int ratio = 2;  // of its unknowns to those of all others
};

inline constexpr RestSettings kRest;
inline constexpr SharingSettings kSharing;

}  // namespace taut::islands
