// Numbers of joint types from outside.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::constraints {

struct CustomSettings {
    // Step of the differences of J that are the default of K̃ [m, rad]: truncation step² and rounding 1e-16/step are both near 1e-11.
    // K̃ decides how fast a step converges, not where to.
    Real stiffness_step = 5e-6;

    // check_derivatives()
    Real check_step =
        0.02;  // first of three steps, as in the suites of the engine's types [m, rad]
    Real allowed_jacobian = 1e-7;   // error over the largest entry of the row [-]
    Real allowed_stiffness = 1e-6;  // K̃ may itself be made of differences [-]
    Real smallest_scale = 1e-3;     // entries below this are compared absolutely [-]
    int random_poses = 100;
    unsigned seed = 20240229;
};
inline constexpr CustomSettings kCustom;

}  // namespace taut::constraints
