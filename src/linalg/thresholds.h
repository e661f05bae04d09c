// The thresholds of the factorisation: value, unit, meaning and source. All are relative [-].
#pragma once

#include <taut/types.h>

namespace taut::linalg {

struct FactorThresholds {
    // A pivot below this part of its own diagonal entry belongs to a row that repeats others. Round-off of sums of about ten
    // terms, which leaves 1e-16 to 1e-15.
    static constexpr double kTinyPivot = 1e-15;
    // ε of RedundancyFloor, usually and where refinement is too slow with that. 1e-11 keeps redundant rows five digits above
    // round-off. 1e-13 is far below the response of a load a billion times heavier than its links (1e-9), at the price that
    // redundant rows share less evenly.
    static constexpr Real kRedundancyFloor = 1e-11;
    static constexpr Real kLowRedundancyFloor = 1e-13;
    // Masses that differ by no more than this factor are similar: redundant rows then get a floor far above round-off, contacts
    // may be eliminated before their bodies, and inequality solvers need few iterations. docs/decisions/0010-laws.md, "Rows of
    // contacts first" and "Proximal steps".
    static constexpr Real kSimilarMassRatio = 1e3;
};

}  // namespace taut::linalg
