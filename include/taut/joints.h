// Short ways to describe the common joints. Points and axes in world coordinates.
#pragma once

#include <taut/defs.h>

namespace taut {

// A joint frame at `point` whose n is along `axis`; u and v are chosen, the same way every time.
JointFrame frame_along(const Vec3& point, const Vec3& axis);
// The same with u as near as possible to `toward`.
JointFrame frame_along(const Vec3& point, const Vec3& axis, const Vec3& toward);

JointDef ball(BodyId a, BodyId b, const Vec3& point);
JointDef hinge(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
// axis_a turns with a, axis_b with b; they must not be parallel and are made square.
JointDef universal(BodyId a, BodyId b, const Vec3& point, const Vec3& axis_a, const Vec3& axis_b);
JointDef prismatic(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
JointDef weld(BodyId a, BodyId b, const Vec3& point);
JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
// Pulls when taut, hangs slack otherwise; as long as it is at the start if no length is given [m].
JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length);
// Stops of the joint's angle [rad] or, where it slides along its axis only, of its slide [m].
JointDef limits(const JointDef& joint, Real lower, Real upper);
// Drives share the frames of the joint they drive.
JointDef motor(const JointDef& joint, Schedule speed);
JointDef servo(const JointDef& joint, Schedule target, Real stiffness, Real damping);

}  // namespace taut
