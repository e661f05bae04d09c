// The two ends of a step: what it starts from, and what it leaves behind.
#pragma once

#include "stepper/step.h"

namespace taut::stepper {

SchemeWeights scheme_weights(const StepSettings& settings, Real time) noexcept;

// Prescribed motion, free rotation of every body, loads: fills work.linear.bodies and loads.
void begin(const StepModel& model, const State& state, const SchemeWeights& scheme,
           Workspace& work) noexcept;

// work.next ← the state that the solved velocities lead to, with multipliers, stretches and work done.
void advance(const StepModel& model, const State& state, const SchemeWeights& scheme,
             Workspace& work) noexcept;

// Loads and wrenches at the poses of work.bodies, for the time that the scheme weighs.
void gather_loads(const StepModel& model, const State& state, const SchemeWeights& scheme,
                  Linearisation& work) noexcept;

// Whether a wrench acts that was set from outside.
bool any_wrench(const State& state) noexcept;

// Angles that joints and springs remember, brought up to date with the poses.
void remember_angles(const Model& model, State& next) noexcept;

// Remembered angles of `next` on the turn that its bodies reach within h by their velocities.
void predict_angles(const Model& model, const State& state, Real h, State& next) noexcept;

// Poses and velocities are finite, and small enough that the next step can square them.
bool is_finite_and_bounded(const State& state) noexcept;

}  // namespace taut::stepper
