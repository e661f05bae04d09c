// Four pieces of a chain, all alike, that are eliminated side by side:
//
//     before ── body ── joint ── body ── joint ── … ── body ── after        four times
//        D       6        D       6        D             6       D          unknowns or rows
//
// `before` and `after` are joints too: those of the chain at which it was cut, or those that hold its ends. They stay,
// and are eliminated later with everything else. The price: each node of a piece also touches `before`, as fill, which makes
// it 1.8 times as many operations; all of them on four numbers at once that wait for nobody.
#pragma once

#include <vector>

#include "linalg/spanning_forest.h"
#include "linalg/stretches/stretch_links.h"

namespace taut::linalg {

struct Stretch {
    int rows = 0;  // D
    std::vector<StretchLink> links;
    Places first;  // block in J: `before`, on the first body
    int before[kStretchLanes] = {}, after[kStretchLanes] = {};  // dual nodes
    std::vector<int> eliminated;  // node numbers as in ordering.h, in a sequence that is right
};

// Long runs of bodies that touch two joints each, none of them on a loop and no other body, cut into stretches. Depends on
// the pattern alone. A run that is too short to gain from it is left as it is.
std::vector<Stretch> find_stretches(const SaddlePattern& pattern, const SpanningForest& forest);

}  // namespace taut::linalg
