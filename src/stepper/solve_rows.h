// The linear system of a step with its inequality rows: straight to the linear solver where all rows are equalities, through a
// solver of src/complementarity where some are one-sided or limited in force. The active set changes numbers, never the pattern.
#pragma once

#include <limits>

#include "stepper/step.h"

namespace taut::stepper {

// Blocks of the laws, in the order of RowTable::inequalities; bounds come with each solve.
void make_inequality_blocks(const StepModel& model, std::vector<InequalityBlock>& blocks);

struct SolveOptions {
    Check check = Check::Always;
    Real negligible = 0;    // ComplementaritySettings::negligible [J]
    bool profile = false;   // adds the time to report.times.solve
    Real gap_rounding = 0;  // of φ of inequality rows [m], see gap_rounding()
    Real law_tolerance = std::numeric_limits<
        Real>::infinity();        // of the inequality rows, where that is below the settings' own
    int most_factorisations = 0;  // for the inequality rows; 0: as many as they need
};

// Solves context.linear for context.solution. `h` turns forces into impulses, `lambda` is the warm start.
// Adds the cost of the solve, in factorisations, to report.solves.
void solve_rows(const StepModel& model, Real h, std::span<const Real> lambda,
                const SolveOptions& options, SolveContext& context, StepReport& report) noexcept;

// What is left of a law's rows at an iterate that stands still (u = 0), s = Σμ − g [m/s].
struct InequalityResidual {
    Real work = 0;  // energy that is missing or too much [J]
    Real slip = 0;  // largest amount by which a position row is open under force, or violated [m/s]
    Real approach =
        0;  // of a contact: by how much its row is violated, negative where it is open [m/s]
};
InequalityResidual inequality_residual(const StepModel& model, int group, FrictionShape shape,
                                       Real h, std::span<const Real> lambda,
                                       const linalg::SaddleSystem& system) noexcept;

// Forces of a one-sided row up to this come and go with round-off: far below the weight of the lighter body [N].
Real slight_force(const StepModel& model, const ConstraintRows& joint) noexcept;

// Whether one-sided rows carry force now that did not before, or no longer do.
bool activity_changed(const StepModel& model, std::span<const Real> before,
                      std::span<const Real> after) noexcept;

// Joints that carry more than they bear give way: from then on their rows hold nothing. The force is that of
// the rows that measure length, the torque that of the rows that measure angle. The energy stored in it is lost. True if one did.
bool break_joints(const StepModel& model, State& state) noexcept;

}  // namespace taut::stepper
