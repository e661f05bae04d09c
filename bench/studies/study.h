// What every study does: run a world, measure it, spread the work over threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <taut/world.h>

#include "mechanisms.h"

namespace taut::study {

// What a run may do and still count as stable; docs/results and decision 15 say the same.
struct StudyLimits {
    Real rise = 0.005;  // of energy, over the largest kinetic energy
    Real gap = 1e-3;    // over the size
};
inline constexpr StudyLimits kLimits;

// What came of a run.
struct Outcome {
    bool finite = true;  // every step led somewhere
    Real rise = 0;    // most by which energy exceeded start + work fed in, over the largest kinetic
    Real gap = 0;     // largest joint gap beyond elastic stretch, over the size
    Real kept = 0;    // largest kinetic energy of the last fifth over the largest of all
    Real solves = 0;  // factorisations, mean per step
    int most_solves = 0;  // in one step
    long halvings = 0;
    long unsettled = 0;    // steps handed out at the cap on solves
    long unexplained = 0;  // settled steps with a body that moved farther than its velocities tell
    bool stable() const { return finite && rise <= kLimits.rise && gap <= kLimits.gap; }
};

// Whether bodies move as their velocities tell.
class DisplacementCheck {
public:
    explicit DisplacementCheck(const World& world);
    bool explains(const World& world, const StepReport& report, Real dt);  // after every step

private:
    std::vector<Vec3> p_, v_;
    std::vector<Real> change_;  // recent changes of velocity [m/s]
    int whole_steps_ = 0, taken_ = 0;
};

Outcome run(World& world, const StepSettings& settings, Real seconds);
Outcome run(const Cell& cell, Real seconds, const StepSettings& like = {});

// What an undriven motion must keep: energy, and displacements that its velocities explain.
struct MotionCheck {
    Real gained = 0;       // rise of energy above the start plus work [J]
    Real kinetic = 0;      // largest at the ends of steps [J]
    Real rise = 0;         // the one over the other
    long unexplained = 0;  // settled steps with a body that moved farther than its velocities tell
    long unsettled = 0, taken = 0;
    bool finite = true;
};
MotionCheck check_motion(World& world, const StepSettings& settings, int steps);

// Largest kinetic energy in the last `window` seconds over that in the first; −1: it failed, that is, a step could
// not be taken, a joint came apart, or energy appeared.
Real kept_of_swing(World& world, const StepSettings& settings, Real seconds, Real window);

// Calls job(0 … count−1) on so many threads, with a progress bar on a terminal. Jobs may finish in any
// order: each writes to its own place.
void spread(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

// "--name VALUE" of a command line; studies have few options and no need of a library for them.
class Arguments {
public:
    Arguments(int count, char** words, std::string usage);  // prints the usage and ends on --help
    std::string text(const std::string& name, const std::string& fallback);
    double number(const std::string& name, double fallback);
    bool flag(const std::string& name);
    void done();  // complains about what nobody asked for, exit code 2

private:
    std::vector<std::string> words_;
    std::string usage_;
};

}  // namespace taut::study
