// The rows of one joint into the system: φ, J and the equations of the rows.
#pragma once

#include <algorithm>

#include "assembly/linearise.h"
#include "assembly/midpoint_rows.h"

namespace taut::assembly {

template <class T>
Poses<T::kBodies> gather(const BodyStart* at,
                         const std::array<BodyIndex, T::kBodies>& bodies) noexcept
{
    Poses<T::kBodies> X;
    for (int s = 0; s < T::kBodies; ++s) X[s] = at[bodies[s]].pose;
    return X;
}

template <int kMemory>
Memory<kMemory> recall(const State& state, int first) noexcept
{
    Memory<kMemory> memory;
    for (int k = 0; k < kMemory; ++k) memory[k] = state.memory[first + k];
    return memory;
}

template <class T>
bool carries_torque(const Pool<T>& pool) noexcept
{
    const auto has_angles = [](const auto& units) {
        return std::find(units.begin(), units.end(), RowUnit::Angle) != units.end();
    };
    if constexpr (T::kFromOutside)
        return std::any_of(pool.items.begin(), pool.items.end(),
                           [&](const T& item) { return has_angles(units_of(item)); });
    else
        return has_angles(T::kUnits);
}

template <class T>
constexpr bool holds_positions() noexcept
{
    for (int r = 0; r < T::kRows; ++r)
        if (row_kind<T>(r) != RowKind::Position) return false;
    return true;
}

// Where a pool is written to. Plain pointers, copied: what is written has the type of what is read, and behind a
// reference the compiler would have to look up every one of them again after each number.
struct RowTarget {
    const BodyStart* bodies;
    RowStart* rows;
    Real *H, *J, *sigma, *g, *reaction;
};

// A broken joint has rows of its own, without a body: λ = 0.
template <class T>
void clear_broken(const ConstraintRows& group, const JointPlace& place,
                  const RowTarget& to) noexcept
{
    for (int r = group.first_row; r < group.first_row + T::kRows; ++r) {
        to.rows[r] = {};
        to.sigma[r] = 1;
        to.g[r] = 0;
    }
    for (int s = 0; s < T::kBodies; ++s)
        for (int k = 0; k < T::kRows * place.bodies[s].freedoms; ++k)
            to.J[place.jacobian[s] + k] = 0;
}

// N columns of a block of J.
template <int N, int kRows>
void write_block(const RowBlock<kRows>& J, Real* out) noexcept
{
    Eigen::Map<Eigen::Matrix<Real, kRows, N, Eigen::RowMajor>> block(out);
    block = J.template leftCols<N>();
}

// What the rows do to a body with impulses μ: reaction += Jᵀμ.
template <int N, int kRows>
void add_reaction(const RowBlock<kRows>& J, const RowVector<kRows>& impulse,
                  Real* reaction) noexcept
{
    Eigen::Matrix<Real, 1, N> sum = J.row(0).template head<N>() * impulse[0];
    for (int r = 1; r < kRows; ++r) sum += J.row(r).template head<N>() * impulse[r];
    Eigen::Map<Eigen::Matrix<Real, 1, N>> total(reaction);
    total += sum;
}

// J v and J v̂ of one body, where somebody asks for them.
template <int kRows>
void add_rates(const RowBlock<kRows>& J, const BodyStart& body, const BodyPlace& place,
               RowStart* row) noexcept
{
    for (int r = 0; r < kRows; ++r) {
        const auto linear = J.row(r).template head<3>();
        const auto angular = J.row(r).template tail<3>();
        if (place.kinematic) {
            const Real rate = linear.dot(body.v) + angular.dot(body.w);
            row[r].prescribed += rate;
            row[r].rate += rate;
            row[r].drift += rate;
        } else {
            const bool turns = place.freedoms == 6;
            row[r].rate += linear.dot(body.v) + (turns ? angular.dot(body.w) : 0);
            row[r].drift += linear.dot(body.drift_v) + (turns ? angular.dot(body.drift_w) : 0);
        }
    }
}

// Writes J of the bodies that move, and what the others contribute to each row.
template <class T>
void write_jacobian(const Rows<T::kRows, T::kBodies>& rows,
                    const std::array<BodyIndex, T::kBodies>& bodies, const JointPlace& place,
                    const RowVector<T::kRows>& impulse, bool need_rates, bool values_only,
                    int first_row, const RowTarget& to) noexcept
{
    RowStart* const row = to.rows + first_row;
    for (int r = 0; r < T::kRows; ++r) row[r] = {rows.phi[r], 0, 0, 0, 0};
    for (int s = 0; s < T::kBodies; ++s) {
        const BodyPlace& at = place.bodies[s];
        if (at.freedoms == 6) {
            if (!values_only) write_block<6>(rows.J[s], to.J + place.jacobian[s]);
            add_reaction<6>(rows.J[s], impulse, to.reaction + at.offset);
        } else if (at.freedoms == 3) {
            if (!values_only) write_block<3>(rows.J[s], to.J + place.jacobian[s]);
            add_reaction<3>(rows.J[s], impulse, to.reaction + at.offset);
        }
        if (at.kinematic || (need_rates && at.freedoms > 0))
            add_rates<T::kRows>(rows.J[s], to.bodies[bodies[s]], at, row);
    }
}

// Belts: their surfaces move as those of a kinematic body would.
template <class T>
void add_surface_rates(const T& item, const Poses<T::kBodies>& X, int first_row,
                       const RowTarget& to) noexcept
{
    if constexpr (std::is_same_v<T, Contact>) {
        if (!item.surface_moves) return;
        const RowVector<T::kRows> rates = item.surface_rates(X);
        for (int r = 1; r < T::kRows; ++r) {
            RowStart& row = to.rows[first_row + r];
            row.prescribed += rates[r];
            row.rate += rates[r];
            row.drift += rates[r];
        }
    }
}

template <class T>
RowEquation row_equation(const StepModel& model, const SchemeWeights& scheme, int index, int r,
                         const RowStart& row) noexcept
{
    const ConstraintRows& group = model.rows.groups[index];
    if (row_kind<T>(r) == RowKind::Position)
        return position_row(scheme, model.rows.softness[group.first_row + r], row.phi, row.rate,
                            row.drift);
    if constexpr (kIsContact<T>) {
        return velocity_row(scheme, 0, row.rate);  // friction: no slip
    } else {
        const JointModel& joint = model.joints[index];
        return row_kind<T>(r) == RowKind::Servo
                   ? servo_row(scheme, joint, row.phi, row.rate, row.drift)
                   : velocity_row(scheme, joint.target_value(scheme.end_time()), row.rate);
    }
}

template <class T>
void write_row_equations(const StepModel& model, const SchemeWeights& scheme, Real per_h, int index,
                         const RowTarget& to) noexcept
{
    const ConstraintRows& group = model.rows.groups[index];
    if constexpr (holds_positions<T>()) {
        if (scheme.newton && !group.damped) {  // the usual joint: no divisions
            for (int k = group.first_row; k < group.first_row + T::kRows; ++k) {
                to.rows[k].rhs = to.g[k] = -to.rows[k].phi * per_h;
                to.sigma[k] = model.rows.softness[k].compliance * per_h * per_h;
            }
            return;
        }
    }
    for (int r = 0; r < T::kRows; ++r) {
        const int k = group.first_row + r;
        RowStart& row = to.rows[k];
        const RowEquation equation = row_equation<T>(model, scheme, index, r, row);
        row.rhs = equation.rhs;
        to.sigma[k] = equation.sigma;
        to.g[k] = scheme.newton ? equation.rhs : equation.rhs - row.prescribed;
    }
}

// The rows of one joint at the poses of `to`, which it returns.
template <class T>
Poses<T::kBodies> write_joint_rows(const StepModel& model, const SchemeWeights& scheme,
                                   const State& state, const Pool<T>& pool, std::size_t k,
                                   const JointPlace& place, const RowVector<T::kRows>& lambda,
                                   bool rates, const RowTarget& to) noexcept
{
    const int index = pool.groups[k];
    const ConstraintRows& group = model.rows.groups[index];
    const Poses<T::kBodies> X = gather<T>(to.bodies, pool.bodies[k]);
    Rows<T::kRows, T::kBodies> rows;
    pool.items[k].evaluate(X, recall<T::kMemory>(state, group.first_memory), rows);
    write_jacobian<T>(rows, pool.bodies[k], place, scheme.h * lambda, rates, scheme.values_only,
                      group.first_row, to);
    add_surface_rates(pool.items[k], X, group.first_row, to);
    write_row_equations<T>(model, scheme, 1 / scheme.h, index, to);
    return X;
}

// The rows of one joint in the midpoint scheme; returns the poses that K̃ is evaluated at.
template <class T>
Poses<T::kBodies> write_midpoint_rows(const StepModel& model, const SchemeWeights& scheme,
                                      const State& state, const Pool<T>& pool, std::size_t k,
                                      const JointPlace& place, const Linearisation& work,
                                      bool rates, const RowTarget& to) noexcept
{
    const int index = pool.groups[k];
    const ConstraintRows& group = model.rows.groups[index];
    const MidpointEvaluation<T> at(pool.items[k], work, pool.bodies[k],
                                   recall<T::kMemory>(state, group.first_memory), scheme.move);
    const RowVector<T::kRows> lambda =
        Eigen::Map<const RowVector<T::kRows>>(&state.lambda[group.first_row]);
    write_jacobian<T>(at.rows, pool.bodies[k], place, scheme.h * lambda, rates, scheme.values_only,
                      group.first_row, to);
    add_surface_rates(pool.items[k], at.pose, group.first_row, to);
    for (int r = 0; r < T::kRows; ++r) {
        RowStart& row = to.rows[group.first_row + r];
        const RowEquation equation =
            midpoint_equation<T>(model, scheme, index, r, row, at.phi_start[r]);
        row.rhs = to.g[group.first_row + r] = equation.rhs;
        to.sigma[group.first_row + r] = equation.sigma;
    }
    return at.pose;
}

}  // namespace taut::assembly
