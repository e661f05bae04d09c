#include "collision/broad_phase.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/assert.h"

namespace taut::collision {
namespace {

// Every bit followed by two zeros: 21 bits become 63.
std::uint64_t spread(std::uint64_t x) noexcept
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    x = (x | x << 2) & 0x1249249249249249ull;
    return x;
}

}  // namespace

void BoxTree::sort_leaves(std::span<const Aabb> boxes)
{
    Aabb all;
    leaves_.clear();
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
        const Vec3 centre = boxes[i].centre();
        if (boxes[i].empty() || !centre.allFinite()) continue;
        all.add(centre);
        leaves_.push_back({0, i});
    }
    // one scale for all axes: a flat layer then spends no bits on its height
    const Real extent = leaves_.empty() ? 0 : 2 * all.half().maxCoeff();
    const Real scale = extent > 0 ? 2097151.0 / extent : 0;
    for (Leaf& leaf : leaves_) {
        const Vec3 x = (boxes[leaf.box].centre() - all.low) * scale;
        leaf.code = spread(static_cast<std::uint64_t>(x.x())) |
                    spread(static_cast<std::uint64_t>(x.y())) << 1 |
                    spread(static_cast<std::uint64_t>(x.z())) << 2;
    }

    // by counting, eleven bits at a time: stable, so equal codes stay in the order of the boxes
    spare_.resize(leaves_.size());
    for (int shift = 0; shift < 63; shift += 11) {
        std::array<int, 2049> start{};
        for (const Leaf& leaf : leaves_) ++start[((leaf.code >> shift) & 2047) + 1];
        for (int k = 0; k < 2048; ++k) start[k + 1] += start[k];
        for (const Leaf& leaf : leaves_) spare_[start[(leaf.code >> shift) & 2047]++] = leaf;
        std::swap(leaves_, spare_);
    }
}

// Splits where the highest differing bit changes, that is, in the middle of a cell of space. Many equal
// codes are split in halves, so that the depth stays bounded.
int BoxTree::build(std::span<const Aabb> boxes, std::span<const char> still, int first, int last)
{
    const int here = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
    if (first == last) {
        Node& node = nodes_[here];
        node.box = boxes[leaves_[first].box];
        node.leaf = first;
        node.all_still = still[leaves_[first].box] != 0;
        node_of_leaf_[first] = here;
    } else {
        const std::uint64_t low = leaves_[first].code, high = leaves_[last].code;
        int middle = (first + last) / 2;
        if (low != high) {
            const int bit = 63 - std::countl_zero(low ^ high);
            const auto after =
                std::partition_point(leaves_.begin() + first, leaves_.begin() + last + 1,
                                     [&](const Leaf& leaf) { return (leaf.code >> bit & 1) == 0; });
            middle = static_cast<int>(after - leaves_.begin()) - 1;
        }
        const int left = build(boxes, still, first, middle);
        const int right = build(boxes, still, middle + 1, last);
        Node& node = nodes_[here];
        node.box = nodes_[left].box;
        node.box.add(nodes_[right].box);
        node.all_still = nodes_[left].all_still && nodes_[right].all_still;
    }
    nodes_[here].skip = static_cast<int>(nodes_.size());
    return here;
}

void BoxTree::find_pairs(std::span<const Aabb> boxes, std::span<const char> still,
                         std::vector<IndexPair>& out)
{
    TAUT_ASSERT(boxes.size() == still.size());
    out.clear();
    sort_leaves(boxes);
    if (leaves_.empty()) return;
    nodes_.clear();
    nodes_.reserve(2 * leaves_.size());
    node_of_leaf_.resize(leaves_.size());
    const int count = static_cast<int>(leaves_.size());
    build(boxes, still, 0, count - 1);

    // each leaf against the leaves behind it: these begin right after it in the depth-first order
    const int end = static_cast<int>(nodes_.size());
    for (int k = 0; k < count; ++k) {
        const int mine = leaves_[k].box;
        const Aabb box = boxes[mine];
        const bool rests = still[mine] != 0;
        for (int i = node_of_leaf_[k] + 1; i < end;) {
            const Node& node = nodes_[i];
            if ((rests && node.all_still) || !overlap(node.box, box)) {
                i = node.skip;
                continue;
            }
            if (node.leaf >= 0) {
                const int other = leaves_[node.leaf].box;
                out.push_back({std::min(mine, other), std::max(mine, other)});
            }
            ++i;
        }
    }
    std::sort(out.begin(), out.end());
}

}  // namespace taut::collision
