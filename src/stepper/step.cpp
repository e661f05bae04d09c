#include "stepper/step.h"

#include "stepper/classical/classical.h"
#include "stepper/one_solve.h"
#include "stepper/step_controller.h"

namespace taut::stepper {

// Why the model cannot be stepped with these settings; nullptr: it can.
static const char* refuse_model(const StepModel& model, const StepSettings& settings) noexcept
{
    const bool inequalities = !model.rows.inequalities.empty();
    if (is_classical(settings.scheme) && (inequalities || model.model.breakable))
        return "the classical methods know equalities only: no limits, ropes, force caps "
               "or joints that break";
    if (settings.stabilisation == Stabilisation::Exact && inequalities)
        return "the exact stabilisation is not symmetric, and what solves for limits, ropes, force "
               "caps and contacts wants symmetry";
    return nullptr;
}

StepReport step(const StepModel& model, State& state, Workspace& work,
                const StepSettings& settings) noexcept
{
    if (const char* reason = refuse_model(model, settings)) {
        StepReport report;
        report.status = StepStatus::Refused;
        report.reason = reason;
        return report;
    }
    if (is_classical(settings.scheme)) return classical_step(model, state, settings);
    if (!is_guarded(settings)) return one_solve_step(model, state, work, settings);

    // The default step. Each interval is solved until the residuals are small, or cut in two; energy never appears.
    StepController controller(model, state, work, settings);
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

}  // namespace taut::stepper
