// Where kinematic bodies are at a time, and how fast they get there.
#pragma once

#include "model/model.h"

namespace taut::model {

// Pose of the body's origin that its motion prescribes.
Pose prescribed_pose(const BodyDetails& body, Real time) noexcept;

// By which rotation vector a commanded body turns between two times [rad]; less than half a turn a step.
Vec3 commanded_turn(const BodyDetails& body, Real from, Real to) noexcept;

// Puts a kinematic body where its motion prescribes at a time; bodies of other kinds stay where they are. `at` has the
// arrays p and q: a State or its History.
template <class Poses>
void apply_kinematic_motion(const Model& model, BodyIndex b, Real time, Poses& at) noexcept
{
    if (model.bodies[b].kind != BodyKind::Kinematic) return;
    const Pose to = prescribed_pose(model.body_details[b], time);
    at.p[b] = to.p + to.q * model.bodies[b].com;
    at.q[b] = to.q;
}

// Mean velocity of a kinematic body over a step: its centre of mass leaves `from` and arrives where the motion prescribes
// at the end of the step.
Twist kinematic_velocity(const Model& model, BodyIndex b, const Vec3& from, Real time,
                         Real dt) noexcept;

}  // namespace taut::model
