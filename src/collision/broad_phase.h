// Which boxes meet: a binary tree of boxes over the Morton order of their centres, built anew each time.
//
// Built anew because it is cheap (a sort), because the result then depends on nothing but the boxes, and
// because no tree has to be kept in step with bodies that come, go and sleep. docs/decisions/0009 has
// the numbers against sweep and prune and against a grid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/aabb.h"

namespace taut::collision {

struct IndexPair {
    int a = 0, b = 0;  // a < b
    friend auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

class BoxTree {
public:
    // Pairs of boxes that meet, both sorted, unless both are marked as still. Boxes must be finite; empty
    // ones meet nothing. Reuses its memory.
    void find_pairs(std::span<const Aabb> boxes, std::span<const char> still,
                    std::vector<IndexPair>& out);

private:
    struct Leaf {
        std::uint64_t code = 0;
        int box = 0;
    };
    struct Node {
        Aabb box;
        int skip = 0;            // next node if this box is missed
        int leaf = -1;           // position in the order, of a leaf; otherwise −1
        bool all_still = false;  // nothing below moves
    };

    void sort_leaves(std::span<const Aabb> boxes);
    int build(std::span<const Aabb> boxes, std::span<const char> still, int first, int last);

    std::vector<Leaf> leaves_, spare_;
    std::vector<Node> nodes_;
    std::vector<int> node_of_leaf_;
};

}  // namespace taut::collision
