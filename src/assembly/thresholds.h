// Thresholds of the assembly: value, unit, meaning and source.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::assembly {

struct AssemblyThresholds {
    // [rad] A relative turn of this size or less in a step has no direction: its square is rounding.
    Real least_turn = 1e-8;
    // [-] Square of the sine between the arm of a joint and the spin axis of a body, below which the joint is on the axis: rounding
    // of descriptions.
    Real aligned = 1e-12;
    // [-] h²/(C m) of a row: above it, one step is more than four radians of its oscillation, and the midpoint scheme takes the
    // row as rigid (decision 15).
    Real most_stiffness = 16;
    // [-] Factor by which J of a length may be scaled, or divided, so that J Δx = Δφ in a midpoint step. Beyond it the points pass
    // close to each other, and J stays as it is: assumed.
    Real most_scaling = 2;
};
inline constexpr AssemblyThresholds kAssembly;

}  // namespace taut::assembly
