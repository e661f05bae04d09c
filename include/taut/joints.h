// Builders: one function for every type of joint_types(), with the numbers it asks for. Points and axes are in world coordinates, at
// the poses that the bodies have when the joint is added; what is left to choose stands in the JointDef that they return:
//
//     taut::World world;
//     const taut::BodyId wheel = world.add_body(taut::solid(taut::Shape::cylinder(0.3, 0.1), 700).value()).value();
//     taut::JointDef axle = taut::hinge(taut::kWorld, wheel, {0, 0, 0}, taut::Vec3::UnitZ());
//     axle.name = "axle";
//     axle.break_force = 5e3;  // [N]
//     const taut::JointId id = world.add_joint(axle).value();
//     world.add_motor(id, 2).value();  // [rad/s]
#pragma once

#include <limits>
#include <utility>

#include <taut/defs.h>

namespace taut {

// A joint frame at `point` with n along `axis`; u and v are chosen deterministically.
JointFrame frame_along(const Vec3& point, const Vec3& axis);
// The same with u as close as possible to `toward`.
JointFrame frame_along(const Vec3& point, const Vec3& axis, const Vec3& toward);

namespace detail {
// Both frames are `frame`.
JointDef between(const char* type, BodyId a, BodyId b, const JointFrame& frame);
// Between two points, one on each body.
JointDef across(const char* type, BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b);
// Frames 0 and 1 on the axis of the second body, frames 2 and 3 on that of the third.
JointDef carried(const char* type, BodyId carrier, BodyId second, const JointFrame& at_second,
                 BodyId third, const JointFrame& at_third);
// What acts on the same bodies at the same frames.
JointDef attached(const JointDef& joint, const char* type, const char* suffix);
// u along the normal.
JointFrame frame_across(const Vec3& point, const Vec3& normal);
inline JointDef with(JointDef def, const char* parameter, Real value)
{
    def.parameters.emplace_back(parameter, value);
    return def;
}
}  // namespace detail

// --- joints of two bodies ---
inline JointDef ball(BodyId a, BodyId b, const Vec3& point)
{
    return detail::between("ball", a, b, {point, Quat::Identity()});
}
inline JointDef hinge(BodyId a, BodyId b, const Vec3& point, const Vec3& axis)
{
    return detail::between("hinge", a, b, frame_along(point, axis));
}
// axis_a is fixed in body a, axis_b in body b; they must not be parallel and are made orthogonal.
inline JointDef universal(BodyId a, BodyId b, const Vec3& point, const Vec3& axis_a,
                          const Vec3& axis_b)
{
    return detail::between("universal", a, b, frame_along(point, axis_a, axis_b));
}
// Slides along the axis.
inline JointDef prismatic(BodyId a, BodyId b, const Vec3& point, const Vec3& axis)
{
    return detail::between("prismatic", a, b, frame_along(point, axis));
}
// Slides along the axis and turns about it.
inline JointDef cylindrical(BodyId a, BodyId b, const Vec3& point, const Vec3& axis)
{
    return detail::between("cylindrical", a, b, frame_along(point, axis));
}
// Slides along the axis by `pitch` per turn about it, right-hand if positive [m/turn].
inline JointDef screw(BodyId a, BodyId b, const Vec3& point, const Vec3& axis, Real pitch)
{
    return detail::with(detail::between("screw", a, b, frame_along(point, axis)), "pitch", pitch);
}
// Slides in the plane across `normal` and turns about it.
inline JointDef planar(BodyId a, BodyId b, const Vec3& point, const Vec3& normal)
{
    return detail::between("planar", a, b, frame_along(point, normal));
}
// The point of body b stays on the line, or in the plane, that is fixed in body a.
inline JointDef point_on_line(BodyId a, BodyId b, const Vec3& point, const Vec3& axis)
{
    return detail::between("point_on_line", a, b, frame_along(point, axis));
}
inline JointDef point_on_plane(BodyId a, BodyId b, const Vec3& point, const Vec3& normal)
{
    return detail::between("point_on_plane", a, b, frame_along(point, normal));
}
inline JointDef weld(BodyId a, BodyId b, const Vec3& point)
{
    return detail::between("weld", a, b, {point, Quat::Identity()});
}
inline JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b)
{
    return detail::across("rod", a, b, point_a, point_b);
}
inline JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length)
{
    return detail::with(rod(a, b, point_a, point_b), "length", length);
}
// Limits the distance of two points to `length` [m]; the default is the initial distance.
inline JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b)
{
    return detail::across("rope", a, b, point_a, point_b);
}
inline JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length)
{
    return detail::with(rope(a, b, point_a, point_b), "length", length);
}

