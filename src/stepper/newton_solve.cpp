#include "stepper/newton_solve.h"

#include <algorithm>
#include <limits>

#include "core/assert.h"
#include "core/stopwatch.h"
#include "stepper/guard_settings.h"
#include "stepper/packs/each_part.h"
#include "stepper/phases.h"
#include "stepper/solve_rows.h"

namespace taut::stepper {
namespace {

constexpr NewtonSettings kNewton = kGuard.newton;
constexpr MovingContactSettings kMoving = kGuard.moving;

// By how much a residual exceeds what is accepted: converged up to 1.
Real excess(const NewtonProblem& p, const Residuals& left, const Attempt& attempt,
            Real slack) noexcept
{
    constexpr AcceptanceSettings kAccept = kGuard.acceptance;
    const Real h = attempt.h, tolerance = p.settings.tolerance;
    // what rests on something is measured against the energy of a fall in one step
    const Real in_motion =
        std::max({left.kinetic, p.state.last_step.kinetic_scale, p.fall_power * h * h});
    const Real fall = kAccept.fall * tolerance * h * h;
    const Real rounding = kAccept.rounding * std::max(p.size, p.workspace.distance_from_origin);
    const auto over = [](Real a, Real limit) {
        if (limit > 0) return a / limit;
        return a <= limit ? 0 : std::numeric_limits<Real>::infinity();
    };
    return std::max({over(left.work, slack * tolerance * h * in_motion + left.rounding),
                     over(left.drift, std::max(rounding, fall)),
                     over(left.gap, std::max(rounding, kAccept.gap * p.size)),
                     p.convex
                         ? left.relative_penetration / kMoving.small_penetration
                         : over(left.penetration, kAccept.contact_fall / kAccept.fall * fall)});
}

// A slender link under tension is stiff across its axis and has next to no inertia about it. The factor of an earlier iterate has
// the axis of that iterate: seen from there, a torque across the axis of today has a part about the axis of then, which would spin
// the link by hundreds of turns. So what is left of the momenta is turned into the axes of the factor, and the correction back.
void turn_axes(Workspace& work, TurnTo to, std::vector<Real>& vectors) noexcept
{
    each_part(work, [&](const PackSpan& packs, int) {
        fastest_body_kernels().turn_axes(packs, to, kGuard.mixing.least_scale, vectors.data());
    });
}

class NewtonIteration {
public:
    NewtonIteration(const NewtonProblem& problem, const Attempt& attempt,
                    const NewtonOptions& options, StepReport& report) noexcept
        : p_(problem),
          attempt_(attempt),
          report_(report),
          use_symmetric_(options.use_symmetric),
          has_contacts_(problem.model.rows.has_contacts()),
          may_reuse_(problem.model.rows.inequalities.empty() &&
                     problem.settings.research.stabilisation == Stabilisation::Tension),
          midpoint_(attempt.formula == Attempt::Formula::Midpoint),
          last_solve_(report.solves + options.max_solves)
    {
        if (problem.convex) most_iterations_ = kMoving.iterations;
        if (!midpoint_) return;
        most_iterations_ = kGuard.scheme.midpoint_iterations;
        problem.workspace.mixing.reset();
    }

    // The right-hand sides at the iterate, and the matrix unless an old factor may serve; then the residual.
    void linearise() noexcept
    {
        symmetric_now_ = use_symmetric_ && iteration_ >= kNewton.tension_iterations &&
                         p_.workspace.symmetric_context.solver;
        context_ = held_ ? held_ : fresh_context();
        linearise(held_ ? Depth::Values : Depth::Matrix);
        left_ = measure(p_.model, attempt_, p_.workspace, *context_);
        report_.residual_work = left_.work;
        report_.residual_gap = left_.gap;
        note_progress();
    }

    bool converged() const noexcept
    {
        return iteration_ > 0 && left_.finite && (excess_ <= 1 || is_close_enough());
    }

    bool gives_up() noexcept
    {
        if (!p_.convex && left_.gap < least_gap_ / 2 && stalled_ < kNewton.stalled_solves) {
            least_gap_ = left_.gap;
            most_iterations_ =
                std::max(most_iterations_,
                         std::min(iteration_ + kNewton.extra_iterations, kNewton.most_iterations));
        }
        return !left_.finite || iteration_ >= most_iterations_ || report_.solves >= last_solve_;
    }

