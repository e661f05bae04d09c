// In which order to eliminate the nodes of the saddle matrix.
//
// Minimum weighted degree on the graph of primal and dual nodes, under one rule that keeps every
// leading minor of a hard (Σ = 0), non-redundant mechanism nonsingular. Primal nodes not yet
// eliminated act as frozen ground, so a dual may go only when its rows are as independent among the
// bodies already eliminated as they are in the whole mechanism:
//   · a tree dual after its owner: leaf body, its joint, parent body, … no fill on trees;
//   · any other dual after all primal nodes on the tree paths from its primals up to their lowest
//     common ancestor, that one excluded; up to and including the roots if only the ground is common.
// Early duals (saddle_matrix.h) go before the primal nodes that they touch: with the floor of redundancy_floor.h for a Σ they are springs
// between their primal nodes, whose graph alone is left. Four points of a face are twelve rows between two bodies: bodies
// first, all rows about a body meet in one dense block; rows first, they melt into the bodies' 6×6. It costs digits,
// Σ/(J H⁻¹ Jᵀ) of them, which refinement has to bring back.
// Primal nodes may always go. Nodes whose elimination costs no fill (at most one neighbour, or two
// that are neighbours themselves) come first; ties: lighter, dual first, lower index.
// Node numbers: primal i is node i, dual d is node (number of primals) + d.
#pragma once

#include <vector>

#include "linalg/spanning_forest.h"

namespace taut::linalg {

struct EliminationOrder {
    std::vector<int> nodes;        // the node at each position
    std::vector<int> position;     // the position of each node
    std::vector<int> first_below;  // ranges in `below`, by position, one more than nodes
    std::vector<int> below;        // later neighbours as positions, ascending: the columns of L
    int fill = 0;                  // blocks of L that the matrix does not have
};

EliminationOrder find_order(const SaddlePattern& pattern, const SpanningForest& forest);

// The same elimination with the same pivots and fill, renumbered so that a node follows its last child
// in the elimination tree: what is written by one elimination is read by one of the next.
EliminationOrder postordered(const EliminationOrder& order);

}  // namespace taut::linalg
