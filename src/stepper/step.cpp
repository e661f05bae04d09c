#include "stepper/step.h"

#include "stepper/classical/classical.h"
#include "stepper/guard.h"
#include "stepper/one_solve.h"

namespace taut::stepper {

// The guarded step: every part of it is settled, or cut in two, and never gains energy.
static StepReport guarded_step(const StepModel& model, State& state, Workspace& work,
                               const StepSettings& settings) noexcept
{
    Guard guard(model, state, work, settings);
    while (!guard.done()) {
        guard.bounce();
        // second order where there is a past to look back on, else backward Euler
        if (guard.attempt(Look::Back)) {
            guard.commit();
            continue;
        }
        if (guard.attempt(Look::Ahead)) {
            guard.commit();
            continue;
        }
        // what did not settle is not handed out: shorter parts, until the solves are used up
        if (guard.halve()) continue;
        guard.hand_out_the_best();
    }
    return guard.finish();
}

StepReport step(const StepModel& model, State& state, Workspace& work,
                const StepSettings& settings) noexcept
{
    if (is_classical(settings.scheme) &&
        (!model.rows.inequalities.empty() || model.model.breakable)) {
        StepReport report;
        report.status = StepStatus::Refused;
        report.reason =
            "the classical methods know equalities only: no limits, ropes, force caps "
            "or joints that break";
        return report;
    }
    if (settings.stabilisation == Stabilisation::Exact && !model.rows.inequalities.empty()) {
        StepReport report;
        report.status = StepStatus::Refused;
        report.reason =
            "the exact stabilisation is not symmetric, and what solves for limits, ropes, force "
            "caps and contacts wants symmetry";
        return report;
    }
    if (is_classical(settings.scheme)) return classical_step(model, state, settings);
    return is_guarded(settings) ? guarded_step(model, state, work, settings)
                                : one_solve_step(model, state, work, settings);
}

}  // namespace taut::stepper
