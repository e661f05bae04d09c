#include "stepper/solve_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.h"
#include "core/stopwatch.h"
#include "stepper/guard_settings.h"

namespace taut::stepper {
namespace {

constexpr std::string_view kNoFiniteIterate =
    "the solver of the inequality rows found no finite solution";

// Force limit of a row under Interval [N or N m]: that of a drive, or what the normal force of a contact allows.
Real most_force(const StepModel& model, int group, int row, std::span<const Real> lambda) noexcept
{
    if (!model.rows.is_contact(group)) return model.joints[group].max_force;
    const ContactCoefficients& of = model.contacts.coefficients_of(group);
    return (row == 0 ? of.spinning : of.rolling) * std::max(lambda[of.normal_row], Real(0));
}

}  // namespace

void make_inequality_blocks(const StepModel& model, std::vector<InequalityBlock>& blocks)
{
    blocks.clear();
    for (const int index : model.rows.inequalities) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (joint.law == RowLaw::Cone) {
            const ContactCoefficients& of = model.contacts.coefficients_of(index);
            blocks.push_back({joint.first_row, Cone{of.friction}, of.sliding_friction});
            continue;
        }
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            InequalityBlock block;
            block.first_row = r;
            if (joint.law == RowLaw::NonNegative) block.law = NonNegative{};
            if (joint.law == RowLaw::Interval) block.law = Interval{};
            blocks.push_back(block);
        }
    }
}

// Bounds of the blocks at this solve: friction cones, and force limits as impulses; and how well g is known.
static void load_bounds(const StepModel& model, Real h, std::span<const Real> lambda,
                        Real gap_rounding, std::vector<InequalityBlock>& blocks) noexcept
{
    auto block = blocks.begin();
    for (const int index : model.rows.inequalities) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (joint.law == RowLaw::Cone) {
            const ContactCoefficients& of = model.contacts.coefficients_of(index);
            block->law = Cone{of.friction};
            block->sliding_friction = of.sliding_friction;
            block->rounding = gap_rounding / h;
            ++block;
            continue;
        }
        for (int r = 0; r < joint.rows; ++r, ++block) {
            const bool length = model.rows.units[joint.first_row + r] == RowUnit::Length;
            block->rounding = (length ? gap_rounding : kGuard.acceptance.row_rounding) / h;
            if (joint.law != RowLaw::Interval) continue;
            const Real cap = h * most_force(model, index, r, lambda);
            block->law = Interval{-cap, cap};
        }
    }
    TAUT_ASSERT(block == blocks.end());
}

void solve_rows(const StepModel& model, Real h, std::span<const Real> lambda,
                const SolveOptions& options, SolveContext& context, StepReport& report) noexcept
{
    TAUT_ASSERT(lambda.size() == static_cast<std::size_t>(model.rows.count));
    TAUT_ASSERT(context.solution.y.size() == lambda.size());
    TAUT_ASSERT(model.rows.inequalities.empty() ? context.solver != nullptr
                                                : context.laws != nullptr);
    const Stopwatch watch(options.profile, report.times.solve);
    if (model.rows.inequalities.empty()) {
        report.solve =
            context.solver->solve(context.linear.system, context.solution, options.check);
        ++report.solves;
        return;
    }
    load_bounds(model, h, lambda, options.gap_rounding, context.blocks);
    std::fill(context.solution.x.begin(), context.solution.x.end(), 0);
    for (std::size_t r = 0; r < lambda.size(); ++r) context.solution.y[r] = h * lambda[r];
    ComplementaritySettings settings = context.law_settings;
    settings.tolerance = std::min(settings.tolerance, options.law_tolerance);
    settings.equality_rounding = options.gap_rounding / h;
    settings.negligible = options.negligible;
    settings.most_factorisations = options.most_factorisations;
    const ComplementarityReport laws =
        context.laws->solve(context.linear.system, context.blocks, context.solution, settings);
    report.solve = {};
    const bool solved = laws.accepted || laws.residual <= context.law_settings.tolerance;
    report.solve.outcome = solved ? SolveOutcome::Solved : SolveOutcome::Inaccurate;
    report.solve.finite = laws.finite;
    report.solve.residual = laws.residual;
    if (!laws.refused.empty() || !laws.finite) {
        report.solve.outcome = SolveOutcome::Failed;
        report.solve.reason = laws.refused.empty() ? kNoFiniteIterate : laws.refused;
    }
    report.solves += laws.cost;
}

