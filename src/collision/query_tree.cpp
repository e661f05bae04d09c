#include "collision/query_tree.h"

#include <algorithm>

namespace taut::collision {

void QueryTree::build(std::span<const Aabb> boxes)
{
    nodes_.clear();
    order_.clear();
    centres_.resize(boxes.size());
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
        if (boxes[i].empty()) continue;
        centres_[i] = boxes[i].centre();
        order_.push_back(i);
    }
    nodes_.reserve(2 * order_.size());
    if (!order_.empty()) build_below(boxes, order_);
}

int QueryTree::build_below(std::span<const Aabb> boxes, std::span<int> order)
{
    const int here = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
    Aabb box;
    if (order.size() == 1) {
        box = boxes[order[0]];
        nodes_[here].leaf = order[0];
    } else {
        Aabb centres;
        for (const int i : order) centres.add(centres_[i]);
        int axis = 0;
        centres.half().maxCoeff(&axis);
        const auto middle = order.size() / 2;
        std::nth_element(
            order.begin(), order.begin() + static_cast<std::ptrdiff_t>(middle), order.end(),
            [&](int a, int b) {
                return std::pair{centres_[a][axis], a} < std::pair{centres_[b][axis], b};
            });
        const int first = build_below(boxes, order.first(middle));
        const int second = build_below(boxes, order.subspan(middle));
        nodes_[here].second = second;
        box = nodes_[first].box;
        box.add(nodes_[second].box);
    }
    nodes_[here].box = box;
    return here;
}

}  // namespace taut::collision
