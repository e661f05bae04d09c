// Which bodies have to be solved together, and what they remember when that changes.
//
//     ground ── a ── b      c ══ kinematic ══ d      {a, b}, {c}, {d}: nothing that pulls at c can move d
//
// Bodies are connected by joints that hold, by springs and by contacts; the ground, fixed and kinematic bodies
// connect nothing, because no force moves them.
#pragma once

#include <vector>

#include "model/state.h"
#include "model/step_model.h"

namespace taut::islands {

// Per body the number of its island, −1 for bodies that no force moves. Islands are counted in the order of
// their lowest body. Returns how many there are.
int find_islands(const StepModel& model, const State& state, std::vector<int>& island_of);

// Passes what the state's islands remember on to those of another division.
//
// An island of the same bodies as before goes on. Islands that merge go on with the past that they have in
// common, and their ledgers add up; where the pasts differ, or a part of the power fed in would have to be
// told from the rest, the two-step scheme starts afresh. Parts of an island take their share of its kinetic_scale
// by mass and open ledgers of their own.
void carry_over(const Model& model, State& state, const std::vector<int>& island_of, int islands);

// Where a world that is stepped as one gets a body, or loses one for a time: what it remembers becomes that of an island of its
// first bodies; nobody has it where none of them moves.
void divide_as_one(const Model& model, State& state, std::size_t bodies);
// All but work and dissipation since time 0.
void forget_all(StepMemory& memory) noexcept;
// After bodies were removed: islands of none are no more.
void drop_empty_islands(Division& division);

// All in one: the numbers of the state itself are valid again, and its division is empty.
void merge_all(const Model& model, State& state);

}  // namespace taut::islands
