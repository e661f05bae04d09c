#include "stepper/moving_contacts.h"

#include <algorithm>

#include "assembly/layout.h"

namespace taut::stepper {
namespace {

bool any_restitution(const StepModel& model) noexcept
{
    const auto& coefficients = model.contacts.coefficients;
    return std::any_of(coefficients.begin(), coefficients.end(),
                       [](const ContactCoefficients& of) { return of.restitution > 0; });
}

}  // namespace

bool can_take_convex_steps(const StepSettings& settings) noexcept
{
    return settings.research.laws == LawMethod::Newton;
}

bool takes_convex_steps(const StepModel& model, const State& state, const StepSettings& settings,
                        Real kinetic, Real fall_power) noexcept
{
    constexpr MovingContactSettings kMoving = kGuard.moving;
    if (!can_take_convex_steps(settings) ||
        model.pool<Contact>().items.size() < kMoving.fewest_contacts)
        return false;
    const Real calm = state.last_step.scheme.convex != 0 ? kMoving.leave : kMoving.enter;
    const bool moves = kinetic > calm * fall_power * settings.dt * settings.dt;
    return moves && !any_restitution(model) && assembly::masses_are_similar(model);
}

bool any_deep_contact(const StepModel& model) noexcept
{
    const auto& contacts = model.pool<Contact>();
    for (std::size_t k = 0; k < contacts.items.size(); ++k)
        if (-contacts.items[k].rest >
            kGuard.moving.deep * model.contacts.coefficients_of(contacts.groups[k]).half_width)
            return true;
    return false;
}

bool will_take_convex_steps(const StepModel& model, const State& state,
                            const StepSettings& settings) noexcept
{
    if (!is_guarded(settings)) return false;
    Real kinetic = 0;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].dynamic())
            kinetic += model.bodies[b].mass * state.v[b].squaredNorm() / 2;
    return takes_convex_steps(model, state, settings, kGuard.moving.certain * kinetic,
                              fall_power(model));
}

Real fall_power(const StepModel& model) noexcept
{
    const Real square_g = model.gravity.squaredNorm();
    Real sum = 0;
    for (const BodyModel& body : model.bodies)
        if (body.dynamic()) sum += body.mass * square_g / 2;
    return sum;
}

}  // namespace taut::stepper
