// Every number of the commands of a state in one fixed order, as state_numbers.h has those of the state.
#pragma once

#include "world/state_numbers.h"

namespace taut::world {

template <class AnyCommand, class Visit>
void for_each_joint_command_number(AnyCommand& c, Owner owner, Visit&& visit)
{
    using enum Allowed;
    visit(c.drives, owner, Quantity{"flag 'target is commanded'", Flag});
    visit(c.target, owner, Quantity{"commanded target"});
    visit(c.caps, owner, Quantity{"flag 'max_force is commanded'", Flag});
    visit(c.max_force, owner, Quantity{"commanded max_force", NotNegative});
    visit(c.sets, owner, Quantity{"flag 'parameters are commanded'", Flag});
    visit(c.parameters[0], owner, Quantity{"first commanded parameter"});
    visit(c.parameters[1], owner, Quantity{"second commanded parameter"});
    visit(c.disabled, owner, Quantity{"flag 'disabled'", Flag});
}

template <class AnyCommand, class Visit>
void for_each_spring_command_number(AnyCommand& c, Owner owner, Visit&& visit)
{
    using enum Allowed;
    visit(c.sets, owner, Quantity{"flag 'numbers are commanded'", Flag});
    visit(c.stiffness, owner, Quantity{"commanded stiffness", NotNegative});
    visit(c.damping, owner, Quantity{"commanded damping", NotNegative});
    visit(c.rest, owner, Quantity{"commanded rest length or angle"});
}

template <class AnyCommand, class Visit>
void for_each_body_command_number(AnyCommand& c, Owner owner, Visit&& visit)
{
    visit(c.disabled, owner, Quantity{"flag 'disabled'", Allowed::Flag});
    for (int k = 0; k < 3; ++k) visit(c.next.force[k], owner, Quantity{"force of the next step"});
    for (int k = 0; k < 3; ++k) visit(c.next.torque[k], owner, Quantity{"torque of the next step"});
}

template <class AnyCommand, class Visit>
void for_each_motion_command_number(AnyCommand& c, Owner owner, Visit&& visit)
{
    const auto visit_all = [&](auto& numbers, int count, Quantity quantity) {
        for (int k = 0; k < count; ++k) visit(numbers[k], owner, quantity);
    };
    visit(c.mode, owner, Quantity{"mode of motion", Allowed::Mode});
    visit_all(c.target.p, 3, {"position of the target"});
    visit_all(c.target.q.coeffs(), 4, {"orientation of the target"});
    visit_all(c.velocity.linear, 3, {"commanded velocity"});
    visit_all(c.velocity.angular, 3, {"commanded angular velocity"});
    for (auto& knot : c.knots) {
        visit(knot.time, owner, Quantity{"time of a pose"});
        visit_all(knot.p, 3, {"position at a time"});
        visit_all(knot.q.coeffs(), 4, {"orientation at a time"});
    }
}

// Calls visit(item, numbers of it), numbers(visit) in turn calls visit(number, owner, quantity).
template <class AnyState, class Visit>
void for_each_command(const Model& model, AnyState& state, Visit&& visit)
{
    const auto each = [&](auto& list, Owner::Kind kind, auto&& numbers) {
        for (int k = 0; k < static_cast<int>(list.size()); ++k)
            visit(list[k], [&](auto&& number) { numbers(list[k], Owner{kind, k}, number); });
    };
    auto& commands = state.commands;
    each(commands.joints, Owner::Joint, [](auto& c, Owner owner, auto& number) {
        for_each_joint_command_number(c, owner, number);
    });
    each(commands.springs, Owner::Spring, [](auto& c, Owner owner, auto& number) {
        for_each_spring_command_number(c, owner, number);
    });
    each(commands.bodies, Owner::Body, [](auto& c, Owner owner, auto& number) {
        for_each_body_command_number(c, owner, number);
    });
    for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
        const int motion = model.body_details[b].motion_command;
        if (motion < 0) continue;
        auto& c = commands.motions[motion];
        visit(c, [&](auto&& number) {
            for_each_motion_command_number(c, Owner{Owner::Body, b}, number);
        });
    }
}

template <class AnyState, class Visit>
void for_each_command_number(const Model& model, AnyState& state, Visit&& visit)
{
    for_each_command(model, state, [&](auto&, auto&& numbers) { numbers(visit); });
}

}  // namespace taut::world
