// One pool of joints into the system: φ, J, the rows' equations and K̃.
#pragma once

#include "assembly/damping.h"
#include "assembly/element_blocks.h"
#include "assembly/linearise.h"
#include "assembly/midpoint_rows.h"
#include "assembly/rank_collection.h"
#include "stabilisation/geometric.h"

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
constexpr bool carries_torque() noexcept
{
    for (const RowUnit unit : T::kUnits)
        if (unit == RowUnit::Angle) return true;
    return false;
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
                   : velocity_row(scheme, joint.target.value(scheme.end_time()), row.rate);
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

// The common case of the tension form: rotational diagonal blocks only, straight into H.
template <class T>
void add_tension_diagonal(const T& item, const JointPlace& place, const Poses<T::kBodies>& X,
                          const RowVector<T::kRows>& lambda, Real implicit, Real* H) noexcept
{
    TensionDiagonal<T::kBodies> G;
    for (Mat3& g : G) g.setZero();
    item.tension(X, lambda, G);
    for (int s = 0; s < T::kBodies; ++s) {
        if (place.bodies[s].freedoms != 6) continue;
        Real* const block = H + place.bodies[s].block;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) block[6 * (r + 3) + c + 3] += implicit * G[s](r, c);
    }
}

// What the tension form adds for the schemes of one solve, and for solvers that want H taken apart.
template <class T>
void add_tension_extras(const SchemeWeights& scheme, const Layout& layout, const T& item,
                        const std::array<BodyIndex, T::kBodies>& bodies, const JointPlace& place,
                        const Poses<T::kBodies>& X, const RowVector<T::kRows>& lambda,
                        Linearisation& work) noexcept
{
    TensionDiagonal<T::kBodies> G;
    for (Mat3& g : G) g.setZero();
    item.tension(X, lambda, G);
    for (int s = 0; s < T::kBodies; ++s) {
        if (place.bodies[s].freedoms != 6) continue;
        if (work.system.rank.wanted)
            add_rotation_to_base(layout, bodies[s], scheme.implicit_stiffness() * G[s],
                                 work.system.rank);
        if (scheme.newton || scheme.beta == 1) continue;
        const Vec3 known = scheme.explicit_stiffness() * (G[s] * work.bodies[bodies[s]].drift_w);
        Real* f = &work.system.f[place.bodies[s].offset];
        for (int r = 0; r < 3; ++r) f[r + 3] -= known[r];
    }
}

// A force through a point on the spin axis of a body has no torque about that axis, wherever the body turns. The symmetric part
// of K̃ couples the two all the same, by half the force across the axis, and under a heavy load that swamps the small moment of a
// slender link: the matrix loses its definiteness and its digits. The equations of spin and swing (stepper/packs/body_kernels.h) have
// no such term, and neither has what is left here: (f·s)(I − ŝŝᵀ).
inline void drop_spin_coupling(const StepModel& model, const Ball& joint,
                               const std::array<BodyIndex, 2>& bodies, const Poses<2>& X,
                               const RowVector<3>& lambda, StiffnessBlocks<2>& S) noexcept
{
    for (int s = 0; s < 2; ++s) {
        const BodyModel& body = model.bodies[bodies[s]];
        const Vec3& p = joint.frames[s].p;
        const Real square = p.squaredNorm();
        if (!body.axial || !(p.cross(body.spin_axis).squaredNorm() <= kAssembly.aligned * square))
            continue;
        const Vec3 arm = X[s].R * p;
        const Real pull = (s == 0 ? 1 : -1) * lambda.dot(arm);
        parts::angular_angular(S.block[s][s]) =
            square > 0 ? Mat3(pull * Mat3::Identity() - (pull / square * arm) * arm.transpose())
                       : Mat3(Mat3::Zero());
    }
}

// Any form but that: blocks between bodies, or K̃ assembled first. Not inlined, so that the loop below stays lean.
template <class T>
[[gnu::noinline]] void add_stiffness(const StepModel& model, const SchemeWeights& scheme,
                                     Stabilisation stabilisation, const Layout& layout,
                                     const Pool<T>& pool, std::size_t k,
                                     const RowVector<T::kRows>& lambda,
                                     Linearisation& work) noexcept
{
    const T& item = pool.items[k];
    const auto& bodies = pool.bodies[k];
    const int index = pool.groups[k];
    const JointPlace& place = layout.joints[index];
    const Poses<T::kBodies> X = gather<T>(work.bodies.data(), bodies);
    if (judges_assembled(stabilisation)) {
        StiffnessBlocks<T::kBodies> K;
        K.set_zero();
        item.geometric_stiffness(X, lambda, K);
        add_to_assembled<T::kBodies>(model, layout, bodies, layout.stiffness_pairs[index], K,
                                     work.damping.K);
        return;
    }
    StiffnessBlocks<T::kBodies> S;
    stabilised_stiffness<T>(stabilisation, item, X, lambda, S);
    if constexpr (std::is_same_v<T, Ball>)
        if (scheme.newton && stabilisation == Stabilisation::Symmetric)
            drop_spin_coupling(model, item, bodies, X, lambda, S);
    ElementScatter<T::kBodies>(model, layout, scheme, work, bodies, place.pairs).add_stiffness(S);
    if (work.system.rank.wanted)
        collect_terms<T>(stabilisation, layout, item, bodies, X, lambda, S,
                         scheme.implicit_stiffness(), work.system.rank);
}

