// How fast penetration and open joints are recovered: slower than a step, so that no force like 1/h² is needed.
#pragma once

#include <cmath>
#include <limits>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::model {

inline constexpr Real kRecoveryTime = 0.1;  // [s]: gaps shrink like exp(−t/kRecoveryTime)

// How far bodies that are deep in each other are pushed apart in a time [m]: as fast as a fall over the half width of the thinner
// one ends, no faster. Bodies of a metre that begin in one place would start with 10 m/s otherwise.
inline Real most_recovery(Real time, Real gravity, Real half_width) noexcept
{
    return gravity > 0 ? time * std::sqrt(2 * gravity * half_width)
                       : std::numeric_limits<Real>::infinity();
}

}  // namespace taut::model
