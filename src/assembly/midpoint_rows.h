// Rows of the midpoint scheme: J of the step, φ at both ends.
//
// The force of a row does the work λ JΔx over the step. Energy is kept where JΔx = Δφ. With J at the mean pose (plain means of p
// and R) this holds exactly for products of points and axes. J of other rows is taken halfway, where R is a rotation, and made
// exact by a small pair of torques along the relative turn, or by its length, so that angular momentum is kept as well.
#pragma once

#include "assembly/linearise.h"
#include "assembly/thresholds.h"
#include "model/builder.h"

namespace taut::assembly {

template <class T>
class MidpointEvaluation {
public:
    using AllRows = Rows<T::kRows, T::kBodies>;

    MidpointEvaluation(const T& item, const Linearisation& work,
                       const std::array<BodyIndex, T::kBodies>& bodies,
                       const Memory<T::kMemory>& memory, Real h) noexcept
    {
        Poses<T::kBodies> start, end, mean;
        for (int s = 0; s < T::kBodies; ++s) {
            const MidpointPose& at = work.midpoint[bodies[s]];
            mean[s] = pose[s] = work.bodies[bodies[s]].pose;
            end[s] = at.end;
            start[s] = at.start(mean[s]);
            if constexpr (T::kMeanRows < T::kRows) pose[s].R = at.mid_R;
        }
        item.evaluate(pose, memory, rows);
        AllRows other;
        if constexpr (T::kMeanRows > 0 && T::kMeanRows < T::kRows) {
            item.evaluate(mean, memory, other);
            for (int s = 0; s < T::kBodies; ++s)
                rows.J[s].template topRows<T::kMeanRows>() =
                    other.J[s].template topRows<T::kMeanRows>();
        }
        item.evaluate(start, memory, other);
        phi_start = other.phi;
        item.evaluate(end, memory, other);
        rows.phi = other.phi;
        make_exact(work, bodies, h);
    }

    Poses<T::kBodies> pose;  // at which K̃ is evaluated
    AllRows rows;
    RowVector<T::kRows> phi_start;

private:
    // J Δx = Δφ for rows that are not products of points and axes.
    void make_exact(const Linearisation& work, const std::array<BodyIndex, T::kBodies>& bodies,
                    Real h) noexcept
    {
        // velocity rows hold the velocity at the end, not Δφ
        if constexpr (T::kBodies == 2 && T::kKind != RowKind::Velocity && !kIsContact<T>) {
            if constexpr (T::kMeanIsExact && T::kMeanRows == T::kRows) return;
            std::array<Vec3, 2> way, turn;
            for (int s = 0; s < 2; ++s) {
                way[s] = h * work.bodies[bodies[s]].v;
                turn[s] = h * work.bodies[bodies[s]].w;
            }
            for (int r = T::kMeanIsExact ? T::kMeanRows : 0; r < T::kRows; ++r) {
                Real reached = 0;
                for (int s = 0; s < 2; ++s)
                    reached += rows.J[s].row(r).template head<3>().dot(way[s]) +
                               rows.J[s].row(r).template tail<3>().dot(turn[s]);
                adjust(r, rows.phi[r] - phi_start[r], reached, turn[1] - turn[0]);
            }
        }
    }

