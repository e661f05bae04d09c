#include "stepper/step_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/kinematic.h"
#include "model/recovery.h"
#include "stepper/inequality_rows.h"

namespace taut::stepper {
namespace {

constexpr SubStepSettings kSubSteps = kGuard.sub_steps;

// Kinetic energy of a fall of all bodies over the square of its time [W/s].
Real fall_power(const StepModel& model) noexcept
{
    const Real square_g = model.gravity.squaredNorm();
    Real sum = 0;
    for (const BodyModel& body : model.bodies)
        if (body.dynamic()) sum += body.mass * square_g / 2;
    return sum;
}

// How far from the origin a body is, by its largest coordinate [m].
Real reach_of(const State& state) noexcept
{
    return Eigen::Map<const Eigen::ArrayXd>(state.p.data()->data(),
                                            3 * static_cast<Eigen::Index>(state.p.size()))
        .abs()
        .maxCoeff();
}

// The attempt becomes the state, and what was the state its history.
void accept(State& state, State& next) noexcept
{
    swap_states(state, next);
    std::swap(state.history.p, next.p);
    std::swap(state.history.q, next.q);
    std::swap(state.history.v, next.v);
    std::swap(state.history.w, next.w);
}

}  // namespace

StepController::StepController(const StepModel& model, State& state, Workspace& workspace,
                               const StepSettings& settings) noexcept
    : model_(model),
      state_(state),
      workspace_(workspace),
      settings_(settings),
      impacts_(model, workspace, settings),
      problem_{model, state, settings, workspace, model.size(), fall_power(model)},
      ledger_(kGuard.ledger, problem_.fall_power)
{
    workspace.reach = reach_of(state);
    ledger_.open(energy_of(model, state, workspace), state);
    if (state.last_step.h == 0 || state.last_step.joints_open != 0) find_open_joints();
    recovery_blocked_before_ = state.last_step.recovery_blocked;
    recovery_blocked_ = state.last_step.recovery_blocked > 0;
    sub_step_ = longest_sub_step();
}

// --- attempts ---

Attempt StepController::make_attempt(Lookback lookback) const noexcept
{
    const Real h = length(sub_step_);
    const bool back = lookback == Lookback::TwoSteps && settings_.scheme == Scheme::Bdf2;
    Attempt attempt = back ? two_step_attempt(state_, h) : euler_attempt(state_, h);
    if (joints_open_)
        attempt.gap_fraction_kept = std::exp(-h / kRecoveryTime);
    else if (sub_step_ < kUnits)
        attempt.gap_fraction_kept = 1 - h / settings_.dt;
    attempt.recovery_blocked = recovery_blocked_;
    return attempt;
}

bool StepController::block_recovery() noexcept
{
    if (!outcome_.contacts_unsolved || !has_penetration() || solves_left() == 0) return false;
    recovery_blocked_ = true;
    return true;
}

bool StepController::may_restart() const noexcept
{
    // without a previous step the first attempt was this one already, unless it used the symmetric K̃
    if (make_attempt(Lookback::TwoSteps).a == 0 && !workspace_.symmetric_context.solver)
        return false;
    return solves_left() > 0;  // else the iterate at hand is the best there is
}

bool StepController::attempt(Lookback lookback) noexcept
{
    if (lookback == Lookback::OneStep) {
        if (!may_restart()) return false;
        ++report_.restarts;
    }
    do {
        const Attempt now = make_attempt(lookback);
        if (now.gap_fraction_kept > 0 || now.recovery_blocked)
            read_initial_gaps(model_, state_, settings_, workspace_);
        const NewtonOptions options{lookback == Lookback::TwoSteps, solves_left()};
        outcome_ = newton_solve(problem_, now, options, report_);
        if (!outcome_.converged && !block_recovery()) return false;
    } while (!outcome_.converged || cut_at_impact());

    State& next = workspace_.next;
    if (recovery_blocked_ && state_.last_step.recovery_blocked == 0)
        next.last_step.recovery_blocked = kSubSteps.blocked_time;
    // velocities jump at an impact or a release: a two-step scheme has no history across it
    if (activity_changed(model_, state_.lambda, next.lambda)) {
        if (make_attempt(lookback).a > 0) return false;
        next.last_step.h = 0;
    }
    break_joints(model_, next);
    const Real excess = post_energy();
    if (excess <= 0) return true;
    ++report_.gains_refused;
    if (sub_step_ > kUnits / kSubSteps.strict && !joints_open_) return false;
    slow_down(excess);
    return true;
}

void StepController::commit() noexcept
{
    if (elapsed_ == 0 && sub_step_ < kUnits) save_state();
    accept(state_, workspace_.next);
    elapsed_ += sub_step_;
    if (done()) return;
    if (impacts_.any()) {
        sub_step_ = longest_sub_step();
        return;
    }
    while (sub_step_ < kUnits && elapsed_ % (2 * sub_step_) == 0) sub_step_ *= 2;
}

bool StepController::halve() noexcept
{
    if (sub_step_ == 1 || solves_left() < 2) return false;
    sub_step_ /= 2;
    ++report_.halvings;
    return true;
}

// One solve is kept for the rest of a step that was begun in sub-steps.
int StepController::solves_left() const noexcept
{
    constexpr BudgetSettings kBudget = kGuard.budget;
    const int usual = model_.rows.inequalities.empty() ? kBudget.solves : kBudget.factorisations;
    const int most = settings_.max_solves > 0 ? settings_.max_solves : usual;
    return std::max(0, most - report_.solves - (sub_step_ < kUnits ? 1 : 0));
}

Real StepController::length(std::uint32_t units) const noexcept
{
    return settings_.dt * (static_cast<Real>(units) / static_cast<Real>(kUnits));
}

// What the history allows where impacts cut the step.
std::uint32_t StepController::longest_sub_step() const noexcept
{
    const std::uint32_t rest = kUnits - elapsed_;
    if (!impacts_.any() || state_.last_step.h == 0) return rest;
    const Real units = kMostGrowth * state_.last_step.h / length(1);
    return units < rest ? std::max(1u, static_cast<std::uint32_t>(units)) : rest;
}

// The state before the step, once, for the case that a later sub-step fails.
void StepController::save_state() noexcept
{
    if (saved_) return;
    workspace_.saved = state_;
    saved_ = true;
}

// --- impacts ---

void StepController::resolve_impacts() noexcept
{
    if (!impacts_.any()) return;
    impacts_.measure_approach(state_);
    if (elapsed_ == 0) save_state();
    if (!impacts_.resolve(state_, kSubSteps.impact_units * length(1), report_)) return;
    state_.last_step.h = 0;  // velocities jumped; a short Euler step loses little, then steps grow
    state_.last_step.power = {};
    sub_step_ = std::min(kUnits - elapsed_, kSubSteps.after_impact);
    ++report_.impacts;
}

bool StepController::cut_at_impact() noexcept
{
    if (!impacts_.any() || sub_step_ == 1) return false;
    const Real time = impacts_.first_impact_time(length(sub_step_), workspace_.next.lambda);
    if (!(time <= length(sub_step_))) return false;
    // a cut that came too late, because more than gravity acts, comes a little earlier
    const auto before = static_cast<std::uint32_t>(time / length(1));
    sub_step_ = std::max(1u, std::min(before, sub_step_ - std::max(1u, sub_step_ / 8)));
    return true;
}

// --- open joints and penetration ---

void StepController::find_open_joints() noexcept
{
    read_initial_gaps(model_, state_, settings_, workspace_);
    const Real limit = kGuard.acceptance.open_joint * problem_.size;
    for (int r = 0; r < model_.rows.count; ++r) {
        const Real scale = model_.rows.units[r] == RowUnit::Length ? 1 : problem_.size;
        joints_open_ = joints_open_ || std::abs(workspace_.initial_gap[r]) * scale > limit;
    }
    state_.last_step.joints_open = joints_open_ ? 1 : 0;
}

bool StepController::has_penetration() const noexcept
{
    if (recovery_blocked_) return false;
    const auto& contacts = model_.pool<Contact>().items;
    return std::any_of(contacts.begin(), contacts.end(), [&](const Contact& c) {
        return c.rest < -kSubSteps.penetration * problem_.size;
    });
}

Real StepController::recovery_work(Real h) const noexcept
{
    if (recovery_blocked_) return 0;
    const auto& contacts = model_.pool<Contact>();
    const Real way =
        std::exp(settings_.dt / kRecoveryTime) - 1;  // of Contact::rest, in a whole step
    Real work = 0;
    for (std::size_t k = 0; k < contacts.items.size(); ++k)
        work -= contacts.items[k].rest * way * h / settings_.dt *
                workspace_.next.lambda[model_.rows.groups[contacts.groups[k]].first_row];
    return work;
}

// --- energy ---

Real StepController::post_energy() noexcept
{
    State& next = workspace_.next;
    const Energy energy = energy_of(model_, next, workspace_);
    return ledger_.post(state_, energy, recovery_work(next.time - state_.time), next);
}

void StepController::slow_down(Real excess) noexcept
{
    State& next = workspace_.next;
    excess = ledger_.with_slack(excess, next);
    const Real kinetic = energy_of(model_, next, workspace_).kinetic();
    const Real factor = kinetic > excess ? std::sqrt(1 - excess / kinetic) : 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) continue;
        next.v[b] *= factor;
        next.w[b] *= factor;
    }
    ledger_.post_slowed(state_, energy_of(model_, next, workspace_), next);
    next.last_step.h = 0;  // a two-step scheme has no history across a jump of velocities
    next.last_step.power = {};
}

