// The linear system of a step under its laws: straight to the linear solver where all rows are equalities,
// through a solver for laws where some are one-sided or capped. Activity changes numbers, never the pattern.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

// Blocks of the laws, in the order of RowTable::inequalities; bounds come with each solve.
void make_inequality_blocks(const StepModel& model, std::vector<InequalityBlock>& blocks);

struct SolveOptions {
    Check check = Check::Always;
    bool profile = false;  // adds the time to report.times.solve
};

// Solves context.linear for context.solution. `h` turns forces into impulses, `lambda` is the warm start.
// Adds the number of factorisations to report.solves.
void solve_rows(const StepModel& model, Real h, std::span<const Real> lambda,
                const SolveOptions& options, SolveContext& context, StepReport& report) noexcept;

// What is left of a law's rows at an iterate that stands still (u = 0), s = Σμ − g [m/s].
struct InequalityResidual {
    Real work = 0;  // energy that is missing or too much [J]
    Real slip = 0;  // largest amount by which a position row is open under force, or violated [m/s]
};
InequalityResidual inequality_residual(const StepModel& model, int group, FrictionShape shape,
                                       Real h, std::span<const Real> lambda,
                                       const linalg::SaddleSystem& system) noexcept;

// Whether one-sided rows carry force now that did not before, or no longer do.
bool activity_changed(const StepModel& model, std::span<const Real> before,
                      std::span<const Real> after) noexcept;

// Joints that carry more than they bear give way: from then on their rows hold nothing. The force is that of
// the rows that measure length, the torque that of the rows that measure angle. True if one did.
bool break_joints(const StepModel& model, State& state) noexcept;

}  // namespace taut::stepper
