#include "stepper/dissipation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "assembly/joint_rows.h"
#include "model/springs.h"
#include "stepper/solve_rows.h"

namespace taut::stepper {
namespace {

constexpr int kMostRows = 6;
using RowRates = std::array<Real, kMostRows>;

// Velocities of the start and of the end of a step along the rows of one group.
struct RatePair {
    RowRates before{}, after{};
};

// J v of the rows of a group, with J at the poses of `at`; kinematic bodies and surfaces move as in `next` all the time.
RatePair read_rates(const StepModel& model, int group, const State& at, const State& state,
                    const State& next) noexcept
{
    RatePair out;
    const ConstraintRows& joint = model.rows.groups[group];
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        using T = typename decltype(tag)::type;
        static_assert(T::kRows <= kMostRows);
        if (type_index<T>() != joint.type) return;
        const Pool<T>& pool = model.pool<T>();
        const auto& bodies = pool.bodies[joint.slot];
        Poses<T::kBodies> X;
        for (int s = 0; s < T::kBodies; ++s) X[s] = body_pose(at, bodies[s]);
        Rows<T::kRows, T::kBodies> rows;
        pool.items[joint.slot].evaluate(X, recall<T::kMemory>(at, joint.first_memory), rows);
        const auto rate = [&](int r, int s, const State& velocity) {
            return rows.J[s].row(r).template head<3>().dot(velocity.v[bodies[s]]) +
                   rows.J[s].row(r).template tail<3>().dot(velocity.w[bodies[s]]);
        };
        for (int r = 0; r < T::kRows; ++r)
            for (int s = 0; s < T::kBodies; ++s) {
                const bool dynamic = model.bodies[bodies[s]].dynamic();
                out.after[r] += rate(r, s, next);
                out.before[r] += rate(r, s, dynamic ? state : next);
            }
        if constexpr (std::is_same_v<T, Contact>) {
            if (!pool.items[joint.slot].surface_moves) return;
            const RowVector<T::kRows> of_surface = pool.items[joint.slot].surface_rates(X);
            for (int r = 0; r < T::kRows; ++r) {
                out.before[r] += of_surface[r];
                out.after[r] += of_surface[r];
            }
        }
    });
    return out;
}

// d φ̇² of every spring: `product(item, spring)` is φ̇².
template <class Product>
Real spring_damping(const StepModel& model, Product&& product) noexcept
{
    Real power = 0;
    const auto visit = [&](const auto& pool) {
        for (std::size_t k = 0; k < pool.items.size(); ++k) {
            const SpringModel& spring = model.springs[pool.groups[k]];
            if (spring.damping > 0) power += spring.damping * product(pool.items[k], spring);
        }
    };
    visit(model.linear_springs);
    visit(model.torsional_springs);
    return power;
}

// Power that a compliant row dissipates: `force_rate` is the rate that its force follows, `rate` the one it works on. A damped
// stop acts before it is reached, and has stored nothing by then.
Real row_damping(const StepModel& model, const ConstraintRows& joint, int row, const State& next,
                 Real force_rate, Real rate) noexcept
{
    const RowSoftness& soft = model.rows.softness[row];
    if (joint.kind != RowKind::Position || !(soft.compliance > 0)) return 0;
    if (joint.law == RowLaw::NonNegative) {
        if (!(next.lambda[row] > 0)) return 0;
        if (!(next.stretch[row] < 0)) return -next.lambda[row] * rate;
    }
    return soft.damping_time / soft.compliance * force_rate * rate;
}

// Rows of a contact that resist motion: all of a resistance to rolling, all but the normal row otherwise.
int first_friction_row(const ConstraintRows& contact) noexcept
{
    return contact.first_row + (contact.law == RowLaw::Cone ? 1 : 0);
}

// The rows of one group whose velocities jump.
class JumpingRows {
public:
    JumpingRows(const StepModel& model, const WorkBooking& booking, const State& state,
                const State& next) noexcept
        : model_(model), booking_(booking), state_(state), next_(next)
    {}

