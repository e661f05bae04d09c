#include "stepper/step.h"

#include "core/assert.h"
#include "stepper/classical/classical.h"
#include "stepper/one_solve.h"
#include "stepper/step_controller.h"
#include "stepper/step_verdict.h"

namespace taut::stepper {

// Why the model cannot be stepped with these settings; nullptr: it can.
static const char* refuse_model(const StepModel& model, const StepSettings& settings) noexcept
{
    const bool inequalities = !model.rows.inequalities.empty();
    if (is_classical(settings.research.scheme) && (inequalities || model.model.breakable))
        return "the classical methods support equality constraints only: no limits, ropes, "
               "force limits or joints that break";
    if (settings.research.stabilisation == Stabilisation::Exact && inequalities)
        return "the exact stabilisation is not symmetric; limits, ropes, force limits and contacts "
               "require a symmetric matrix";
    if (inequalities && !is_classical(settings.research.scheme))
        return refuse_linear_solver(settings.research.laws, settings.research.solver);
    return nullptr;
}

StepReport step(const StepModel& model, State& state, Workspace& work,
                const StepSettings& settings) noexcept
{
    TAUT_ASSERT(model.up_to_date());
    TAUT_ASSERT(state.p.size() == model.bodies.size());
    TAUT_ASSERT(state.lambda.size() == static_cast<std::size_t>(model.rows.count));
    TAUT_ASSERT(is_prepared(model, settings, work));
    if (const char* reason = refuse_model(model, settings)) {
        StepReport report;
        report.status = StepStatus::Refused;
        report.reason = reason;
        return report;
    }
    if (is_classical(settings.research.scheme)) {
        StepReport report = classical_step(model, state, settings);
        judge_step(model, state, settings, report);
        return report;
    }
    if (!is_guarded(settings)) return one_solve_step(model, state, work, settings);

    // The default step. Each sub-step is solved until its residuals are small, or is cut in two; one that gains energy is not accepted.
    StepController controller(model, state, work, settings);
    controller.fit_velocities();
    while (!controller.done()) {
        controller.resolve_impacts();
        // energy is kept where the step resolves the motion
        if (controller.attempt(AttemptKind::Midpoint)) {
            controller.commit();
            continue;
        }
        if (controller.halve_midpoint()) continue;
        // second order where there is a previous step, else backward Euler
        if (controller.attempt(AttemptKind::TwoStep) || controller.attempt(AttemptKind::Euler) ||
            controller.attempt_convex()) {
            controller.commit();
            continue;
        }
        // an iterate that did not converge is not accepted: shorter sub-steps, until the budget of solves is spent
        if (!controller.halve()) controller.accept_last_iterate();
    }
    return controller.finish();
}

}  // namespace taut::stepper
