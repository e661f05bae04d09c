// Sums of two reports: of islands side by side, or of steps one after the other.
#pragma once

#include <algorithm>

#include <taut/report.h>

#include "model/state.h"

namespace taut::stepper {

inline void add_times(const StepTimes& one, StepTimes& all) noexcept
{
    all.collision += one.collision;
    all.assembly += one.assembly;
    all.solve += one.solve;
}

// What adds up, and the worst of what does not. Solves, reasons and what belongs to one solve are up to the caller.
inline void add_sums(const StepReport& one, StepReport& all) noexcept
{
    all.settled = all.settled && one.settled;
    all.midpoint += one.midpoint;
    all.restarts += one.restarts;
    all.gains_refused += one.gains_refused;
    all.impacts += one.impacts;
    all.halvings += one.halvings;
    all.sub_steps = std::max(all.sub_steps, one.sub_steps);
    all.residual_work += one.residual_work;
    all.residual_gap = std::max(all.residual_gap, one.residual_gap);
    all.energy_change += one.energy_change;
    add_dissipation(one.dissipation, all.dissipation);
    add_times(one.times, all.times);
}

}  // namespace taut::stepper
