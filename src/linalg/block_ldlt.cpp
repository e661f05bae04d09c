#include "linalg/block_ldlt.h"

#include <algorithm>
#include <cstdint>

#include "linalg/kernel_tables.h"

namespace taut::linalg {

using kernels::columns_size;
using kernels::PivotCount;

struct BlockLdlt::Input {
    const Real* spaces[3];  // by BlockPlan::Space
    const Real* sigma;
    const Real* f;
    const Real* g;

    const Real* panel(const BlockPlan::Below& below) const
    {
        return spaces[static_cast<int>(below.space)] + below.source;
    }
};

Real* BlockLdlt::store() noexcept
{
    constexpr std::uintptr_t kLine = 64;
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (kLine - at % kLine) % kLine / sizeof(Real);
}

void BlockLdlt::prepare(const SaddlePattern& pattern, const kernels::Tables& tables)
{
    tables_ = &tables;
    const SpanningForest forest = find_spanning_forest(pattern);
    const EliminationOrder order = postordered(find_order(pattern, forest));
    plan_ = make_plan(pattern, order);
    floor_.prepare(pattern, forest, tables);
    memory_.assign(plan_.store_size + 8, 0);
    scaled_panels_.assign(plan_.widest_panels, 0);
    fill_ = order.fill;
    early_ = std::any_of(pattern.duals.begin(), pattern.duals.end(),
                         [](const auto& dual) { return dual.early; });
}

BlockLdlt::Report BlockLdlt::factor_and_solve(const SaddleSystem& system, std::span<Real> x,
                                              std::span<Real> y, Real floor) noexcept
{
    const Input in{{system.H.data(), system.J.data(), store()},
                   floor_.raise(system, floor),
                   system.f.data(),
                   system.g.data()};

    PivotCount count[2];  // primal, dual
    for (int chunk = 0; chunk + 1 < static_cast<int>(plan_.first_load.size()); ++chunk) {
        for (int k = plan_.first_load[chunk]; k < plan_.first_load[chunk + 1]; ++k)
            load(plan_.nodes[plan_.load_order[k]], in);
        const int first = chunk * BlockPlan::kChunk;
        const int last = std::min(first + BlockPlan::kChunk, plan_.count());
        for (int k = first; k < last; ++k) eliminate(k, in, count[plan_.nodes[k].is_dual]);
    }

    substitute_back(x, y);
    return {count[0].negative + count[1].negative + count[1].tiny, count[0].tiny + count[1].tiny};
}

void BlockLdlt::load(const BlockPlan::Node& node, const Input& in) noexcept
{
    const kernels::Tables& tables = *tables_;
    Real* const store = this->store();
    Real* const record = store + node.record;
    if (node.is_dual)
        tables.load_dual[node.size](in.sigma + node.diagonal, in.g + node.unknown, record);
    else
        tables.load_primal[node.size](in.spaces[0] + node.diagonal, in.f + node.unknown, record);
    if (!node.has_early_panels) return;

    for (int b = node.first_below; b < (&node)[1].first_below; ++b) {
        const auto& below = plan_.below[b];
        if (!below.is_early) continue;
        Real* const panel = store + below.panel;
        if (below.is_fill)
            std::fill_n(panel, kernels::panel_size(below.size, node.size), Real(0));
        else
            tables.copy_panel[node.size][below.size](in.panel(below), below.layout, panel);
    }
}

void BlockLdlt::eliminate(int position, const Input& in, PivotCount& count) noexcept
{
    const auto& node = plan_.nodes[position];
    const int neighbours = (&node)[1].first_below - node.first_below;
    if (neighbours != 1 || node.has_early_panels) return eliminate_many(position, in, count);
    const auto& below = plan_.below[node.first_below];
    Real* const store = this->store();
    tables_->eliminate_one[node.size][below.size](store + node.record, in.panel(below),
                                                  below.layout, store + below.record, count);
}

void BlockLdlt::eliminate_many(int position, const Input& in, PivotCount& count) noexcept
{
    const kernels::Tables& tables = *tables_;
    const auto& node = plan_.nodes[position];
    Real* const store = this->store();
    Real* const scaled = scaled_panels_.data();
    tables.factor_node[node.size](store + node.record, count);

    const int first = node.first_below;
    const int last = (&node)[1].first_below;
    if (first == last) return;
    const int panels = plan_.below[first].panel;
    const int* target = plan_.targets.data() + node.first_target;
    for (int i = first; i < last; ++i) {
        const auto& row = plan_.below[i];
        const Real* const source = row.is_early ? store + row.panel : in.panel(row);
        const auto layout = row.is_early ? kernels::Layout::Padded : row.layout;
        Real* const scaled_row = scaled + row.panel - panels;
        tables.factor_panel[node.size][row.size](store + node.record, source, layout,
                                                 store + row.panel, scaled_row, store + row.record);
        tables.update_triangle[row.size](node.size, store + row.panel, scaled_row,
                                         store + row.record);
        for (int j = first; j < i; ++j) {
            const auto& column = plan_.below[j];
            tables.update_block[row.size][column.size](node.size, scaled_row, store + column.panel,
                                                       store + *target++);
        }
    }
}

void BlockLdlt::substitute_back(std::span<Real> x, std::span<Real> y) noexcept
{
    const kernels::Tables& tables = *tables_;
    Real* const store = this->store();
    for (int k = plan_.count() - 1; k >= 0; --k) {
        const auto& node = plan_.nodes[k];
        Real* const record = store + node.record;
        const int first = node.first_below;
        const int last = (&node)[1].first_below;
        // the matrix is symmetric in (x, −y)
        Real* const out = (node.is_dual ? y.data() : x.data()) + node.unknown;
        const Real sign = node.is_dual ? -1 : 1;
        if (last - first == 1) {
            const auto& below = plan_.below[first];
            tables.backward_one[node.size][below.size](
                record, store + below.record + columns_size(below.size), out, sign);
            continue;
        }
        Real* const mine = record + columns_size(node.size);
        for (int b = first; b < last; ++b) {
            const auto& below = plan_.below[b];
            tables.backward_panel[node.size][below.size](
                store + below.panel, store + below.record + columns_size(below.size), mine);
        }
        tables.backward_node[node.size](record, mine);
        for (int r = 0; r < node.size; ++r) out[r] = sign * mine[r];
    }
}

void BlockLdlt::solve(std::span<const Real> f, std::span<const Real> g, std::span<Real> x,
                      std::span<Real> y) noexcept
{
    const kernels::Tables& tables = *tables_;
    Real* const store = this->store();
    for (int k = 0; k < plan_.count(); ++k) {
        const auto& node = plan_.nodes[k];
        const Real* const from = (node.is_dual ? g.data() : f.data()) + node.unknown;
        std::copy_n(from, node.size, store + node.record + columns_size(node.size));
    }
    for (int k = 0; k < plan_.count(); ++k) {
        const auto& node = plan_.nodes[k];
        Real* const record = store + node.record;
        Real* const mine = record + columns_size(node.size);
        tables.forward_node[node.size](record, mine);
        for (int b = node.first_below; b < (&node)[1].first_below; ++b) {
            const auto& below = plan_.below[b];
            tables.forward_panel[node.size][below.size](
                store + below.panel, mine, store + below.record + columns_size(below.size));
        }
        tables.scale_node[node.size](record, mine);
    }
    substitute_back(x, y);
}

}  // namespace taut::linalg
