#include "stepper/classical/classical.h"

#include <array>
#include <exception>
#include <utility>

#include "model/energy.h"
#include "stepper/classical/method.h"
#include "stepper/dissipation.h"
#include "stepper/phases.h"

namespace taut::stepper {
namespace {

using classical::ClassicalMethod;

// The list: a method is one line here, one in schemes() and one file.
constexpr std::array<std::pair<Scheme, ClassicalMethod>, 8> kMethods{{
    {Scheme::Penalty, classical::step_penalty},
    {Scheme::ImplicitPenalty, classical::step_implicit_penalty},
    {Scheme::Lagrange, classical::step_lagrange},
    {Scheme::Baumgarte, classical::step_baumgarte},
    {Scheme::PostStabilisation, classical::step_post_stabilisation},
    {Scheme::Shake, classical::step_shake},
    {Scheme::FastProjection, classical::step_fast_projection},
    {Scheme::Reduced, classical::step_reduced},
}};

ClassicalMethod find_method(Scheme scheme) noexcept
{
    for (const auto& [name, method] : kMethods)
        if (name == scheme) return method;
    return nullptr;
}

// Angles counted on, and stretches as the rows now stand: the force of a compliant row is that of its
// true stretch in all these methods.
void finish(const classical::Mechanism& mechanism, State& next)
{
    remember_angles(mechanism.model, next);
    classical::RowValues rows;
    evaluate(mechanism, next, classical::Detail::Rates, rows);
    next.stretch.assign(rows.phi.data(), rows.phi.data() + mechanism.model.rows.count);
    // schemes that look back start afresh after this one
    for (Vec3& spin_up : next.spin_up) spin_up.setZero();
    next.last_step.power = {};
    next.last_step.forget();
    next.last_step.disturbed = next.last_step.activity_began = 0;
}

StepReport refusal(StepStatus status, const char* reason)
{
    StepReport report;
    report.status = status;
    report.reason = reason;
    return report;
}

}  // namespace

bool is_classical(Scheme scheme) noexcept { return find_method(scheme) != nullptr; }

StepReport classical_step(const Model& model, State& state, const StepSettings& settings) noexcept
{
    try {
        const classical::Mechanism mechanism(model, settings);
        State next = state;
        set_prescribed(mechanism, state.time, next);
        classical::Outcome outcome;
        if (mechanism.freedoms > 0)
            outcome = find_method(settings.research.scheme)(mechanism, next);
        else  // nothing that a force could move
            set_prescribed(mechanism, state.time + settings.dt, next);
        if (outcome.refused) return refusal(StepStatus::Refused, outcome.refused);
        if (outcome.failed) return refusal(StepStatus::Diverged, outcome.failed);
        if (!is_finite_and_bounded(next))
            return refusal(StepStatus::Diverged,
                           "the step did not lead to a finite state; the world was left as it was");
        finish(mechanism, next);
        next.time = state.time + settings.dt;
        next.steps = state.steps + 1;
        StepReport report;
        const Real fed_in = next.last_step.work.total() - state.last_step.work.total();
        const Real change = read_energy(model, next).total() - read_energy(model, state).total();
        settle_dissipation(change - fed_in, state.last_step.dissipation, next, report);
        state = std::move(next);
        report.solves = outcome.solves;
        report.solve.residual = outcome.residual;
        return report;
    } catch (const std::exception&) {
        return refusal(StepStatus::Diverged, "out of memory; the world was left as it was");
    }
}

}  // namespace taut::stepper
