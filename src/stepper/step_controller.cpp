#include "stepper/step_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/assert.h"
#include "model/kinematic.h"
#include "model/recovery.h"
#include "stepper/dissipation.h"
#include "stepper/loops.h"
#include "stepper/moving_contacts.h"
#include "stepper/scheme_choice.h"
#include "stepper/solve_rows.h"

namespace taut::stepper {
namespace {

constexpr SubStepSettings kSubSteps = kGuard.sub_steps;

// How far from the origin a body is, by its largest coordinate [m].
Real reach_of(const State& state) noexcept
{
    return Eigen::Map<const Eigen::ArrayXd>(state.p.data()->data(),
                                            3 * static_cast<Eigen::Index>(state.p.size()))
        .abs()
        .maxCoeff();
}

bool is_at_rest(const State& state) noexcept
{
    const auto is_zero = [](const Vec3& u) { return u.isZero(0); };
    return std::all_of(state.v.begin(), state.v.end(), is_zero) &&
           std::all_of(state.w.begin(), state.w.end(), is_zero);
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
      ledger_(kGuard.ledger, problem_.fall_power),
      memory_before_(state.last_step)
{
    TAUT_ASSERT(settings.dt > 0);
    TAUT_ASSERT(workspace.next.p.size() == model.bodies.size());
    TAUT_ASSERT(workspace.next.lambda.size() == state.lambda.size());
    workspace.distance_from_origin = reach_of(state);
    set_loop_compliance(model, settings.dt, workspace);
    const Energy energy = energy_of(model, state, workspace);
    ledger_.open(energy, state);
    choose_contact_solution(energy.kinetic());
    if (state.last_step.h == 0 || state.last_step.joints_open != 0) find_open_joints();
    recovery_blocked_ = state.last_step.recovery_blocked > 0;
    deep_penetration_ = any_deep_contact(model);
    sub_step_ = longest_sub_step();
    yields_ = !workspace.loop_rows.empty() &&
              loop_energy(model, state, workspace) >
                  kGuard.scheme.loop_energy *
                      std::max(energy.kinetic(), problem_.fall_power * settings.dt * settings.dt);
    midpoint_ = may_take_midpoint();
    if (!midpoint_ || !model.rows.inequalities.empty()) shorten_first_sub_step();
    limit_turn();
}

bool StepController::may_take_midpoint() const noexcept
{
    if (yields_ && settings_.research.scheme != Scheme::Midpoint) return false;
    return takes_midpoint(model_, state_, settings_, settings_.dt);
}

void StepController::choose_contact_solution(Real kinetic) noexcept
{
    problem_.convex = takes_convex_steps(model_, state_, settings_, kinetic, problem_.fall_power);
    state_.last_step.scheme.convex = problem_.convex ? 1 : 0;
    if (!problem_.convex) return;
    set_convex(true);
    impacts_.leave_inelastic();
}

void StepController::set_convex(bool convex) noexcept
{
    ComplementaritySettings& laws = workspace_.context.law_settings;
    problem_.convex = laws.convex = convex;
    laws.tolerance = settings_.tolerance * (convex ? kGuard.moving.law_tolerance
                                                   : kGuard.inequality.tolerance_with_contacts);
    problem_.bodies =
        static_cast<Real>(std::count_if(model_.bodies.begin(), model_.bodies.end(),
                                        [](const BodyModel& body) { return body.dynamic(); }));
}

// --- attempts ---

Attempt StepController::make_attempt(AttemptKind kind) const noexcept
{
    TAUT_ASSERT(!done());
    const Real h = length(sub_step_);
    Attempt attempt = euler_attempt(state_, h);
    if (kind == AttemptKind::Midpoint) attempt = midpoint_attempt(state_, h);
    if (kind == AttemptKind::TwoStep && is_two_step(settings_.research.scheme) &&
        !contacts_change())
        attempt = takes_adams(model_, state_, settings_) ? adams_attempt(state_, h)
                                                         : bdf2_attempt(state_, h);
    if (sub_step_ < kUnits)
        attempt.gap_fraction_kept = attempt.penetration_kept = 1 - h / settings_.dt;
    if (joints_open_) attempt.gap_fraction_kept = std::exp(-h / kRecoveryTime);
    attempt.recovery_blocked = recovery_blocked_;
    attempt.writes_rates = uses_rates(settings_.research.scheme);
    return attempt;
}

// Whether contacts have begun or ceased to act so lately that they are expected to do so again.
bool StepController::contacts_change() const noexcept
{
    return problem_.convex &&
           state_.last_step.scheme.unchanged_steps < kGuard.moving.unchanged_steps;
}

bool StepController::block_recovery() noexcept
{
    if (!outcome_.contacts_unsolved || !has_penetration() || solves_left() == 0) return false;
    if (problem_.convex && sub_step_ > kUnits / kGuard.moving.blocking_part) return false;
    recovery_blocked_ = true;
    return true;
}

bool StepController::may_restart() const noexcept
{
    // without a previous step the first attempt was this one already, unless it used the symmetric K̃
    if (!make_attempt(AttemptKind::TwoStep).uses_history() && !workspace_.symmetric_context.solver)
        return false;
    return solves_left() > 0;  // else the iterate at hand is the best there is
}

// What a converged attempt says about the scheme; false: it is not for this step.
bool StepController::scheme_suits(const Attempt& attempt, bool activity_changed) noexcept
{
    if (!chooses_scheme(settings_.research.scheme)) return true;
    const bool midpoint = attempt.formula == Attempt::Formula::Midpoint;
    const bool first = state_.last_step.h == 0;
    // without a past the forces that the matrix was made with are not those of this motion
    if (first && (midpoint || short_first_sub_step_))
        linearise_iterate(model_, attempt, settings_.research.stabilisation, false, Depth::Matrix,
                          workspace_, workspace_.context);
    const Real frequency = tension_frequency(model_, attempt, workspace_);
    // sub-steps of the other schemes say what the midpoint scheme would have to resolve in a whole step
    note_scheme(model_, state_, attempt,
                midpoint ? frequency : frequency * (settings_.dt / attempt.h), activity_changed,
                workspace_.next);
    if (!midpoint || settings_.research.scheme == Scheme::Midpoint) return true;
    // it would reverse velocities that joints do not allow in every step, and never damp them
    const bool velocities_jumped = workspace_.next.last_step.h == 0;
    if (workspace_.next.last_step.scheme.midpoint == 0 || velocities_jumped) midpoint_unfit_ = true;
    return !midpoint_unfit_ && frequency <= kGuard.scheme.midpoint_most;
}

bool StepController::attempt_convex() noexcept
{
    if (problem_.convex || !outcome_.contacts_unsolved || !can_take_convex_steps(settings_) ||
        solves_left() == 0)
        return false;
    ++report_.restarts;
    set_convex(true);
    const bool accepted = attempt(AttemptKind::Convex);
    set_convex(false);
    return accepted;
}

bool StepController::attempt(AttemptKind kind) noexcept
{
    if (kind == AttemptKind::Midpoint && !midpoint_) return false;
    midpoint_unfit_ = gained_ = false;
    if (kind == AttemptKind::Euler) {
        if (!may_restart()) return false;
        ++report_.restarts;
    }
    do {
        const Attempt now = make_attempt(kind);
        keeps_rates_ = kind == AttemptKind::Midpoint ||
                       (now.uses_history() && state_.last_step.scheme.midpoint_steps == 0 &&
                        state_.last_step.scheme.rates_known != 0);
        if (now.gap_fraction_kept > 0 || now.penetration_kept > 0 || now.recovery_blocked)
            read_initial_gaps(model_, state_, settings_, workspace_);
        const NewtonOptions options{kind == AttemptKind::TwoStep, attempt_budget()};
        outcome_ = newton_solve(problem_, now, options, report_);
        if (!outcome_.converged && !block_recovery()) return false;
    } while (!outcome_.converged || cut_at_impact());

    State& next = workspace_.next;
    if (recovery_blocked_ && state_.last_step.recovery_blocked == 0)
        next.last_step.recovery_blocked = kSubSteps.blocked_time;
    // velocities jump at an impact or a release: a two-step scheme has no history across it
    const Attempt made = make_attempt(kind);
    const bool changed = activity_changed(model_, state_.lambda, next.lambda);
    if (changed) {
        midpoint_unfit_ = true;
        if (made.formula != Attempt::Formula::Euler) return false;
        next.last_step.h = 0;
    }
    if (!scheme_suits(made, changed)) return false;
    break_joints(model_, next);
    const Real excess = post_energy();
    if (excess <= 0) return true;
    ++report_.gains_refused;
    // bodies that are pushed out of each other move, but keep none of the velocity
    if (ledger_.with_slack(excess, next) <= recovery_energy()) {
        slow_down(excess);
        return true;
    }
    // many bodies in each other: their recovery has no solution, and forces grow beyond all measure
    if (deep_penetration_ && !recovery_blocked_ && solves_left() > 0) {
        recovery_blocked_ = true;
        return attempt(kind);
    }
    gained_ = true;
    midpoint_gained_ = midpoint_gained_ || made.formula == Attempt::Formula::Midpoint;
    if (sub_step_ > kUnits / kSubSteps.least_refused_part && !joints_open_) return false;
    // A small gain is taken from the kinetic energy. A larger one means that the poses are wrong: with velocities set to zero the
    // bodies would still change their poses in every step.
    if (!can_slow_down(excess)) return false;
    slow_down(excess);
    return true;
}

void StepController::commit() noexcept
{
    TAUT_ASSERT(sub_step_ > 0 && sub_step_ <= kUnits - elapsed_);
    if (elapsed_ == 0 && sub_step_ < kUnits) save_state();
    accept(keeps_rates_);
    elapsed_ += sub_step_;
    ++report_.sub_steps;
    if (done()) return;
    if (is_cut()) {
        sub_step_ = longest_sub_step();
        return;
    }
    while (sub_step_ < kUnits && elapsed_ % (2 * sub_step_) == 0) sub_step_ *= 2;
    if (short_first_sub_step_ && !midpoint_) {
        midpoint_ = may_take_midpoint();
        if (midpoint_) sub_step_ = kUnits - elapsed_;
    }
    limit_turn();
}

void StepController::accept(bool keeps_rates) noexcept
{
    TAUT_ASSERT(workspace_.next.lambda.size() == state_.lambda.size());
    State &state = state_, &next = workspace_.next;
    swap_states(state, next);
    std::swap(state.history.p, next.p);
    std::swap(state.history.q, next.q);
    std::swap(state.history.v, next.v);
    std::swap(state.history.w, next.w);
    if (state.last_step.scheme.rates_known == 0) {
        // they were not written: the state keeps what it had, so that it does not depend on the workspace
        std::swap(state.rates, next.rates);
        std::swap(state.history.rates, next.history.rates);
        return;
    }
    // the first step of a scheme has no rates before it
    if (keeps_rates) {
        std::swap(state.history.rates.linear, next.rates.linear);
        std::swap(state.history.rates.angular, next.rates.angular);
    } else {
        std::copy(state.rates.linear.begin(), state.rates.linear.end(),
                  state.history.rates.linear.begin());
        std::copy(state.rates.angular.begin(), state.rates.angular.end(),
                  state.history.rates.angular.begin());
    }
}

bool StepController::halve_midpoint() noexcept
{
    if (!midpoint_) return false;
    // without a past nothing says that the scheme is for this island
    const bool established = state_.last_step.h > 0;
    midpoint_ = established && sub_step_ > kUnits / kGuard.scheme.midpoint_parts &&
                !midpoint_unfit_ && halve();
    if (midpoint_) return true;
    shorten_first_sub_step();
    limit_orbit();
    return false;
}

bool StepController::halve() noexcept
{
    if (sub_step_ == 1 || solves_left() < 2) return false;
    sub_step_ /= 2;
    ++report_.halvings;
    if (gained_) ++halved_for_gains_;
    if (!midpoint_ && state_.last_step.h > 0)
        state_.last_step.scheme.damped_time = kGuard.scheme.damped_time + settings_.dt;
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

int StepController::attempt_budget() const noexcept
{
    const int left = solves_left();
    if (model_.rows.inequalities.empty()) return left;
    return std::min(left, std::max(kGuard.budget.of_attempt, left / 4));
}

// The state before the step, once, for the case that a later sub-step fails.
void StepController::save_state() noexcept
{
    if (saved_) return;
    workspace_.saved = state_;
    saved_ = true;
}

// --- velocities at joints ---

// The midpoint scheme closes joints by their mean velocities. What those at the ends of steps differ from what joints allow turns
// sign in every step, and errors of the solves let it grow.
void StepController::fit_velocities() noexcept
{
    constexpr SchemeSettings kScheme = kGuard.scheme;
    if (elapsed_ > 0 || !midpoint_ || state_.last_step.scheme.midpoint_steps < 2) return;
    if (state_.steps % kScheme.fit_interval != 0 || !model_.rows.inequalities.empty()) return;
    if (settings_.max_solves > 0 && settings_.max_solves < kScheme.damped_solves) return;
    save_state();
    impacts_.fit_joints(state_, kScheme.largest_fit, report_);
}

// --- impacts ---

void StepController::resolve_impacts() noexcept
{
    if (!is_cut() || solves_left() == 0) return;
    const bool bounces = impacts_.any();
    const Real units = bounces ? kSubSteps.impact_units : kGuard.impact.inelastic_soon;
    const Real soon = units * length(1);
    if (bounces) impacts_.measure_approach(state_);
    if (!impacts_.is_due(state_, soon)) return;
    if (elapsed_ == 0) save_state();
    if (!impacts_.resolve(state_, soon, report_)) return;
    state_.last_step.h = 0;  // velocities jumped
    state_.last_step.power = {};
    const std::uint32_t rest = kUnits - elapsed_;
    // a short Euler step after a bounce loses little, then steps grow
    sub_step_ = bounces ? std::min(rest, kSubSteps.after_impact) : rest;
    ++report_.impacts;
}

bool StepController::cut_at_impact() noexcept
{
    if (sub_step_ == 1) return false;
    if (impacts_.inelastic()) return cut_at_closing();
    if (!impacts_.any()) return false;
    const Real time = impacts_.first_impact_time(length(sub_step_), workspace_.next.lambda);
    if (!(time <= length(sub_step_))) return false;
    // a cut that came too late, because more than gravity acts, comes a little earlier
    const auto before = static_cast<std::uint32_t>(time / length(1));
    sub_step_ = std::max(1u, std::min(before, sub_step_ - std::max(1u, sub_step_ / 8)));
    return true;
}

bool StepController::cut_at_closing() noexcept
{
    if (cuts_left_ == 0) return false;
    const Real time =
        impacts_.first_closing_time(state_, length(sub_step_), workspace_.next.lambda);
    if (!(time <= length(sub_step_))) return false;
    --cuts_left_;
    const auto before = static_cast<std::uint32_t>(time / length(1));
    sub_step_ = std::clamp(before, 1u, sub_step_ - 1);
    return true;
}

StepReport StepController::finish() noexcept
{
    if (report_.status == StepStatus::Diverged) {
        report_.reason = "no finite state was found; the world was left as it was";
        state_.last_step = memory_before_;
        return report_;
    }
    ++state_.steps;
    report_.midpoint = state_.last_step.scheme.midpoint_steps > 0 ? 1 : 0;
    SchemeMemory& scheme = state_.last_step.scheme;
    add_orbit_angle(model_, settings_.dt, short_first_sub_step_, state_);
    scheme.damped_time = std::max(scheme.damped_time - settings_.dt, Real(0));
    // what could not be recovered cannot be where nothing has moved, unless it was given up because of its gain
    if (deep_penetration_ || !is_at_rest(state_))
        state_.last_step.recovery_blocked =
            std::max(state_.last_step.recovery_blocked - settings_.dt, Real(0));
    state_.last_step.ledger_invalid = 0;
    settle_dissipation(ledger_.change(), memory_before_.dissipation, state_, report_);
    report_.reason = reason();
    if (report_.reason.empty()) report_.hardest_body = {};
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
    if (report_.halvings > halved_for_gains_)
        return "a part of the mechanism moved too fast for one step: it was taken in sub-steps";
    if (report_.halvings > 0)
        return "a step of this length would have added energy: it was taken in sub-steps";
    if (report_.gains_refused > 0)
        return midpoint_gained_ ? "the midpoint scheme would have added energy: this step was "
                                  "taken by another scheme"
                                : "the two-step scheme would have added energy: this step fell "
                                  "back to backward Euler";
    if (report_.restarts > 0)
        return "the motion changed abruptly: this step fell back to backward Euler";
    return {};
}

}  // namespace taut::stepper