    void adjust(int r, Real wanted, Real reached, const Vec3& turn) noexcept
    {
        if constexpr (!T::kMeanIsExact) {  // a length: the direction is right
            const Real ratio = wanted / reached;
            if (!(ratio > 1 / kAssembly.most_scaling && ratio < kAssembly.most_scaling)) return;
            for (int s = 0; s < 2; ++s) rows.J[s].row(r) *= ratio;
        } else {
            const Real square = turn.squaredNorm();
            if (!(square > kAssembly.least_turn * kAssembly.least_turn)) return;
            const Vec3 torque = ((wanted - reached) / square) * turn;
            rows.J[0].row(r).template tail<3>() -= torque.transpose();
            rows.J[1].row(r).template tail<3>() += torque.transpose();
        }
    }
};

// 1/m of a row: J M⁻¹ Jᵀ.
template <class T>
Real row_mobility(const StepModel& model, const State& state,
                  const std::array<BodyIndex, T::kBodies>& bodies,
                  const Rows<T::kRows, T::kBodies>& rows, int r) noexcept
{
    Real sum = 0;
    for (int s = 0; s < T::kBodies; ++s) {
        const BodyModel& body = model.bodies[bodies[s]];
        if (!body.dynamic()) continue;
        const Vec3 linear = rows.J[s].row(r).template head<3>().transpose();
        sum += linear.squaredNorm() / body.mass;
        if (body.kind != BodyKind::Rigid) continue;
        const Vec3 angular =
            state.q[bodies[s]].conjugate() * Vec3(rows.J[s].row(r).template tail<3>().transpose());
        sum += angular.dot(body.inverse_inertia * angular);
    }
    return sum;
}

// Whether J M⁻¹ Jᵀ is so large by its translations alone that the step resolves no row of the joint.
template <class T>
bool is_stiff(const StepModel& model, const std::array<BodyIndex, T::kBodies>& bodies,
              const ConstraintRows& group, Real h) noexcept
{
    if constexpr (std::is_same_v<T, Ball>) {
        Real least = 0, softest = 0;
        for (const BodyIndex b : bodies)
            if (model.bodies[b].dynamic()) least += 1 / model.bodies[b].mass;
        for (int r = group.first_row; r < group.first_row + T::kRows; ++r)
            softest = std::max(softest, model.rows.softness[r].compliance);
        return h * h * least >= kAssembly.most_stiffness * softest;
    } else {
        return false;
    }
}

// Returns whether it has a row that is.
template <class T>
bool mark_resolved(const StepModel& model, const State& state, const Pool<T>& pool, std::size_t k,
                   Real h, std::vector<Real>& resolved) noexcept
{
    const int index = pool.groups[k];
    const ConstraintRows& group = model.rows.groups[index];
    for (int r = 0; r < T::kRows; ++r) resolved[group.first_row + r] = 0;
    const bool servo = group.kind == RowKind::Servo;
    if (!group.compliant && !servo) return false;
    if (!servo && is_stiff<T>(model, pool.bodies[k], group, h)) return false;
    Poses<T::kBodies> X;
    for (int s = 0; s < T::kBodies; ++s) X[s] = body_pose(state, pool.bodies[k][s]);
    Rows<T::kRows, T::kBodies> rows;
    Memory<T::kMemory> memory{};
    for (int m = 0; m < T::kMemory; ++m) memory[m] = state.memory[group.first_memory + m];
    pool.items[k].evaluate(X, memory, rows);
    bool any = false;
    for (int r = 0; r < T::kRows; ++r) {
        const Real mobility = row_mobility<T>(model, state, pool.bodies[k], rows, r);
        Real compliance = model.rows.softness[group.first_row + r].compliance;
        if constexpr (!kIsContact<T>)
            if (servo) compliance = 1 / model.joints[index].stiffness;
        const bool slow = h * h * mobility < kAssembly.most_stiffness * compliance;
        resolved[group.first_row + r] = slow ? 1 : 0;
        any = any || slow;
    }
    return any;
}

// Velocity rows hold at the end of the step, where the velocity is twice the mean less that at the start: held in the mean,
// a velocity that is off the target would alternate about it without end.
inline RowEquation midpoint_velocity_row(Real target, Real rate_at_end) noexcept
{
    return {0, (target - rate_at_end) / 2};
}

template <class T>
RowEquation midpoint_equation(const StepModel& model, const SchemeWeights& scheme, int index, int r,
                              const RowStart& row, Real phi_start) noexcept
{
    const ConstraintRows& group = model.rows.groups[index];
    const int k = group.first_row + r;
    const bool resolved = scheme.resolved[k] != 0;
    if (row_kind<T>(r) == RowKind::Position)
        return midpoint_row(scheme, model.rows.softness[k], resolved, row.phi, phi_start);
    if constexpr (kIsContact<T>) {
        return midpoint_velocity_row(0, row.drift);  // friction: no slip
    } else {
        const JointModel& joint = model.joints[index];
        if (row_kind<T>(r) == RowKind::Velocity)
            return midpoint_velocity_row(joint.target_value(scheme.end), row.drift);
        const Real share = resolved ? Real(0.5) : Real(1);
        return servo_row(scheme, joint, share * row.phi + (1 - share) * phi_start, row.rate, share);
    }
}

}  // namespace taut::assembly
