#include "linalg/block_plan.h"

#include <algorithm>
#include <cassert>

namespace taut::linalg {
namespace {

using kernels::node_size;
using kernels::panel_size;
using kernels::PanelLayout;

class Planner {
public:
    Planner(const SaddlePattern& pattern, const EliminationOrder& order)
        : p_(pattern), order_(order), count_(static_cast<int>(order.nodes.size()))
    {}

    BlockPlan make()
    {
        place_records();
        for (const auto& pair : p_.pairs)
            place_block(pair.i, pair.j, BlockPlan::Space::H, pair.block_ij);
        const int primals = static_cast<int>(p_.primals.size());
        for (int d = 0; d < static_cast<int>(p_.duals.size()); ++d)
            for (int t = 0; t < p_.duals[d].touches; ++t) {
                const auto& touch = p_.touches[p_.duals[d].first_touch + t];
                place_block(primals + d, touch.primal, BlockPlan::Space::J, touch.block);
            }
        list_targets();
        schedule_loads();
        return std::move(plan_);
    }

private:
    void place_records()
    {
        const int primals = static_cast<int>(p_.primals.size());
        plan_.nodes.resize(count_ + 1);
        plan_.below.resize(order_.below.size());
        for (int k = 0; k < count_; ++k) {
            auto& node = plan_.nodes[k];
            const int id = order_.nodes[k];
            node.is_dual = id >= primals;
            if (node.is_dual) {
                const auto& dual = p_.duals[id - primals];
                node.size = static_cast<unsigned char>(dual.size);
                node.diagonal = node.unknown = dual.offset;
            } else {
                const auto& primal = p_.primals[id];
                node.size = static_cast<unsigned char>(primal.size);
                node.diagonal = primal.block;
                node.unknown = primal.offset;
            }
        }
        for (int k = 0; k < count_; ++k) {
            auto& node = plan_.nodes[k];
            node.record = plan_.store_size;
            node.first_below = order_.first_below[k];
            if (k < order_.ahead) continue;
            plan_.store_size += node_size(node.size);
            const int panels = plan_.store_size;
            for (int b = order_.first_below[k]; b < order_.first_below[k + 1]; ++b) {
                auto& below = plan_.below[b];
                below.size = plan_.nodes[order_.below[b]].size;
                below.panel = below.source = plan_.store_size;
                below.space = BlockPlan::Space::Store;
                below.layout = PanelLayout::Padded;
                below.is_early = false;
                below.is_fill = true;
                plan_.store_size += panel_size(below.size, node.size);
            }
            plan_.widest_panels = std::max(plan_.widest_panels, plan_.store_size - panels);
        }
        plan_.nodes[count_].first_below = static_cast<int>(order_.below.size());
        for (std::size_t b = 0; b < plan_.below.size(); ++b)
            plan_.below[b].record = plan_.nodes[order_.below[b]].record;
    }

    // A block of the matrix that is stored by rows with the rows of `row_node`.
    void place_block(int row_node, int column_node, BlockPlan::Space space, int source)
    {
        const int row = order_.position[row_node];
        const int column = order_.position[column_node];
        if (std::min(row, column) < order_.ahead) return;
        auto& below = plan_.below[find_below(order_, std::min(row, column), std::max(row, column))];
        below.space = space;
        below.source = source;
        below.layout = row > column ? PanelLayout::ByRows : PanelLayout::ByColumns;
        below.is_fill = false;
    }

    void list_targets()
    {
        for (int k = 0; k < count_; ++k) {
            plan_.nodes[k].first_target = static_cast<int>(plan_.targets.size());
            const int first = order_.first_below[k];
            for (int i = first; i < order_.first_below[k + 1]; ++i)
                for (int j = first; j < i; ++j) {
                    auto& target =
                        plan_.below[find_below(order_, order_.below[j], order_.below[i])];
                    target.is_early = true;
                    plan_.nodes[order_.below[j]].has_early_panels = true;
                    if (k >= order_.ahead) plan_.targets.push_back(target.panel);
                }
        }
    }

    void schedule_loads()
    {
        const int ahead = order_.ahead;
        std::vector<int> when(count_);
        for (int k = 0; k < count_; ++k) when[k] = k;
        for (int k = count_ - 1; k >= 0; --k)
            for (int b = order_.first_below[k]; b < order_.first_below[k + 1]; ++b)
                when[order_.below[b]] = std::min(when[order_.below[b]], k);

        // chunks end where parts do
        std::vector<int> chunk_of(count_);
        const auto cut = [&](int first, int last) {
            const int first_chunk = static_cast<int>(plan_.chunks.size());
            for (int k = first; k < last; ++k) {
                if ((k - first) % BlockPlan::kChunk == 0) plan_.chunks.push_back({k, 0});
                chunk_of[k] = static_cast<int>(plan_.chunks.size()) - 1;
            }
            plan_.parts.push_back(
                {first, last, first_chunk, static_cast<int>(plan_.chunks.size())});
        };
        for (const auto& part : order_.parts) cut(part.first, part.last);
        cut(order_.parts.empty() ? ahead : order_.parts.back().last, count_);
        plan_.chunks.push_back({count_, 0});

        for (int k = ahead; k < count_; ++k) {
            if (when[k] < ahead)
                plan_.changed_ahead.push_back(k);
            else
                ++plan_.chunks[chunk_of[when[k]] + 1].first_load;
        }
        for (std::size_t c = 1; c < plan_.chunks.size(); ++c)
            plan_.chunks[c].first_load += plan_.chunks[c - 1].first_load;
        plan_.load_order.resize(plan_.chunks.back().first_load);
        std::vector<int> next(plan_.chunks.size());
        for (std::size_t c = 0; c < next.size(); ++c) next[c] = plan_.chunks[c].first_load;
        for (int k = ahead; k < count_; ++k)
            if (when[k] >= ahead) plan_.load_order[next[chunk_of[when[k]]]++] = k;
    }

    const SaddlePattern& p_;
    const EliminationOrder& order_;
    int count_;
    BlockPlan plan_;
};

}  // namespace

BlockPlan make_plan(const SaddlePattern& pattern, const EliminationOrder& order)
{
    return Planner(pattern, order).make();
}

}  // namespace taut::linalg
