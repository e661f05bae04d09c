#include "stepper/impact.h"
#include "model/kinematic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/builder.h"
#include "stepper/newton.h"

namespace taut::stepper {
namespace {

constexpr Real kNever = std::numeric_limits<Real>::infinity();

// Acceleration of a contact's gap if gravity alone acts on its bodies: a first guess of when they meet.
Real approach_acceleration(const StepModel& model, const SolveContext& space, int joint) noexcept
{
    const linalg::SaddlePattern& pattern = space.layout.pattern;
    const auto& dual = pattern.duals[joint];
    Real sum = 0;
    for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
        const Real* J = &space.linear.system.J[pattern.touches[t].block];
        sum += Vec3(J[0], J[1], J[2]).dot(model.gravity);
    }
    return sum;
}

// Smallest positive root of gap + rate t + a t²/2, of what is open now.
Real time_of_contact(Real gap, Real rate, Real a) noexcept
{
    if (gap <= 0) return 0;
    const Real square = rate * rate - 2 * a * gap;
    if (square < 0) return kNever;
    const Real q = -rate + std::sqrt(square);
    return q > 0 ? 2 * gap / q : kNever;
}

}  // namespace

Impacts::Impacts(const StepModel& model, Workspace& work, const StepSettings& settings) noexcept
    : model_(model), work_(work)
{
    for (const int index : model.rows.inequalities) any_ = any_ || model.restitution(index) > 0;
    least_rebound_ = model.gravity.norm() * settings.dt / 2;
    touching_gap_ = 1e-9 * scene_size(model);
    velocity_interval_ = settings.dt / 64;
}

Real Impacts::rebound_speed(int contact, Real rate) const noexcept
{
    const Real back = -rate * model_.restitution(contact);
    return back > least_rebound_ ? back : 0;
}

// J, gaps and rates at the state; M alone in H.
void Impacts::linearise_at(const State& state) noexcept
{
    Linearisation& linear = work_.linear;
    for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
        BodyStart& start = linear.bodies[k];
        start.pose = body_pose(state, static_cast<BodyIndex>(k));
        start.v = state.v[k];
        start.w = state.w[k];
        if (model_.bodies[k].kind == BodyKind::Kinematic) {  // its velocity from here on
            const Pose at = prescribed_pose(model_.body_details[k], state.time);
            const Vec3 from = at.p + at.q * model_.bodies[k].com;
            const Twist velocity = kinematic_velocity(model_, static_cast<BodyIndex>(k), from,
                                                      state.time, velocity_interval_);
            start.v = velocity.linear;
            start.w = velocity.angular;
        }
        const Mat3& R = start.pose.R;
        start.inertia.noalias() = R * model_.bodies[k].inertia * R.transpose();
    }
    SchemeWeights scheme;
    scheme.h = 1e-100;  // no time for stiffness and loads, and still no division by zero
    scheme.newton = true;
    scheme.time = scheme.end = state.time;
    linearise(model_, state, scheme, Stabilisation::None, work_.layout, linear);
    read_rates(state);
}

// Vectors per body into the order of the unknowns.
void Impacts::put_per_body(std::span<const Vec3> linear, std::span<const Vec3> angular,
                           std::span<Real> x) const noexcept
{
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        Real* out = &x[work_.layout.offset(static_cast<BodyIndex>(b))];
        for (int k = 0; k < 3; ++k) out[k] = linear[b][k];
        if (model_.bodies[b].kind != BodyKind::Rigid) continue;
        for (int k = 0; k < 3; ++k) out[k + 3] = angular[b][k];
    }
}

void Impacts::set_momentum(const State& state) noexcept
{
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        work_.next.v[b] = model_.bodies[b].mass * state.v[b];
        work_.next.w[b] = work_.linear.bodies[b].inertia * state.w[b];
    }
    put_per_body(work_.next.v, work_.next.w, work_.linear.system.f);
}

