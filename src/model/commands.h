// What was commanded while the world runs. It is part of the State, so a snapshot has it; the Model holds the numbers that are
// in force, so that a step reads them where it reads all others.
//
//     description ──► Model::…::described            what the fingerprint of a snapshot is made of
//     command ──────► State::commands ──► Model      apply_command(): at once, between two steps
//     restore() ────► State::commands ──► Model      apply_commands(): all of them
//
// A command of the described number is none: the flag is cleared, and the hash of the state is what it was.
#pragma once

#include <array>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::model {

// In place of the description of a joint.
struct JointCommand {
    Real drives = 0;  // 1: `target` is the speed of a motor, the angle or slide of a servo
    Real target = 0;
    Real caps = 0;  // 1: `max_force`
    Real max_force = 0;
    Real sets = 0;  // 1: `parameters`: lower and upper of limits, stiffness and damping of a servo
    std::array<Real, 2> parameters{};
    Real disabled = 0;  // 1: it does not act

    bool given() const noexcept { return drives != 0 || caps != 0 || sets != 0 || disabled != 0; }
};

struct SpringCommand {
    Real sets = 0;  // 1: the three numbers
    Real stiffness = 0;
    Real damping = 0;
    Real rest = 0;

    bool given() const noexcept { return sets != 0; }
};

struct BodyCommand {
    Real disabled = 0;  // 1: it is not stepped and meets nothing
    Wrench next;        // for the next step only, at the centre of mass

    bool given() const noexcept
    {
        return disabled != 0 || !next.force.isZero(0) || !next.torque.isZero(0);
    }
};

// Where the origin of a kinematic body is at a time.
struct MotionKnot {
    Real time = 0;
    Vec3 p = Vec3::Zero();
    Quat q = Quat::Identity();
};
// As the last step began, as it ended, and as the present one ends: even motion between them, and on after the last.
using MotionKnots = std::array<MotionKnot, 3>;

// In place of the motion of a kinematic body.
struct MotionCommand {
    enum Mode { Schedule, Target, Velocity };
    Real mode = 0;   // of Mode
    Pose target;     // of the body's origin at the end of the next step, and from then on
    Twist velocity;  // of the body's origin, from now on
    MotionKnots knots;

    bool given() const noexcept { return mode != 0; }
};

struct Commands {
    std::vector<JointCommand> joints;
    std::vector<SpringCommand> springs;
    std::vector<BodyCommand> bodies;     // the ground among them
    std::vector<MotionCommand> motions;  // of kinematic bodies, in their order
};

}  // namespace taut::model
