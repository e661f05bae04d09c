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

bool takes_convex_steps(const StepModel& model, const State& state, const StepSettings& settings,
                        Real kinetic, Real fall_power) noexcept
{
    constexpr MovingContactSettings kMoving = kGuard.moving;
    if (settings.laws != LawMethod::Newton ||
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

}  // namespace taut::stepper