void Impacts::read_rates(const State& state) noexcept
{
    const linalg::SaddlePattern& pattern = work_.layout.pattern;
    const linalg::SaddleSystem& system = work_.linear.system;
    for (RowStart& row : work_.linear.rows) row.rate = row.prescribed;
    put_per_body(state.v, state.w, work_.solution.x);
    for (const auto& dual : pattern.duals)
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
            const auto& primal = pattern.primals[pattern.touches[t].primal];
            const Real* J = &system.J[pattern.touches[t].block];
            for (int r = 0; r < dual.size; ++r)
                for (int c = 0; c < primal.size; ++c)
                    work_.linear.rows[dual.offset + r].rate +=
                        J[r * primal.size + c] * work_.solution.x[primal.offset + c];
        }
}

void Impacts::measure_approach(const State& state) noexcept
{
    if (!any_) return;
    linearise_at(state);
    for (const int index : model_.rows.inequalities) {
        const ConstraintRows& joint = model_.rows.groups[index];
        if (joint.law != RowLaw::Cone) continue;
        const RowStart& row = work_.linear.rows[joint.first_row];
        work_.approach[joint.first_row] = {row.phi, row.rate,
                                           approach_acceleration(model_, work_, index)};
    }
}

Real Impacts::first_impact_time(Real h, std::span<const Real> lambda) const noexcept
{
    Real soonest = kNever;
    for (const int index : model_.rows.inequalities) {
        const ConstraintRows& joint = model_.rows.groups[index];
        if (model_.restitution(index) == 0 || !(lambda[joint.first_row] > 0)) continue;
        const Approach& at = work_.approach[joint.first_row];
        if (at.gap <= touching_gap_ && at.rate >= 0) continue;  // it rests, or leaves
        const Real time = std::min(h, time_of_contact(at.gap, at.rate, at.acceleration));
        if (rebound_speed(index, at.rate + time * at.acceleration) > 0)
            soonest = std::min(soonest, time);
    }
    return soonest;
}

bool Impacts::resolve(State& state, Real soon, StepReport& report) noexcept
{
    bool due = false;
    for (const int index : model_.rows.inequalities) {
        const ConstraintRows& joint = model_.rows.groups[index];
        if (model_.restitution(index) == 0) continue;
        const Approach& at = work_.approach[joint.first_row];
        due =
            due || (at.gap <= touching_gap_ - soon * at.rate && rebound_speed(index, at.rate) > 0);
    }
    if (!due) return false;
    constexpr int kPasses = 200;  // then all that is closed stops closing at once
    int passes = 0;
    linearise_at(state);
    while (passes < kPasses && resolve_pass(state, soon, false, true, report)) ++passes;
    if (passes == kPasses) resolve_pass(state, soon, true, false, report);
    return true;
}

// Of impulses on the contacts at their present rates, halved [J].
Real Impacts::contact_work(std::span<const Real> impulse) const noexcept
{
    Real sum = 0;
    for (const int index : model_.rows.inequalities) {
        const ConstraintRows& joint = model_.rows.groups[index];
        if (joint.law != RowLaw::Cone) continue;
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r)
            sum += impulse[r] * work_.linear.rows[r].rate / 2;
    }
    return sum;
}

