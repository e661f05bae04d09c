// How far joints are from where they should be.
#pragma once

#include "model/builder.h"
#include "model/state.h"
#include "model/step_model.h"

namespace taut::model {

// The rows of one joint at the poses of a state.
template <class T>
struct Evaluated {
    Poses<T::kBodies> X;
    Rows<T::kRows, T::kBodies> rows;
};

template <class T>
Evaluated<T> evaluate(const State& state, const ConstraintRows& joint,
                      std::span<const BodyIndex> bodies, const T& item) noexcept
{
    Evaluated<T> out;
    for (int s = 0; s < T::kBodies; ++s) out.X[s] = body_pose(state, bodies[s]);
    Memory<T::kMemory> memory;
    for (int k = 0; k < T::kMemory; ++k) memory[k] = state.memory[joint.first_memory + k];
    item.evaluate(out.X, memory, out.rows);
    return out;
}

// Largest gap: of rows that measure length [m], of rows that measure angle [rad].
struct Gaps {
    Real length = 0;
    Real angle = 0;
};

// How far a position row is from where it should be: its elastic stretch does not count. A row
// without compliance has none, however slowly its damping time lets it close.
// A one-sided row may be open, but not penetrating.
Real row_gap(const RowTable& table, const State& state, const ConstraintRows& joint, int row,
             Real phi) noexcept;

// Takes the gaps of one joint into account.
template <class T>
void widen(const RowTable& table, const State& state, const ConstraintRows& joint,
           const Rows<T::kRows, T::kBodies>& rows, Gaps& gaps) noexcept
{
    if (T::kKind != RowKind::Position) return;
    for (int r = 0; r < T::kRows; ++r) {
        Real& gap = table.units[joint.first_row + r] == RowUnit::Length ? gaps.length : gaps.angle;
        gap = std::max(gap, row_gap(table, state, joint, joint.first_row + r, rows.phi[r]));
    }
}

// Over all joints, and over all joints and contacts.
Gaps read_joint_gaps(const Model& model, const State& state) noexcept;
Gaps read_gaps(const Model& model, const StepRows& rows, const State& state) noexcept;

}  // namespace taut::model
