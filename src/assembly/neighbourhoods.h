// Bodies of a large model in connected groups, so that joints within different groups can be written in
// parallel: only one group adds to a body.
//
//     ●─●─●─●─●│●─●─●─●─●      groups of bodies along the spanning forest of the joints; a joint between two groups
//       group 0│group 1        (across the line) comes after all of them
#pragma once

#include <vector>

#include "core/namespaces.h"

namespace taut::model {
struct StepModel;
}

namespace taut::assembly {

struct Neighbourhoods {
    int groups = 1;
    std::vector<int> of_body;  // −1: cannot move; empty where there is one group
};

Neighbourhoods find_neighbourhoods(const StepModel& model);

// Positions in a pool of joints: those within each group, and those between.
struct PoolShare {
    std::vector<std::vector<int>> within;
    std::vector<int> between;

    // The list of a joint between so many bodies.
    template <class Bodies>
    std::vector<int>& list_of(const Neighbourhoods& neighbourhoods, const Bodies& bodies)
    {
        int group = -1;
        for (const int b : bodies) {
            const int other = neighbourhoods.of_body.empty() ? 0 : neighbourhoods.of_body[b];
            if (other < 0) continue;
            if (group >= 0 && other != group) return between;
            group = other;
        }
        return within[group < 0 ? 0 : group];
    }
};

}  // namespace taut::assembly
