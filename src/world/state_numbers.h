// Every number of a state in one fixed order, with its owner and what it may be: what is hashed, written, read and checked.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/model.h"
#include "model/state.h"
#include "stepper/guard_settings.h"

namespace taut::world {

// Steps give no number of this size or above: their squares and products must fit into a double. Energies, work and
// power are such products.
inline constexpr Real kLargestNumber = kGuard.acceptance.largest_number;
inline constexpr Real kLargestEnergy = kLargestNumber * kLargestNumber;

enum class Allowed {
    Any,          // finite, and |x| below the largest of its quantity
    NotNegative,  // the same, and x ≥ 0
    Flag,         // 0 or 1
    Mode,         // 0, 1 or 2: MotionCommand::Mode
    Whole,        // a whole number between two bounds
};

struct Owner {
    enum Kind { World, Body, Row, Memory, Joint, Spring, Island, Contact };
    Kind kind = World;
    int index = 0;
};

struct Quantity {
    std::string_view name;
    Allowed allowed = Allowed::Any;
    Real largest = kLargestNumber;
};

template <class AnyMemory, class Visit>
void for_each_scheme_number(AnyMemory& m, Owner owner, Visit&& visit)
{
    using enum Allowed;
    visit(m.midpoint, owner, Quantity{"flag 'midpoint'", Flag});
    visit(m.midpoint_steps, owner, Quantity{"count of midpoint steps", NotNegative});
    visit(m.rates_known, owner, Quantity{"flag 'rates are known'", Flag});
    visit(m.tension, owner, Quantity{"tension frequency", NotNegative});
    visit(m.damped_time, owner, Quantity{"time without adams", NotNegative});
    visit(m.spin_change, owner, Quantity{"change of angular velocities", NotNegative});
    visit(m.unchanged_steps, owner, Quantity{"steps without changes of contacts", NotNegative});
    visit(m.orbit_angle, owner, Quantity{"angle of the orbit about joints", NotNegative});
    visit(m.convex, owner, Quantity{"flag 'contacts take convex steps'", Flag});
}

// What dissipates energy, of the world or of an island.
template <class AnyMemory, class Visit>
void for_each_dissipation(AnyMemory& m, Owner owner, Visit&& visit)
{
    using enum Allowed;
    visit(m.dissipation.damping, owner, Quantity{"energy lost to damping", Any, kLargestEnergy});
    visit(m.dissipation.friction, owner, Quantity{"energy lost to friction", Any, kLargestEnergy});
    visit(m.dissipation.impacts, owner, Quantity{"energy lost in impacts", Any, kLargestEnergy});
    visit(m.dissipation.numerical, owner, Quantity{"numerical dissipation", Any, kLargestEnergy});
    visit(m.power.damping, owner, Quantity{"power of damping", Any, kLargestEnergy});
    visit(m.power.friction, owner, Quantity{"power of friction", Any, kLargestEnergy});
    visit(m.activity_began, owner, Quantity{"flag 'a contact began to act'", Flag});
    visit(m.disturbed, owner, Quantity{"flag 'velocities were set'", Flag});
}

// What a two-step scheme remembers of each body.
template <class AnyState, class Visit>
void for_each_history_number(AnyState& state, Visit&& visit)
{
    const auto visit_all = [&](auto& numbers, int count, Owner owner, Quantity quantity) {
        for (int k = 0; k < count; ++k) visit(numbers[k], owner, quantity);
    };
    using enum Allowed;
    for (int b = 0; b < static_cast<int>(state.history.p.size()); ++b) {
        const Owner body{Owner::Body, b};
        visit_all(state.history.p[b], 3, body, {"position before the last step"});
        visit_all(state.history.q[b].coeffs(), 4, body, {"orientation before the last step"});
        visit_all(state.history.v[b], 3, body, {"velocity before the last step"});
        visit_all(state.history.w[b], 3, body, {"angular velocity before the last step"});
        visit_all(state.rates.linear[b], 3, body, {"acceleration"});
        visit_all(state.rates.angular[b], 4, body,
                  {"rate of angular momentum", Any, kLargestEnergy});
        visit_all(state.history.rates.linear[b], 3, body, {"acceleration before the last step"});
        visit_all(state.history.rates.angular[b], 4, body,
                  {"rate of angular momentum before the last step", Any, kLargestEnergy});
    }
}

// Calls visit(number, owner, quantity) for all but islands and contacts, of which any number may follow.
template <class AnyState, class Visit>
void for_each_number(const Model& model, AnyState& state, Visit&& visit)
{
    const auto visit_all = [&](auto& numbers, int count, Owner owner, Quantity quantity) {
        for (int k = 0; k < count; ++k) visit(numbers[k], owner, quantity);
    };
    using enum Allowed;
    visit(state.time, Owner{}, Quantity{"time"});
    visit(state.clock.start, Owner{}, Quantity{"time at which steps began to be counted"});
    visit(state.clock.dt, Owner{}, Quantity{"length of the counted steps", NotNegative});
    visit(state.clock.steps, Owner{}, Quantity{"count of steps of one length", NotNegative});
    for (int b = 0; b < static_cast<int>(state.p.size()); ++b) {
        const Owner body{Owner::Body, b};
        visit_all(state.p[b], 3, body, {"position"});
        visit_all(state.q[b].coeffs(), 4, body, {"orientation"});
        visit_all(state.v[b], 3, body, {"velocity"});
        visit_all(state.w[b], 3, body, {"angular velocity"});
        visit_all(state.spin_up[b], 3, body, {"angular acceleration"});
        visit_all(state.wrench[b].force, 3, body, {"applied force"});
        visit_all(state.wrench[b].torque, 3, body, {"applied torque"});
    }
    for (int r = 0; r < model.rows.count; ++r)
        visit(state.lambda[r], Owner{Owner::Row, r}, Quantity{"constraint force"});
    for (int r = 0; r < model.rows.count; ++r)
        visit(state.stretch[r], Owner{Owner::Row, r}, Quantity{"constraint value"});
    for (int k = 0; k < static_cast<int>(state.memory.size()); ++k)
        visit(state.memory[k], Owner{Owner::Memory, k}, Quantity{"angle"});
    for (int j = 0; j < model.rows.joints; ++j)
        visit(state.broken[j], Owner{Owner::Joint, j}, Quantity{"flag 'broken'", Flag});
    visit(state.last_step.work.motors, Owner{}, Quantity{"work of motors", Any, kLargestEnergy});
    visit(state.last_step.work.prescribed, Owner{},
          Quantity{"work of kinematic bodies", Any, kLargestEnergy});
    visit(state.last_step.work.loads, Owner{}, Quantity{"work of loads", Any, kLargestEnergy});
    for_each_dissipation(state.last_step, Owner{}, visit);
    visit(state.last_step.power.motors, Owner{}, Quantity{"power of motors", Any, kLargestEnergy});
    visit(state.last_step.power.prescribed, Owner{},
          Quantity{"power of kinematic bodies", Any, kLargestEnergy});
    visit(state.last_step.power_before.motors, Owner{},
          Quantity{"power of motors before the last step", Any, kLargestEnergy});
    visit(state.last_step.power_before.prescribed, Owner{},
          Quantity{"power of kinematic bodies before the last step", Any, kLargestEnergy});
    visit(state.last_step.power_before.damping, Owner{},
          Quantity{"power of damping before the last step", Any, kLargestEnergy});
    visit(state.last_step.power_before.friction, Owner{},
          Quantity{"power of friction before the last step", Any, kLargestEnergy});
    visit(state.last_step.kinetic_scale, Owner{},
          Quantity{"kinetic energy scale", NotNegative, kLargestEnergy});
    visit(state.last_step.h, Owner{}, Quantity{"length of the last step", NotNegative});
    visit(state.last_step.time, Owner{}, Quantity{"time before the last step"});
    visit(state.last_step.ledger, Owner{}, Quantity{"energy balance", Any, kLargestEnergy});
    visit(state.last_step.ledger_invalid, Owner{}, Quantity{"flag 'energy balance is open'", Flag});
    visit(state.last_step.joints_open, Owner{}, Quantity{"flag 'joints are open'", Flag});
    visit(state.last_step.recovery_blocked, Owner{},
          Quantity{"time without penetration recovery", NotNegative});
    for_each_scheme_number(state.last_step.scheme, Owner{}, visit);
    for_each_history_number(state, visit);
}

// What an island has for itself; the island of each body is stored before all of them.
template <class AnyMemory, class Visit>
void for_each_island_number(AnyMemory& m, int island, Visit&& visit)
{
    using enum Allowed;
    const Owner owner{Owner::Island, island};
    visit(m.h, owner, Quantity{"length of the last step", NotNegative});
    visit(m.time, owner, Quantity{"time before the last step"});
    visit(m.ledger, owner, Quantity{"energy balance", Any, kLargestEnergy});
    visit(m.ledger_invalid, owner, Quantity{"flag 'energy balance is open'", Flag});
    visit(m.joints_open, owner, Quantity{"flag 'joints are open'", Flag});
    visit(m.recovery_blocked, owner, Quantity{"time without penetration recovery", NotNegative});
    visit(m.kinetic_scale, owner, Quantity{"kinetic energy scale", NotNegative, kLargestEnergy});
    visit(m.work.motors, owner, Quantity{"work of motors", Any, kLargestEnergy});
    visit(m.work.prescribed, owner, Quantity{"work of kinematic bodies", Any, kLargestEnergy});
    visit(m.work.loads, owner, Quantity{"work of loads", Any, kLargestEnergy});
    for_each_dissipation(m, owner, visit);
    visit(m.power.motors, owner, Quantity{"power of motors", Any, kLargestEnergy});
    visit(m.power.prescribed, owner, Quantity{"power of kinematic bodies", Any, kLargestEnergy});
    visit(m.power_before.motors, owner,
          Quantity{"power of motors before the last step", Any, kLargestEnergy});
    visit(m.power_before.prescribed, owner,
          Quantity{"power of kinematic bodies before the last step", Any, kLargestEnergy});
    visit(m.power_before.damping, owner,
          Quantity{"power of damping before the last step", Any, kLargestEnergy});
    visit(m.power_before.friction, owner,
          Quantity{"power of friction before the last step", Any, kLargestEnergy});
    for_each_scheme_number(m.scheme, owner, visit);
    visit(m.still, owner, Quantity{"time at rest", NotNegative});
    visit(m.asleep, owner, Quantity{"flag 'asleep'", Flag});
    visit(m.frozen, owner, Quantity{"flag 'frozen'", Flag});
}

// A contact as numbers: two colliders, both halves of its feature, three vectors; and for readings its normal and its gap,
// which steps do not go on with, so that the hash leaves them out.
using ContactNumbers = std::array<Real, 17>;
inline constexpr std::size_t kHashedContactNumbers = 13;

inline ContactNumbers to_numbers(const ContactMemory& c) noexcept
{
    return {Real(c.collider_a),
            Real(c.collider_b),
            Real(c.feature >> 32),
            Real(c.feature & 0xffffffffu),
            c.p_b.x(),
            c.p_b.y(),
            c.p_b.z(),
            c.force.x(),
            c.force.y(),
            c.force.z(),
            c.torque.x(),
            c.torque.y(),
            c.torque.z(),
            c.normal.x(),
            c.normal.y(),
            c.normal.z(),
            c.gap};
}

}  // namespace taut::world
