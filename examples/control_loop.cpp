// A controller in the loop: an arm is held at an angle by a PID controller at 1 kHz, which commands the torque of every step.
#include <cmath>
#include <cstdio>

#include <taut/joints.h>
#include <taut/world.h>

int main()
{
    taut::World world;
    taut::BodyDef arm;
    arm.mass = 4;                                             // [kg]
    arm.inertia = taut::Vec3(0.01, 0.34, 0.34).asDiagonal();  // [kg m²]
    arm.pose.p = {0.5, 0, 0};                                 // [m]
    const taut::BodyId body = world.add_body(arm).value();
    const taut::JointId axle =
        world.add_joint(taut::hinge(taut::kWorld, body, {0, 0, 0}, {0, 1, 0})).value();

    constexpr double dt = 1e-3;  // [s]
    constexpr double kp = 300;   // [N m/rad]
    constexpr double ki = 500;   // [N m/(rad s)]
    constexpr double kd = 40;    // [N m s/rad]
    constexpr double most = 60;  // [N m]
    double target = 0.5;         // [rad]
    double sum = 0;              // of the error over time [rad s]
    for (int i = 0; i < 8000; ++i) {
        if (i == 4000) target = -0.7;
        const taut::JointReading now = world.joint(axle);
        const double error = target - now.angle;
        const double wanted = kp * error + ki * sum - kd * now.angle_rate;
        const double torque = std::fmin(std::fmax(wanted, -most), most);
        if (torque == wanted) sum += error * dt;  // no wind-up at the limit
        if (!world.apply_torque(body, {0, torque, 0}).ok()) return 1;
        if (world.step({.dt = dt}).status != taut::StepStatus::Ok) return 1;
        if (i % 4000 != 3999) continue;
        const double angle = world.joint(axle).angle;
        std::printf("after %.0f s the arm is at %.4f rad; the target is %.1f rad\n", world.time(),
                    angle, target);
        if (std::abs(angle - target) > 1e-3) return 1;
    }
}
