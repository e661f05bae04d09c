// Warnings about valid but implausible physics: wrong units, impossible densities, over-constrained loops,
// unconnected bodies. Each has its place in the file and the value that caused it.
#pragma once

#include "scene/draft.h"
#include "scene/parameters.h"

namespace taut::scene {

// Checks that need the description only.
void check_physics(const SceneDraft& draft, const ParameterTable& parameters, Problems& problems);

// Checks the world built from the draft: joints that are open at time 0. `joints` has the order of the draft.
void check_start(const SceneDraft& draft, const World& world, const std::vector<JointId>& joints,
                 Problems& problems);

// A closed loop (or several that share bodies) with its numbers of constraint rows and degrees of freedom.
struct LoopCount {
    std::vector<int> bodies;  // indices into the draft, without the ground
    int freedoms = 0;
    int rows = 0;
};

// The closed loops of the mechanism, without its open branches. Grübler's count: more rows than degrees of freedom
// imply redundant rows; fewer rows do not exclude them.
std::vector<LoopCount> count_loops(const SceneDraft& draft);

}  // namespace taut::scene
