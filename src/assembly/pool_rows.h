// One pool of joints into the system: rows and stiffness of each, ball joints four at a time.
#pragma once

#include "assembly/joint_rows.h"
#include "assembly/joint_stiffness.h"

namespace taut::assembly {

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
    if (scheme.mixed && !carries_torque(pool)) stabilisation = Stabilisation::Tension;
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
