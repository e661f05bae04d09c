// The order in which the nodes of the saddle matrix are eliminated.
//
// Minimum weighted degree on the graph of primal and dual nodes, under one rule that keeps every
// leading minor of a hard (Σ = 0), non-redundant mechanism nonsingular. Primal nodes not yet
// eliminated act as frozen ground, so a dual may be eliminated only when its rows are as independent among the
// bodies already eliminated as they are in the whole mechanism:
//   · a tree dual after its owner: leaf body, its joint, parent body, … no fill on trees;
//   · any other dual after all primal nodes on the tree paths from its primals up to their lowest
//     common ancestor, that one excluded; up to and including the roots if only the ground is common.
// Early duals (saddle_matrix.h) are eliminated before the primal nodes that they touch: with the floor of redundancy_floor.h as Σ
// they are springs between their primal nodes, and only the graph of the primal nodes is left. Four points of a face are twelve
// rows between two bodies. With bodies first, all rows about a body form one dense block; with rows first, they are added
// to the 6×6 blocks of the bodies. That loses digits, by Σ/(J H⁻¹ Jᵀ), which refinement restores.
// Primal nodes may be eliminated at any time. Nodes whose elimination causes no fill (at most one neighbour, or two
// that are neighbours themselves) come first; ties: lighter, dual first, lower index.
// Node numbers: primal i is node i, dual d is node (number of primals) + d.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/spanning_forest.h"

namespace taut::linalg {

struct EliminationOrder {
    // Number of nodes at the front whose order the caller has fixed (stretches/stretch.h).
    int ahead = 0;
    std::vector<int> nodes;        // the node at each position
    std::vector<int> position;     // the position of each node
    std::vector<int> first_below;  // ranges in `below`, by position, one more than nodes
    std::vector<int> below;        // later neighbours as positions, ascending: the columns of L
    int fill = 0;                  // blocks of L that the matrix does not have
    std::int64_t visits =
        0;  // list entries read and steps up the forest to find the order: its work
    // Ranges of positions, [first, last) each, that may be eliminated in parallel: nodes of one part have no neighbours in another,
    // and change nothing of another. Empty: no parallel parts.
    struct Part {
        int first = 0, last = 0;
    };
    std::vector<Part> parts;
};

// `ahead` are nodes that are eliminated first, in that sequence. The caller guarantees that the rule allows it.
EliminationOrder find_order(const SaddlePattern& pattern, const SpanningForest& forest,
                            std::span<const int> ahead = {});

// Index in `below` of the block between two neighbours, of which the column is eliminated first.
int find_below(const EliminationOrder& order, int column, int row);

// The same elimination with the same pivots and fill, renumbered so that a node follows its last child
// in the elimination tree: what one elimination writes is read soon after. Nodes ahead stay in front.
EliminationOrder postordered(const EliminationOrder& order);

// A postordered elimination split into subtrees for parallel work, where it is large enough to gain by it:
//
//           ┌── rest ──┐          rest: nodes above the subtrees, and those of a subtree that touch one above.
//        ┌──┴──┐    ┌──┴──┐       If a node touches it, so does its parent: what is left of a subtree
//        A     B    C     D       (A, B, …) is complete below, and has no neighbours outside.
//
// The parts come first (after the nodes ahead), then the rest. The results do not depend on the thread that eliminates a part, and
// the split depends on the order alone.
EliminationOrder split_into_parts(const EliminationOrder& order);

}  // namespace taut::linalg
