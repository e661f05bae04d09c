#include "stepper/impact.h"
#include "model/kinematic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assembly/pool_rows.h"
#include "linalg/saddle_ops.h"
#include "model/builder.h"
#include "stepper/guard_settings.h"
#include "stepper/newton.h"

namespace taut::stepper {
namespace {

constexpr ImpactSettings kImpact = kGuard.impact;
constexpr Real kNever = std::numeric_limits<Real>::infinity();

// Acceleration of a contact's gap if gravity alone acts on its bodies: a first guess of when they meet.
Real approach_acceleration(const StepModel& model, const SolveContext& context, int joint) noexcept
{
    const linalg::SaddlePattern& pattern = context.layout.pattern;
    const auto& dual = pattern.duals[joint];
    Real sum = 0;
    for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
        const Real* J = &context.linear.system.J[pattern.touches[t].block];
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
    : model_(model), work_(work), most_solves_(settings.max_solves)
{
    for (const int index : model.rows.inequalities) any_ = any_ || model.restitution(index) > 0;
    const std::size_t contacts = model.pool<Contact>().groups.size();
    inelastic_ = !any_ && contacts > 0 && contacts <= kImpact.most_contacts;
    least_rebound_ = model.gravity.norm() * settings.dt / 2;
    touching_gap_ = kImpact.touching_gap * model.size();
    velocity_interval_ = settings.dt / kImpact.velocity_interval;
}

Real Impacts::rebound_speed(int contact, Real rate) const noexcept
{
    const Real back = -rate * model_.restitution(contact);
    return back > least_rebound_ ? back : 0;
}

// That of a kinematic body is its motion from here on: the state has the mean of the step before.
Twist Impacts::velocity_of(BodyIndex b, const State& state) const noexcept
{
    if (model_.bodies[b].kind != BodyKind::Kinematic) return {state.v[b], state.w[b]};
    const Pose at = prescribed_pose(model_.body_details[b], state.time);
    return kinematic_velocity(model_, b, at.p + at.q * model_.bodies[b].com, state.time,
                              velocity_interval_);
}

// J, gaps and rates at the state; M alone in H.
void Impacts::linearise_at(const State& state) noexcept
{
    Linearisation& linear = work_.context.linear;
    for (std::size_t k = 0; k < model_.bodies.size(); ++k) {
        BodyStart& start = linear.bodies[k];
        const Twist velocity = velocity_of(static_cast<BodyIndex>(k), state);
        start.pose = body_pose(state, static_cast<BodyIndex>(k));
        start.v = velocity.linear;
        start.w = velocity.angular;
        const Mat3& R = start.pose.R;
        start.inertia.noalias() = R * model_.bodies[k].inertia * R.transpose();
    }
    SchemeWeights scheme;
    scheme.h = kImpact.duration;  // too short for stiffness and loads to act
    scheme.newton = true;
    scheme.time = scheme.end = state.time;
    linearise(model_, state, scheme, Stabilisation::None, work_.context.layout, linear);
    read_rates(state);
}

// Vectors per body into the order of the unknowns.
void Impacts::put_per_body(std::span<const Vec3> linear, std::span<const Vec3> angular,
                           std::span<Real> x) const noexcept
{
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        Real* out = &x[work_.context.layout.offset(static_cast<BodyIndex>(b))];
        for (int k = 0; k < 3; ++k) out[k] = linear[b][k];
        if (model_.bodies[b].kind != BodyKind::Rigid) continue;
        for (int k = 0; k < 3; ++k) out[k + 3] = angular[b][k];
    }
}

void Impacts::set_momentum(const State& state) noexcept
{
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        work_.next.v[b] = model_.bodies[b].mass * state.v[b];
        work_.next.w[b] = work_.context.linear.bodies[b].inertia * state.w[b];
    }
    put_per_body(work_.next.v, work_.next.w, work_.context.linear.system.f);
}

void Impacts::read_rates(const State& state) noexcept
{
    put_per_body(state.v, state.w, work_.context.solution.x);
    for (const auto& dual : work_.context.layout.pattern.duals)
        for (int r = 0; r < dual.size; ++r) {
            RowStart& row = work_.context.linear.rows[dual.offset + r];
            row.rate = linalg::add_row_product(work_.context.linear.system, dual, r,
                                               work_.context.solution.x, row.prescribed);
        }
}

void Impacts::measure_approach(const State& state) noexcept
{
    if (!any_) return;
    linearise_at(state);
    for (const int index : model_.rows.inequalities) {
        const ConstraintRows& joint = model_.rows.groups[index];
        if (joint.law != RowLaw::Cone) continue;
        const RowStart& row = work_.context.linear.rows[joint.first_row];
        work_.approach[joint.first_row] = {row.phi, row.rate,
                                           approach_acceleration(model_, work_.context, index)};
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

// Gap, rate and acceleration under gravity alone.
Approach Impacts::approach_of(int contact, const State& state) const noexcept
{
    const ConstraintRows& joint = model_.rows.groups[contact];
    const Pool<Contact>& pool = model_.pool<Contact>();
    const auto& bodies = pool.bodies[joint.slot];
    Poses<Contact::kBodies> X;
    for (int s = 0; s < Contact::kBodies; ++s) X[s] = body_pose(state, bodies[s]);
    Rows<Contact::kRows, Contact::kBodies> rows;
    pool.items[joint.slot].evaluate(X, recall<Contact::kMemory>(state, joint.first_memory), rows);
    Approach out;
    out.gap = rows.phi[0];
    for (int s = 0; s < Contact::kBodies; ++s) {
        const auto J = rows.J[s].row(0);
        const Twist velocity = velocity_of(bodies[s], state);
        out.rate +=
            J.template head<3>().dot(velocity.linear) + J.template tail<3>().dot(velocity.angular);
        if (model_.bodies[bodies[s]].dynamic())
            out.acceleration += J.template head<3>().dot(model_.gravity);
    }
    return out;
}

Real Impacts::first_closing_time(const State& state, Real h,
                                 std::span<const Real> lambda) const noexcept
{
    Real soonest = kNever;
    for (const int index : model_.pool<Contact>().groups) {
        const int row = model_.rows.groups[index].first_row;
        if (!(lambda[row] > 0) || state.lambda[row] > 0) continue;
        const Approach at = approach_of(index, state);
        if (at.gap <= touching_gap_) continue;
        const Real time = std::min(h, time_of_contact(at.gap, at.rate, at.acceleration));
        if (-(at.rate + time * at.acceleration) > least_rebound_) soonest = std::min(soonest, time);
    }
    return soonest;
}

bool Impacts::is_due_to_bounce(int contact, Real soon) const noexcept
{
    if (model_.restitution(contact) == 0) return false;
    const Approach& at = work_.approach[model_.rows.groups[contact].first_row];
    return at.gap <= touching_gap_ - soon * at.rate && rebound_speed(contact, at.rate) > 0;
}

bool Impacts::is_due_to_stop(int contact, const State& state, Real soon) const noexcept
{
    const Approach at = approach_of(contact, state);
    return at.gap <= touching_gap_ - soon * at.rate && -at.rate > least_rebound_;
}

bool Impacts::is_due(const State& state, Real soon) const noexcept
{
    const std::vector<int>& contacts = model_.pool<Contact>().groups;
    if (!any_)
        return std::any_of(contacts.begin(), contacts.end(),
                           [&](int contact) { return is_due_to_stop(contact, state, soon); });
    const std::vector<int>& rows = model_.rows.inequalities;
    return std::any_of(rows.begin(), rows.end(),
                       [&](int contact) { return is_due_to_bounce(contact, soon); });
}

bool Impacts::resolve(State& state, Real soon, StepReport& report) noexcept
{
    linearise_at(state);
    if (!any_) return resolve_pass(state, {soon, true, false}, report);
    int passes = 0;
    bool goes_on = true;
    while (goes_on && passes < kImpact.most_passes && !is_spent(report)) {
        goes_on = resolve_pass(state, {soon, false, true}, report);
        ++passes;
    }
    // all closed contacts at once, without restitution
    if (goes_on) resolve_pass(state, {soon, true, false}, report);
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
            sum += impulse[r] * work_.context.linear.rows[r].rate / 2;
    }
    return sum;
}

void Impacts::leave_out_row(std::size_t group, int row) noexcept
{
    const linalg::SaddlePattern& pattern = work_.context.layout.pattern;
    linalg::SaddleSystem& system = work_.context.linear.system;
    const auto& dual = pattern.duals[group];
    for (int t = dual.first_touch; t < dual.first_touch + dual.touches; ++t) {
        const int size = pattern.primals[pattern.touches[t].primal].size;
        std::fill_n(&system.J[pattern.touches[t].block + row * size], size, Real(0));
    }
    system.sigma[dual.offset + row] = 1;
    system.g[dual.offset + row] = 0;
}

void Impacts::leave_out(std::size_t group) noexcept
{
    for (int r = 0; r < work_.context.layout.pattern.duals[group].size; ++r)
        leave_out_row(group, r);
}

bool Impacts::is_closed(int row, Real soon) const noexcept
{
    const RowStart& start = work_.context.linear.rows[row];
    return start.phi <= touching_gap_ + soon * std::max(-start.rate, Real(0));
}

// Of hard joints; compliant and broken ones carry no impulse.
void Impacts::load_equality(const State& state, std::size_t group, Rate rate) noexcept
{
    const ConstraintRows& joint = model_.rows.groups[group];
    const bool hard = joint.kind != RowKind::Servo && state.broken[group] == 0 &&
                      model_.rows.softness[joint.first_row].compliance == 0;
    if (!hard) return leave_out(group);
    Linearisation& linear = work_.context.linear;
    for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
        linear.system.sigma[r] = 0;
        linear.system.g[r] =
            (rate == Rate::Kept ? linear.rows[r].rate : 0) - linear.rows[r].prescribed;
    }
}

// Each row of a limit by itself.
void Impacts::load_stops(std::size_t group, Real soon) noexcept
{
    const ConstraintRows& joint = model_.rows.groups[group];
    Linearisation& linear = work_.context.linear;
    for (int r = 0; r < joint.rows; ++r) {
        if (!is_closed(joint.first_row + r, soon)) {
            leave_out_row(group, r);
            continue;
        }
        linear.system.sigma[joint.first_row + r] = 0;
        linear.system.g[joint.first_row + r] = -linear.rows[joint.first_row + r].prescribed;
    }
}

// True if the contact is closed and approaches.
bool Impacts::load_contact(std::size_t group, const Pass& pass) noexcept
{
    const int first = model_.rows.groups[group].first_row;
    Linearisation& linear = work_.context.linear;
    const Real rate = linear.rows[first].rate;
    const bool closed = is_closed(first, pass.soon);
    const bool approaches = closed && rate < -kImpact.resting_rate * least_rebound_ -
                                                 kImpact.rate_rounding * std::abs(rate);
    if (!closed || (!approaches && !pass.everything)) {
        leave_out(group);
        return false;
    }
    for (int r = first; r < first + 3; ++r) {
        linear.system.sigma[r] = 0;
        linear.system.g[r] = -linear.rows[r].prescribed;
    }
    if (pass.bouncing) linear.system.g[first] += rebound_speed(static_cast<int>(group), rate);
    return approaches;
}

bool Impacts::load_rows(const State& state, const Pass& pass) noexcept
{
    set_momentum(state);
    bool any = false;
    for (std::size_t j = 0; j < model_.rows.groups.size(); ++j) {
        const RowLaw law = model_.rows.groups[j].law;
        const bool broken = !model_.rows.is_contact(static_cast<int>(j)) && state.broken[j] != 0;
        if (law == RowLaw::Equal)
            load_equality(state, j, Rate::Kept);
        else if (law == RowLaw::Interval || broken)
            leave_out(j);
        else if (law == RowLaw::NonNegative)
            load_stops(j, pass.soon);
        else if (load_contact(j, pass))
            any = true;
    }
    return any;
}

bool Impacts::solve_impulses(StepReport& report) noexcept
{
    SolveContext& context = work_.context;
    auto block = context.blocks.begin();
    for (const int index : model_.rows.inequalities) {
        const ConstraintRows& joint = model_.rows.groups[index];
        const int count = joint.law == RowLaw::Cone ? 1 : joint.rows;
        for (int k = 0; k < count; ++k, ++block) {
            block->rounding = 0;  // rates are known, whatever the step
            if (joint.law == RowLaw::Interval) block->law = Interval{0, 0};
        }
    }
    std::fill(context.solution.x.begin(), context.solution.x.end(), 0);
    std::fill(context.solution.y.begin(), context.solution.y.end(), 0);
    ComplementaritySettings settings;
    settings.shape = context.law_settings.shape;
    if (most_solves_ > 0)
        settings.most_factorisations =
            std::max(kGuard.budget.least_factorisations, most_solves_ - report.solves);
    const ComplementarityReport laws =
        context.laws->solve(context.linear.system, context.blocks, context.solution, settings);
    report.solves += laws.cost;
    report.settled = report.settled && laws.residual <= kImpact.largest_residual;
    return laws.finite && laws.refused.empty();
}

Real Impacts::kinetic_energy(const State& state) const noexcept
{
    Real sum = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        sum += model_.bodies[b].mass * state.v[b].squaredNorm() / 2;
        if (model_.bodies[b].kind == BodyKind::Rigid)
            sum += state.w[b].dot(work_.context.linear.bodies[b].inertia * state.w[b]) / 2;
    }
    return sum;
}

