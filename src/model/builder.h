// Checks descriptions and adds them to a model and its state, whole or not at all.
#pragma once

#include <string>

#include <taut/defs.h>
#include <taut/result.h>

#include "model/model.h"
#include "model/state.h"

namespace taut::model {

Result<BodyIndex> add_body(Model& model, State& state, const BodyDef& def);
Result<int> add_joint(Model& model, State& state, const JointDef& def);  // index into Model::joints
Result<int> add_spring(Model& model, State& state, const SpringDef& def);  // into Model::springs
Result<int> add_load(Model& model, const LoadDef& def);                    // into Model::loads

// An error names `me`, and what a schedule may be.
Status check_schedule(const std::string& me, const Schedule& schedule);

// Another mass and, of a rigid body, inertia [kg, kg m²], of a body that forces move; its centre of mass stays.
Status set_mass(Model& model, BodyIndex b, Real mass, const Mat3& inertia);

// Pose of the centre of mass as constraints see it.
inline BodyPose body_pose(const State& state, BodyIndex body) noexcept
{
    return {state.p[body], state.q[body].toRotationMatrix()};
}

}  // namespace taut::model
