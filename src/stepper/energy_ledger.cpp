#include "stepper/energy_ledger.h"

#include <algorithm>
#include <cmath>

namespace taut::stepper {

static Real balance(const Energy& energy, const State& state) noexcept
{
    return energy.total() - state.last_step.work.total();
}

EnergyLedger::EnergyLedger(const LedgerSettings& settings, Real fall_power) noexcept
    : settings_(settings), fall_power_(fall_power)
{}

void EnergyLedger::open(const Energy& energy, State& state) noexcept
{
    start_ = end_ = balance(energy, state);
    if (state.last_step.ledger_invalid != 0) state.last_step.ledger = start_;
}

Real EnergyLedger::post(const State& before, const Energy& energy, Real recovery_work,
                        State& next) noexcept
{
    const Real h = next.time - before.time;
    const Real fade = std::exp(-h / settings_.fading);
    next.last_step.kinetic_scale =
        std::max(energy.kinetic(), before.last_step.kinetic_scale * fade);
    const Real now = balance(energy, next), allowed = before.last_step.ledger + recovery_work;
    end_ = now;
    next.last_step.ledger =
        now > allowed ? std::min(now, allowed + settings_.rate * h * next.last_step.kinetic_scale)
                      : now + (allowed - now) * fade;
    // what rests under a heavy load lifts it by rounding, so that a fall of one step counts as motion
    return now - allowed -
           settings_.slack * std::max(next.last_step.kinetic_scale, fall_power_ * h * h);
}

Real EnergyLedger::with_slack(Real excess, const State& next) const noexcept
{
    return excess + settings_.slack * next.last_step.kinetic_scale;
}

void EnergyLedger::post_slowed(const State& before, const Energy& energy, State& next,
                               Real recovery_work) noexcept
{
    end_ = balance(energy, next);
    next.last_step.ledger = std::min(before.last_step.ledger + recovery_work, end_);
}

void EnergyLedger::set_end(const Energy& energy, const State& next) noexcept
{
    end_ = balance(energy, next);
}

}  // namespace taut::stepper