    // How the rows of this iteration are solved. A solve that met its tolerance and did not suffice is followed by a finer one:
    // an inequality solver that finds its warm start good enough returns it, and Newton's method would stand still.
    SolveOptions solve_options() noexcept
    {
        if (iteration_ > 0 && !contacts_unsolved_)
            law_tolerance_ = std::max(
                std::min(law_tolerance_, report_.solve.residual.value_or(0)) / (10 * excess_),
                has_contacts_ ? kGuard.inequality.finest
                              : kGuard.inequality.finest_without_contacts);
        SolveOptions options;
        options.check = Check::WhereUnreliable;
        options.profile = p_.settings.profile;
        options.gap_rounding = gap_rounding(p_.model, p_.workspace);
        options.law_tolerance = law_tolerance_;
        options.most_factorisations =
            std::max(kGuard.budget.least_factorisations, last_solve_ - report_.solves);
        options.negligible =
            kMoving.negligible * p_.fall_power * attempt_.h * attempt_.h / p_.bodies;
        return options;
    }

    // With an old factor the residual shrinks as it did in the last solve, or a little less. The last solve that is left goes
    // to a new factor.
    bool old_factor_suffices() noexcept
    {
        if (midpoint_) return midpoint_keeps_factor();
        reused_ = held_ && !reused_ && kNewton.reuse_margin * excess_ * excess_ <= excess_before_ &&
                  report_.solves + 1 < last_solve_;
        excess_before_ = excess_;
        return reused_;
    }

    void correct_with_old_factor() noexcept
    {
        {
            const Stopwatch watch(p_.settings.profile, report_.times.solve);
            turn_axes(p_.workspace, TurnTo::Factor, p_.workspace.defect_f);
            held_->solver->solve_again(p_.workspace.defect_f, p_.workspace.defect_g,
                                       held_->solution);
            turn_axes(p_.workspace, TurnTo::Iterate, held_->solution.x);
            ++report_.solves;
            ++report_.back_substitutions;
        }
        correct(p_.model, attempt_, Forces::Added, p_.workspace, *held_);
        ++iteration_;
    }

    // The context whose matrix is that of the iterate.
    SolveContext& refresh_matrix() noexcept
    {
        if (held_) {
            context_ = fresh_context();
            linearise(Depth::Matrix);
            held_ = nullptr;
        }
        return *context_;
    }

    // After a solve with a new factor; false if that did not end in finite numbers.
    bool correct_with_new_factor() noexcept
    {
        // an indefinite matrix has no expected count of negative pivots
        if (symmetric_now_) report_.solve.negative_pivots.reset();
        ++iteration_;
        if (!report_.solve.finite) return false;
        // an indefinite K̃ may be beyond a factorisation without pivoting: back to the positive form
        if (symmetric_now_ && report_.solve.residual > kNewton.symmetric_residual) {
            use_symmetric_ = false;
            return true;
        }
        correct(p_.model, attempt_, Forces::Replaced, p_.workspace, *context_);
        if (may_reuse_ && context_->solver->keeps_factor()) held_ = context_;
        factor_uses_ = 0;
        p_.workspace.mixing.reset();
        return true;
    }

    NewtonOutcome finish() noexcept
    {
        finish_attempt(p_.model, p_.state, attempt_, p_.workspace, *context_);
        const bool finite = left_.finite && is_finite_and_bounded(p_.workspace.next);
        if (converged()) return {finite, finite, contacts_unsolved_, left_.relative_depth};
        return fail(finite);
    }
    NewtonOutcome fail(bool finite) noexcept
    {
        report_.hardest_body = id_of(hardest_body(p_.model, p_.workspace));
        return {false, finite, contacts_unsolved_, left_.relative_depth};
    }

private:
    // What contacts leave is no reason to cut a step of an island that moves: joints are, and the ledger.
    bool is_close_enough() const noexcept
    {
        if (!p_.convex || left_.gap > kMoving.joint_gap * p_.size ||
            left_.relative_depth > kGuard.acceptance.tunnelling_depth)
            return false;
        return iteration_ >= kMoving.iterations ||
               (iteration_ >= kMoving.usual_iterations &&
                left_.relative_penetration <= kMoving.penetration);
    }

