// A crane in small: a trolley that the caller moves, a rope as a spring that is wound up, and a gripper that opens.
#include <cstdio>

#include <taut/joints.h>
#include <taut/world.h>

int main()
{
    taut::World world;
    taut::BodyDef def;
    def.kind = taut::BodyKind::Kinematic;
    const taut::BodyId trolley = world.add_body(def).value();
    def.kind = taut::BodyKind::Rigid;
    def.mass = 20;            // [kg]
    def.pose.p = {0, 0, -2};  // [m]
    const taut::BodyId hook = world.add_body(def).value();
    def.mass = 50;              // [kg]
    def.pose.p = {0, 0, -2.5};  // [m]
    const taut::BodyId load = world.add_body(def).value();
    const taut::JointId grip = world.add_joint(taut::weld(hook, load, {0, 0, -2.2})).value();
    taut::SpringDef rope;
    rope.bodies = {trolley, hook};
    rope.frames[1].p = {0, 0, -1.9};  // [m]
    rope.stiffness = 2e5;             // [N/m]
    rope.damping = 2e3;               // [N s/m]
    rope.rest = 1.9;                  // [m]
    const taut::SpringId winch = world.add_spring(rope).value();

    constexpr double dt = 1.0 / 100;  // [s]
    for (int i = 1; i <= 400; ++i) {
        // wind up by 0.2 m/s and travel at 0.5 m/s, both for two seconds
        const double t = i < 200 ? i * dt : 2;  // [s]
        if (!world.set_rest(winch, 1.9 - 0.2 * t).ok()) return 1;
        if (!world.set_kinematic_target(trolley, {{0.5 * t, 0, 0}, taut::Quat::Identity()}).ok())
            return 1;
        if (i == 300 && !world.set_enabled(grip, false).ok()) return 1;  // the load falls
        if (world.step({.dt = dt}).status != taut::StepStatus::Ok) return 1;
    }
    std::printf("hook at z = %.2f m, load at z = %.2f m; the winch and the trolley did %.0f J\n",
                world.centre_of_mass(hook).z(), world.centre_of_mass(load).z(),
                world.work().prescribed);

    // a command that does not fit says why, and changes nothing
    const taut::Status refused = world.set_target(grip, 1);
    std::printf("%s\n", refused ? "accepted" : refused.error().message.c_str());
    return !refused && world.centre_of_mass(load).z() < -5 ? 0 : 1;
}
