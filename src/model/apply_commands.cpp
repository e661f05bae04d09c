#include "model/apply_commands.h"

#include <cmath>

#include "core/text.h"
#include "model/thresholds.h"

namespace taut::model {
namespace {

template <class Visit>
void visit_joint_item(Model& model, const ConstraintRows& joint, Visit&& visit)
{
    for_each_joint_type([&](auto tag) {
        using T = typename decltype(tag)::type;
        if (type_index<T>() == joint.type) visit(model.pool<T>().items[joint.slot]);
    });
}

std::string named(std::string_view kind, std::string_view name, int number)
{
    return name.empty() ? text(kind, " number ", number) : text(kind, " '", name, "'");
}

template <class T>
Status check_parameters(const std::string& me, const std::array<Real, 2>& given)
{
    if constexpr (kHasBounds<T> || kHasStiffness<T>) {
        const auto fields = T::fields();
        for (std::size_t k = 0; k < given.size(); ++k)
            if (!(given[k] >= fields[k].lowest && given[k] <= fields[k].highest))
                return Error{text(me, ": ", fields[k].name, " is ", given[k], "; allowed is ",
                                  fields[k].lowest, " to ", fields[k].highest, " ",
                                  fields[k].unit)};
        if (kHasBounds<T> && !(given[0] <= given[1]))
            return Error{text(me, ": lower is ", given[0], ", above upper, ", given[1])};
        if (kHasStiffness<T> && !(given[0] + given[1] > 0))
            return Error{text(me, ": a servo needs a stiffness or a damping above zero")};
        return Done{};
    } else {
        return Error{text(me,
                          ": has no such parameters; limits have bounds, servos have "
                          "stiffness and damping")};
    }
}

bool is_finite_pose(const Vec3& p, const Quat& q) noexcept
{
    return p.allFinite() && q.coeffs().allFinite();
}

bool is_unit(const Quat& q) noexcept { return std::abs(q.norm() - 1) <= kDescription.unit_length; }

}  // namespace

// --- names ---

std::string describe_joint(const Model& model, int joint)
{
    std::string_view type;
    visit_joint(model, model.rows.groups[joint],
                [&](const auto& item) { type = std::decay_t<decltype(item)>::kName; });
    return named(type, model.joints[joint].name, joint + 1);
}

std::string describe_spring(const Model& model, int spring)
{
    return named("spring", model.springs[spring].name, spring + 1);
}

std::string describe_body(const Model& model, BodyIndex b)
{
    return b == kGround ? "the ground" : named("body", model.body_details[b].name, b);
}

// --- checks ---

Status check_command(const Model& model, int joint, const JointCommand& command)
{
    const ConstraintRows& rows = model.rows.groups[joint];
    const auto me = [&] { return describe_joint(model, joint); };
    if (command.drives != 0) {
        if (rows.kind == RowKind::Position)
            return Error{text(me(), ": has no target; motors and servos have one")};
        if (!std::isfinite(command.target))
            return Error{text(me(), ": target is ", command.target, "; it must be finite")};
    }
    if (command.caps != 0) {
        if (!std::isfinite(model.joints[joint].described.max_force))
            return Error{text(me(),
                              ": was described without max_force, so that there is none to "
                              "command; describe it with a finite one")};
        if (!(command.max_force > 0 && std::isfinite(command.max_force)))
            return Error{text(me(), ": max_force is ", command.max_force,
                              "; it must be above zero and finite")};
    }
    if (command.sets == 0) return Done{};
    Status out = Done{};
    visit_joint(model, rows, [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        // no allocation where all is well
        const std::array<Real, 2>& x = command.parameters;
        bool fine = kHasBounds<T> || kHasStiffness<T>;
        if constexpr (kHasBounds<T> || kHasStiffness<T>) {
            const auto fields = T::fields();
            for (std::size_t k = 0; k < x.size(); ++k)
                fine = fine && x[k] >= fields[k].lowest && x[k] <= fields[k].highest;
            fine = fine && (kHasBounds<T> ? x[0] <= x[1] : x[0] + x[1] > 0);
        }
        if (!fine) out = check_parameters<T>(me(), x);
    });
    return out;
}

Status check_command(const Model& model, int spring, const SpringCommand& command)
{
    if (command.sets == 0) return Done{};
    const auto me = [&] { return describe_spring(model, spring); };
    const auto bad = [](Real x) { return !(x >= 0 && std::isfinite(x)); };
    if (bad(command.stiffness))
        return Error{text(me(), ": stiffness is ", command.stiffness,
                          "; it must be finite and not negative")};
    if (bad(command.damping))
        return Error{
            text(me(), ": damping is ", command.damping, "; it must be finite and not negative")};
    if (!std::isfinite(command.rest))
        return Error{text(me(), ": rest is ", command.rest, "; it must be finite")};
    return Done{};
}

Status check_command(const Model& model, BodyIndex b, const BodyCommand& command)
{
    const BodyModel& body = model.bodies[b];
    if (b == kGround && command.given())
        return Error{"the ground is always there, and no force moves it"};
    if (command.next.force.isZero(0) && command.next.torque.isZero(0)) return Done{};
    const auto me = [&] { return describe_body(model, b); };
    if (body.kind == BodyKind::Fixed || body.kind == BodyKind::Kinematic)
        return Error{text(me(), " is fixed or kinematic: no force moves it")};
    if (!command.next.force.allFinite() || !command.next.torque.allFinite())
        return Error{text(me(), ": force and torque must be finite")};
    if (body.kind == BodyKind::Particle && !command.next.torque.isZero(0))
        return Error{text(me(), " is a particle: force at its centre only, no torque")};
    return Done{};
}

Status check_command(const Model& model, BodyIndex b, const MotionCommand& command)
{
    if (!command.given()) return Done{};
    const auto me = [&] { return describe_body(model, b); };
    if (!is_finite_pose(command.target.p, command.target.q))
        return Error{text(me(), ": target pose must be finite")};
    if (!is_unit(command.target.q))
        return Error{text(me(), ": rotation of the target is a quaternion of length ",
                          command.target.q.norm(), "; it must be 1")};
    if (!command.velocity.linear.allFinite() || !command.velocity.angular.allFinite())
        return Error{text(me(), ": velocity must be finite")};
    for (const MotionKnot& knot : command.knots)
        if (!std::isfinite(knot.time) || !is_finite_pose(knot.p, knot.q) || !is_unit(knot.q))
            return Error{text(me(), ": its past must be finite with unit quaternions")};
    return Done{};
}

// --- what was described is no command ---

JointCommand simplified(const Model& model, int joint, JointCommand command) noexcept
{
    const JointModel& of = model.joints[joint];
    const bool constant = of.target.kind() == Schedule::Kind::Constant;
    if (constant && command.target == of.target.mean()) command.drives = 0;
    if (command.max_force == of.described.max_force) command.caps = 0;
    if (command.parameters == of.described.parameters) command.sets = 0;
    if (command.drives == 0) command.target = 0;
    if (command.caps == 0) command.max_force = 0;
    if (command.sets == 0) command.parameters = {};
    return command;
}

SpringCommand simplified(const Model& model, int spring, SpringCommand command) noexcept
{
    const SpringNumbers& was = model.springs[spring].described;
    const bool same = command.stiffness == was.stiffness && command.damping == was.damping &&
                      command.rest == was.rest;
    return same || command.sets == 0 ? SpringCommand{} : command;
}

// --- to the model ---

void apply_command(Model& model, int joint, const JointCommand& command) noexcept
{
    JointModel& of = model.joints[joint];
    of.commanded = command.drives != 0;
    of.command = command.target;
    of.max_force = command.caps != 0 ? command.max_force : of.described.max_force;
    const std::array<Real, 2>& parameters =
        command.sets != 0 ? command.parameters : of.described.parameters;
    visit_joint_item(model, model.rows.groups[joint], [&](auto& item) {
        using T = std::decay_t<decltype(item)>;
        set_parameters(parameters, item);
        if (kHasStiffness<T>) {
            of.stiffness = parameters[0];
            of.damping = parameters[1];
        }
    });
    ++model.commands;
}

void apply_command(Model& model, int spring, const SpringCommand& command) noexcept
{
    SpringModel& of = model.springs[spring];
    const SpringNumbers& now = command.sets != 0
                                   ? SpringNumbers{command.stiffness, command.damping, command.rest}
                                   : of.described;
    of.stiffness = now.stiffness;
    of.damping = now.damping;
    of.rest = now.rest;
    ++model.commands;
}

void apply_command(Model& model, BodyIndex b, const MotionCommand& command) noexcept
{
    BodyDetails& of = model.body_details[b];
    of.commanded = command.given();
    of.knots = command.knots;
    ++model.commands;
}

void apply_disabled(Model& model, const Commands& commands) noexcept
{
    bool changed = false;
    model.any_disabled = false;
    const auto set = [&](bool now, bool& flag) {
        changed = changed || now != flag;
        flag = now;
        model.any_disabled = model.any_disabled || now;
    };
    for (std::size_t j = 0; j < model.joints.size(); ++j)
        set(commands.joints[j].disabled != 0, model.joints[j].disabled);
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
        set(commands.bodies[b].disabled != 0, model.bodies[b].disabled);
    if (changed) ++model.topology;
}

void apply_commands(Model& model, const Commands& commands) noexcept
{
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j)
        apply_command(model, j, commands.joints[j]);
    for (int k = 0; k < static_cast<int>(model.springs.size()); ++k)
        apply_command(model, k, commands.springs[k]);
    for (const BodyIndex b : BodyRange(model.bodies.size()))
        if (const int motion = model.body_details[b].motion_command; motion >= 0)
            apply_command(model, b, commands.motions[motion]);
    apply_disabled(model, commands);
}

// --- what acts ---

bool joint_acts(const Model& model, const State& state, int joint) noexcept
{
    if (state.broken[joint] != 0) return false;
    if (!model.any_disabled) return true;
    if (model.joints[joint].disabled) return false;
    for (const BodyIndex b : model.rows.bodies(model.rows.groups[joint]))
        if (model.bodies[b].disabled) return false;
    return true;
}

bool spring_acts(const Model& model, const SpringModel& spring) noexcept
{
    return !model.any_disabled ||
           (!model.bodies[spring.bodies[0]].disabled && !model.bodies[spring.bodies[1]].disabled);
}

}  // namespace taut::model