// One pass over what approaches: false if nothing does. M, J and rates are those of the state.
bool Impacts::resolve_pass(State& state, Real soon, bool everything, bool bouncing,
                           StepReport& report) noexcept
{
    const linalg::SaddlePattern& pattern = work_.layout.pattern;
    linalg::SaddleSystem& system = work_.linear.system;
    std::vector<Real>& J = work_.impact_jacobian;
    J = system.J;
    set_momentum(state);
    const auto leave_out_row = [&](std::size_t joint, int row) {
        const auto& dual = pattern.duals[joint];
        for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
            const int size = pattern.primals[pattern.touches[t].primal].size;
            std::fill_n(&system.J[pattern.touches[t].block + row * size], size, Real(0));
        }
        system.sigma[dual.offset + row] = 1;
        system.g[dual.offset + row] = 0;
    };
    const auto leave_out = [&](std::size_t joint) {
        for (int r = 0; r < pattern.duals[joint].size; ++r) leave_out_row(joint, r);
    };
    const auto is_closed = [&](const RowStart& row) {
        return row.phi <= touching_gap_ + soon * std::max(-row.rate, Real(0));
    };

    bool any = false;
    for (std::size_t j = 0; j < model_.rows.groups.size(); ++j) {
        const ConstraintRows& joint = model_.rows.groups[j];
        const int first = joint.first_row;
        if (joint.law == RowLaw::Equal) {
            const bool hard = joint.kind != RowKind::Servo && state.broken[j] == 0 &&
                              model_.rows.softness[first].compliance == 0;
            if (!hard) {
                leave_out(j);
                continue;
            }
            for (int r = first; r < first + joint.rows; ++r) {
                system.sigma[r] = 0;
                system.g[r] = work_.linear.rows[r].rate - work_.linear.rows[r].prescribed;
            }
            continue;
        }
        const bool contact = model_.rows.is_contact(static_cast<int>(j));
        if (joint.law == RowLaw::Interval || (!contact && state.broken[j] != 0)) {
            leave_out(j);
            continue;
        }
        if (joint.law == RowLaw::NonNegative) {  // each stop for itself
            for (int r = 0; r < joint.rows; ++r) {
                if (!is_closed(work_.linear.rows[first + r])) {
                    leave_out_row(j, r);
                    continue;
                }
                system.sigma[first + r] = 0;
                system.g[first + r] = -work_.linear.rows[first + r].prescribed;
            }
            continue;
        }
        const RowStart& row = work_.linear.rows[first];
        if (!is_closed(row)) {
            leave_out(j);
            continue;
        }
        constexpr Real kStill = 1e-3;  // of the least bounce: as good as at rest
        const bool approaches = row.rate < -kStill * least_rebound_ - 1e-12 * std::abs(row.rate);
        if (!approaches && !everything) {
            leave_out(j);
            continue;
        }
        any = any || approaches;
        for (int r = first; r < first + 3; ++r) {
            system.sigma[r] = 0;
            system.g[r] = -work_.linear.rows[r].prescribed;
        }
        if (bouncing) system.g[first] += rebound_speed(static_cast<int>(j), row.rate);
    }

    if (any) {
        auto block = work_.blocks.begin();
        for (const int index : model_.rows.inequalities) {
            const ConstraintRows& joint = model_.rows.groups[index];
            const int units = joint.law == RowLaw::Cone ? 1 : joint.rows;
            for (int k = 0; k < units; ++k, ++block)
                if (joint.law == RowLaw::Interval) block->law = Interval{0, 0};
        }
        std::fill(work_.solution.x.begin(), work_.solution.x.end(), 0);
        std::fill(work_.solution.y.begin(), work_.solution.y.end(), 0);
        ComplementaritySettings settings;
        settings.shape = work_.law_settings.shape;
        const ComplementarityReport laws =
            work_.laws->solve(system, work_.blocks, work_.solution, settings);
        report.solves += std::max(1, laws.factorisations);
        any = laws.finite;
        constexpr Real kSolved = 1e-6;
        report.settled = report.settled && laws.residual <= kSolved;
    }
    system.J = J;
    if (!any) return false;

    Real prescribed_work = 0;  // of kinematic bodies [J]
    for (int r = 0; r < model_.rows.count; ++r)
        prescribed_work -= work_.solution.y[r] * work_.linear.rows[r].prescribed;
    work_.next.v = state.v;
    work_.next.w = state.w;
    // work of the contacts: impulse times the mean of the rates before and after
    const std::vector<Real>& impulse = work_.next.lambda;
    work_.next.lambda = work_.solution.y;
    const Real before = contact_work(impulse);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        const Real* x = &work_.solution.x[work_.layout.offset(static_cast<BodyIndex>(b))];
        state.v[b] = Vec3(x[0], x[1], x[2]);
        if (model_.bodies[b].kind == BodyKind::Rigid) state.w[b] = Vec3(x[3], x[4], x[5]);
    }
    read_rates(state);
    const Real after = contact_work(impulse);
    constexpr Real kRoundOff = 1e-9;
    if (bouncing && after + before > kRoundOff * std::abs(before)) {
        state.v = work_.next.v;
        state.w = work_.next.w;
        read_rates(state);
        return resolve_pass(state, soon, everything, false, report);
    }
    state.last_step.work.prescribed += prescribed_work;
    return true;
}

}  // namespace taut::stepper
