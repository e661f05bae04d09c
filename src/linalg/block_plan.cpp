#include "linalg/block_plan.h"

#include <algorithm>
#include <cassert>

namespace taut::linalg {
namespace {

using kernels::Layout;
using kernels::node_size;
using kernels::panel_size;

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
            plan_.store_size += node_size(node.size);
            const int panels = plan_.store_size;
            for (int b = order_.first_below[k]; b < order_.first_below[k + 1]; ++b) {
                auto& below = plan_.below[b];
                below.size = plan_.nodes[order_.below[b]].size;
                below.panel = below.source = plan_.store_size;
                below.space = BlockPlan::Space::Store;
                below.layout = Layout::Padded;
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

    int find_below(int column, int row) const
    {
        const auto first = order_.below.begin() + order_.first_below[column];
        const auto last = order_.below.begin() + order_.first_below[column + 1];
        const auto found = std::lower_bound(first, last, row);
        assert(found != last && *found == row);
        return static_cast<int>(found - order_.below.begin());
    }

    // A block of the matrix that is stored by rows with the rows of `row_node`.
    void place_block(int row_node, int column_node, BlockPlan::Space space, int source)
    {
        const int row = order_.position[row_node];
        const int column = order_.position[column_node];
        auto& below = plan_.below[find_below(std::min(row, column), std::max(row, column))];
        below.space = space;
        below.source = source;
        below.layout = row > column ? Layout::ByRows : Layout::ByColumns;
        below.is_fill = false;
    }

    void list_targets()
    {
        for (int k = 0; k < count_; ++k) {
            plan_.nodes[k].first_target = static_cast<int>(plan_.targets.size());
            const int first = order_.first_below[k];
            for (int i = first; i < order_.first_below[k + 1]; ++i)
                for (int j = first; j < i; ++j) {
                    auto& target = plan_.below[find_below(order_.below[j], order_.below[i])];
                    target.is_early = true;
                    plan_.nodes[order_.below[j]].has_early_panels = true;
                    plan_.targets.push_back(target.panel);
                }
        }
    }

    void schedule_loads()
    {
        std::vector<int> when(count_);
        for (int k = 0; k < count_; ++k) when[k] = k;
        for (int k = count_ - 1; k >= 0; --k)
            for (int b = order_.first_below[k]; b < order_.first_below[k + 1]; ++b)
                when[order_.below[b]] = std::min(when[order_.below[b]], k);

        const int chunks = (count_ + BlockPlan::kChunk - 1) / BlockPlan::kChunk;
        plan_.first_load.assign(chunks + 1, 0);
        for (const int k : when) ++plan_.first_load[k / BlockPlan::kChunk + 1];
        for (int c = 0; c < chunks; ++c) plan_.first_load[c + 1] += plan_.first_load[c];
        plan_.load_order.resize(count_);
        std::vector<int> next(plan_.first_load.begin(), plan_.first_load.end() - 1);
        for (int k = 0; k < count_; ++k) plan_.load_order[next[when[k] / BlockPlan::kChunk]++] = k;
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
