// The tables of readings: name, unit, description and function of each. readings.h looks them up.
#pragma once

#include <string_view>

#include "readings/readings.h"

namespace taut::readings {

// Sums over contact points: of a world, of a body, or between two bodies.
struct ContactSum {
    int count = 0;            // points that carry force
    Real normal = 0;          // sum of the normal forces [N]
    Real penetration = 0;     // largest [m]
    Vec3 net = Vec3::Zero();  // net force on the body [N]
};
ContactSum sum_contacts(const World& world);
ContactSum sum_contacts(const World& world, BodyId body);
ContactSum sum_contacts(const World& world, BodyId body, BodyId other);
int broken_joints(const World& world) noexcept;

struct WorldField {
    std::string_view name, unit, summary;
    Real (*read)(const World&);
};

struct BodyView {
    Pose pose;
    Twist velocity;  // in world axes or body axes
    Vec3 centre;
    BodyDamping damping;
};

struct BodyField {
    std::string_view name, unit, summary;
    bool has_axes;  // available in body axes: NAME.wx@body
    Real (*read)(const BodyView&);
};

struct BodyContactField {
    std::string_view name, unit, summary;
    Real (*read)(const ContactSum&);
};

struct JointField {
    std::string_view name, unit, summary;
    bool has_axes;  // available in other axes: NAME.force.x@body0
    Real (*read)(const JointReading&);
};

inline constexpr WorldField kWorldFields[] = {
    {"time", "s", "simulated time", [](const World& w) { return w.time(); }},

    {"energy.translation", "J", "kinetic energy of translation",
     [](const World& w) { return w.energy().translation; }},
    {"energy.rotation", "J", "kinetic energy of rotation",
     [](const World& w) { return w.energy().rotation; }},
    {"energy.gravity", "J", "potential energy, zero at height 0",
     [](const World& w) { return w.energy().gravity; }},
    {"energy.joints", "J", "stored in compliant joints",
     [](const World& w) { return w.energy().joints; }},
    {"energy.springs", "J", "stored in springs", [](const World& w) { return w.energy().springs; }},
    {"energy.kinetic", "J", "translation and rotation",
     [](const World& w) { return w.energy().kinetic(); }},
    {"energy.total", "J", "sum of the above; constant in a conservative scene",
     [](const World& w) { return w.energy().total(); }},
    {"energy.balance", "J", "total energy minus the work done on the scene",
     [](const World& w) { return w.energy().total() - w.work().total(); }},

    {"work.motors", "J", "done by motors and servos since time 0",
     [](const World& w) { return w.work().motors; }},
    {"work.prescribed", "J", "done by kinematic bodies and moving surfaces",
     [](const World& w) { return w.work().prescribed; }},
    {"work.loads", "J", "done by applied forces", [](const World& w) { return w.work().loads; }},
    {"work.total", "J", "sum of the above", [](const World& w) { return w.work().total(); }},

    {"dissipation.damping", "J", "taken by damped joints and springs since time 0",
     [](const World& w) { return w.dissipation().damping; }},
    {"dissipation.friction", "J", "taken by friction of contacts",
     [](const World& w) { return w.dissipation().friction; }},
    {"dissipation.impacts", "J", "lost in impacts and in joints that break",
     [](const World& w) { return w.dissipation().impacts; }},
    {"dissipation.numerical", "J",
     "taken by the time integration itself; negative if it added energy",
     [](const World& w) { return w.dissipation().numerical; }},

    {"momentum.linear.x", "kg m/s", "of all bodies",
     [](const World& w) { return w.momentum().linear.x(); }},
    {"momentum.linear.y", "kg m/s", "", [](const World& w) { return w.momentum().linear.y(); }},
    {"momentum.linear.z", "kg m/s", "", [](const World& w) { return w.momentum().linear.z(); }},
    {"momentum.angular.x", "kg m^2/s", "of all bodies, about the world's origin",
     [](const World& w) { return w.momentum().angular.x(); }},
    {"momentum.angular.y", "kg m^2/s", "", [](const World& w) { return w.momentum().angular.y(); }},
    {"momentum.angular.z", "kg m^2/s", "", [](const World& w) { return w.momentum().angular.z(); }},

    {"gap.max", "m", "largest error of a joint row that measures length",
     [](const World& w) { return w.joint_gap(); }},
    {"gap.angular", "rad", "largest error of a joint row that measures angle",
     [](const World& w) { return w.angular_gap(); }},

    {"contact.count", "-", "contact points that carry force",
     [](const World& w) { return Real(sum_contacts(w).count); }},
    {"contact.force", "N", "sum of all normal contact forces",
     [](const World& w) { return sum_contacts(w).normal; }},
    {"contact.penetration", "m", "largest penetration before the step",
     [](const World& w) { return sum_contacts(w).penetration; }},
    {"joints.broken", "-", "number of broken joints",
     [](const World& w) { return Real(broken_joints(w)); }},
};

inline constexpr BodyField kBodyFields[] = {
    {"x", "m", "position of the body's origin", false,
     [](const BodyView& b) { return b.pose.p.x(); }},
    {"y", "m", "", false, [](const BodyView& b) { return b.pose.p.y(); }},
    {"z", "m", "", false, [](const BodyView& b) { return b.pose.p.z(); }},
    {"qw", "-", "orientation, a unit quaternion", false,
     [](const BodyView& b) { return b.pose.q.w(); }},
    {"qx", "-", "", false, [](const BodyView& b) { return b.pose.q.x(); }},
    {"qy", "-", "", false, [](const BodyView& b) { return b.pose.q.y(); }},
    {"qz", "-", "", false, [](const BodyView& b) { return b.pose.q.z(); }},
    {"vx", "m/s", "velocity of the centre of mass; world axes unless @body", true,
     [](const BodyView& b) { return b.velocity.linear.x(); }},
    {"vy", "m/s", "", true, [](const BodyView& b) { return b.velocity.linear.y(); }},
    {"vz", "m/s", "", true, [](const BodyView& b) { return b.velocity.linear.z(); }},
    {"wx", "rad/s", "angular velocity; world axes unless @body", true,
     [](const BodyView& b) { return b.velocity.angular.x(); }},
    {"wy", "rad/s", "", true, [](const BodyView& b) { return b.velocity.angular.y(); }},
    {"wz", "rad/s", "", true, [](const BodyView& b) { return b.velocity.angular.z(); }},
    {"speed", "m/s", "speed of the centre of mass", false,
     [](const BodyView& b) { return b.velocity.linear.norm(); }},
    {"spin", "rad/s", "magnitude of the angular velocity", false,
     [](const BodyView& b) { return b.velocity.angular.norm(); }},
    {"com.x", "m", "position of the centre of mass", false,
     [](const BodyView& b) { return b.centre.x(); }},
    {"com.y", "m", "", false, [](const BodyView& b) { return b.centre.y(); }},
    {"com.z", "m", "", false, [](const BodyView& b) { return b.centre.z(); }},
    {"damping.x", "N s/m", "adaptive damping of the last step along the axis", false,
     [](const BodyView& b) { return b.damping.linear.x(); }},
    {"damping.y", "N s/m", "", false, [](const BodyView& b) { return b.damping.linear.y(); }},
    {"damping.z", "N s/m", "", false, [](const BodyView& b) { return b.damping.linear.z(); }},
    {"damping.rx", "N m s/rad", "adaptive damping of the last step about the axis", false,
     [](const BodyView& b) { return b.damping.angular.x(); }},
    {"damping.ry", "N m s/rad", "", false, [](const BodyView& b) { return b.damping.angular.y(); }},
    {"damping.rz", "N m s/rad", "", false, [](const BodyView& b) { return b.damping.angular.z(); }},
};

inline constexpr BodyContactField kBodyContactFields[] = {
    {"contact.count", "-", "contact points that carry force",
     [](const ContactSum& c) { return Real(c.count); }},
    {"contact.force", "N", "sum of the normal contact forces",
     [](const ContactSum& c) { return c.normal; }},
    {"contact.force.x", "N", "sum of the contact forces on the body including friction; world axes",
     [](const ContactSum& c) { return c.net.x(); }},
    {"contact.force.y", "N", "", [](const ContactSum& c) { return c.net.y(); }},
    {"contact.force.z", "N", "", [](const ContactSum& c) { return c.net.z(); }},
    {"contact.penetration", "m", "largest penetration of its contacts before the step",
     [](const ContactSum& c) { return c.penetration; }},
};

inline constexpr BodyContactField kPairFields[] = {
    {"touches.", "-", "1 if a contact with OTHER (a body or world) carries force, else 0",
     [](const ContactSum& c) { return Real(c.count > 0 ? 1 : 0); }},
    {"force_from.", "N", "magnitude of the contact force between it and OTHER",
     [](const ContactSum& c) { return c.net.norm(); }},
};

inline constexpr JointField kJointFields[] = {
    {"force", "N", "magnitude of the joint force", false,
     [](const JointReading& r) { return r.force.norm(); }},
    {"force.x", "N",
     "on body 0 (on body 1 if body 0 is the world); world axes unless @body0, @body1 or @joint",
     true, [](const JointReading& r) { return r.force.x(); }},
    {"force.y", "N", "", true, [](const JointReading& r) { return r.force.y(); }},
    {"force.z", "N", "", true, [](const JointReading& r) { return r.force.z(); }},
    {"torque", "N m", "magnitude of the joint torque", false,
     [](const JointReading& r) { return r.torque.norm(); }},
    {"torque.x", "N m", "on the same body, about the joint frame's origin", true,
     [](const JointReading& r) { return r.torque.x(); }},
    {"torque.y", "N m", "", true, [](const JointReading& r) { return r.torque.y(); }},
    {"torque.z", "N m", "", true, [](const JointReading& r) { return r.torque.z(); }},
    {"angle", "rad",
     "rotation of body 1 relative to body 0 about the joint axis, full turns included", false,
     [](const JointReading& r) { return r.angle; }},
    {"angle_rate", "rad/s", "", false, [](const JointReading& r) { return r.angle_rate; }},
    {"slide", "m", "displacement of body 1 relative to body 0 along the joint axis", false,
     [](const JointReading& r) { return r.slide; }},
    {"slide_rate", "m/s", "", false, [](const JointReading& r) { return r.slide_rate; }},
    {"gap", "m", "largest error of the joint's rows that measure length", false,
     [](const JointReading& r) { return r.gap; }},
    {"angular_gap", "rad", "largest error of the joint's rows that measure angle", false,
     [](const JointReading& r) { return r.angular_gap; }},
    {"loaded", "-", "1 if it carries force (taut rope, limit at its stop), else 0", false,
     [](const JointReading& r) { return Real(r.loaded ? 1 : 0); }},
    {"capped", "-", "1 if a drive is at its max_force, else 0", false,
     [](const JointReading& r) { return Real(r.capped ? 1 : 0); }},
    {"broken", "-", "1 if the joint is broken, else 0", false,
     [](const JointReading& r) { return Real(r.broken ? 1 : 0); }},
};

struct AxesName {
    std::string_view name;
    Axes axes;
};
inline constexpr AxesName kAxes[] = {{"world", Axes::World},
                                     {"body0", Axes::Body0},
                                     {"body1", Axes::Body1},
                                     {"joint", Axes::JointFrame}};

}  // namespace taut::readings
