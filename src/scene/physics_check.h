// What is allowed but suspicious: slips of units, densities of no material, loops with too many
// rows, bodies that nothing holds. Warnings, each with its place and the number that raised it.
#pragma once

#include "scene/draft.h"
#include "scene/parameters.h"

namespace taut::scene {

// Of the description alone.
void check_physics(const SceneDraft& draft, const ParameterTable& parameters, Problems& problems);

// Of the world built from it: joints that are not closed at time 0. `joints` follow the draft's
// order.
void check_start(const SceneDraft& draft, const World& world, const std::vector<JointId>& joints,
                 Problems& problems);

// One closed loop (or several that share bodies) and how its rows compare with its freedoms.
struct LoopCount {
    std::vector<int> bodies;  // of the draft; the ground is not listed
    int freedoms = 0;
    int rows = 0;
};

// The parts of the mechanism that stay when every branch is cut off. Grübler's count: more rows
// than freedoms means that some rows say the same; fewer do not prove that none do.
std::vector<LoopCount> count_loops(const SceneDraft& draft);

}  // namespace taut::scene
