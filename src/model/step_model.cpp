#include "model/step_model.h"

#include "core/assert.h"
#include "model/thresholds.h"

namespace taut::model {
namespace {

template <class T>
int append(StepRows& rows, RowLaw law)
{
    Pool<T>& pool = rows.pool<T>();
    ConstraintRows group;
    group.type = type_index<T>();
    group.slot = static_cast<int>(pool.items.size());
    group.kind = T::kKind;
    group.law = law;
    const std::array<BodyIndex, T::kBodies> bodies{};
    const std::array<RowSoftness, T::kRows> softness{};
    const int index = rows.table.append(group, bodies, softness, T::kUnits);
    pool.items.emplace_back();
    pool.bodies.emplace_back();
    pool.groups.push_back(index);
    rows.coefficients.emplace_back();
    return index;
}

}  // namespace

void StepRows::load_joints(const Model& model)
{
    if (model_topology == model.topology) return;
    drop_contacts();
    table = model.rows;
    model_topology = model.topology;
    ++topology;
    read_size(model);
}

void StepRows::drop_contacts() noexcept
{
    if (!table.has_contacts()) return;
    table.drop_contacts();
    contacts.clear();
    resistances.clear();
    coefficients.clear();
    ++topology;
}

void StepRows::read_size(const Model& model) noexcept
{
    Extent extent;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].dynamic()) extent.extend(model.body_details[b].extent);
    const Real diagonal = extent.isEmpty() ? 0 : extent.diagonal().norm();
    size = diagonal > kDescription.least_size ? diagonal : 1;
}

int StepRows::append_contact() { return append<Contact>(*this, RowLaw::Cone); }

int StepRows::append_resistance(int normal_row)
{
    TAUT_ASSERT(table.is_contact_row(normal_row) && normal_row < table.count);
    const int group = append<Rolling>(*this, RowLaw::Interval);
    coefficients_of(group).normal_row = normal_row;
    return group;
}

}  // namespace taut::model
