// All that a step changes, and all that a snapshot holds.
#pragma once

#include <cstdint>
#include <vector>

#include <taut/report.h>
#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::model {

// What a two-step scheme remembers of the state before the last step.
struct History {
    Real h =
        0;  // length of the last step; 0: nothing to look back on (start, restart, set from outside)
    Real time = 0;  // when that was
    std::vector<Vec3> p;
    std::vector<Quat> q;
    std::vector<Vec3> v, w;
    // Energy less the work fed in, as it was lately: what a step may not exceed by much [J].
    Real ledger = 0;
    Real ledger_open = 1;  // 1: to be read anew, because something was set from outside
    Real apart = 0;        // 1: joints were open when the last step began
    Real jammed = 0;  // for how long contacts that are pressed in are not asked to come out [s]

    // After anything but a step of a scheme that looks back.
    void forget() noexcept
    {
        h = 0;
        ledger_open = 1;
        jammed = 0;
    }
};

// Power fed in through rows at the state's time [W].
struct Power {
    Real motors = 0;
    Real prescribed = 0;
};

// A contact of the last step: which one, and the force on its body a [N].
struct ContactMemory {
    int collider_a = 0, collider_b = 0;
    std::uint64_t feature = 0;
    Vec3 p_b = Vec3::Zero();  // where it is on body b, body axes [m]
    Vec3 force = Vec3::Zero();
    Vec3 torque = Vec3::Zero();  // of rolling and spinning resistance, on body a [N m]
};

// What an island has for itself where the world is more than one: the same numbers that a State has for the
// whole, which are then those of the sum (work) or idle (the rest).
struct IslandMemory {
    Real h = 0, since = 0;  // of its History: h and time
    Real ledger = 0;
    Real ledger_open = 1;
    Real apart = 0, jammed = 0;
    Real turnover = 0;
    Work work;
    Power power;
    Real still = 0;   // how long nothing has moved in it [s]
    Real asleep = 0;  // 1: it is not solved

    // Something acts on it that did not before.
    void wake() noexcept { still = asleep = 0; }
    // Something was set from outside.
    void disturb() noexcept
    {
        wake();
        h = 0;
        ledger_open = 1;
        jammed = 0;
    }
};

// Which bodies the last step solved together. Empty: all of them.
struct Division {
    std::vector<int> island_of;  // per body, into `islands`; −1: it moves as told, or not at all
    std::vector<IslandMemory> islands;
};

struct State {
    Real time = 0;
    std::uint64_t steps = 0;
    std::vector<Vec3> p;  // per body: centre of mass [m]
    std::vector<Quat> q;  //           orientation, body → world, unit length
    std::vector<Vec3> v;  //           velocity of the centre of mass [m/s]
    std::vector<Vec3> w;  //           angular velocity, world axes [rad/s]
    std::vector<Vec3>
        spin_up;  //           angular acceleration of the last step beyond free rotation [rad/s²]
    std::vector<Wrench> wrench;  //           set from outside, at the centre of mass
    std::vector<Real> lambda;    // per row: multiplier of the last step [N or N m]
    std::vector<Real> stretch;   // per row: φ that the last solve reckoned with [m or rad]
    std::vector<Real> memory;    // remembered angles [rad]
    std::vector<ContactMemory> contacts;
    std::vector<Real> broken;  // per joint: 1 once it has given way
    Work work;
    Power power;
    Real turnover = 0;  // kinetic energy that residuals are measured against: peak, fading [J]
    History history;
    Division division;
};

}  // namespace taut::model
