// The readings that are of a run, not of the world alone: of its last step, and of its summary. columns.h looks them up.
#pragma once

#include <limits>
#include <string_view>

#include "record/columns.h"

namespace taut::record {

struct StepField {
    std::string_view name, unit, summary;
    Real (*read)(const StepReport&);
};

inline constexpr StepField kStepFields[] = {
    {"solve.residual", "-", "relative residual of the linear solve; -1 if not measured",
     [](const StepReport& r) { return r.solve.residual.value_or(-1); }},
    {"solve.refinements", "-", "iterative refinements of the last linear solve",
     [](const StepReport& r) { return Real(r.solve.refinements); }},
    {"solve.negative_pivots", "-",
     "negative pivots of the factorisation; -1 if not provided by the solver",
     [](const StepReport& r) { return Real(r.solve.negative_pivots.value_or(-1)); }},
    {"solve.count", "-", "linear solves of the step",
     [](const StepReport& r) { return Real(r.solves); }},
    {"step.halvings", "-", "number of halvings of a sub-step",
     [](const StepReport& r) { return Real(r.halvings); }},
    {"step.sub_steps", "-", "number of sub-steps of the island that took most",
     [](const StepReport& r) { return Real(r.sub_steps); }},
    {"step.restarts", "-", "number of fallbacks from the two-step scheme to backward Euler",
     [](const StepReport& r) { return Real(r.restarts); }},
    {"step.impacts", "-", "number of impacts that the step was cut at",
     [](const StepReport& r) { return Real(r.impacts); }},
    {"step.residual_work", "J", "bound of the energy error due to the remaining residuals",
     [](const StepReport& r) { return r.residual_work; }},
    {"step.energy_change", "J", "change of the total energy minus the work done",
     [](const StepReport& r) { return r.energy_change; }},
    {"step.dissipation", "J", "taken in the step by damping, friction and impacts",
     [](const StepReport& r) { return r.dissipation.physical(); }},
    {"step.numerical", "J", "taken in the step by the time integration itself",
     [](const StepReport& r) { return r.dissipation.numerical; }},
    {"step.settled", "-", "1 if the equations of the step were solved, else 0",
     [](const StepReport& r) { return Real(r.settled ? 1 : 0); }},
    {"step.status", "-", "0 ok, 1 refused, 2 diverged",
     [](const StepReport& r) { return Real(static_cast<int>(r.status)); }},
};

struct RunField {
    std::string_view name, unit, summary;
    Real (*read)(const RunSummary&);
};

inline constexpr RunField kRunFields[] = {
    {"run.steps", "-", "number of steps",
     [](const RunSummary& s) { return static_cast<Real>(s.steps); }},
    {"run.joint_gap_max", "m", "largest gap.max so far",
     [](const RunSummary& s) { return s.joint_gap_max; }},
    {"run.joint_gap_max_relative", "-", "run.joint_gap_max over the size of the scene",
     [](const RunSummary& s) { return s.joint_gap_max_relative; }},
    {"run.angular_gap_max", "rad", "largest gap.angular so far",
     [](const RunSummary& s) { return s.angular_gap_max; }},
    {"run.contacts_max", "-", "largest contact.count so far",
     [](const RunSummary& s) { return static_cast<Real>(s.contacts_max); }},
    {"run.penetration_max", "m", "largest contact.penetration so far",
     [](const RunSummary& s) { return s.penetration_max; }},
    {"run.joints_broken", "-", "number of broken joints",
     [](const RunSummary& s) { return static_cast<Real>(s.breaks.size()); }},
    {"run.first_break", "s", "time at which the first joint broke; NaN if none did",
     [](const RunSummary& s) {
         return s.breaks.empty() ? std::numeric_limits<Real>::quiet_NaN() : s.breaks.front().time;
     }},
    {"run.energy_start", "J", "total energy at the start",
     [](const RunSummary& s) { return s.energy_start; }},
    {"run.kinetic_max", "J", "largest kinetic energy so far",
     [](const RunSummary& s) { return s.kinetic_max; }},
    {"run.energy_rise_max_relative", "-",
     "largest energy gain beyond initial energy and work, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_rise_max_relative; }},
    {"run.energy_kept", "-",
     "largest kinetic energy in the last tenth of the run, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_kept; }},
    {"run.numerical_dissipation_relative", "-",
     "numerical dissipation over the energy throughput, of the part of the scene where it is "
     "largest; negative if energy was added",
     [](const RunSummary& s) { return s.numerical_dissipation_relative; }},
    {"run.residual_max", "-",
     "largest relative residual of a linear solve; -1 if none was measured",
     [](const RunSummary& s) { return s.residual_max; }},
    {"run.solves_mean", "-", "linear solves per step",
     [](const RunSummary& s) { return s.solves_mean; }},
    {"run.solves_max", "-", "", [](const RunSummary& s) { return Real(s.solves_max); }},
    {"run.wrong_inertia_steps", "-",
     "number of steps whose factorisation had a wrong number of negative pivots",
     [](const RunSummary& s) { return static_cast<Real>(s.wrong_inertia_steps); }},
};

}  // namespace taut::record
