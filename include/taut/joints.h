// Helper functions that describe common joints. Points and axes are in world coordinates.
#pragma once

#include <taut/defs.h>

namespace taut {

// A joint frame at `point` with n along `axis`; u and v are chosen deterministically.
JointFrame frame_along(const Vec3& point, const Vec3& axis);
// The same with u as close as possible to `toward`.
JointFrame frame_along(const Vec3& point, const Vec3& axis, const Vec3& toward);

JointDef ball(BodyId a, BodyId b, const Vec3& point);
JointDef hinge(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
// axis_a is fixed in body a, axis_b in body b; they must not be parallel and are made orthogonal.
JointDef universal(BodyId a, BodyId b, const Vec3& point, const Vec3& axis_a, const Vec3& axis_b);
JointDef prismatic(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
JointDef weld(BodyId a, BodyId b, const Vec3& point);
JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
// Limits the distance of two points to `length` [m]; the default is the initial distance.
JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length);
// Limits of the angle of a joint [rad] or, for types that only translate along the axis, of its displacement [m].
JointDef limits(const JointDef& joint, Real lower, Real upper);
// A drive uses the same frames as the joint that it drives.
JointDef motor(const JointDef& joint, Schedule speed);
JointDef servo(const JointDef& joint, Schedule target, Real stiffness, Real damping);

}  // namespace taut