    Real loss(int group) noexcept
    {
        const ConstraintRows& joint = model_.rows.groups[group];
        if (model_.rows.is_contact(group)) return contact_loss(group, joint);
        if (state_.broken[group] != 0) return 0;
        if (joint.law == RowLaw::NonNegative) return stop_loss(group, joint);
        return disturbed() && joint.kind != RowKind::Servo ? joint_loss(group, joint) : 0;
    }
    // What the work of a drive is off by where something else makes velocities jump.
    Real drive_loss(int group) noexcept
    {
        const ConstraintRows& joint = model_.rows.groups[group];
        if (joint.kind == RowKind::Position || state_.broken[group] != 0) return 0;
        const RatePair u = rates(group);
        Real sum = 0;
        for (int k = 0; k < joint.rows; ++k)
            sum += booked_loss(joint.first_row + k, u.before[k], u.after[k]);
        return sum;
    }
    // What a contact of a convex step takes: along the normal, and by friction.
    void add_contact_losses(int group, Real& normal, Real& friction) noexcept
    {
        const ConstraintRows& contact = model_.rows.groups[group];
        const bool cone = contact.law == RowLaw::Cone;
        const int acting =
            cone ? contact.first_row : model_.contacts.coefficients_of(group).normal_row;
        if (!(next_.lambda[acting] > 0)) return;
        is_in_impact(acting, slight_force(model_, contact));
        const RatePair u = rates(group);
        for (int k = 0; k < contact.rows; ++k)
            (cone && k == 0 ? normal : friction) +=
                position_loss(contact.first_row + k, u.before[k], u.after[k]);
    }
    // What the impulses of any other group take from the bodies.
    Real taken_by(int group) noexcept
    {
        const ConstraintRows& joint = model_.rows.groups[group];
        if (state_.broken[group] != 0) return 0;
        const RatePair u = read_rates(model_, group, *booking_.row, state_, next_);
        Real sum = 0;
        for (int k = 0; k < joint.rows; ++k)
            sum += position_loss(joint.first_row + k, u.before[k], u.after[k]);
        return sum;
    }
    bool any_began() const noexcept { return began_; }
    bool any_jumped() const noexcept { return jumped_; }
    Real lost_at_joints() const noexcept { return joint_loss_; }  // lost by joints and motors [J]
    Real released() const noexcept { return released_; }          // by damped stops [J]

private:
    bool disturbed() const noexcept { return state_.last_step.disturbed != 0; }

    // A one-sided row that begins to act, or did not come to rest in the step in which it began.
    bool is_in_impact(int row, Real slight) noexcept
    {
        if (!(next_.lambda[row] > slight)) return false;
        const bool begins = !(state_.lambda[row] > slight);
        began_ = began_ || begins;
        return begins || state_.last_step.activity_began != 0 || disturbed();
    }
    // A damped stop that returns more slowly than the body leaves: what it still stores is dissipated.
    void release(int row) noexcept
    {
        const RowSoftness& soft = model_.rows.softness[row];
        if (!(soft.compliance > 0 && soft.damping_time > 0) || next_.lambda[row] > 0) return;
        const Real before = state_.stretch[row], after = next_.stretch[row];
        released_ += std::max(before * before - after * after, Real(0)) / (2 * soft.compliance);
    }
    RatePair rates(int group) noexcept
    {
        jumped_ = true;
        return read_rates(model_, group, *booking_.row, state_, next_);
    }
    // Work of the row is not booked.
    Real position_loss(int row, Real before, Real after) const noexcept
    {
        return -booking_.h * next_.lambda[row] * (before + after) / 2;
    }
    // It is booked, but not on the mean of the velocities.
    Real booked_loss(int row, Real before, Real after) const noexcept
    {
        return booking_.h * next_.lambda[row] * (booking_.end - Real(0.5)) * (after - before);
    }