InequalityResidual inequality_residual(const StepModel& model, int group, FrictionShape shape,
                                       Real h, std::span<const Real> lambda,
                                       const linalg::SaddleSystem& system) noexcept
{
    TAUT_ASSERT(model.rows.groups[group].law != RowLaw::Equal);
    const ConstraintRows& joint = model.rows.groups[group];
    InequalityResidual out;
    if (joint.law == RowLaw::Cone) {
        const int r = joint.first_row;
        const auto value = [&](int k) { return system.sigma[k] * h * lambda[k] - system.g[k]; };
        const Real push = h * lambda[r], s = value(r);
        out.approach = -s;
        out.work = std::abs(push * s);
        out.slip = push > 0 ? std::abs(s) : -s;
        // what friction could dissipate, less what it does: zero when it sticks or opposes the slip
        const Real s_1 = value(r + 1), s_2 = value(r + 2);
        const Real slip =
            shape == FrictionShape::Pyramid ? std::abs(s_1) + std::abs(s_2) : std::hypot(s_1, s_2);
        out.work += std::abs(model.contacts.coefficients_of(group).sliding_friction * push * slip +
                             h * (lambda[r + 1] * s_1 + lambda[r + 2] * s_2));
        return out;
    }
    for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
        const Real mu = h * lambda[r];
        const Real s = system.sigma[r] * mu - system.g[r];
        if (joint.law == RowLaw::Interval) {
            // what the drive could still give in the direction that it is asked for
            const Real cap = h * most_force(model, group, r - joint.first_row, lambda);
            const Real inside = std::clamp(mu, -cap, cap);
            out.work += std::abs((s > 0 ? inside + cap : inside - cap) * s);
            out.work += std::abs((mu - inside) * s);
            continue;
        }
        out.work += std::abs(mu * s);
        out.slip = std::max(out.slip, mu > 0 ? std::abs(s) : -s);
    }
    return out;
}

Real slight_force(const StepModel& model, const ConstraintRows& joint) noexcept
{
    if (model.rows.units[joint.first_row] != RowUnit::Length) return 0;
    Real mass = std::numeric_limits<Real>::infinity();
    for (int s = 0; s < joint.body_count; ++s)
        if (model.bodies[model.rows.bodies(joint)[s]].dynamic())
            mass = std::min(mass, model.bodies[model.rows.bodies(joint)[s]].mass);
    return kGuard.inequality.slight_force * mass * model.gravity.norm();
}

bool activity_changed(const StepModel& model, std::span<const Real> before,
                      std::span<const Real> after) noexcept
{
    for (const int index : model.rows.inequalities) {
        const ConstraintRows& joint = model.rows.groups[index];
        if (joint.law == RowLaw::Interval) continue;
        const int one_sided = joint.law == RowLaw::Cone ? 1 : joint.rows;
        const Real slight = slight_force(model, joint);
        for (int r = joint.first_row; r < joint.first_row + one_sided; ++r)
            if ((before[r] > slight) != (after[r] > slight)) return true;
    }
    return false;
}

bool break_joints(const StepModel& model, State& state) noexcept
{
    if (!model.model.breakable) return false;
    bool any = false;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const ConstraintRows& joint = model.rows.groups[j];
        const JointModel& limits = model.joints[j];
        if (state.broken[j] != 0) continue;
        Real force = 0, torque = 0;
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r)
            (model.rows.units[r] == RowUnit::Length ? force : torque) +=
                state.lambda[r] * state.lambda[r];
        if (std::sqrt(force) <= limits.break_force && std::sqrt(torque) <= limits.break_torque)
            continue;
        any = true;
        state.broken[j] = 1;
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r) {
            const Real compliance = model.rows.softness[r].compliance;
            if (joint.compliant && compliance > 0)
                state.last_step.dissipation.impacts +=
                    state.stretch[r] * state.stretch[r] / (2 * compliance);
            state.lambda[r] = state.stretch[r] = 0;
        }
    }
    if (any) state.last_step.h = 0;  // velocities go on, forces jump
    return any;
}

}  // namespace taut::stepper