// What is the same for all joints of a pool.
template <class T>
struct PoolJob {
    const StepModel& model;
    const State& state;
    const SchemeWeights& scheme;
    Stabilisation stabilisation;
    const Layout& layout;
    Linearisation& work;
    bool diagonal;  // the tension form, which does not couple bodies
    bool extras;    // of schemes with one solve, and solvers that want H taken apart
};

inline BallArrays ball_arrays(const PoolJob<Ball>& job) noexcept
{
    Linearisation& work = job.work;
    const BodyStart& first = work.bodies.front();
    const MidpointPose& midpoint = work.midpoint.front();
    return {first.pose.p.data(),
            first.pose.R.data(),
            job.state.lambda.data(),
            &job.model.rows.softness.front().compliance,
            &work.rows.front().phi,
            work.system.g.data(),
            work.system.sigma.data(),
            job.scheme.newton ? work.reaction.data() : nullptr,
            work.system.J.data(),
            work.system.H.data(),
            job.scheme.h,
            !job.scheme.values_only,
            job.diagonal,
            midpoint.end.p.data(),
            midpoint.end.R.data(),
            job.scheme.move,
            job.scheme.any_resolved ? job.scheme.resolved : nullptr};
}

// Whether rates are needed of every row, not only of the damped ones.
template <class T>
bool needs_all_rates(const PoolJob<T>& job) noexcept
{
    return job.scheme.needs_old_velocity() || T::kKind != RowKind::Position ||
           T::kLaw == RowLaw::Cone || damps_rows(job.stabilisation);
}

// Whether the formula of the packs applies, given that no rates are needed: ball joints without rank terms or coupled stiffness.
template <class T>
bool is_lean(const PoolJob<T>& job) noexcept
{
    return std::is_same_v<T, Ball> && !job.extras &&
           (job.diagonal || job.scheme.values_only || job.stabilisation == Stabilisation::None);
}

// A joint of BallPacks::plain.
inline void write_plain_ball(const PoolJob<Ball>& job, const BallArrays& balls, std::size_t k,
                             Real per_h, const RowTarget& to) noexcept
{
    const BallPack& pack = job.layout.balls.by_slot[k / 4];
    const int lane = static_cast<int>(k % 4);
    if (job.scheme.midpoint) return write_one_midpoint_ball(pack, lane, balls);
    write_one_ball(pack, lane, balls);
    write_row_equations<Ball>(job.model, job.scheme, per_h, job.model.pool<Ball>().groups[k], to);
}

// So many joints of a pool, by their slots; nullptr: all of them.
template <class T>
[[gnu::noinline]] void write_slots(const PoolJob<T>& job, const int* slots,
                                   std::size_t count) noexcept
{
    const StepModel& model = job.model;
    const State& state = job.state;
    const Layout& layout = job.layout;
    Linearisation& work = job.work;
    const Pool<T>& pool = model.pool<T>();
    const SchemeWeights scheme = job.scheme;
    const Stabilisation stabilisation = job.stabilisation;
    const Real implicit = scheme.implicit_stiffness(), per_h = 1 / scheme.h;
    const bool values_only = scheme.values_only, diagonal = job.diagonal, extras = job.extras;
    const RowTarget to{work.bodies.data(),   work.rows.data(),         work.system.H.data(),
                       work.system.J.data(), work.system.sigma.data(), work.system.g.data(),
                       work.reaction.data()};
    const bool all_rates = needs_all_rates(job);
    const bool lean = !all_rates && is_lean(job);
    [[maybe_unused]] BallArrays balls{};
    if constexpr (std::is_same_v<T, Ball>) balls = ball_arrays(job);
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t k = slots ? static_cast<std::size_t>(slots[n]) : n;
        const T& item = pool.items[k];
        const auto& bodies = pool.bodies[k];
        const int index = pool.groups[k];
        const ConstraintRows& group = model.rows.groups[index];
        const JointPlace& place = layout.joints[index];
        if constexpr (!kIsContact<T>) {
            if (state.broken[index] != 0) {
                clear_broken<T>(group, place, to);
                continue;
            }
        }
        if constexpr (std::is_same_v<T, Ball>) {
            if (lean && layout.balls.plain[k]) {
                write_plain_ball(job, balls, k, per_h, to);
                continue;
            }
        }
        const RowVector<T::kRows> lambda =
            Eigen::Map<const RowVector<T::kRows>>(&state.lambda[group.first_row]);
        const bool rates = all_rates || (scheme.newton && group.damped);
        const Poses<T::kBodies> X =
            scheme.midpoint
                ? write_midpoint_rows(model, scheme, state, pool, k, place, work, rates, to)
                : write_joint_rows(model, scheme, state, pool, k, place, lambda, rates, to);
        if (stabilisation == Stabilisation::None || values_only) continue;
        if constexpr (!T::kTensionCouples) {
            if (diagonal) {
                add_tension_diagonal(item, place, X, lambda, implicit, to.H);
                if (extras)
                    add_tension_extras(scheme, layout, item, bodies, place, X, lambda, work);
                continue;
            }
        }
        const RowVector<T::kRows> force = lambda;  // its address leaves, that of `lambda` does not
        add_stiffness(model, job.scheme, stabilisation, layout, pool, k, force, work);
    }
}

