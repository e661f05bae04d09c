#include "stepper/one_solve.h"

#include "stepper/dissipation.h"
#include "stepper/newton.h"
#include "stepper/phases.h"
#include "stepper/solve_rows.h"
#include "stepper/step_verdict.h"

namespace taut::stepper {

StepReport one_solve_step(const StepModel& model, State& state, Workspace& work,
                          const StepSettings& settings) noexcept
{
    StepReport report;
    const SchemeWeights scheme = scheme_weights(settings, state.time);

    begin(model, state, scheme, work);  // x, v, L, loads
    linearise(model, state, scheme, settings.research.stabilisation, work.context.layout,
              work.context.linear);                                       // M̃, J, φ, Σ
    solve_rows(model, scheme.h, state.lambda, {}, work.context, report);  // v⁺, μ
    advance(model, state, scheme, work);                                  // x⁺, λ, work done

    // what a failed solve leaves behind is no motion, and a state that is not finite is never accepted
    const bool failed = report.solve.outcome == SolveOutcome::Failed;
    if (failed || !is_finite_and_bounded(work.next)) {
        report.status = StepStatus::Diverged;
        report.settled = false;
        report.reason =
            failed ? report.solve.reason
                   : "the step did not lead to a finite state; the world was left as it was";
        return report;
    }
    break_joints(model, work.next);
    work.next.steps = state.steps + 1;
    const Real fed_in = work.next.last_step.work.total() - state.last_step.work.total();
    const Real change =
        energy_of(model, work.next, work).total() - energy_of(model, state, work).total();
    settle_dissipation(change - fed_in, state.last_step.dissipation, work.next, report);
    swap_states(state, work.next);
    judge_step(model, state, settings, report);
    return report;
}

}  // namespace taut::stepper
