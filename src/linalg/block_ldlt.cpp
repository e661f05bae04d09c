#include "linalg/block_ldlt.h"

#include <algorithm>
#include <cstdint>

#include "core/assert.h"
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
    std::vector<Stretch> stretches = find_stretches(pattern, forest);
    std::vector<int> ahead;
    for (const Stretch& stretch : stretches)
        ahead.insert(ahead.end(), stretch.eliminated.begin(), stretch.eliminated.end());
    const EliminationOrder order =
        split_into_parts(postordered(find_order(pattern, forest, ahead)));
    plan_ = make_plan(pattern, order);
    stretches_.prepare(std::move(stretches), pattern, order, plan_, tables);
    floor_.prepare(pattern, forest, tables);
    memory_.assign(plan_.store_size + 8, 0);
    scaled_panels_.assign(plan_.parts.size() * plan_.widest_panels, 0);
    pivots_.assign(plan_.parts.size(), {});
    fill_ = order.fill;
    early_ = std::any_of(pattern.duals.begin(), pattern.duals.end(),
                         [](const auto& dual) { return dual.early; });
}

BlockLdlt::Report BlockLdlt::factor_and_solve(const SaddleSystem& system, std::span<Real> x,
                                              std::span<Real> y, Real floor) noexcept
{
    TAUT_ASSERT(tables_ != nullptr);
    TAUT_ASSERT(system.symmetric);
    TAUT_ASSERT(x.size() == system.f.size() && y.size() == system.g.size());
    const Input in{{system.H.data(), system.J.data(), store()},
                   floor_.raise(system, floor),
                   system.f.data(),
                   system.g.data()};

    stretches_.eliminate({in.spaces[0], in.spaces[1], in.sigma, in.f, in.g}, team_);
    for (const int k : plan_.changed_ahead) load(plan_.nodes[k], in);
    stretches_.hand_over(store());
    each_part([&](int part) { eliminate_part(part, in); });
    eliminate_part(rest(), in);
    substitute_back(x, y);
    Report report;
    for (const kernels::StretchPivots& count : stretches_.pivots()) {
        report.negative_pivots += count.body_negative + count.joint_negative + count.joint_tiny;
        report.replaced_pivots += count.body_tiny + count.joint_tiny;
    }
    for (const Pivots& count : pivots_) {
        report.negative_pivots += count.primal.negative + count.dual.negative + count.dual.tiny;
        report.replaced_pivots += count.primal.tiny + count.dual.tiny;
    }
    return report;
}

void BlockLdlt::eliminate_part(int part, const Input& in) noexcept
{
    const BlockPlan::Part& range = plan_.parts[part];
    Real* const scaled =
        scaled_panels_.data() + static_cast<std::ptrdiff_t>(part) * plan_.widest_panels;
    PivotCount count[2];  // primal, dual
    for (int c = range.first_chunk; c < range.last_chunk; ++c) {
        const BlockPlan::Chunk &chunk = plan_.chunks[c], &next = plan_.chunks[c + 1];
        for (int k = chunk.first_load; k < next.first_load; ++k)
            load(plan_.nodes[plan_.load_order[k]], in);
        for (int k = chunk.first; k < next.first; ++k)
            eliminate(k, in, scaled, count[plan_.nodes[k].is_dual]);
    }
    pivots_[part] = {count[0], count[1]};
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

void BlockLdlt::eliminate(int position, const Input& in, Real* scaled, PivotCount& count) noexcept
{
    const auto& node = plan_.nodes[position];
    const int neighbours = (&node)[1].first_below - node.first_below;
    if (neighbours != 1 || node.has_early_panels)
        return eliminate_many(position, in, scaled, count);
    const auto& below = plan_.below[node.first_below];
    Real* const store = this->store();
    tables_->eliminate_one[node.size][below.size](store + node.record, in.panel(below),
                                                  below.layout, store + below.record, count);
}

void BlockLdlt::eliminate_many(int position, const Input& in, Real* scaled,
                               PivotCount& count) noexcept
{
    const kernels::Tables& tables = *tables_;
    const auto& node = plan_.nodes[position];
    Real* const store = this->store();
    tables.factor_node[node.size](store + node.record, count);

    const int first = node.first_below;
    const int last = (&node)[1].first_below;
    if (first == last) return;
    const int panels = plan_.below[first].panel;
    const int* target = plan_.targets.data() + node.first_target;
    for (int i = first; i < last; ++i) {
        const auto& row = plan_.below[i];
        const Real* const source = row.is_early ? store + row.panel : in.panel(row);
        const auto layout = row.is_early ? kernels::PanelLayout::Padded : row.layout;
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
    backward_part(rest(), x.data(), y.data());
    each_part([&](int part) { backward_part(part, x.data(), y.data()); });
    stretches_.substitute_back(store(), x.data(), y.data(), team_);
}

void BlockLdlt::backward_part(int part, Real* x, Real* y) noexcept
{
    const kernels::Tables& tables = *tables_;
    Real* const store = this->store();
    const BlockPlan::Part& range = plan_.parts[part];
    for (int k = range.last - 1; k >= range.first; --k) {
        const auto& node = plan_.nodes[k];
        Real* const record = store + node.record;
        const int first = node.first_below;
        const int last = (&node)[1].first_below;
        // the matrix is symmetric in (x, −y)
        Real* const out = (node.is_dual ? y : x) + node.unknown;
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
    TAUT_ASSERT(tables_ != nullptr);
    TAUT_ASSERT(f.size() == x.size() && g.size() == y.size());
    Real* const store = this->store();
    const auto load_part = [&](int part) {
        const BlockPlan::Part& range = plan_.parts[part];
        for (int k = range.first; k < range.last; ++k) {
            const auto& node = plan_.nodes[k];
            const Real* const from = (node.is_dual ? g.data() : f.data()) + node.unknown;
            std::copy_n(from, node.size, store + node.record + columns_size(node.size));
        }
    };
    stretches_.substitute_forward({nullptr, nullptr, nullptr, f.data(), g.data()}, team_);
    load_part(rest());  // parts change it
    each_part([&](int part) { load_part(part); });
    stretches_.hand_over_right_hand_sides(store);
    each_part([&](int part) { forward_part(part); });
    forward_part(rest());
    substitute_back(x, y);
}

void BlockLdlt::forward_part(int part) noexcept
{
    const kernels::Tables& tables = *tables_;
    Real* const store = this->store();
    const BlockPlan::Part& range = plan_.parts[part];
    for (int k = range.first; k < range.last; ++k) {
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
}

}  // namespace taut::linalg
