// What has come to rest, and may be left alone.
//
// An island falls asleep when nothing in it has moved for half a second, and nothing that acts on it is about
// to change. Nothing moves: every body is slower than a millionth of the island's size per second, and gains less
// than a millionth of a fall per step: a pendulum at its turning point stands still, too, but is accelerated.
// A step in which a load, the target of a drive or a kinematic body changes wakes it; so does
// everything that makes it another island: a body that comes near enough for a contact, a joint that breaks.
#pragma once

#include "islands/island.h"

namespace taut::islands {

// Whether what acts on the island from outside is another in the step of dt that follows `time`.
bool schedules_change(const Model& model, Real time, Real dt) noexcept;

// After a step that the world has not seen yet: how long the island has been still, and whether it falls asleep.
void update_rest(const Island& island, const State& before, Real dt, IslandMemory& memory) noexcept;

// Sets its velocities to zero; returns the kinetic energy that was in them [J].
Real put_to_sleep(const Island& island, State& world, IslandMemory& memory) noexcept;

// By command: an island of the world's division sleeps from now on. What kinetic energy it had is booked as numerical dissipation.
Real put_to_sleep(const Model& model, State& state, int island) noexcept;

}  // namespace taut::islands
