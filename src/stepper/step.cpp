#include "stepper/step.h"

#include "stepper/classical/classical.h"
#include "stepper/one_solve.h"
#include "stepper/step_controller.h"

namespace taut::stepper {

// The default step. Each interval is solved until the residuals are small, or cut in two; energy never appears.
static StepReport guarded_step(const StepModel& model, State& state, Workspace& workspace,
                               const StepSettings& settings) noexcept
{
    StepController controller(model, state, workspace, settings);
    while (!controller.done()) {
        controller.resolve_impacts();
        // second order where there is a previous step, else backward Euler
        if (controller.attempt(Lookback::TwoSteps) || controller.attempt(Lookback::OneStep)) {
            controller.commit();
            continue;
        }
        // an iterate that did not converge is not accepted: shorter sub-steps, until the budget of solves is spent
        if (!controller.halve()) controller.accept_last_iterate();
    }
    return controller.finish();
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
