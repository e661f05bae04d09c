// Thresholds of the model: value, unit, and where it comes from. Those of the step are in stepper/guard_settings.h.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::model {

// What a description must satisfy.
struct DescriptionThresholds {
    Real unit_length = 1e-6;  // [-] a quaternion may be off unit length by this: typed digits
    // [-] of the largest entry, and of the sum of two moments: an inertia may be unsymmetric, or exceed what a real body has, by
    // this: rounding of the tools that it comes from, assumed
    Real inertia_rounding = 1e-9;
    Real least_length = 1e-12;     // [-] or [m]: a shorter vector has no direction
    Real torque_rounding = 1e-12;  // [m] arm of a row about a particle: below it there is none
    Real least_size = 1e-9;        // [m] a smaller mechanism is measured against one metre
    // Numbers of schedules, in their units: squares and products of a step fit into a double.
    Real largest_scheduled = 1e100;
    // [Hz] of a sine: above it the phase has no digit left after a second
    Real largest_frequency = 1e15;
};
inline constexpr DescriptionThresholds kDescription;

// Which of the cheaper forms of its inertia a body has.
struct InertiaThresholds {
    Real rounding = 1e-14;  // [-] of the moments: what the eigenvalues are off by, 50 ulp
    Real round = 0.05;      // [-] anisotropy up to which no axis is worth following: assumed
};
inline constexpr InertiaThresholds kInertia;

// Angles of bodies that turn by more than half a turn in a step are followed in pieces.
struct AngleThresholds {
    Real piece = 1.5;  // [rad] of one piece: below half a turn for two bodies against each other
    Real most_pieces = 1000;  // faster rotations lose turns: bounds the time of a step
};
inline constexpr AngleThresholds kAngles;

}  // namespace taut::model
