// Nine links of 1 kg on ball joints, released from horizontal, carry a load of ten tonnes.
#include <cstdio>

#include <taut/joints.h>
#include <taut/world.h>

int main()
{
    taut::World world;
    taut::BodyId above = taut::kWorld;
    for (int i = 0; i < 10; ++i) {
        taut::BodyDef body;
        body.mass = i < 9 ? 1 : 10'000;                                // [kg]
        body.inertia = taut::Mat3::Identity() * (i < 9 ? 1e-3 : 100);  // [kg m²]
        body.pose.p = {0.1 * i + 0.05, 0, 0};                          // [m]
        const taut::BodyId below = world.add_body(body).value();
        world.add_joint(taut::ball(above, below, {0.1 * i, 0, 0})).value();
        above = below;
    }
    for (int i = 0; i < 600; ++i)
        if (world.step({.dt = 1.0 / 60}).status != taut::StepStatus::Ok) return 1;
    std::printf("after %.0f s the load is at z = %.3f m; largest joint gap %.1e m\n", world.time(),
                world.centre_of_mass(above).z(), world.joint_gap());
}
