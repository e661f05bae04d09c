// One classical method: from a state to the state one step later.
#pragma once

#include "stepper/classical/equations.h"

namespace taut::stepper::classical {

// What a method leaves behind besides the new poses, velocities, multipliers and work.
struct Outcome {
    const char* refused = nullptr;  // static text: why the method cannot treat this scene
    const char* failed = nullptr;   // static text: why the step was not taken
    int solves = 0;
    Real residual = 0;  // of the worst linear solve, relative
};

// `next` comes in as a copy of the state with prescribed motion at the start of the step, and goes out
// with poses, velocities, multipliers and work at its end; time, angles and stretches are the caller's.
using ClassicalMethod = Outcome (*)(const Mechanism& mechanism, State& next);

Outcome step_penalty(const Mechanism& mechanism, State& next);
Outcome step_implicit_penalty(const Mechanism& mechanism, State& next);
Outcome step_lagrange(const Mechanism& mechanism, State& next);
Outcome step_baumgarte(const Mechanism& mechanism, State& next);
Outcome step_post_stabilisation(const Mechanism& mechanism, State& next);
Outcome step_shake(const Mechanism& mechanism, State& next);
Outcome step_fast_projection(const Mechanism& mechanism, State& next);
Outcome step_reduced(const Mechanism& mechanism, State& next);

}  // namespace taut::stepper::classical
