#include "stepper/one_solve.h"

#include "stepper/inequality_rows.h"
#include "stepper/phases.h"

namespace taut::stepper {

StepReport one_solve_step(const StepModel& model, State& state, Workspace& work,
                          const StepSettings& settings) noexcept
{
    StepReport report;
    const SchemeWeights scheme = scheme_weights(settings, state.time);

    begin(model, state, scheme, work);  // x, v, L, loads
    linearise(model, state, scheme, settings.stabilisation, work.context.layout,
              work.context.linear);                                       // M̃, J, φ, Σ
    solve_rows(model, scheme.h, state.lambda, {}, work.context, report);  // v⁺, μ
    advance(model, state, scheme, work);                                  // x⁺, λ, work done

    // a state that is not finite is never accepted
    if (!report.solve.finite || !is_finite_and_bounded(work.next)) {
        report.status = StepStatus::Diverged;
        report.reason =
            report.solve.finite
                ? "the step did not lead to a finite state; the world was left as it was"
                : "the solver found no solution; the world was left as it was";
        return report;
    }
    break_joints(model, work.next);
    work.next.steps = state.steps + 1;
    swap_states(state, work.next);
    return report;
}

}  // namespace taut::stepper