// --- the end of the budget ---

// The bodies stay where they are, at half their velocities; kinematic bodies go on.
void StepController::hold_poses() noexcept
{
    State& next = workspace_.next;
    next = state_;
    next.time += length(kUnits - elapsed_);
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
        if (!model_.bodies[b].dynamic()) {
            apply_kinematic_motion(model_, static_cast<BodyIndex>(b), next.time, next);
            continue;
        }
        next.v[b] /= 2;
        next.w[b] /= 2;
    }
}

void StepController::accept_last_iterate() noexcept
{
    report_.settled = false;
    if (sub_step_ < kUnits) {  // all that is left at once
        sub_step_ = kUnits - elapsed_;
        outcome_ = newton_solve(problem_, make_attempt(Lookback::OneStep), {false, 1}, report_);
    }
    if (!outcome_.finite) {
        if (saved_) swap_states(state_, workspace_.saved);
        report_.status = StepStatus::Diverged;
        elapsed_ = kUnits;
        return;
    }
    // joints that are open, or energy beyond repair, are worse than no motion
    const Real excess = post_energy();
    const bool hold = report_.residual_gap > kGuard.acceptance.torn * problem_.size ||
                      excess > energy_of(model_, workspace_.next, workspace_).kinetic();
    if (hold)
        hold_poses();
    else if (excess > 0)
        slow_down(excess);
    break_joints(model_, workspace_.next);
    hold ? swap_states(state_, workspace_.next) : accept(state_, workspace_.next);
    state_.last_step.h = 0;
    ledger_.set_end(energy_of(model_, state_, workspace_), state_);
    elapsed_ = kUnits;
}

