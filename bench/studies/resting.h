// Configurations that are at rest from the start: contact forces that balance exist, and nothing needs to move.
#pragma once

#include <cstdint>
#include <string>

#include <taut/world.h>

namespace taut::study {

// A plank or a ladder against a wall, a stack, an arch, a chain or beads over a drum, by turns. The same for the same seed on any machine.
struct RestingScene {
    World world;
    std::string story;
};
RestingScene resting_scene(std::uint64_t seed);

// What a run of it cost. Its first steps find the contact forces: their solves do not count, what they move does.
struct RestOutcome {
    long steps = 0;
    long unsettled = 0;
    int most_solves = 0, median_solves = 0, high_solves = 0;  // per step; high: 99.9 % take no more
    bool still = false;  // the state repeated itself to the bit: all later steps are the same
    Real moved =
        0;  // farthest displacement of a body from where it was set, first steps included [m]
    bool rests() const
    {
        return unsettled == 0 && most_solves <= 5 && high_solves <= 2 * median_solves &&
               moved <= kMostMoved;
    }
    // What the first solves leave: 4e-6 m was seen at steps of 0.1 s.
    static constexpr Real kMostMoved = 1e-5;  // [m]
};
// Simulates `seconds`, but no more than `most` steps, and none once the state repeats itself.
RestOutcome watch_rest(World& world, const StepSettings& settings, Real seconds, long most);

}  // namespace taut::study
