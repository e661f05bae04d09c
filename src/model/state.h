// All that a step changes, and all that a snapshot holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <taut/report.h>
#include <taut/types.h>

#include "core/assert.h"
#include "core/namespaces.h"
#include "model/body_index.h"
#include "model/commands.h"

namespace taut::model {

// Power of rows and springs at the state's time [W].
struct Power {
    // fed in
    Real motors = 0;
    Real prescribed = 0;
    // dissipated
    Real damping = 0;
    Real friction = 0;
};

// Counts steps of one length, so that the time of a long run is not a sum of rounded numbers.
struct Clock {
    Real start = 0;  // time at which the count began [s]
    Real dt = 0;     // [s]; 0: no step was counted
    Real steps = 0;

    // The time after a step of length `step` that began at `now`.
    Real advance(Real now, Real step) noexcept
    {
        if (step != dt) *this = {now, step, 0};
        steps += 1;
        return start + steps * dt;
    }
};

// What the choice of the scheme goes by, for the world as a whole or for one island (stepper/scheme_choice.h).
struct SchemeMemory {
    Real midpoint = 0;         // 1: steps are taken by the midpoint scheme
    Real midpoint_steps = 0;   // how many of the last two steps were, without a break
    Real rates_known = 0;      // 1: State::rates are those of the last step
    Real tension = 0;          // mean of the tension frequency times the step, lately [-]
    Real damped_time = 0;      // time left in which bdf2 takes the place of adams [s]
    Real spin_change = 0;      // peak of the change of angular velocities, lately [rad/s²]
    Real unchanged_steps = 0;  // steps since a contact, limit or rope began or ceased to act
    Real orbit_angle =
        0;  // angle by which a body has moved on its orbit about a joint without a pause, faster than the step resolves [rad]
    Real convex = 0;  // 1: contacts are solved by convex steps (stepper/moving_contacts.h)

    // Of two islands that become one.
    void join(const SchemeMemory& other) noexcept
    {
        midpoint = std::min(midpoint, other.midpoint);
        midpoint_steps = std::min(midpoint_steps, other.midpoint_steps);
        rates_known = std::min(rates_known, other.rates_known);
        tension = std::max(tension, other.tension);
        damped_time = std::max(damped_time, other.damped_time);
        spin_change = std::max(spin_change, other.spin_change);
        unchanged_steps = std::min(unchanged_steps, other.unchanged_steps);
        orbit_angle = std::max(orbit_angle, other.orbit_angle);
        convex = std::max(convex, other.convex);
    }
};

// What a step passes on to the next one, for the world as a whole or for one island.
struct StepMemory {
    Real h =
        0;  // length of the last step; 0: a two-step scheme has no past to use (start, restart)
    Real time = 0;              // at which it began
    Work work;                  // fed in since the start
    Dissipation dissipation;    // since the start
    Power power, power_before;  // at the end of the last step, and of the one before
    // Energy less the work fed in, as it was lately: a step may not exceed it by much [J].
    Real ledger = 0;
    Real ledger_invalid = 1;    // 1: to be read anew, because the state was set from outside
    Real joints_open = 0;       // 1: joints were open when the last step began
    Real recovery_blocked = 0;  // time left in which penetration is not recovered [s]
    // 1: a contact, stop or rope began to act in the last step; it may still approach, because a step ends where it touches
    Real activity_began = 0;
    Real disturbed =
        1;  // 1: velocities were set from outside, and joints and motors may not allow them
    Real kinetic_scale =
        0;  // kinetic energy that residuals are measured against: a peak that fades [J]
    SchemeMemory scheme;

    // After anything but a step of a two-step scheme.
    void forget() noexcept
    {
        h = 0;
        ledger_invalid = 1;
        recovery_blocked = 0;
        disturbed = 1;
        scheme.midpoint_steps = 0;
    }
};

inline void add_work(const Work& from, Work& to, Real factor = 1) noexcept
{
    to.motors += factor * from.motors;
    to.prescribed += factor * from.prescribed;
    to.loads += factor * from.loads;
}

inline Work difference(const Work& now, const Work& before) noexcept
{
    return {now.motors - before.motors, now.prescribed - before.prescribed,
            now.loads - before.loads};
}

inline void add_dissipation(const Dissipation& from, Dissipation& to, Real factor = 1) noexcept
{
    to.damping += factor * from.damping;
    to.friction += factor * from.friction;
    to.impacts += factor * from.impacts;
    to.numerical += factor * from.numerical;
}

inline Dissipation difference(const Dissipation& now, const Dissipation& before) noexcept
{
    return {now.damping - before.damping, now.friction - before.friction,
            now.impacts - before.impacts, now.numerical - before.numerical};
}

// What the scheme of the last step leaves to the next one, per body.
//
//     adams       acceleration at the end of the step [m/s²]      rates of swing [N m] and of spin [N m]
//     midpoint    mean velocity of the step [m/s]                 mean angular velocity [rad/s], 0
struct Rates {
    using Vec4 = Eigen::Matrix<Real, 4, 1, Eigen::DontAlign>;
    std::vector<Vec3> linear;
    std::vector<Vec4> angular;
};

// Poses and velocities before the last step, and the rates that it began with, for a two-step scheme.
struct History {
    std::vector<Vec3> p;
    std::vector<Quat> q;
    std::vector<Vec3> v, w;
    Rates rates;
};

// A contact of the last step: which one, and the force on its body a [N].
struct ContactMemory {
    int collider_a = 0, collider_b = 0;
    std::uint64_t feature = 0;
    Vec3 p_b = Vec3::Zero();  // where it is on body b, body axes [m]
    Vec3 force = Vec3::Zero();
    Vec3 torque = Vec3::Zero();  // of rolling and spinning resistance, on body a [N m]
    // for readings: from b to a in the world, and the gap before the step [m]
    Vec3 normal = Vec3::Zero();
    Real gap = 0;
};

// What one island passes on where the world is divided into several. The state's own StepMemory is then idle but for
// `work`, which is the sum over all islands.
struct IslandMemory : StepMemory {
    Real still = 0;   // how long nothing has moved in it [s]
    Real asleep = 0;  // 1: it is not solved
    // 1: it is not stepped and meets nothing, because its numbers are out of range (frozen). Ends when its bodies are
    // set from outside.
    Real frozen = 0;

