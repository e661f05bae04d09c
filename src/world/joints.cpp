#include <taut/joints.h>

#include <cmath>
#include <limits>

#include <taut/catalogue.h>
#include <taut/world.h>

#include "core/text.h"

namespace taut {
namespace {

Quat quat_of_columns(const Vec3& u, const Vec3& v, const Vec3& n)
{
    Mat3 R;
    R << u, v, n;
    return Quat(R);
}

bool slides(const JointDef& joint)
{
    return joint.type == "prismatic" || joint.type == "slide_motor" || joint.type == "slide_servo";
}

}  // namespace

namespace detail {

JointDef between(const char* type, BodyId a, BodyId b, const JointFrame& frame)
{
    JointDef def;
    def.type = type;
    def.bodies = {a, b, kWorld};
    def.frames = {frame, frame, {}, {}};
    return def;
}

// Between two points, one on each body.
JointDef across(const char* type, BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b)
{
    JointDef def = between(type, a, b, {point_a, Quat::Identity()});
    def.frames[1].p = point_b;
    return def;
}

// Frames 0 and 1 on the axis of the second body, frames 2 and 3 on that of the third.
JointDef carried(const char* type, BodyId carrier, BodyId second, const JointFrame& at_second,
                 BodyId third, const JointFrame& at_third)
{
    JointDef def;
    def.type = type;
    def.bodies = {carrier, second, third};
    def.frames = {at_second, at_second, at_third, at_third};
    return def;
}

// u along the normal.
JointFrame frame_across(const Vec3& point, const Vec3& normal)
{
    const Mat3 R = frame_along(point, normal).q.toRotationMatrix();
    return {point, quat_of_columns(R.col(2), R.col(0), R.col(1))};
}

// What acts on the same bodies at the same frames.
JointDef attached(const JointDef& joint, const char* type, const char* suffix)
{
    JointDef def;
    def.type = type;
    if (!joint.name.empty()) def.name = joint.name + suffix;
    def.bodies = joint.bodies;
    def.frames = joint.frames;
    def.coordinates = joint.coordinates;
    def.max_force = joint.max_force;
    return def;
}

}  // namespace detail

JointFrame frame_along(const Vec3& point, const Vec3& axis)
{
    // the world axis that is farthest from n makes u
    const Vec3 n = axis.normalized();
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    return frame_along(point, axis, Vec3::Unit(least));
}

JointFrame frame_along(const Vec3& point, const Vec3& axis, const Vec3& toward)
{
    const Vec3 n = axis.normalized();
    const Vec3 u = (toward - n * n.dot(toward)).normalized();
    return {point, quat_of_columns(u, n.cross(u), n)};
}

// --- limits and drives ---

JointDef limits(const JointDef& joint, Real lower, Real upper)
{
    return slides(joint) ? slide_limits(joint, lower, upper) : angle_limits(joint, lower, upper);
}

JointDef motor(const JointDef& joint, Schedule speed)
{
    return slides(joint) ? slide_motor(joint, std::move(speed))
                         : hinge_motor(joint, std::move(speed));
}

JointDef servo(const JointDef& joint, Schedule target, Real stiffness, Real damping)
{
    return slides(joint) ? slide_servo(joint, std::move(target), stiffness, damping)
                         : hinge_servo(joint, std::move(target), stiffness, damping);
}

// --- of joints that were added ---

// Bodies, frames and type of a joint with an axis that can be driven.
static Result<JointDef> drivable(const World& world, JointId id, const char* what)
{
    if (!world.contains(id))
        return Error{core::text(what, ": no such joint in this world: index is ", id.index,
                                ", generation ", id.generation)};
    JointDef def;
    def.name = world.name(id);
    def.type = world.type(id);
    const JointTypeInfo* type = find_joint_type(def.type);
    if (!type || !type->drivable) {
        std::string allowed;
        for (const JointTypeInfo& one : joint_types())
            if (one.drivable) allowed += core::text(allowed.empty() ? "" : ", ", one.name);
        return Error{core::text(what, ": joint '", def.name, "' is of type ", def.type,
                                ", which has no axis to act on; allowed are ", allowed)};
    }
    def.bodies = world.bodies(id);
    if (!def.bodies[2].valid()) def.bodies[2] = kWorld;
    for (int side = 0; side < 2; ++side)
        def.frames[static_cast<std::size_t>(side)] = world.frame(id, side);
    def.coordinates = Coordinates::Body;
    return def;
}

Result<JointId> World::add_limits(JointId joint, Real lower, Real upper)
{
    auto of = drivable(*this, joint, "limits");
    if (!of) return of.error();
    return add_joint(limits(*of, lower, upper));
}

Result<JointId> World::add_motor(JointId joint, const Schedule& speed, Real max_force)
{
    auto of = drivable(*this, joint, "motor");
    if (!of) return of.error();
    of->max_force = max_force;
    return add_joint(motor(*of, speed));
}

Result<JointId> World::add_servo(JointId joint, const Schedule& target, Real stiffness,
                                 Real damping, Real max_force)
{
    auto of = drivable(*this, joint, "servo");
    if (!of) return of.error();
    of->max_force = max_force;
    return add_joint(servo(*of, target, stiffness, damping));
}

}  // namespace taut
