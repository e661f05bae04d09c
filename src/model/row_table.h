// The rows of all constraints, as assembly, solvers and stepper see them: joints first, contacts after them.
//
// What inner loops read is here, 44 bytes a constraint; names, schedules and limits of joints are in JointModel.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "constraints/constraint.h"
#include "core/assert.h"
#include "model/body_index.h"

namespace taut::model {

// How softly one row is held. Servos have their own stiffness and damping instead.
struct RowSoftness {
    Real compliance = 0;
    Real damping_time = 0;
};

// The rows of one constraint, which follow each other. The bodies are in RowTable::bodies().
struct ConstraintRows {
    int type = 0;  // position in ConstraintTypes
    int slot = 0;  // position in its pool
    int first_row = 0;
    int rows = 0;
    int first_memory = 0;  // of its remembered angles, in State::memory
    int memories = 0;
    int first_body = 0;  // in RowTable::touched
    int body_count = 0;
    RowKind kind = RowKind::Position;
    RowLaw law = RowLaw::Equal;
    bool damped = false;     // a row has a damping time
    bool compliant = false;  // a position row has a compliance
};
static_assert(sizeof(ConstraintRows) <= 64, "inner loops walk over these");

struct RowTable {
    std::vector<ConstraintRows>
        groups;                      // one per joint in the order of Model::joints, then contacts
    std::vector<BodyIndex> touched;  // the bodies of all groups, group by group
    std::vector<RowSoftness> softness;  // per row
    std::vector<RowUnit> units;         // per row
    std::vector<int> inequalities;      // groups whose law is not Equal
    int count = 0;                      // of rows
    int joints = 0;                     // how many of the groups are joints,
    int joint_rows = 0;                 // and how many of the rows are theirs

    bool is_contact(int group) const noexcept { return group >= joints; }
    bool is_contact_row(int row) const noexcept { return row >= joint_rows; }
    bool has_contacts() const noexcept { return count > joint_rows; }

    std::span<const BodyIndex> bodies(const ConstraintRows& group) const noexcept
    {
        TAUT_ASSERT(has_bodies_of(group));
        return {touched.data() + group.first_body, static_cast<std::size_t>(group.body_count)};
    }
    std::span<BodyIndex> bodies(const ConstraintRows& group) noexcept
    {
        TAUT_ASSERT(has_bodies_of(group));
        return {touched.data() + group.first_body, static_cast<std::size_t>(group.body_count)};
    }

    bool has_bodies_of(const ConstraintRows& group) const noexcept
    {
        return group.first_body >= 0 && group.body_count >= 0 &&
               static_cast<std::size_t>(group.first_body + group.body_count) <= touched.size();
    }

    // Adds a group whose type, slot, kind, law and memory are known; returns its index. Its rows and bodies are placed
    // behind those that exist.
    int append(ConstraintRows group, std::span<const BodyIndex> bodies,
               std::span<const RowSoftness> softness_of_rows,
               std::span<const RowUnit> units_of_rows);
    void append_joint(const ConstraintRows& group, std::span<const BodyIndex> bodies,
                      std::span<const RowSoftness> softness_of_rows,
                      std::span<const RowUnit> units_of_rows);
    void drop_contacts() noexcept;
    void clear() noexcept;
};

// The part of a row's φ that carries force: one-sided rows carry none while they are open.
inline Real loaded_stretch(RowLaw law, Real phi) noexcept
{
    return law == RowLaw::NonNegative || law == RowLaw::Cone ? std::min(phi, Real(0)) : phi;
}

}  // namespace taut::model
