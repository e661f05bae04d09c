// How long the sub-steps of StepController are: what is cut short because bodies turn far, because the forces of a first step are
// not known yet, or because the history does not reach as far.
#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "stepper/scheme_choice.h"
#include "stepper/step_controller.h"

namespace taut::stepper {

// The first step of a mechanism, where the midpoint scheme does not take it or forces of contacts are unknown: backward Euler has
// to find them. Over a whole step it would take (ωh)² of the energy of what turns, so that it is given a short sub-step.
void StepController::shorten_first_sub_step() noexcept
{
    constexpr SubStepSettings kParts = kGuard.sub_steps;
    const StepMemory& last = state_.last_step;
    const bool first = last.h == 0 && last.scheme.tension == 0 && elapsed_ == 0;
    if (!first || model_.rows.joints == 0 || impacts_.any() ||
        !is_two_step(settings_.research.scheme) ||
        fastest_turn(model_, state_) * settings_.dt <= kGuard.scheme.least_turn)
        return;
    const bool on_contacts = !model_.rows.inequalities.empty();
    if (!on_contacts && (!uses_rates(settings_.research.scheme) ||
                         (any_strong_damping(model_, settings_.dt) &&
                          !is_braked(orbit_turn(model_, state_), settings_.dt)) ||
                         (settings_.max_solves > 0 && settings_.max_solves < kParts.first_solves)))
        return;
    short_first_sub_step_ = true;
    sub_step_ = std::min(sub_step_, on_contacts ? kParts.first : kParts.first_without_contacts);
}

// After sub-steps that were taken for the sake of accuracy: lengths grow no faster than adams can follow.
void StepController::limit_growth() noexcept
{
    const StepMemory& last = state_.last_step;
    if (last.scheme.rates_known == 0 || last.scheme.orbit_angle == 0 ||
        last.h < length(1) * (kUnits / kGuard.scheme.damped_parts))
        return;
    while (length(sub_step_) > kGuard.scheme.adams_growth * last.h) sub_step_ /= 2;
}

// Into how many sub-steps a step may be divided for the sake of accuracy.
std::uint32_t StepController::most_parts() const noexcept
{
    constexpr SchemeSettings kScheme = kGuard.scheme;
    if (settings_.max_solves == 0) return kScheme.damped_parts;
    return std::min(kScheme.damped_parts,
                    static_cast<std::uint32_t>(settings_.max_solves / kScheme.damped_solves));
}

// Sub-steps in which no body turns too far.
void StepController::limit_turn() noexcept
{
    if (!midpoint_) {
        limit_orbit();
        return;
    }
    const Real turn = fastest_turn(model_, state_);
    const Real change = workspace_.few_freedoms ? state_.last_step.scheme.spin_change : 0;
    const auto is_too_long = [&](Real h) {
        return turn * h > kGuard.scheme.midpoint_turn ||
               change * h * h > kGuard.scheme.midpoint_spin_change;
    };
    while (sub_step_ > kUnits / kGuard.scheme.midpoint_parts && is_too_long(length(sub_step_)))
        sub_step_ /= 2;
}

// adams and bdf2 brake what orbits about joints: shorter sub-steps, so that a rotor keeps its speed beside a heavy cable.
void StepController::limit_orbit() noexcept
{
    constexpr SchemeSettings kScheme = kGuard.scheme;
    const SchemeMemory& memory = state_.last_step.scheme;
    if (settings_.research.scheme != Scheme::Automatic) return;
    limit_growth();
    if (memory.orbit_angle < kScheme.damped_orbit_angle && !short_first_sub_step_) return;
    if (model_.rows.has_contacts() && memory.unchanged_steps < kScheme.unchanged_steps) return;
    if (is_cut() || joints_open_) return;
    const Real turn = orbit_turn(model_, state_);
    while (sub_step_ * most_parts() > kUnits && is_braked(turn, length(sub_step_))) sub_step_ /= 2;
}

// What the history allows where impacts cut the step.
std::uint32_t StepController::longest_sub_step() const noexcept
{
    const std::uint32_t rest = kUnits - elapsed_;
    if (!is_cut() || state_.last_step.h == 0) return rest;
    const Real units = kMostGrowth * state_.last_step.h / length(1);
    return units < rest ? std::max(1u, static_cast<std::uint32_t>(units)) : rest;
}

Real StepController::length(std::uint32_t units) const noexcept
{
    TAUT_ASSERT(units <= kUnits);
    return settings_.dt * (static_cast<Real>(units) / static_cast<Real>(kUnits));
}

}  // namespace taut::stepper