    // A force acts on it that did not before.
    void wake() noexcept { still = asleep = frozen = 0; }
    // It was set from outside.
    void disturb() noexcept
    {
        wake();
        forget();
    }
    void freeze() noexcept
    {
        frozen = 1;
        forget();  // when it is stepped again there is no past to look back on
    }
};

// Which bodies the last step solved together. Empty: all of them.
struct Division {
    std::vector<int> island_of;  // per body, into `islands`; −1: no force moves it
    std::vector<IslandMemory> islands;

    // −1 where the world is not divided, or no force moves the body.
    int find(BodyIndex b) const noexcept
    {
        return b < static_cast<int>(island_of.size()) ? island_of[b] : -1;
    }
    bool is_frozen(BodyIndex b) const noexcept
    {
        const int island = find(b);
        return island >= 0 && islands[island].frozen != 0;
    }
};

// The bodies that a pass over the world steps, 1 or 0 per body. Empty: all of them.
struct BodyMask {
    std::vector<char> of_body;

    bool all() const noexcept { return of_body.empty(); }
    bool has(BodyIndex b) const noexcept
    {
        TAUT_ASSERT(all() || (b >= 0 && static_cast<std::size_t>(b) < of_body.size()));
        return all() || of_body[b] != 0;
    }
};

struct State {
    Real time = 0;
    Clock clock;
    std::uint64_t steps = 0;
    std::vector<Vec3> p;  // per body: centre of mass [m]
    std::vector<Quat> q;  //           orientation, body → world, unit length
    std::vector<Vec3> v;  //           velocity of the centre of mass [m/s]
    std::vector<Vec3> w;  //           angular velocity, world axes [rad/s]
    std::vector<Vec3>
        spin_up;  //           angular acceleration of the last step beyond free rotation [rad/s²]
    std::vector<Wrench> wrench;  //           set from outside, at the centre of mass
    Rates rates;                 //           see above
    std::vector<Real> lambda;    // per row: multiplier of the last step [N or N m]
    std::vector<Real> stretch;   // per row: φ that the last solve assumed [m or rad]
    std::vector<Real> memory;    // remembered angles [rad]
    std::vector<ContactMemory> contacts;
    std::vector<Real> broken;  // per joint: 1 once it has given way
    StepMemory last_step;
    History history;
    Division division;
    Commands commands;  // from outside: steps read what they make of the Model
};

// Calls visit(array...) for every array with an entry per body, of one state or of several side by side.
template <class Visit, class... States>
void for_each_body_array(Visit&& visit, States&... s)
{
    visit(s.p...);
    visit(s.q...);
    visit(s.v...);
    visit(s.w...);
    visit(s.spin_up...);
    visit(s.wrench...);
    visit(s.history.p...);
    visit(s.history.q...);
    visit(s.history.v...);
    visit(s.history.w...);
    visit(s.rates.linear...);
    visit(s.rates.angular...);
    visit(s.history.rates.linear...);
    visit(s.history.rates.angular...);
}

// All that a state has of one body, from one state to another; the index may be another one there.
inline void copy_body(const State& from, BodyIndex b, State& to, BodyIndex at) noexcept
{
    TAUT_ASSERT(b >= 0 && static_cast<std::size_t>(b) < from.p.size());
    TAUT_ASSERT(at >= 0 && static_cast<std::size_t>(at) < to.p.size());
    for_each_body_array([&](const auto& source, auto& target) { target[at] = source[b]; }, from,
                        to);
}

// The same for arrays with an entry per row,
template <class Visit, class... States>
void for_each_row_array(Visit&& visit, States&... s)
{
    visit(s.lambda...);
    visit(s.stretch...);
}

// and for all arrays of numbers and vectors: those of bodies and rows, remembered angles and broken joints. Contacts and
// islands are lists of their own.
template <class Visit, class... States>
void for_each_array(Visit&& visit, States&... s)
{
    for_each_body_array(visit, s...);
    for_each_row_array(visit, s...);
    visit(s.memory...);
    visit(s.broken...);
}

// Exchanges two states; half as many moves as by way of a third.
inline void swap_states(State& a, State& b) noexcept
{
    TAUT_ASSERT(a.p.size() == b.p.size());
    for_each_array([](auto& one, auto& other) { one.swap(other); }, a, b);
    a.contacts.swap(b.contacts);
    a.division.island_of.swap(b.division.island_of);
    a.division.islands.swap(b.division.islands);
    std::swap(a.time, b.time);
    std::swap(a.clock, b.clock);
    std::swap(a.steps, b.steps);
    std::swap(a.last_step, b.last_step);
}

// A body at a pose with a velocity, which it also had in the past; no wrench acts on it.
void append_body(State& state, const Vec3& p, const Quat& q, const Vec3& v, const Vec3& w);

// The state of a Model without bodies: the ground at the origin.
State make_state();

}  // namespace taut::model
