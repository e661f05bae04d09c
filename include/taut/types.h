// Scalars, vectors and poses of the public interface. SI units, radians, z up, right-handed.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace taut {

using Real = double;
using Vec3 = Eigen::Matrix<Real, 3, 1>;
using Mat3 = Eigen::Matrix<Real, 3, 3>;
using Quat = Eigen::Quaternion<Real>;

// Pose of a frame: origin p and rotation q, both expressed in the parent frame.
struct Pose {
    Vec3 p = Vec3::Zero();
    Quat q = Quat::Identity();
};

// Velocity in world axes: linear velocity of the centre of mass and angular velocity.
struct Twist {
    Vec3 linear = Vec3::Zero();   // [m/s]
    Vec3 angular = Vec3::Zero();  // [rad/s]
};

// Force through a reference point and torque, in world axes unless stated otherwise.
struct Wrench {
    Vec3 force = Vec3::Zero();   // [N]
    Vec3 torque = Vec3::Zero();  // [N m]
};

}  // namespace taut
