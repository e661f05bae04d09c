#include "model/row_table.h"

#include "core/assert.h"

namespace taut::model {

// docs/performance.md says so
static_assert(sizeof(ConstraintRows) == 44);

int RowTable::append(ConstraintRows group, std::span<const BodyIndex> bodies_of_group,
                     std::span<const RowSoftness> softness_of_rows,
                     std::span<const RowUnit> units_of_rows)
{
    TAUT_ASSERT(softness_of_rows.size() == units_of_rows.size());
    TAUT_ASSERT(softness.size() == units.size() && units.size() == static_cast<std::size_t>(count));
    group.first_row = count;
    group.rows = static_cast<int>(units_of_rows.size());
    group.first_body = static_cast<int>(touched.size());
    group.body_count = static_cast<int>(bodies_of_group.size());
    for (const RowSoftness& soft : softness_of_rows) {
        group.damped |= soft.damping_time > 0;
        group.compliant |= group.kind == RowKind::Position && soft.compliance > 0;
    }
    touched.insert(touched.end(), bodies_of_group.begin(), bodies_of_group.end());
    softness.insert(softness.end(), softness_of_rows.begin(), softness_of_rows.end());
    units.insert(units.end(), units_of_rows.begin(), units_of_rows.end());
    const int index = static_cast<int>(groups.size());
    if (group.law != RowLaw::Equal) inequalities.push_back(index);
    groups.push_back(group);
    count += group.rows;
    return index;
}

void RowTable::append_joint(const ConstraintRows& group, std::span<const BodyIndex> bodies_of_group,
                            std::span<const RowSoftness> softness_of_rows,
                            std::span<const RowUnit> units_of_rows)
{
    TAUT_ASSERT(!has_contacts());  // contacts come after all joints
    append(group, bodies_of_group, softness_of_rows, units_of_rows);
    joints = static_cast<int>(groups.size());
    joint_rows = count;
}

void RowTable::drop_contacts() noexcept
{
    if (!has_contacts()) return;
    touched.resize(groups[joints].first_body);
    groups.resize(joints);
    softness.resize(joint_rows);
    units.resize(joint_rows);
    while (!inequalities.empty() && is_contact(inequalities.back())) inequalities.pop_back();
    count = joint_rows;
}

void RowTable::clear() noexcept
{
    groups.clear();
    touched.clear();
    softness.clear();
    units.clear();
    inequalities.clear();
    count = joints = joint_rows = 0;
}

}  // namespace taut::model
