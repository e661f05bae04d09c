#include "model/gaps.h"

#include <algorithm>
#include <cmath>

#include "model/apply_commands.h"

namespace taut::model {

Real row_gap(const RowTable& table, const State& state, const ConstraintRows& joint, int row,
             Real phi) noexcept
{
    const Real off = table.softness[row].compliance > 0 ? phi - state.stretch[row] : phi;
    return joint.law == RowLaw::NonNegative || joint.law == RowLaw::Cone ? std::max(-off, Real(0))
                                                                         : std::abs(off);
}

template <class T>
static void widen_by_pool(const Model& model, const Pool<T>& pool, const RowTable& table,
                          const State& state, Gaps& gaps) noexcept
{
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const int index = pool.groups[k];
        const ConstraintRows& group = table.groups[index];
        if (!table.is_contact(index) && !joint_acts(model, state, index)) continue;
        const auto now = evaluate(state, group, pool.bodies[k], pool.items[k]);
        widen<T>(table, state, group, now.rows, gaps);
    }
}

Gaps read_joint_gaps(const Model& model, const State& state) noexcept
{
    Gaps gaps;
    for_each_joint_type([&](auto tag) {
        widen_by_pool(model, model.pool<typename decltype(tag)::type>(), model.rows, state, gaps);
    });
    return gaps;
}

Gaps read_gaps(const Model& model, const StepRows& rows, const State& state) noexcept
{
    Gaps gaps = read_joint_gaps(model, state);
    widen_by_pool(model, rows.contacts, rows.table, state, gaps);
    widen_by_pool(model, rows.resistances, rows.table, state, gaps);
    return gaps;
}

}  // namespace taut::model
