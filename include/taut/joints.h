// Builders: one function for every type of joint_types(), with the numbers it asks for. Points and axes are in world coordinates, at
// the poses that the bodies have when the joint is added; what is left to choose stands in the JointDef that they return:
//
//     taut::JointDef axle = taut::hinge(frame, wheel, {0, 0, 1}, taut::Vec3::UnitY());
//     axle.name = "axle";
//     axle.break_force = 5e3;  // [N]
//     const auto id = world.add_joint(axle);
#pragma once

#include <taut/defs.h>

namespace taut {

// A joint frame at `point` with n along `axis`; u and v are chosen deterministically.
JointFrame frame_along(const Vec3& point, const Vec3& axis);
// The same with u as close as possible to `toward`.
JointFrame frame_along(const Vec3& point, const Vec3& axis, const Vec3& toward);

// --- joints of two bodies ---
JointDef ball(BodyId a, BodyId b, const Vec3& point);
JointDef hinge(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
// axis_a is fixed in body a, axis_b in body b; they must not be parallel and are made orthogonal.
JointDef universal(BodyId a, BodyId b, const Vec3& point, const Vec3& axis_a, const Vec3& axis_b);
// Slides along the axis.
JointDef prismatic(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
// Slides along the axis and turns about it.
JointDef cylindrical(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
// Slides along the axis by `pitch` per turn about it, right-hand if positive [m/turn].
JointDef screw(BodyId a, BodyId b, const Vec3& point, const Vec3& axis, Real pitch);
// Slides in the plane across `normal` and turns about it.
JointDef planar(BodyId a, BodyId b, const Vec3& point, const Vec3& normal);
// The point of body b stays on the line, or in the plane, that is fixed in body a.
JointDef point_on_line(BodyId a, BodyId b, const Vec3& point, const Vec3& axis);
JointDef point_on_plane(BodyId a, BodyId b, const Vec3& point, const Vec3& normal);
JointDef weld(BodyId a, BodyId b, const Vec3& point);
JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length);
// Limits the distance of two points to `length` [m]; the default is the initial distance.
JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length);

// --- transmissions between two bodies that a third one carries, each on a hinge or slide of its own ---
struct GearWheel {
    BodyId body;
    Vec3 point = Vec3::Zero();  // on its axis
    Vec3 axis = Vec3::UnitZ();
    Real radius = 1;  // [m]
};
// Wheels on parallel axes turn against each other; the radius of a ring with inside teeth is negative.
JointDef gear(BodyId carrier, const GearWheel& first, const GearWheel& second);
// The rack slides along `axis` by the radius of the pinion per radian.
JointDef rack_and_pinion(BodyId carrier, const GearWheel& pinion, BodyId rack, const Vec3& point,
                         const Vec3& axis);

// --- single constraints, of which joints are made ---
JointDef distance(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
JointDef distance(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length);
// axis_a, fixed in body a, stays orthogonal to axis_b, fixed in body b; they are made orthogonal.
JointDef dot_1(BodyId a, BodyId b, const Vec3& axis_a, const Vec3& axis_b);
// The point of body b stays in the plane across `normal`, which is fixed in body a.
JointDef dot_2(BodyId a, BodyId b, const Vec3& point, const Vec3& normal);
JointDef axial_lock(BodyId a, BodyId b, const Vec3& axis);  // no relative spin about the axis
JointDef bend(BodyId a, BodyId b, const Vec3& axis);        // the axes of both bodies stay parallel
JointDef twist(BodyId a, BodyId b, const Vec3& axis);       // no relative angle about the axis
JointDef rotation_vector(BodyId a, BodyId b);               // no relative rotation

// --- limits and drives of a joint that is described: with its bodies and frames. World::add_limits() and its neighbours take the id
// of a joint that was added. ---
// Limits of the angle of a joint [rad] or, for types that only translate along the axis, of its displacement [m].
JointDef limits(const JointDef& joint, Real lower, Real upper);
JointDef motor(const JointDef& joint, Schedule speed);
JointDef servo(const JointDef& joint, Schedule target, Real stiffness, Real damping);

// --- the same by type, for a joint that turns and slides ---
JointDef angle_limits(const JointDef& joint, Real lower, Real upper);  // [rad]
JointDef slide_limits(const JointDef& joint, Real lower, Real upper);  // [m]
JointDef hinge_motor(const JointDef& joint, Schedule speed);           // [rad/s]
JointDef slide_motor(const JointDef& joint, Schedule speed);           // [m/s]
// [rad, N m/rad, N m s/rad]
JointDef hinge_servo(const JointDef& joint, Schedule target, Real stiffness, Real damping);
// [m, N/m, N s/m]
JointDef slide_servo(const JointDef& joint, Schedule target, Real stiffness, Real damping);

}  // namespace taut