StepReport StepController::finish() noexcept
{
    if (report_.status == StepStatus::Diverged) {
        report_.reason = "no finite state was found; the world was left as it was";
        ledger_.roll_back(state_);
        state_.last_step.recovery_blocked = recovery_blocked_before_;
        return report_;
    }
    ++state_.steps;
    state_.last_step.recovery_blocked =
        std::max(state_.last_step.recovery_blocked - settings_.dt, Real(0));
    state_.last_step.ledger_invalid = 0;
    report_.energy_change = ledger_.change();
    report_.reason = reason();
    if (report_.reason.empty()) report_.hardest_body = -2;
    return report_;
}

std::string_view StepController::reason() const noexcept
{
    if (!report_.settled)
        return solves_left() == 0 ? "the maximum number of solves was reached: the last iterate "
                                    "was accepted, slowed "
                                    "down where it would have gained energy"
                                  : "the shortest sub-step did not converge: the last iterate was "
                                    "accepted, slowed "
                                    "down where it would have gained energy";
    if (report_.halvings > 0)
        return "a part of the mechanism moved too fast for one step: it was taken in sub-steps";
    if (report_.gains_refused > 0)
        return "the two-step scheme would have added energy: this step fell back to backward Euler";
    if (report_.restarts > 0)
        return "the motion changed abruptly: this step fell back to backward Euler";
    return {};
}

}  // namespace taut::stepper
