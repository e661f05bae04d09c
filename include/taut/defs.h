// Descriptions from which a World is built: plain structs with valid defaults and a unit for every number.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <taut/custom_joint.h>
#include <taut/ids.h>
#include <taut/schedule.h>
#include <taut/types.h>

namespace taut {

enum class BodyKind {
    Rigid,      // six degrees of freedom
    Particle,   // three degrees of freedom: a point mass without orientation
    Fixed,      // does not move
    Kinematic,  // follows a prescribed motion; forces have no effect on it
};

// Prescribed motion of a kinematic body: its initial pose, translated by `shift` and rotated by `angle` about
// `axis` through its origin.
struct Motion {
    std::array<Schedule, 3> shift{};  // along world x, y, z [m]
    Vec3 axis = Vec3::UnitZ();        // world axes
    Schedule angle{};                 // about axis [rad]
};

struct BodyDef {
    std::string name{};
    BodyKind kind = BodyKind::Rigid;
    Real mass = 1;                       // [kg]
    Mat3 inertia = Mat3::Identity();     // about the centre of mass, body axes [kg m²]
    Vec3 centre_of_mass = Vec3::Zero();  // from the body's origin, body axes [m]
    Pose pose{};                         // of the body's origin, in the world
    Twist velocity{};                    // of the centre of mass, world axes
    Motion motion{};                     // kinematic bodies only
    std::uint64_t user_data = 0;         // the engine does not read it
};

// The joint frame on one body. Its axes u, v, n are the columns of q; n is the axis of the joint.
struct JointFrame {
    Vec3 p = Vec3::Zero();
    Quat q = Quat::Identity();
};

enum class Coordinates { World, Body };

// Constraint rows between two or three bodies. `type` is any name of joint_types().
// Frames 0 and 1 belong to body 0 and body 1; gear and rack use frames 2 and 3 of body 0 and body 2.
struct JointDef {
    std::string name{};
    std::string type = "ball";
    std::array<BodyId, 3> bodies{};
    std::array<JointFrame, 4> frames{};
    Coordinates coordinates = Coordinates::World;  // of the frames

    Real compliance = 0;                   // of rows that measure length [m/N]; 0 is rigid
    Real angular_compliance = 0;           // of rows that measure angle [rad/(N m)]
    Real damping_time = 0;                 // force is −(φ + τ dφ/dt)/C, τ in [s]
    std::vector<Real> row_compliance{};    // one per row, instead of the two numbers above
    std::vector<Real> row_damping_time{};  // one per row, instead of damping_time

    // Drives: force or torque limit [N or N m]. A drive that would need more stalls.
    Real max_force = std::numeric_limits<Real>::infinity();
    // Joints with position rows: force and torque above which the joint breaks permanently [N, N m].
    Real break_force = std::numeric_limits<Real>::infinity();
    Real break_torque = std::numeric_limits<Real>::infinity();

    // parameters of the type: "pitch", "length"…
    std::vector<std::pair<std::string, Real>> parameters{};
    Schedule target{};            // motors: speed [rad/s or m/s]; servos: angle or slide [rad or m]
    std::uint64_t user_data = 0;  // the engine does not read it
    // A type of one's own in place of `type`; the world shares it. It has the frames 0 and 1, and takes no parameters.
    std::shared_ptr<const CustomJoint> custom;
};

// A spring-damper between two bodies, as a force whose exact Jacobian enters the system matrix.
// Linear: between frames[0].p and frames[1].p. Torsional: about the common axis n of the frames.
struct SpringDef {
    enum class Kind { Linear, Torsional };

    std::string name{};
    Kind kind = Kind::Linear;
    std::array<BodyId, 2> bodies{};
    std::array<JointFrame, 2> frames{};
    Coordinates coordinates = Coordinates::World;
    Real stiffness = 0;  // [N/m] or [N m/rad]
    Real damping = 0;    // [N s/m] or [N m s/rad]
    Real rest = 0;       // unloaded length [m] or angle [rad]
};

// A force and a torque on one body, scaled by a schedule.
struct LoadDef {
    std::string name{};
    BodyId body{};
    Vec3 point = Vec3::Zero();   // where the force acts, body axes, from the body's origin [m]
    Vec3 force = Vec3::Zero();   // [N]
    Vec3 torque = Vec3::Zero();  // [N m]
    Coordinates coordinates = Coordinates::World;  // axes of force and torque
    Schedule scale = 1;
};

}  // namespace taut
