// Thresholds of settings and readings: value, unit, and where it comes from. Those of the step are in stepper/guard_settings.h.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::world {

struct WorldSettings {
    // [-] A quaternion that is set or restored may be off unit length by this much; it is normalised. Typed numbers have six
    // digits.
    Real unit_length = 1e-6;
    // [-] A drive whose force is this close to its limit is at the limit. Far above round-off, far below any physical meaning.
    Real at_force_limit = 1e-9;
    // [s] A time that is set or restored, thirty years: beyond, a double resolves less than a tenth of a microsecond.
    Real latest_time = 1e9;
};

inline constexpr WorldSettings kWorldSettings;

}  // namespace taut::world
