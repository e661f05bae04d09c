// A tree of boxes for questions between steps: what a ray or a moved box meets, nearest first, and what overlaps a box.
//
// Apart from BoxTree, which is built for one search for pairs and thrown away: this one is asked many times, so it is cut
// at the median of the centres along their longest side, and walked from the near side.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "collision/sweep.h"

namespace taut::collision {

class QueryTree {
public:
    // Empty boxes are left out. Reuses its memory; the same boxes give the same tree.
    void build(std::span<const Aabb> boxes);

    // Calls visit(box, most) for every box that the sweep meets before `most`, roughly the nearest first. The visitor may
    // lower `most`.
    template <class Visit>
    void visit_swept(const Sweep& sweep, Real& most, Visit&& visit) const
    {
        Real enter = 0;
        if (nodes_.empty() || !sweep.meets(nodes_[0].box, most, enter)) return;
        std::array<std::pair<int, Real>, kDepth> stack;
        int count = 0;
        stack[count++] = {0, enter};
        while (count > 0) {
            const auto [here, entered] = stack[--count];
            if (entered > most) continue;
            const Node& node = nodes_[here];
            if (node.leaf >= 0) {
                visit(node.leaf, most);
                continue;
            }
            Real a = 0, b = 0;
            const bool first = sweep.meets(nodes_[here + 1].box, most, a);
            const bool second = sweep.meets(nodes_[node.second].box, most, b);
            const bool first_is_nearer = a <= b;
            if (second && first_is_nearer) stack[count++] = {node.second, b};
            if (first) stack[count++] = {here + 1, a};
            if (second && !first_is_nearer) stack[count++] = {node.second, b};
        }
    }

    // Calls visit(box, within) for every box whose distance from `box` is at most `within` [m], which the visitor may lower.
    template <class Visit>
    void visit_near(const Aabb& box, Real& within, Visit&& visit) const
    {
        if (nodes_.empty()) return;
        std::array<int, kDepth> stack;
        int count = 0;
        stack[count++] = 0;
        while (count > 0) {
            const int here = stack[--count];
            const Node& node = nodes_[here];
            if (box_distance(node.box, box) > within) continue;
            if (node.leaf >= 0) {
                visit(node.leaf, within);
                continue;
            }
            const bool first_is_nearer = box_distance(nodes_[here + 1].box, box) <=
                                         box_distance(nodes_[node.second].box, box);
            stack[count++] = first_is_nearer ? node.second : here + 1;
            stack[count++] = first_is_nearer ? here + 1 : node.second;
        }
    }

private:
    static constexpr int kDepth = 64;  // halves: a tree of 2^31 boxes is 31 deep
    struct Node {
        Aabb box;
        int second = 0;  // the first child is the next node
        int leaf = -1;   // box of a leaf; otherwise −1
    };

    int build_below(std::span<const Aabb> boxes, std::span<int> order);

    std::vector<Node> nodes_;
    std::vector<int> order_;
    std::vector<Vec3> centres_;
};

}  // namespace taut::collision
