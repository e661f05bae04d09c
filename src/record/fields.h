// The tables of readings: name, unit, description and function of each. columns.h looks them up.
#pragma once

#include <limits>
#include <string_view>

#include "record/columns.h"

namespace taut::record {

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
    Real (*read)(const Moment&);
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
    {"time", "s", "simulated time", [](const Moment& m) { return m.world.time(); }},

    {"energy.translation", "J", "kinetic energy of translation",
     [](const Moment& m) { return m.world.energy().translation; }},
    {"energy.rotation", "J", "kinetic energy of rotation",
     [](const Moment& m) { return m.world.energy().rotation; }},
    {"energy.gravity", "J", "potential energy, zero at height 0",
     [](const Moment& m) { return m.world.energy().gravity; }},
    {"energy.joints", "J", "stored in compliant joints",
     [](const Moment& m) { return m.world.energy().joints; }},
    {"energy.springs", "J", "stored in springs",
     [](const Moment& m) { return m.world.energy().springs; }},
    {"energy.kinetic", "J", "translation and rotation",
     [](const Moment& m) { return m.world.energy().kinetic(); }},
    {"energy.total", "J", "sum of the above; constant in a conservative scene",
     [](const Moment& m) { return m.world.energy().total(); }},
    {"energy.balance", "J", "total energy minus the work done on the scene",
     [](const Moment& m) { return m.world.energy().total() - m.world.work().total(); }},

    {"work.motors", "J", "done by motors and servos since time 0",
     [](const Moment& m) { return m.world.work().motors; }},
    {"work.prescribed", "J", "done by kinematic bodies and moving surfaces",
     [](const Moment& m) { return m.world.work().prescribed; }},
    {"work.loads", "J", "done by applied forces",
     [](const Moment& m) { return m.world.work().loads; }},
    {"work.total", "J", "sum of the above", [](const Moment& m) { return m.world.work().total(); }},

    {"dissipation.damping", "J", "taken by damped joints and springs since time 0",
     [](const Moment& m) { return m.world.dissipation().damping; }},
    {"dissipation.friction", "J", "taken by friction of contacts",
     [](const Moment& m) { return m.world.dissipation().friction; }},
    {"dissipation.impacts", "J", "lost in impacts and in joints that break",
     [](const Moment& m) { return m.world.dissipation().impacts; }},
    {"dissipation.numerical", "J",
     "taken by the time integration itself; negative if it added energy",
     [](const Moment& m) { return m.world.dissipation().numerical; }},

    {"momentum.linear.x", "kg m/s", "of all bodies",
     [](const Moment& m) { return m.world.momentum().linear.x(); }},
    {"momentum.linear.y", "kg m/s", "",
     [](const Moment& m) { return m.world.momentum().linear.y(); }},
    {"momentum.linear.z", "kg m/s", "",
     [](const Moment& m) { return m.world.momentum().linear.z(); }},
    {"momentum.angular.x", "kg m^2/s", "of all bodies, about the world's origin",
     [](const Moment& m) { return m.world.momentum().angular.x(); }},
    {"momentum.angular.y", "kg m^2/s", "",
     [](const Moment& m) { return m.world.momentum().angular.y(); }},
    {"momentum.angular.z", "kg m^2/s", "",
     [](const Moment& m) { return m.world.momentum().angular.z(); }},

    {"gap.max", "m", "largest error of a joint row that measures length",
     [](const Moment& m) { return m.world.joint_gap(); }},
    {"gap.angular", "rad", "largest error of a joint row that measures angle",
     [](const Moment& m) { return m.world.angular_gap(); }},

    {"contact.count", "-", "contact points that carry force",
     [](const Moment& m) { return Real(sum_contacts(m.world).count); }},
    {"contact.force", "N", "sum of all normal contact forces",
     [](const Moment& m) { return sum_contacts(m.world).normal; }},
    {"contact.penetration", "m", "largest penetration before the step",
     [](const Moment& m) { return sum_contacts(m.world).penetration; }},
    {"joints.broken", "-", "number of broken joints",
     [](const Moment& m) { return Real(broken_joints(m.world)); }},

