// The tables of readings: name, unit, meaning and how to read it, each written once. columns.h finds them.
#pragma once

#include <limits>
#include <string_view>

#include "record/columns.h"

namespace taut::record {

// What contacts come to: of a world, of a body, or between two bodies.
struct ContactSum {
    int count = 0;            // points that carry force
    Real normal = 0;          // sum of the normal forces [N]
    Real penetration = 0;     // of the worst [m]
    Vec3 net = Vec3::Zero();  // on the body [N]
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
    Twist velocity;  // world axes, or the body's own
    Vec3 centre;
    BodyDamping damping;
};

struct BodyField {
    std::string_view name, unit, summary;
    bool has_axes;  // may be asked for in the body's own axes: NAME.wx@body
    Real (*read)(const BodyView&);
};

struct BodyContactField {
    std::string_view name, unit, summary;
    Real (*read)(const ContactSum&);
};

struct JointField {
    std::string_view name, unit, summary;
    bool has_axes;  // may be asked for in another frame: NAME.force.x@body0
    Real (*read)(const JointReading&);
};

inline constexpr WorldField kWorldFields[] = {
    {"time", "s", "simulated time", [](const Moment& m) { return m.world.time(); }},

    {"energy.translation", "J", "kinetic energy of the centres of mass",
     [](const Moment& m) { return m.world.energy().translation; }},
    {"energy.rotation", "J", "kinetic energy of spin",
     [](const Moment& m) { return m.world.energy().rotation; }},
    {"energy.gravity", "J", "potential energy, zero at height 0",
     [](const Moment& m) { return m.world.energy().gravity; }},
    {"energy.joints", "J", "stored in compliant joints",
     [](const Moment& m) { return m.world.energy().joints; }},
    {"energy.springs", "J", "stored in springs",
     [](const Moment& m) { return m.world.energy().springs; }},
    {"energy.kinetic", "J", "translation and rotation",
     [](const Moment& m) { return m.world.energy().kinetic(); }},
    {"energy.total", "J", "all of the above: what a conservative scene keeps",
     [](const Moment& m) { return m.world.energy().total(); }},
    {"energy.balance", "J", "total energy less the work done on the scene",
     [](const Moment& m) { return m.world.energy().total() - m.world.work().total(); }},

    {"work.motors", "J", "done by motors and servos since time 0",
     [](const Moment& m) { return m.world.work().motors; }},
    {"work.prescribed", "J", "done by kinematic bodies",
     [](const Moment& m) { return m.world.work().prescribed; }},
    {"work.loads", "J", "done by applied forces",
     [](const Moment& m) { return m.world.work().loads; }},
    {"work.total", "J", "all of the above", [](const Moment& m) { return m.world.work().total(); }},

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

    {"contact.count", "-", "points of contact that carry force",
     [](const Moment& m) { return Real(sum_contacts(m.world).count); }},
    {"contact.force", "N", "sum of all normal forces of contact",
     [](const Moment& m) { return sum_contacts(m.world).normal; }},
    {"contact.penetration", "m", "how far the worst contact was pressed in before the step",
     [](const Moment& m) { return sum_contacts(m.world).penetration; }},
    {"joints.broken", "-", "joints that have given way",
     [](const Moment& m) { return Real(broken_joints(m.world)); }},

    {"solve.residual", "-", "relative residual of the linear solve; -1 where it was not measured",
     [](const Moment& m) { return m.step.solve.residual; }},
    {"solve.refinements", "-", "refinements the last solve took",
     [](const Moment& m) { return Real(m.step.solve.refinements); }},
    {"solve.negative_pivots", "-", "of the factorisation; -1 where the solver cannot tell",
     [](const Moment& m) { return Real(m.step.solve.negative_pivots); }},
    {"solve.count", "-", "linear solves of the step",
     [](const Moment& m) { return Real(m.step.solves); }},
    {"step.halvings", "-", "times a part of the step was cut in two",
     [](const Moment& m) { return Real(m.step.halvings); }},
    {"step.restarts", "-", "times the two-step scheme gave way to backward Euler",
     [](const Moment& m) { return Real(m.step.restarts); }},
    {"step.impacts", "-", "times velocities jumped because bodies met and bounced",
     [](const Moment& m) { return Real(m.step.impacts); }},
    {"step.residual_work", "J", "energy that what is left unsettled can make",
     [](const Moment& m) { return m.step.residual_work; }},
    {"step.energy_change", "J", "of the total energy, less the work fed in",
     [](const Moment& m) { return m.step.energy_change; }},
    {"step.settled", "-", "1, or 0 where the cap on solves was reached",
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
    {"speed", "m/s", "of the centre of mass", false,
     [](const BodyView& b) { return b.velocity.linear.norm(); }},
    {"spin", "rad/s", "size of the angular velocity", false,
     [](const BodyView& b) { return b.velocity.angular.norm(); }},
    {"com.x", "m", "position of the centre of mass", false,
     [](const BodyView& b) { return b.centre.x(); }},
    {"com.y", "m", "", false, [](const BodyView& b) { return b.centre.y(); }},
    {"com.z", "m", "", false, [](const BodyView& b) { return b.centre.z(); }},
    {"damping.x", "N s/m", "what adaptive damping added to the freedom in the last step", false,
     [](const BodyView& b) { return b.damping.linear.x(); }},
    {"damping.y", "N s/m", "", false, [](const BodyView& b) { return b.damping.linear.y(); }},
    {"damping.z", "N s/m", "", false, [](const BodyView& b) { return b.damping.linear.z(); }},
    {"damping.rx", "N m s/rad", "the same about the world's axes", false,
     [](const BodyView& b) { return b.damping.angular.x(); }},
    {"damping.ry", "N m s/rad", "", false, [](const BodyView& b) { return b.damping.angular.y(); }},
    {"damping.rz", "N m s/rad", "", false, [](const BodyView& b) { return b.damping.angular.z(); }},
};

inline constexpr BodyContactField kBodyContactFields[] = {
    {"contact.count", "-", "points of contact that carry force",
     [](const ContactSum& c) { return Real(c.count); }},
    {"contact.force", "N", "sum of the normal forces of contact",
     [](const ContactSum& c) { return c.normal; }},
    {"contact.force.x", "N", "all forces of contact on the body, friction included; world axes",
     [](const ContactSum& c) { return c.net.x(); }},
    {"contact.force.y", "N", "", [](const ContactSum& c) { return c.net.y(); }},
    {"contact.force.z", "N", "", [](const ContactSum& c) { return c.net.z(); }},
    {"contact.penetration", "m", "how far the worst of them was pressed in before the step",
     [](const ContactSum& c) { return c.penetration; }},
};

inline constexpr BodyContactField kPairFields[] = {
    {"touches.", "-", "1 where it pushes or is pushed by OTHER, a body or world; else 0",
     [](const ContactSum& c) { return Real(c.count > 0 ? 1 : 0); }},
    {"force_from.", "N", "size of the force of contact between it and OTHER",
     [](const ContactSum& c) { return c.net.norm(); }},
};

inline constexpr JointField kJointFields[] = {
    {"force", "N", "size of the joint force", false,
     [](const JointReading& r) { return r.force.norm(); }},
    {"force.x", "N",
     "on body 0 (on body 1 if body 0 is the world); world axes unless @body0, @body1 or @joint",
     true, [](const JointReading& r) { return r.force.x(); }},
    {"force.y", "N", "", true, [](const JointReading& r) { return r.force.y(); }},
    {"force.z", "N", "", true, [](const JointReading& r) { return r.force.z(); }},
    {"torque", "N m", "size of the joint torque", false,
     [](const JointReading& r) { return r.torque.norm(); }},
    {"torque.x", "N m", "on the same body, about the joint frame's origin", true,
     [](const JointReading& r) { return r.torque.x(); }},
    {"torque.y", "N m", "", true, [](const JointReading& r) { return r.torque.y(); }},
    {"torque.z", "N m", "", true, [](const JointReading& r) { return r.torque.z(); }},
    {"angle", "rad", "of body 1 against body 0 about the joint's axis, counted over turns", false,
     [](const JointReading& r) { return r.angle; }},
    {"angle_rate", "rad/s", "", false, [](const JointReading& r) { return r.angle_rate; }},
    {"slide", "m", "of body 1 along the joint's axis", false,
     [](const JointReading& r) { return r.slide; }},
    {"slide_rate", "m/s", "", false, [](const JointReading& r) { return r.slide_rate; }},
    {"gap", "m", "error of the joint's rows that measure length", false,
     [](const JointReading& r) { return r.gap; }},
    {"angular_gap", "rad", "error of the joint's rows that measure angle", false,
     [](const JointReading& r) { return r.angular_gap; }},
    {"loaded", "-", "1 where it carries force: a rope is taut, a limit at a stop; else 0", false,
     [](const JointReading& r) { return Real(r.loaded ? 1 : 0); }},
    {"capped", "-", "1 where a drive gives all it can, its max_force; else 0", false,
     [](const JointReading& r) { return Real(r.capped ? 1 : 0); }},
    {"broken", "-", "1 once it has given way, 0 before", false,
     [](const JointReading& r) { return Real(r.broken ? 1 : 0); }},
};

struct RunField {
    std::string_view name, unit, summary;
    Real (*read)(const RunSummary&);
};

inline constexpr RunField kRunFields[] = {
    {"run.steps", "-", "steps taken",
     [](const RunSummary& s) { return static_cast<Real>(s.steps); }},
    {"run.joint_gap_max", "m", "largest gap.max so far",
     [](const RunSummary& s) { return s.joint_gap_max; }},
    {"run.joint_gap_max_relative", "-", "the same over the size of the scene",
     [](const RunSummary& s) { return s.joint_gap_max_relative; }},
    {"run.angular_gap_max", "rad", "largest gap.angular so far",
     [](const RunSummary& s) { return s.angular_gap_max; }},
    {"run.contacts_max", "-", "largest contact.count so far",
     [](const RunSummary& s) { return static_cast<Real>(s.contacts_max); }},
    {"run.penetration_max", "m", "largest contact.penetration so far",
     [](const RunSummary& s) { return s.penetration_max; }},
    {"run.joints_broken", "-", "joints that have given way",
     [](const RunSummary& s) { return static_cast<Real>(s.breaks.size()); }},
    {"run.first_break", "s", "when the first joint gave way; not a number if none did",
     [](const RunSummary& s) {
         return s.breaks.empty() ? std::numeric_limits<Real>::quiet_NaN() : s.breaks.front().time;
     }},
    {"run.energy_start", "J", "total energy at the start",
     [](const RunSummary& s) { return s.energy_start; }},
    {"run.kinetic_max", "J", "largest kinetic energy seen",
     [](const RunSummary& s) { return s.kinetic_max; }},
    {"run.energy_rise_max_relative", "-",
     "most energy gained beyond start and work, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_rise_max_relative; }},
    {"run.energy_kept", "-",
     "largest kinetic energy in the last tenth of the run, over run.kinetic_max",
     [](const RunSummary& s) { return s.energy_kept; }},
    {"run.residual_max", "-", "worst relative residual of a solve; -1 where none was measured",
     [](const RunSummary& s) { return s.residual_max; }},
    {"run.solves_mean", "-", "linear solves per step",
     [](const RunSummary& s) { return s.solves_mean; }},
    {"run.solves_max", "-", "", [](const RunSummary& s) { return Real(s.solves_max); }},
    {"run.wrong_inertia_steps", "-",
     "steps whose factorisation had the wrong count of negative pivots",
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