void Impacts::write_velocities(State& state) const noexcept
{
    const SolveContext& context = work_.context;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        const Real* x = &context.solution.x[context.layout.offset(static_cast<BodyIndex>(b))];
        state.v[b] = Vec3(x[0], x[1], x[2]);
        if (model_.bodies[b].kind == BodyKind::Rigid) state.w[b] = Vec3(x[3], x[4], x[5]);
    }
}

bool Impacts::fit_joints(State& state, Real most, StepReport& report) noexcept
{
    SolveContext& context = work_.context;
    linearise_at(state);
    set_momentum(state);
    work_.impact_jacobian = context.linear.system.J;
    for (std::size_t j = 0; j < model_.rows.groups.size(); ++j) load_equality(state, j, Rate::Zero);
    const SolveReport solved =
        context.solver->solve(context.linear.system, context.solution, Check::Always);
    context.linear.system.J = work_.impact_jacobian;
    ++report.solves;
    if (!solved.finite || solved.residual > kImpact.largest_residual) return false;
    work_.next.v = state.v;
    work_.next.w = state.w;
    const Real before = kinetic_energy(state);
    write_velocities(state);
    const Real taken = before - kinetic_energy(state);
    if (std::abs(taken) <= most * before) return true;
    state.v = work_.next.v;
    state.w = work_.next.w;
    return false;
}

