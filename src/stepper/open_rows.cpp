// What a step starts with that is not closed: open joints, and contacts that penetrate. What it takes to recover them.
#include <algorithm>
#include <cmath>

#include "model/recovery.h"
#include "stepper/step_controller.h"

namespace taut::stepper {
namespace {

constexpr SubStepSettings kSubSteps = kGuard.sub_steps;

}  // namespace

void StepController::find_open_joints() noexcept
{
    read_initial_gaps(model_, state_, settings_, workspace_);
    const Real limit = kGuard.acceptance.open_joint * problem_.size;
    for (int r = 0; r < model_.rows.joint_rows; ++r) {
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

// By how much a contact is to be less deep at the end of a whole step [m].
Real StepController::recovered_way(std::size_t contact) const noexcept
{
    const auto& contacts = model_.pool<Contact>();
    const Real way = -std::min(contacts.items[contact].rest, Real(0)) *
                     (std::exp(settings_.dt / kRecoveryTime) - 1);
    return std::min(
        way, most_recovery(settings_.dt, model_.gravity.norm(),
                           model_.contacts.coefficients_of(contacts.groups[contact]).half_width));
}

Real StepController::recovery_work(Real h) const noexcept
{
    const Real g = model_.gravity.norm();
    if (recovery_blocked_ || g == 0) return 0;
    const auto& contacts = model_.pool<Contact>();
    const Real weight = 2 * problem_.fall_power / g;
    Real work = 0;
    for (std::size_t k = 0; k < contacts.items.size(); ++k)
        work += recovered_way(k) * h / settings_.dt *
                std::min(weight,
                         workspace_.next.lambda[model_.rows.groups[contacts.groups[k]].first_row]);
    Real lift = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
        if (model_.bodies[b].dynamic())
            lift += std::max(Real(0), -model_.bodies[b].mass *
                                          model_.gravity.dot(workspace_.next.p[b] - state_.p[b]));
    return std::min(work, lift);
}

Real StepController::recovery_energy() noexcept
{
    if (recovery_blocked_) return 0;
    const auto& contacts = model_.pool<Contact>();
    std::vector<Real>& speed = workspace_.recovery_speed;
    std::fill(speed.begin(), speed.end(), Real(0));
    for (std::size_t k = 0; k < contacts.items.size(); ++k)
        for (const BodyIndex b : contacts.bodies[k]) speed[b] += recovered_way(k) / settings_.dt;
    Real energy = 0;
    for (std::size_t b = 0; b < model_.bodies.size(); ++b)
        if (model_.bodies[b].dynamic()) energy += model_.bodies[b].mass * speed[b] * speed[b] / 2;
    return std::min(energy, energy_of(model_, workspace_.next, workspace_).kinetic());
}

}  // namespace taut::stepper