    // The iteration of the midpoint scheme converges linearly: a factor serves while it halves the residual.
    bool midpoint_keeps_factor() noexcept
    {
        const bool halved = excess_ < excess_before_ / 2;
        excess_before_ = excess_;
        if (!held_ || report_.solves + 1 >= last_solve_) return false;
        if (factor_uses_ >= kGuard.scheme.midpoint_reuse && !halved) return false;
        ++factor_uses_;
        return true;
    }

    SolveContext* fresh_context() noexcept
    {
        return symmetric_now_ ? &p_.workspace.symmetric_context : &p_.workspace.context;
    }

    void linearise(Depth depth) noexcept
    {
        const Stopwatch watch(p_.settings.profile, report_.times.assembly);
        linearise_iterate(
            p_.model, attempt_,
            symmetric_now_ ? Stabilisation::Symmetric : p_.settings.research.stabilisation,
            symmetric_now_ && iteration_ < kNewton.mixed_iterations, depth, p_.workspace,
            *context_);
    }

    // Whether solves still gain something, and by how much the residual exceeds what is accepted.
    void note_progress() noexcept
    {
        const Real law_tolerance = p_.workspace.context.law_settings.tolerance;
        contacts_unsolved_ =
            has_contacts_ && iteration_ > 0 && report_.solve.residual > law_tolerance;
        if (iteration_ <= 1 || left_.work < least_work_ / 2) {
            least_work_ = left_.work;
            stalled_ = 0;
        } else if (!p_.convex && contacts_unsolved_ && ++stalled_ >= kNewton.stalled_solves) {
            most_iterations_ = iteration_;
        }
        const bool at_the_end = has_contacts_ && iteration_ >= most_iterations_;
        Real slack = midpoint_ ? kGuard.scheme.midpoint_slack : 1;
        if (p_.convex && iteration_ > 0) slack = kMoving.slack;
        excess_ =
            excess(p_, left_, attempt_, at_the_end && !p_.convex ? kNewton.contact_slack : slack);
    }

    const NewtonProblem& p_;
    const Attempt& attempt_;
    StepReport& report_;
    bool use_symmetric_, has_contacts_, may_reuse_, midpoint_;
    int last_solve_;  // report_.solves at which the attempt has used what it was given

    int iteration_ = 0;
    bool symmetric_now_ = false;
    SolveContext* context_ = nullptr;  // of this iteration
    SolveContext* held_ = nullptr;     // whose factor may be used again
    bool reused_ = false;              // it was, in the last iteration
    Real law_tolerance_ = std::numeric_limits<Real>::infinity();
    Residuals left_;
    Real excess_ = 0, excess_before_ = 0;
    Real least_gap_ = std::numeric_limits<Real>::infinity();
    Real least_work_ = 0;
    int most_iterations_ = kNewton.usual_iterations;
    int stalled_ = 0;
    int factor_uses_ = 0;  // midpoint: solves with the factor that is held
    bool contacts_unsolved_ = false;
};

}  // namespace

NewtonOutcome newton_solve(const NewtonProblem& problem, const Attempt& attempt,
                           const NewtonOptions& options, StepReport& report) noexcept
{
    TAUT_ASSERT(attempt.h > 0 && attempt.h_bar > 0);
    TAUT_ASSERT(problem.workspace.topology == problem.model.topology());
    begin_attempt(problem.model, problem.state, attempt, problem.workspace);
    NewtonIteration newton(problem, attempt, options, report);
    for (;;) {
        newton.linearise();
        if (newton.converged() || newton.gives_up()) return newton.finish();
        if (newton.old_factor_suffices()) {
            newton.correct_with_old_factor();
            continue;
        }
        SolveContext& context = newton.refresh_matrix();
        solve_rows(problem.model, attempt.h_bar, problem.workspace.next.lambda,
                   newton.solve_options(), context, report);
        if (!newton.correct_with_new_factor()) return newton.fail(false);
    }
}

}  // namespace taut::stepper
