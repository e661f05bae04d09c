#include "stepper/step_verdict.h"

#include <algorithm>

#include "model/gaps.h"
#include "stepper/guard_settings.h"

namespace taut::stepper {
namespace {

// Inequality rows are solved to a tolerance, linear systems to round-off.
bool is_solved(const StepModel& model, const StepSettings& settings,
               const SolveReport& solve) noexcept
{
    if (!(solve.residual <= settings.tolerance)) return false;
    return solve.outcome == SolveOutcome::Solved ||
           (solve.outcome == SolveOutcome::Inaccurate && !model.rows.inequalities.empty());
}

}  // namespace

void judge_step(const StepModel& model, const State& state, const StepSettings& settings,
                StepReport& report) noexcept
{
    if (report.status != StepStatus::Ok) return;
    if (!is_solved(model, settings, report.solve)) {
        report.settled = false;
        report.reason =
            "the solve of the step left a large residual: its best solution was accepted";
    }
    if (model.joints.empty()) return;
    const Gaps gaps = read_joint_gaps(model, state);
    report.residual_gap = std::max(gaps.length, gaps.angle * model.size());
    if (report.residual_gap <= kGuard.acceptance.unguarded_gap * model.size()) return;
    report.settled = false;
    report.reason =
        "joints are open by more than a tenth of the size of the mechanism: the scheme "
        "does not hold them together at this step";
}

}  // namespace taut::stepper
