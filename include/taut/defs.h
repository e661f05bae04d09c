// What a World is built from: plain descriptions with valid defaults and a unit on every number.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <taut/ids.h>
#include <taut/schedule.h>
#include <taut/types.h>

namespace taut {

enum class BodyKind {
    Rigid,      // six degrees of freedom
    Particle,   // three: a point without orientation
    Fixed,      // part of the ground
    Kinematic,  // moves as told, whatever pulls at it
};

// Prescribed motion of a kinematic body: its start pose, shifted and then turned about `axis`
// through its own origin.
struct Motion {
    std::array<Schedule, 3> shift;  // along world x, y, z [m]
    Vec3 axis = Vec3::UnitZ();      // world axes
    Schedule angle;                 // about axis [rad]
};

struct BodyDef {
    std::string name;
    BodyKind kind = BodyKind::Rigid;
    Real mass = 1;                       // [kg]
    Mat3 inertia = Mat3::Identity();     // about the centre of mass, body axes [kg m²]
    Vec3 centre_of_mass = Vec3::Zero();  // from the body's origin, body axes [m]
    Pose pose;                           // of the body's origin, in the world
    Twist velocity;                      // of the centre of mass, world axes
    Motion motion;                       // kinematic bodies only
};

// One side of a joint. Axes are the columns u, v, n of q; the joint's own axis is n.
struct JointFrame {
    Vec3 p = Vec3::Zero();
    Quat q = Quat::Identity();
};

enum class Coordinates { World, Body };

// Two or three bodies held together by rows of the solve. `type` is any name of joint_types().
// Frames 0 and 1 sit on body 0 and body 1; gear and rack use frames 2 and 3 on body 0 and body 2.
struct JointDef {
    std::string name;
    std::string type = "ball";
    std::array<BodyId, 3> bodies;
    std::array<JointFrame, 4> frames;
    Coordinates coordinates = Coordinates::World;  // in which the frames are given

    Real compliance = 0;                 // of rows that measure length [m/N]; 0 is rigid
    Real angular_compliance = 0;         // of rows that measure angle [rad/(N m)]
    Real damping_time = 0;               // force is −(φ + τ dφ/dt)/C, τ in [s]
    std::vector<Real> row_compliance;    // one per row, instead of the two numbers above
    std::vector<Real> row_damping_time;  // one per row, instead of damping_time

    // Drives: the largest force or torque they can give [N or N m]. Beyond it they stall.
    Real max_force = std::numeric_limits<Real>::infinity();
    // Joints that hold positions: the force and torque at which they give way for good [N, N m].
    Real break_force = std::numeric_limits<Real>::infinity();
    Real break_torque = std::numeric_limits<Real>::infinity();

    // what the type asks for: "pitch", "length"…
    std::vector<std::pair<std::string, Real>> parameters;
    Schedule target;  // motors: speed [rad/s or m/s]; servos: angle or slide [rad or m]
};

// A spring-damper between two bodies as a force with its exact Jacobian in the system matrix.
// Linear: between frames[0].p and frames[1].p. Torsional: about the common axis n of the frames.
struct SpringDef {
    enum class Kind { Linear, Torsional };

    std::string name;
    Kind kind = Kind::Linear;
    std::array<BodyId, 2> bodies;
    std::array<JointFrame, 2> frames;
    Coordinates coordinates = Coordinates::World;
    Real stiffness = 0;  // [N/m] or [N m/rad]
    Real damping = 0;    // [N s/m] or [N m s/rad]
    Real rest = 0;       // length or angle at which it carries no load [m] or [rad]
};

// A force and a torque on one body, scaled by a schedule.
struct LoadDef {
    std::string name;
    BodyId body;
    Vec3 point = Vec3::Zero();   // where the force acts, body axes, from the body's origin [m]
    Vec3 force = Vec3::Zero();   // [N]
    Vec3 torque = Vec3::Zero();  // [N m]
    Coordinates coordinates = Coordinates::World;  // axes of force and torque
    Schedule scale = 1;
};

}  // namespace taut
