#include <taut/joints.h>

#include <cmath>

namespace taut {
namespace {

JointDef between(const char* type, BodyId a, BodyId b, const JointFrame& frame)
{
    JointDef def;
    def.type = type;
    def.bodies = {a, b, kWorld};
    def.frames = {frame, frame, {}, {}};
    return def;
}

Quat quat_of_columns(const Vec3& u, const Vec3& v, const Vec3& n)
{
    Mat3 R;
    R << u, v, n;
    return Quat(R);
}

JointDef drive(const JointDef& joint, const char* turning, const char* sliding)
{
    JointDef def = joint;
    const bool slides =
        joint.type == "prismatic" || joint.type == "slide_motor" || joint.type == "slide_servo";
    def.type = slides ? sliding : turning;
    def.name = joint.name.empty() ? std::string() : joint.name + ".drive";
    def.parameters.clear();
    def.compliance = def.angular_compliance = def.damping_time = 0;
    def.row_compliance.clear();
    def.row_damping_time.clear();
    def.break_force = def.break_torque = std::numeric_limits<Real>::infinity();
    return def;
}

}  // namespace

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

JointDef ball(BodyId a, BodyId b, const Vec3& point)
{
    return between("ball", a, b, {point, Quat::Identity()});
}

JointDef hinge(BodyId a, BodyId b, const Vec3& point, const Vec3& axis)
{
    return between("hinge", a, b, frame_along(point, axis));
}

JointDef universal(BodyId a, BodyId b, const Vec3& point, const Vec3& axis_a, const Vec3& axis_b)
{
    return between("universal", a, b, frame_along(point, axis_a, axis_b));
}

JointDef prismatic(BodyId a, BodyId b, const Vec3& point, const Vec3& axis)
{
    return between("prismatic", a, b, frame_along(point, axis));
}

JointDef weld(BodyId a, BodyId b, const Vec3& point)
{
    return between("weld", a, b, {point, Quat::Identity()});
}

JointDef rod(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b)
{
    JointDef def = between("rod", a, b, {point_a, Quat::Identity()});
    def.frames[1].p = point_b;
    return def;
}

JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b)
{
    JointDef def = rod(a, b, point_a, point_b);
    def.type = "rope";
    return def;
}

JointDef rope(BodyId a, BodyId b, const Vec3& point_a, const Vec3& point_b, Real length)
{
    JointDef def = rope(a, b, point_a, point_b);
    def.parameters = {{"length", length}};
    return def;
}

JointDef limits(const JointDef& joint, Real lower, Real upper)
{
    JointDef def = drive(joint, "angle_limits", "slide_limits");
    def.name = joint.name.empty() ? std::string() : joint.name + ".limits";
    def.parameters = {{"lower", lower}, {"upper", upper}};
    return def;
}

JointDef motor(const JointDef& joint, Schedule speed)
{
    JointDef def = drive(joint, "hinge_motor", "slide_motor");
    def.target = std::move(speed);
    return def;
}

JointDef servo(const JointDef& joint, Schedule target, Real stiffness, Real damping)
{
    JointDef def = drive(joint, "hinge_servo", "slide_servo");
    def.target = std::move(target);
    def.parameters = {{"stiffness", stiffness}, {"damping", damping}};
    return def;
}

}  // namespace taut