// Ball joints of the schemes of one solve, in the order of their slots: four at a time where they allow it.
inline void write_balls_by_slot(const PoolJob<Ball>& job) noexcept
{
    static WriteBalls* const write = fastest_write_balls_in_order();
    const BallPacks& balls = job.layout.balls;
    const BallArrays to = ball_arrays(job);
    const int count = static_cast<int>(job.model.pool<Ball>().items.size());
    for (int k = 0; k < static_cast<int>(balls.whole.size());) {
        int end = k;
        while (end < static_cast<int>(balls.whole.size()) && balls.whole[end]) ++end;
        write(balls.by_slot.data() + k, end - k, to);
        if (end < static_cast<int>(balls.whole.size())) {
            const int slots[4] = {4 * end, 4 * end + 1, 4 * end + 2, 4 * end + 3};
            write_slots(job, slots, static_cast<std::size_t>(std::min(4, count - 4 * end)));
        }
        k = end + 1;
    }
}

template <class T>
void write_pool(const StepModel& model, const State& state, const SchemeWeights& scheme,
                Stabilisation stabilisation, const Layout& layout, Linearisation& work) noexcept
{
    const Pool<T>& pool = model.pool<T>();
    if (pool.items.empty()) return;
    if (scheme.mixed && !carries_torque<T>()) stabilisation = Stabilisation::Tension;
    const bool diagonal = !T::kTensionCouples && stabilisation == Stabilisation::Tension;
    const bool extras = work.system.rank.wanted || !(scheme.newton || scheme.beta == 1);
    const PoolJob<T> job{model, state, scheme, stabilisation, layout, work, diagonal, extras};
    // terms of rank one and an assembled K̃ are lists and matrices of all
    const bool apart = !extras && !judges_assembled(stabilisation);

    const auto write_list = [&](const std::vector<int>& slots) {
        write_slots(job, slots.data(), slots.size());
    };
    if constexpr (std::is_same_v<T, Ball>) {
        const bool plain = diagonal || stabilisation == Stabilisation::None || scheme.values_only;
        if (scheme.newton && plain && apart) {
            static WriteBalls* const kinds[] = {fastest_write_balls(),
                                                fastest_write_midpoint_balls()};
            WriteBalls* const write = kinds[scheme.midpoint ? 1 : 0];
            const BallArrays to = ball_arrays(job);
            const BallPacks& balls = layout.balls;
            const auto put_packs = [&](int g) {
                write(balls.packs.data() + balls.first[g], balls.first[g + 1] - balls.first[g], to);
            };
            work.team.run(layout.neighbourhoods.groups, [&](int g) {
                put_packs(g);
                write_list(balls.singles.within[g]);
            });
            put_packs(layout.neighbourhoods.groups);
            write_list(balls.singles.between);
            return;
        }
        if (!scheme.newton && layout.shares.empty() && !model.model.breakable && is_lean(job) &&
            !needs_all_rates(job))
            return write_balls_by_slot(job);
    }
    if (!apart || layout.shares.empty()) return write_slots(job, nullptr, pool.items.size());
    const PoolShare& share = layout.shares[type_index<T>()];
    work.team.run(layout.neighbourhoods.groups, [&](int g) { write_list(share.within[g]); });
    write_list(share.between);
}

}  // namespace taut::assembly
