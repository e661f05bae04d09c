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

#include <span>
#include <vector>

#include "linalg/spanning_forest.h"

namespace taut::linalg {

struct EliminationOrder {
    // The first so many positions are nodes that were named in advance (stretches/stretch.h).
    int ahead = 0;
    std::vector<int> nodes;        // the node at each position
    std::vector<int> position;     // the position of each node
    std::vector<int> first_below;  // ranges in `below`, by position, one more than nodes
    std::vector<int> below;        // later neighbours as positions, ascending: the columns of L
    int fill = 0;                  // blocks of L that the matrix does not have
    // Positions that are eliminated side by side, [first, last) each: nodes of one of them have no neighbours in another,
    // nor do they change what comes after the last of them but within their own subtree. Empty: one after the other.
    struct Part {
        int first = 0, last = 0;
    };
    std::vector<Part> parts;
};

// `ahead` are nodes that are to go first, in that sequence. It is the caller's to see to it that they may.
EliminationOrder find_order(const SaddlePattern& pattern, const SpanningForest& forest,
                            std::span<const int> ahead = {});

// Where in `below` the block between two neighbours is, the column being eliminated first.
int find_below(const EliminationOrder& order, int column, int row);

// The same elimination with the same pivots and fill, renumbered so that a node follows its last child
// in the elimination tree: what is written by one elimination is read by one of the next. Nodes that go ahead stay in front.
EliminationOrder postordered(const EliminationOrder& order);

// A postordered elimination taken apart into subtrees, where it is large enough for that to pay:
//
//           ┌── rest ──┐          rest: nodes above the subtrees, and those of a subtree that touch one above.
//        ┌──┴──┐    ┌──┴──┐       If a node touches it, so does its parent: what is left of a subtree
//        A     B    C     D       (A, B, …) is whole below, and touches nothing but its own.
//
// The parts come first (after what goes ahead), one after the other, then the rest; in that order, whoever eliminates them, every number is
// the same. Depends on the order alone.
EliminationOrder parted(const EliminationOrder& order);

}  // namespace taut::linalg