bool Impacts::apply_impulses(State& state, bool bouncing) noexcept
{
    const SolveContext& context = work_.context;
    Real prescribed_work = 0;  // of kinematic bodies [J]
    for (int r = 0; r < model_.rows.count; ++r)
        prescribed_work -= context.solution.y[r] * context.linear.rows[r].prescribed;
    work_.next.v = state.v;
    work_.next.w = state.w;
    // work of the contacts: impulse times the mean of the rates before and after
    const std::vector<Real>& impulse = work_.next.lambda;
    work_.next.lambda = context.solution.y;
    const Real before = contact_work(impulse), kinetic_before = kinetic_energy(state);
    write_velocities(state);
    read_rates(state);
    const Real after = contact_work(impulse);
    if (bouncing && after + before > kImpact.work_rounding * std::abs(before)) {
        state.v = work_.next.v;
        state.w = work_.next.w;
        read_rates(state);
        return false;
    }
    state.last_step.work.prescribed += prescribed_work;
    state.last_step.dissipation.impacts += kinetic_before + prescribed_work - kinetic_energy(state);
    return true;
}

// One pass over the contacts that approach: false if none does. M, J and rates are those of the state.
bool Impacts::resolve_pass(State& state, const Pass& pass, StepReport& report) noexcept
{
    linalg::SaddleSystem& system = work_.context.linear.system;
    work_.impact_jacobian = system.J;
    const bool solved = load_rows(state, pass) && solve_impulses(report);
    system.J = work_.impact_jacobian;
    if (!solved) return false;
    if (apply_impulses(state, pass.bouncing)) return true;
    return resolve_pass(state, {pass.soon, pass.everything, false}, report);
}

}  // namespace taut::stepper