// --- transmissions between two bodies that a third one carries, each on a hinge or slide of its own ---
struct GearWheel {
    BodyId body;
    Vec3 point = Vec3::Zero();  // on its axis
    Vec3 axis = Vec3::UnitZ();
    Real radius = 1;  // [m]
};
// Wheels on parallel axes turn against each other; the radius of a ring with inside teeth is negative.
inline JointDef gear(BodyId carrier, const GearWheel& first, const GearWheel& second)
{
    JointDef def =
        detail::carried("gear", carrier, first.body, frame_along(first.point, first.axis),
                        second.body, frame_along(second.point, second.axis));
    def.parameters = {{"radius_1", first.radius}, {"radius_2", second.radius}};
    return def;
}
// The rack slides along `axis` by the radius of the pinion per radian.
inline JointDef rack_and_pinion(BodyId carrier, const GearWheel& pinion, BodyId rack,
                                const Vec3& point, const Vec3& axis)
{
    return detail::with(
        detail::carried("rack_and_pinion", carrier, pinion.body,
                        frame_along(pinion.point, pinion.axis), rack, frame_along(point, axis)),
        "radius", pinion.radius);
}

// --- single constraints, of which joints are made ---
inline JointDef distance(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b)
{
    return detail::across("distance", a, b, point_a, point_b);
}
inline JointDef distance(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length)
{
    return detail::with(distance(a, b, point_a, point_b), "length", length);
}
// axis_a, fixed in body a, stays orthogonal to axis_b, fixed in body b; they are made orthogonal.
inline JointDef dot_1(BodyId a, BodyId b, const Vec3& axis_a, const Vec3& axis_b)
{
    return detail::between("dot_1", a, b, frame_along(Vec3::Zero(), axis_a, axis_b));
}
// The point of body b stays in the plane across `normal`, which is fixed in body a.
inline JointDef dot_2(BodyId a, BodyId b, const Vec3& point, const Vec3& normal)
{
    return detail::between("dot_2", a, b, detail::frame_across(point, normal));
}
// no relative spin about the axis
inline JointDef axial_lock(BodyId a, BodyId b, const Vec3& axis)
{
    return detail::between("axial_lock", a, b, frame_along(Vec3::Zero(), axis));
}
// the axes of both bodies stay parallel
inline JointDef bend(BodyId a, BodyId b, const Vec3& axis)
{
    return detail::between("bend", a, b, frame_along(Vec3::Zero(), axis));
}
// no relative angle about the axis
inline JointDef twist(BodyId a, BodyId b, const Vec3& axis)
{
    return detail::between("twist", a, b, frame_along(Vec3::Zero(), axis));
}
// no relative rotation
inline JointDef rotation_vector(BodyId a, BodyId b)
{
    return detail::between("rotation_vector", a, b, JointFrame{});
}

// --- limits and drives of a joint that is described: with its bodies and frames. World::add_limits() and its neighbours take the id
// of a joint that was added. ---
// Limits of the angle of a joint [rad] or, for types that only translate along the axis, of its displacement [m].
JointDef limits(const JointDef& joint, Real lower, Real upper);
JointDef motor(const JointDef& joint, Schedule speed);
JointDef servo(const JointDef& joint, Schedule target, Real stiffness, Real damping);

// --- the same by type, for a joint that turns and slides ---
// [rad]
inline JointDef angle_limits(const JointDef& joint, Real lower, Real upper)
{
    JointDef def = detail::attached(joint, "angle_limits", ".limits");
    def.max_force = std::numeric_limits<Real>::infinity();
    def.parameters = {{"lower", lower}, {"upper", upper}};
    return def;
}
// [m]
inline JointDef slide_limits(const JointDef& joint, Real lower, Real upper)
{
    JointDef def = angle_limits(joint, lower, upper);
    def.type = "slide_limits";
    return def;
}
// [rad/s]
inline JointDef hinge_motor(const JointDef& joint, Schedule speed)
{
    JointDef def = detail::attached(joint, "hinge_motor", ".drive");
    def.target = std::move(speed);
    return def;
}
// [m/s]
inline JointDef slide_motor(const JointDef& joint, Schedule speed)
{
    JointDef def = hinge_motor(joint, std::move(speed));
    def.type = "slide_motor";
    return def;
}
// [rad, N m/rad, N m s/rad]
inline JointDef hinge_servo(const JointDef& joint, Schedule target, Real stiffness, Real damping)
{
    JointDef def = detail::attached(joint, "hinge_servo", ".drive");
    def.target = std::move(target);
    def.parameters = {{"stiffness", stiffness}, {"damping", damping}};
    return def;
}
// [m, N/m, N s/m]
inline JointDef slide_servo(const JointDef& joint, Schedule target, Real stiffness, Real damping)
{
    JointDef def = hinge_servo(joint, std::move(target), stiffness, damping);
    def.type = "slide_servo";
    return def;
}

}  // namespace taut