    Real contact_loss(int group, const ConstraintRows& contact) noexcept
    {
        const bool cone = contact.law == RowLaw::Cone;
        const int normal =
            cone ? contact.first_row : model_.contacts.coefficients_of(group).normal_row;
        if (!is_in_impact(normal, slight_force(model_, contact))) return 0;
        const RatePair u = rates(group);
        Real sum = 0;
        if (cone && u.before[0] < 0)
            sum += position_loss(contact.first_row, u.before[0], u.after[0]);
        for (int r = first_friction_row(contact); r < contact.first_row + contact.rows; ++r) {
            const int k = r - contact.first_row;
            sum += booked_loss(r, u.before[k], u.after[k]);
        }
        return sum;
    }

    Real stop_loss(int group, const ConstraintRows& joint) noexcept
    {
        const Real slight = slight_force(model_, joint);
        Real sum = 0;
        for (int k = 0; k < joint.rows; ++k) {
            const int r = joint.first_row + k;
            release(r);
            if (!is_in_impact(r, slight) || model_.rows.softness[r].compliance > 0) continue;
            const RatePair u = rates(group);
            if (u.before[k] < 0) sum += position_loss(r, u.before[k], u.after[k]);
        }
        return sum;
    }

    // Rates are those at the poses of the start: at the poses of the end even a velocity that fits has one, where directions turn.
    Real joint_loss(int group, const ConstraintRows& joint) noexcept
    {
        const bool position = joint.kind == RowKind::Position;
        const RatePair u = read_rates(model_, group, state_, state_, next_);
        Real sum = 0;
        for (int k = 0; k < joint.rows; ++k) {
            const int r = joint.first_row + k;
            if (position && model_.rows.softness[r].compliance > 0) continue;
            const Real loss = position ? position_loss(r, u.before[k], 0)
                                       : booked_loss(r, u.before[k], u.after[k]);
            sum += loss;
            joint_loss_ += std::abs(loss);
        }
        return sum;
    }

    const StepModel& model_;
    const WorkBooking& booking_;
    const State &state_, &next_;
    bool began_ = false, jumped_ = false;
    Real released_ = 0, joint_loss_ = 0;
};

// Gravity acts before and after a jump, and the scheme books its work on one of the velocities.
Real gravity_booking(const StepModel& model, const WorkBooking& booking,
                     std::span<const BodySupport> support, const State& state,
                     const State& next) noexcept
{
    Real sum = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].dynamic() && !support[b].ballistic)
            sum += model.bodies[b].mass * model.gravity.dot(next.v[b] - state.v[b]);
    return booking.h * (booking.end - Real(0.5)) * sum;
}

// Kinetic energy that the bodies lost, with what gravity gave them by the mean of their velocities.
Real lost_to_impulses(const StepModel& model, Real h, const State& state,
                      const State& next) noexcept
{
    const auto turning = [&](const State& of, std::size_t b) {
        const Vec3 w = of.q[b].conjugate() * of.w[b];
        return w.dot(model.bodies[b].inertia * w) / 2;
    };
    Real sum = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        const Vec3 mean = (state.v[b] + next.v[b]) / 2, gained = next.v[b] - state.v[b];
        sum += body.mass * mean.dot(h * model.gravity - gained);
        if (body.kind == BodyKind::Rigid) sum += turning(state, b) - turning(next, b);
    }
    return sum;
}

// Writes friction of a convex step and returns what its contacts take along their normals.
Real book_contacts(const StepModel& model, const WorkBooking& booking, JumpingRows& rows,
                   const State& state, State& next) noexcept
{
    const StepMemory& last = state.last_step;
    StepMemory& now = next.last_step;
    Real normal = 0, friction = 0;
    for (const int j : model.rows.inequalities)
        if (model.rows.is_contact(j)) rows.add_contact_losses(j, normal, friction);
    Real share = 1;
    const bool knows_all = !booking.feeds && model.springs.empty() &&
                           now.work.prescribed == last.work.prescribed &&
                           now.work.motors == last.work.motors;
    if (knows_all && normal + friction > 0) {
        Real lost = lost_to_impulses(model, booking.h, state, next);
        for (int j = 0; j < model.rows.joints; ++j) lost -= rows.taken_by(j);
        share = std::clamp(lost / (normal + friction), Real(0), Real(1));
    }
    now.dissipation.friction = last.dissipation.friction + share * friction;
    return share * normal;
}

}  // namespace

