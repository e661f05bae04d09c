// Commands: what they may be, and how they reach the numbers that a step reads.
#pragma once

#include <string>

#include <taut/result.h>

#include "model/model.h"
#include "model/state.h"

namespace taut::model {

template <class T>
inline constexpr bool kHasBounds = requires(T item)
{
    item.lower, item.upper;
};
template <class T>
inline constexpr bool kHasStiffness = requires(T item)
{
    item.stiffness, item.damping;
};

// The two parameters of a joint that may be commanded; zeros where there are none.
template <class T>
std::array<Real, 2> command_parameters(const T& item) noexcept
{
    if constexpr (kHasBounds<T>)
        return {item.lower, item.upper};
    else if constexpr (kHasStiffness<T>)
        return {item.stiffness, item.damping};
    else
        return {};
}

template <class T>
void set_parameters(const std::array<Real, 2>& values, T& item) noexcept
{
    if constexpr (kHasBounds<T>) {
        item.lower = values[0];
        item.upper = values[1];
    } else if constexpr (kHasStiffness<T>) {
        item.stiffness = values[0];
        item.damping = values[1];
    }
}

// "hinge_motor 'lift'", "body 'hook'", "spring number 3": as messages name them.
std::string describe_joint(const Model& model, int joint);
std::string describe_spring(const Model& model, int spring);
std::string describe_body(const Model& model, BodyIndex b);

// An error says what a command is for, what was found and what is allowed.
Status check_command(const Model& model, int joint, const JointCommand& command);
Status check_command(const Model& model, int spring, const SpringCommand& command);
Status check_command(const Model& model, BodyIndex b, const BodyCommand& command);
Status check_command(const Model& model, BodyIndex b, const MotionCommand& command);

// A command that says what was described is none.
JointCommand simplified(const Model& model, int joint, JointCommand command) noexcept;
SpringCommand simplified(const Model& model, int spring, SpringCommand command) noexcept;

// Commands that were checked, to the numbers of the model. None allocates.
void apply_command(Model& model, int joint, const JointCommand& command) noexcept;
void apply_command(Model& model, int spring, const SpringCommand& command) noexcept;
void apply_command(Model& model, BodyIndex b, const MotionCommand& command) noexcept;
// Which joints and bodies are disabled. The topology is another one where that changes.
void apply_disabled(Model& model, const Commands& commands) noexcept;
void apply_commands(Model& model, const Commands& commands) noexcept;  // all of these

// Whether a joint is neither broken nor disabled, nor one of its bodies disabled; and the same of a spring.
bool joint_acts(const Model& model, const State& state, int joint) noexcept;
bool spring_acts(const Model& model, const SpringModel& spring) noexcept;

}  // namespace taut::model
