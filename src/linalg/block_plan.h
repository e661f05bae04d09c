// The symbolic phase of the block LDLᵀ: where every number is stored and in which order it is updated, as flat lists in
// elimination order. Made once per pattern, read by every factorisation.
#pragma once

#include <vector>

#include "linalg/block_kernels.h"
#include "linalg/ordering.h"

namespace taut::linalg {

struct BlockPlan {
    enum class Space : unsigned char { H, J, Store };  // which array a panel is read from

    // Each node's record in the store is [ columns | x | panels ], see block_kernels.h.
    struct Node {
        int record;        // in the store
        int diagonal;      // primal: of its block in H; dual: of its rows in Σ
        int unknown;       // in x and f, or in y and g
        int first_below;   // range in `below`, up to that of the next node
        int first_target;  // in `targets`
        unsigned char size;
        bool is_dual;
        bool has_early_panels;
    };
    // A later neighbour of a node, and the panel between them.
    struct Below {
        int record;  // of the neighbour
        int panel;   // in the store
        int source;  // in its space
        unsigned char size;
        Space space;
        kernels::PanelLayout layout;
        bool
            is_early;  // updated before its elimination: copied to the store when the node is loaded
        bool is_fill;  // zero in the matrix
    };

    std::vector<Node> nodes;  // by position, with an end mark
    std::vector<Below> below;
    std::vector<int>
        targets;  // blocks between the neighbours of a node: of (1,0), (2,0), (2,1), (3,0), …
    int store_size = 0;
    int widest_panels = 0;  // doubles in the panels of one node, at most

    // Nodes are loaded in chunks shortly before the first update reaches them, while their numbers
    // are on the way through the cache anyway.
    static constexpr int kChunk = 32;
    struct Chunk {
        int first;       // its nodes, up to those of the next chunk
        int first_load;  // in load_order, likewise
    };
    std::vector<Chunk> chunks;  // with an end mark
    std::vector<int> load_order;
    // Nodes that are updated by the nodes ahead (EliminationOrder::ahead): loaded before all others. The nodes ahead are not in
    // the store.
    std::vector<int> changed_ahead;

    // Parts that may be eliminated in parallel, as in EliminationOrder; the last one is the rest.
    struct Part {
        int first, last;  // nodes
        int first_chunk, last_chunk;
    };
    std::vector<Part> parts;

    int count() const { return static_cast<int>(nodes.size()) - 1; }
};

BlockPlan make_plan(const SaddlePattern& pattern, const EliminationOrder& order);

}  // namespace taut::linalg