void add_dissipated_power(const StepModel& model, std::span<const int> groups,
                          const Linearisation& linear, const State& next, Power& power) noexcept
{
    for (const int index : groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        const bool contact = model.rows.is_contact(index);
        const int end = joint.first_row + joint.rows;
        for (int r = contact ? first_friction_row(joint) : joint.first_row; r < end; ++r) {
            const Real rate = linear.rows[r].rate;
            if (contact)
                power.friction -= next.lambda[r] * rate;
            else
                power.damping += row_damping(model, joint, r, next, rate, rate);
        }
    }
    for (std::size_t k = 0; k < model.springs.size(); ++k)
        power.damping += model.springs[k].damping * linear.springs[k].rate * linear.springs[k].rate;
}

void add_one_solve_dissipation(const StepModel& model, std::span<const int> groups,
                               const SchemeWeights& scheme, const State& state,
                               State& next) noexcept
{
    // forces follow the velocity with weight α, work is done on the way that the scheme goes, with weight β
    const auto of_force = [&](Real u, Real u_end) {
        return scheme.alpha * u_end + (1 - scheme.alpha) * u;
    };
    const auto of_way = [&](Real u, Real u_end) {
        return scheme.beta * u_end + (1 - scheme.beta) * u;
    };
    Dissipation& sum = next.last_step.dissipation;
    for (const int index : groups) {
        const ConstraintRows& joint = model.rows.groups[index];
        const bool contact = model.rows.is_contact(index);
        // Where J turns within the step, J of its start sees a body on an orbit move along the row. A damper takes what the
        // row itself moves; the work of friction is that of the force that was applied.
        RatePair u = read_rates(model, index, state, state, next);
        if (!contact) u.after = read_rates(model, index, next, next, next).after;
        const int end = joint.first_row + joint.rows;
        for (int r = contact ? first_friction_row(joint) : joint.first_row; r < end; ++r) {
            const int k = r - joint.first_row;
            const Real way = scheme.h * of_way(u.before[k], u.after[k]);
            if (contact)
                sum.friction -= next.lambda[r] * way;
            else
                sum.damping +=
                    row_damping(model, joint, r, next, of_force(u.before[k], u.after[k]), way);
        }
    }
    sum.damping +=
        scheme.h * spring_damping(model, [&](const auto& item, const SpringModel& spring) {
            const Real u = spring_rate(state, state, item, spring);
            const Real u_end = spring_rate(next, next, item, spring);
            return of_force(u, u_end) * of_way(u, u_end);
        });
}

Real add_impact_losses(const StepModel& model, const WorkBooking& booking,
                       std::span<const BodySupport> support, const State& state,
                       State& next) noexcept
{
    JumpingRows rows(model, booking, state, next);
    Real loss = 0;
    if (state.last_step.disturbed != 0)
        for (int j = 0; j < static_cast<int>(model.rows.groups.size()); ++j) loss += rows.loss(j);
    else
        for (const int j : model.rows.inequalities)
            if (!booking.convex || !model.rows.is_contact(j)) loss += rows.loss(j);
    if (booking.convex && state.last_step.disturbed == 0)
        loss += book_contacts(model, booking, rows, state, next);
    if (rows.any_jumped()) {
        loss += gravity_booking(model, booking, support, state, next);
        for (int j = 0; j < model.rows.joints && state.last_step.disturbed == 0; ++j)
            loss += rows.drive_loss(j);
    }
    next.last_step.dissipation.impacts += loss;
    next.last_step.dissipation.damping += rows.released();
    next.last_step.activity_began = rows.any_began() ? 1 : 0;
    next.last_step.disturbed = 0;
    return rows.lost_at_joints();
}

void settle_dissipation(Real energy_change, const Dissipation& before, State& next,
                        StepReport& report) noexcept
{
    Dissipation& now = next.last_step.dissipation;
    report.energy_change = energy_change;
    report.dissipation = difference(now, before);
    report.dissipation.numerical = -energy_change - report.dissipation.physical();
    now.numerical = before.numerical + report.dissipation.numerical;
}

}  // namespace taut::stepper
