#include "control/network.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace taut::control {

namespace {

constexpr Real kNaN = std::numeric_limits<Real>::quiet_NaN();

bool same_bits(Real a, Real b) noexcept
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// A force at a point of the body, or at its centre of mass, and a torque.
Status push(World& world, const Command& c, const Wrench& wrench)
{
    if (!world.contains(c.body)) return Error{"its body was removed"};
    if (!world.enabled(c.body)) return Done{};
    const Pose pose = world.pose(c.body);
    const bool own_axes = c.axes == Coordinates::Body;
    const Vec3 force = own_axes ? Vec3(pose.q * wrench.force) : wrench.force;
    const Vec3 torque = own_axes ? Vec3(pose.q * wrench.torque) : wrench.torque;
    TAUT_TRY(c.has_point ? world.apply_force(c.body, force, pose.p + pose.q * c.point)
                         : world.apply_force(c.body, force));
    return torque.isZero(0) ? Status(Done{}) : world.apply_torque(c.body, torque);
}

bool is_force(const Command& c) noexcept
{
    return c.kind == Command::Kind::Force || c.kind == Command::Kind::Load;
}

Status issue(World& world, const Command& c, std::span<const Real> x)
{
    switch (c.kind) {
        case Command::Kind::Target: return world.set_target(c.joint, x[0]);
        case Command::Kind::MaxForce: return world.set_max_force(c.joint, x[0]);
        case Command::Kind::Limits: return world.set_limits(c.joint, x[0], x[1]);
        case Command::Kind::Servo: return world.set_servo(c.joint, x[0], x[1]);
        case Command::Kind::JointOn: return world.set_enabled(c.joint, x[0] != 0);
        case Command::Kind::Stiffness: return world.set_stiffness(c.spring, x[0]);
        case Command::Kind::Damping: return world.set_damping(c.spring, x[0]);
        case Command::Kind::Rest: return world.set_rest(c.spring, x[0]);
        case Command::Kind::Velocity:
            return world.set_kinematic_velocity(c.body, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
        case Command::Kind::Force: return push(world, c, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
        case Command::Kind::Load:
            return push(world, c, {x[0] * c.wrench.force, x[0] * c.wrench.torque});
        case Command::Kind::BodyOn: return world.set_enabled(c.body, x[0] != 0);
    }
    return Done{};
}

}  // namespace

void Network::prepare()
{
    state = {};
    schedules.assign(controls.size(), std::nullopt);
    for (const ControlInfo& control : controls) state.wanted.push_back(control.initial);
    state.values = state.wanted;
    for (const Logic& entry : logic) state.values.push_back(entry.start);
    state.sums.resize(logic.size());
    state.before.resize(logic.size());
    state.started.resize(logic.size());
    std::size_t numbers = 0;
    for (const Command& command : commands) numbers += command.numbers.size();
    state.issued.assign(numbers, kNaN);
    inputs.assign(state.values.size() + readings.size(), 0);
}

void Network::apply(World& world, Real dt)
{
    read(world);
    move_controls(world.time(), dt);
    evaluate_logic(world, dt);
    issue_commands(world, dt);
}

bool Network::stops(const World& world) noexcept
{
    if (!stop) return false;
    read(world);
    return stop->run(inputs) != 0;
}

void Network::read(const World& world) noexcept
{
    std::copy(state.values.begin(), state.values.end(), inputs.begin());
    for (std::size_t i = 0; i < readings.size(); ++i)
        inputs[state.values.size() + i] = readings[i](world);
}

void Network::move_controls(Real time, Real dt) noexcept
{
    for (std::size_t i = 0; i < controls.size(); ++i) {
        if (schedules[i])
            state.wanted[i] =
                std::clamp(schedules[i]->value(time), controls[i].lowest, controls[i].highest);
        const Real most = controls[i].rate * dt;
        const Real wanted = state.wanted[i], now = state.values[i];
        const bool there = !(std::abs(wanted - now) > most);
        state.values[i] = inputs[i] = there ? wanted : wanted > now ? now + most : now - most;
    }
}

void Network::note(Trouble::Kind kind, std::size_t index, Real time) noexcept
{
    if (trouble.kind != Trouble::Kind::None) return;
    trouble.kind = kind;
    trouble.index = index;
    trouble.time = time;
}

void Network::evaluate_logic(const World& world, Real dt) noexcept
{
    for (std::size_t i = 0; i < logic.size(); ++i) {
        const std::size_t slot = controls.size() + i;
        const Real before = state.values[slot];
        Real now = 0;
        switch (logic[i].kind) {
            case Logic::Kind::Value: now = logic[i].first.run(inputs); break;
            case Logic::Kind::Latch: {
                const bool set = logic[i].first.run(inputs) != 0;
                now = Real(set || (before != 0 && logic[i].reset.run(inputs) == 0));
                break;
            }
            case Logic::Kind::Integral:
                now = std::max(logic[i].lowest, std::min(before + dt * logic[i].first.run(inputs),
                                                         logic[i].highest));
                break;
            case Logic::Kind::Pid: now = evaluate_pid(i, dt); break;
        }
        if (!std::isfinite(now)) {
            note(Trouble::Kind::Logic, i, world.time());
            now = before;
        }
        state.values[slot] = inputs[slot] = now;
    }
}

Real Network::evaluate_pid(std::size_t i, Real dt) noexcept
{
    const Logic& pid = logic[i];
    const Real now = pid.first.run(inputs);
    const Real error = pid.target.run(inputs) - now;
    Real rate = 0;
    if (pid.has_rate)
        rate = pid.rate.run(inputs);
    else if (state.started[i] != 0 && dt > 0)
        rate = (now - state.before[i]) / dt;
    const Real wanted = pid.kp * error + pid.ki * state.sums[i] - pid.kd * rate;
    if (!std::isfinite(wanted)) return kNaN;

    // no wind-up: at a bound the sum changes only if that leads away from it
    const Real bounded = std::max(pid.lowest, std::min(wanted, pid.highest));
    const bool leads_back = (wanted > bounded && error < 0) || (wanted < bounded && error > 0);
    if (wanted == bounded || leads_back) state.sums[i] += error * dt;
    if (dt > 0) {
        state.before[i] = now;
        state.started[i] = 1;
    }
    return bounded;
}

void Network::issue_commands(World& world, Real dt)
{
    // after a step that failed they still wait in the world
    const bool forces_wait = pushed_at == world.steps();
    std::size_t at = 0;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const Command& command = commands[i];
        const std::span<Real> numbers(state.issued.data() + at, command.numbers.size());
        at += command.numbers.size();
        bool changed = false, known = true;
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            const Real now = command.numbers[k].run(inputs);
            if (!std::isfinite(now)) {
                note(Trouble::Kind::Command, i, world.time());
                known = known && std::isfinite(numbers[k]);
                continue;
            }
            changed |= !same_bits(now, numbers[k]);
            numbers[k] = now;
        }
        // forces are for one step, and none is needed for a step of no length
        if (!known || (is_force(command) ? !(dt > 0) || forces_wait : !changed)) continue;
        const Status done = issue(world, command, numbers);
        // while the scene is read a refusal is an error of the file, and matters more than a formula without a value
        const bool matters =
            dt > 0 ? trouble.kind == Trouble::Kind::None : trouble.kind != Trouble::Kind::Refused;
        if (done.ok() || !matters) continue;
        trouble.kind = Trouble::Kind::None;
        note(Trouble::Kind::Refused, i, world.time());
        trouble.reason = done.error().message;
    }
    if (dt > 0) pushed_at = world.steps();
}

std::uint64_t Network::fingerprint() const noexcept
{
    // FNV-1a
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](std::string_view text, int kind) {
        for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        hash = (hash ^ static_cast<std::uint64_t>(kind + 256)) * 0x100000001b3u;
    };
    for (const ControlInfo& c : controls) add(c.name, c.is_switch ? 1 : 0);
    for (const Logic& l : logic) add(l.name, 2 + static_cast<int>(l.kind));
    for (const Command& c : commands) add(c.name, 8 + static_cast<int>(c.kind));
    return hash;
}

}  // namespace taut::control
