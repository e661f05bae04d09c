// A spanning forest of the mechanism: which constraints are its tree edges, and which close loops.
//
// Edges are the dual nodes that touch two primal nodes, or one (then the other side is the ground).
// Breadth first from the ground, then from the first node of each remaining component, so that
// cycles are short; deterministic by index. A tree dual is owned by its child. Duals that close a
// loop, run parallel to a tree dual or touch three or more primal nodes are in no tree. Early duals are no edges: they are
// in no tree, close no loop, and count as cyclic.
#pragma once

#include <vector>

#include "linalg/saddle_matrix.h"

namespace taut::linalg {

struct SpanningForest {
    // per primal node
    std::vector<int> parent;      // −1 at a root
    std::vector<int> depth;       // 0 at a root
    std::vector<int> owned_dual;  // the tree dual towards parent or ground; −1 where there is none

    // per dual node
    std::vector<int> owner;  // the child that owns this tree dual; −1 for duals in no tree
    std::vector<int> stop;   // depth of the lowest common ancestor of its primals; −1: the ground
    std::vector<char> cyclic;  // on the fundamental cycle of a dual in no tree, itself included
};

SpanningForest find_spanning_forest(const SaddlePattern& pattern);

}  // namespace taut::linalg
