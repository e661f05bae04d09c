// Steps a pendulum and a pile of boxes, and prints their state hashes: step_scenes [THREADS]
// Builds that must agree (with and without threads, WebAssembly) print the same lines.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include <taut/joints.h>
#include <taut/world.h>

namespace {

using namespace taut;

// Three rods on hinges that are not parallel.
World make_pendulum()
{
    World world;
    BodyId above = kWorld;
    for (int i = 0; i < 3; ++i) {
        BodyDef rod;
        rod.mass = 1 + i;
        rod.inertia = Vec3(0.01, 0.08, 0.085).asDiagonal();
        rod.pose.p = {0.5 + i, 0, 0};
        const BodyId body = world.add_body(rod).value();
        world.add_joint(hinge(above, body, {1.0 * i, 0, 0}, {0, 1, 0.1 * i})).value();
        above = body;
    }
    return world;
}

// Boxes in two stacks that lean on each other, and one stack apart from them: contacts and islands.
World make_pile()
{
    World world;
    world.add_collider(kWorld, {.shape = Shape::plane()}).value();
    for (int i = 0; i < 12; ++i) {
        BodyDef box;
        box.mass = 2;
        box.inertia = Mat3::Identity() * (2 * 0.16 / 6);
        box.pose.p = {0.21 * (i % 2) + (i < 8 ? 0 : 3), 0.02 * i, 0.25 + 0.45 * (i / 2 % 4)};
        const BodyId body = world.add_body(box).value();
        world.add_collider(body, {.shape = Shape::box(Vec3::Constant(0.4))}).value();
    }
    return world;
}

bool run(const char* name, World world, int steps, int threads)
{
    StepSettings settings;
    settings.threads = threads;
    for (int i = 0; i < steps; ++i)
        if (world.step(settings).status != StepStatus::Ok) {
            std::fprintf(stderr, "step_scenes: %s: step %d did not end well\n", name, i);
            return false;
        }
    const Vec3 last = world.pose(BodyId{world.body_count() - 1}).p;
    std::printf("%s %016" PRIx64 " energy %.17g J, last body at %.17g %.17g %.17g m\n", name,
                world.hash(), world.energy().total(), last.x(), last.y(), last.z());
    return true;
}

}  // namespace

int main(int argc, char** argv)
{
    const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
    const bool well =
        run("pendulum", make_pendulum(), 120, threads) && run("pile", make_pile(), 120, threads);
    return well ? 0 : 1;
}
