// What StepController does where a (sub-)step would gain energy, and where the budget of solves is spent: velocities are reduced, or
// the poses are kept.
#include <cmath>

#include "model/kinematic.h"
#include "model/recovery.h"
#include "stepper/solve_rows.h"
#include "stepper/step_controller.h"

namespace taut::stepper {

Real StepController::post_energy() noexcept
{
    State& next = workspace_.next;
    const Energy energy = energy_of(model_, next, workspace_);
    return ledger_.post(state_, energy, recovery_work(next.time - state_.time), next);
}

bool StepController::can_slow_down(Real excess) noexcept
{
    const Real kinetic = energy_of(model_, workspace_.next, workspace_).kinetic();
    return ledger_.with_slack(excess, workspace_.next) <=
           kGuard.ledger.most_slowed * kinetic + closing_work() + recovery_energy();
}

// What it takes to close the share of open joints that this (sub-)step closes [J].
Real StepController::closing_work() const noexcept
{
    if (!joints_open_) return 0;
    const Real share = -std::expm1(-(workspace_.next.time - state_.time) / kRecoveryTime);
    Real work = 0;
    for (int r = 0; r < model_.rows.joint_rows; ++r)
        work += std::abs(workspace_.initial_gap[r] * workspace_.next.lambda[r]);
    return share * work;
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
    ledger_.post_slowed(state_, energy_of(model_, next, workspace_), next,
                        recovery_work(next.time - state_.time));
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
        outcome_ = newton_solve(problem_, make_attempt(AttemptKind::Euler), {false, 1}, report_);
    }
    if (!outcome_.finite) {
        if (saved_) swap_states(state_, workspace_.saved);
        report_.status = StepStatus::Diverged;
        elapsed_ = kUnits;
        return;
    }
    // joints that are open, bodies deep in each other, or a gain above the kinetic energy: keep the poses
    const Real excess = post_energy();
    const bool hold = report_.residual_gap > kGuard.acceptance.largest_final_gap * problem_.size ||
                      outcome_.relative_depth > kGuard.acceptance.tunnelling_depth ||
                      (excess > 0 && !can_slow_down(excess));
    if (hold)
        hold_poses();
    else if (excess > 0)
        slow_down(excess);
    break_joints(model_, workspace_.next);
    hold ? swap_states(state_, workspace_.next) : accept(false);
    ++report_.sub_steps;
    state_.last_step.h = 0;
    ledger_.set_end(energy_of(model_, state_, workspace_), state_);
    elapsed_ = kUnits;
}

}  // namespace taut::stepper