    {"solve.residual", "-", "relative residual of the linear solve; -1 if not measured",
     [](const Moment& m) { return m.step.solve.residual; }},
    {"solve.refinements", "-", "iterative refinements of the last linear solve",
     [](const Moment& m) { return Real(m.step.solve.refinements); }},
    {"solve.negative_pivots", "-",
     "negative pivots of the factorisation; -1 if not provided by the solver",
     [](const Moment& m) { return Real(m.step.solve.negative_pivots); }},
    {"solve.count", "-", "linear solves of the step",
     [](const Moment& m) { return Real(m.step.solves); }},
    {"step.halvings", "-", "number of halvings of a sub-step",
     [](const Moment& m) { return Real(m.step.halvings); }},
    {"step.sub_steps", "-", "number of sub-steps of the island that took most",
     [](const Moment& m) { return Real(m.step.sub_steps); }},
    {"step.restarts", "-", "number of fallbacks from the two-step scheme to backward Euler",
     [](const Moment& m) { return Real(m.step.restarts); }},
    {"step.impacts", "-", "number of impacts that the step was cut at",
     [](const Moment& m) { return Real(m.step.impacts); }},
    {"step.residual_work", "J", "bound of the energy error due to the remaining residuals",
     [](const Moment& m) { return m.step.residual_work; }},
    {"step.energy_change", "J", "change of the total energy minus the work done",
     [](const Moment& m) { return m.step.energy_change; }},
    {"step.dissipation", "J", "taken in the step by damping, friction and impacts",
     [](const Moment& m) { return m.step.dissipation.physical(); }},
    {"step.numerical", "J", "taken in the step by the time integration itself",
     [](const Moment& m) { return m.step.dissipation.numerical; }},
    {"step.settled", "-", "1 if the equations of the step were solved, else 0",
     [](const Moment& m) { return Real(m.step.settled ? 1 : 0); }},
    {"step.status", "-", "0 ok, 1 refused, 2 diverged",
     [](const Moment& m) { return Real(static_cast<int>(m.step.status)); }},
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

struct RunField {
    std::string_view name, unit, summary;
    Real (*read)(const RunSummary&);
};

inline constexpr RunField kRunFields[] = {
    {"run.steps", "-", "number of steps",
     [](const RunSummary& s) { return static_cast<Real>(s.steps); }},
    {"run.joint_gap_max", "m", "largest gap.max so far",
     [](const RunSummary& s) { return s.joint_gap_max; }},
    {"run.joint_gap_max_relative", "-", "run.joint_gap_max over the size of the scene",
     [](const RunSummary& s) { return s.joint_gap_max_relative; }},
    {"run.angular_gap_max", "rad", "largest gap.angular so far",
     [](const RunSummary& s) { return s.angular_gap_max; }},
    {"run.contacts_max", "-", "largest contact.count so far",
     [](const RunSummary& s) { return static_cast<Real>(s.contacts_max); }},
    {"run.penetration_max", "m", "largest contact.penetration so far",
     [](const RunSummary& s) { return s.penetration_max; }},
    {"run.joints_broken", "-", "number of broken joints",
     [](const RunSummary& s) { return static_cast<Real>(s.breaks.size()); }},
    {"run.first_break", "s", "time at which the first joint broke; NaN if none did",
     [](const RunSummary& s) {
         return s.breaks.empty() ? std::numeric_limits<Real>::quiet_NaN() : s.breaks.front().time;
     }},
    {"run.energy_start", "J", "total energy at the start",
     [](const RunSummary& s) { return s.energy_start; }},
    {"run.kinetic_max", "J", "largest kinetic energy so far",
     [](const RunSummary& s) { return s.kinetic_max; }},
    {"run.energy_rise_max_relative", "-",
     "largest energy gain beyond initial energy and work, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_rise_max_relative; }},
    {"run.energy_kept", "-",
     "largest kinetic energy in the last tenth of the run, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_kept; }},
    {"run.numerical_dissipation_relative", "-",
     "numerical dissipation over the energy turned over, of the part of the scene where it is "
     "largest; negative if energy was added",
     [](const RunSummary& s) { return s.numerical_dissipation_relative; }},
    {"run.residual_max", "-",
     "largest relative residual of a linear solve; -1 if none was measured",
     [](const RunSummary& s) { return s.residual_max; }},
    {"run.solves_mean", "-", "linear solves per step",
     [](const RunSummary& s) { return s.solves_mean; }},
    {"run.solves_max", "-", "", [](const RunSummary& s) { return Real(s.solves_max); }},
    {"run.wrong_inertia_steps", "-",
     "number of steps whose factorisation had a wrong number of negative pivots",
     [](const RunSummary& s) { return static_cast<Real>(s.wrong_inertia_steps); }},
};

struct AxesName {
    std::string_view name;
    Axes axes;
};
inline constexpr AxesName kAxes[] = {{"world", Axes::World},
                                     {"body0", Axes::Body0},
                                     {"body1", Axes::Body1},
                                     {"joint", Axes::JointFrame}};

}  // namespace taut::record
