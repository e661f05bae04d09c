// Controls, logic and commands of a scene as one network that is evaluated in order: inputs → logic → commands.
// Formulas see one list of numbers, the inputs of their programs: values of controls, values of logic, readings.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <taut/controls.h>
#include <taut/types.h>

#include "control/program.h"

namespace taut::control {

struct Logic {
    enum class Kind { Value, Latch, Integral, Pid };
    Kind kind = Kind::Value;
    std::string name;
    std::string unit = "-";
    // Value: the value. Latch: its condition. Integral: its rate. Pid: what is controlled.
    Program first;
    Program reset;   // Latch: constant 0 if it is never released
    Program target;  // Pid
    Program
        rate;  // Pid: of what is controlled [1/s], if has_rate; else the difference of the last two values
    bool has_rate = false;
    Real kp = 0, ki = 0, kd = 0;
    Real start = 0;  // Integral
    Real lowest = -std::numeric_limits<Real>::infinity();
    Real highest = std::numeric_limits<Real>::infinity();
};

// A command of World whose numbers are formulas. It is issued when a number changes; forces are issued before every step.
struct Command {
    enum class Kind {
        Target,     // joint: [target]
        MaxForce,   // joint: [max_force]
        Limits,     // joint: [lower, upper]
        Servo,      // joint: [stiffness, damping]
        JointOn,    // joint: [enabled]
        Stiffness,  // spring
        Damping,    // spring
        Rest,       // spring
        Velocity,   // body: [linear, angular]
        Force,      // body: [force, torque]
        Load,       // body: [scale] of the constant force and torque
        BodyOn,     // body: [enabled]
    };
    Kind kind = Kind::Target;
    std::string name;  // in messages: "'speed' of motor of joint 'ram'"
    std::string where;
    BodyId body;
    JointId joint;
    SpringId spring;
    std::vector<Program> numbers;
    // Force, Load
    Wrench wrench;                          // Load
    Coordinates axes = Coordinates::World;  // of force and torque
    Vec3 point = Vec3::Zero();              // in body axes from its origin, if has_point
    bool has_point = false;                 // else the force acts at the centre of mass
};

// What has no finite value, or what the world refused; reported once.
struct Trouble {
    enum class Kind { None, Logic, Command, Refused };
    Kind kind = Kind::None;
    std::size_t index = 0;
    Real time = 0;       // [s]
    std::string reason;  // Refused
};

// All that steps change: snapshots hold these numbers.
struct NetworkState {
    std::vector<Real> wanted;   // of controls
    std::vector<Real> values;   // of controls, then of logic
    std::vector<Real> sums;     // of logic: ∫ error dt of a PID
    std::vector<Real> before;   // of logic: what was controlled, one step ago
    std::vector<Real> started;  // of logic: 1 if `before` is known
    std::vector<Real> issued;   // numbers of all commands, in order; NaN: not yet
};

struct Network {
    std::vector<ControlInfo> controls;
    std::vector<Logic> logic;
    std::vector<Command> commands;
    std::vector<std::function<Real(const World&)>> readings;
    std::optional<Program> stop;
    std::string stop_reason;

    std::vector<std::optional<Schedule>>
        schedules;  // of controls: where their wanted values come from

    NetworkState state;
    std::vector<Real> inputs;  // values of controls and logic, then readings
    Trouble trouble;
    // World::steps() when forces were last issued
    std::uint64_t pushed_at = std::numeric_limits<std::uint64_t>::max();

    // Allocates the state; called once when all lists are complete.
    void prepare();

    void apply(World& world, Real dt);
    bool stops(const World& world) noexcept;

    std::uint64_t fingerprint() const noexcept;  // of names and kinds

private:
    void read(const World& world) noexcept;
    void move_controls(Real time, Real dt) noexcept;
    void evaluate_logic(const World& world, Real dt) noexcept;
    Real evaluate_pid(std::size_t index, Real dt) noexcept;
    void issue_commands(World& world, Real dt);
    void note(Trouble::Kind kind, std::size_t index, Real time) noexcept;
};

// Calls visit(list) for each list of numbers of a state, in one fixed order.
template <class AnyState, class Visit>
void for_each_list(AnyState& state, Visit&& visit)
{
    visit(state.wanted);
    visit(state.values);
    visit(state.sums);
    visit(state.before);
    visit(state.started);
    visit(state.issued);
}

}  // namespace taut::control
