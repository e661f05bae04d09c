// Independent chains in one world, as many islands, and large trees, one island each: on one thread and on two. Wall time per
// step; of several rounds the fastest counts, because other work on the machine can only add to it. The two take turns,
// so that both see the same machine. The hashes must agree: threads change nothing but the time.
//
//     islands_bench [--markdown] [PART OF A SCENE'S NAME]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#include <taut/joints.h>
#include <taut/world.h>

namespace {

using namespace taut;

// Links of 1 kg and 0.1 m with a load of 100 kg, let go at an angle that differs from chain to chain; each chain has so
// many links fewer than the one before.
World make_world(int chains, int links, int fewer = 0)
{
    World world;
    for (int k = 0; k < chains; ++k) {
        const Real lean = 0.2 + 0.05 * k;
        const Vec3 along(std::sin(lean), 0, -std::cos(lean)), at(0, k, 0);
        const Quat q = Quat::FromTwoVectors(Vec3(0, 0, -1), along);
        BodyId previous = kWorld;
        const int own = links - k * fewer;
        for (int i = 0; i < own; ++i) {
            const Real mass = i + 1 == own ? 100 : 1;
            BodyDef def;
            def.mass = mass;
            def.inertia = mass * Vec3(9.3e-4, 9.3e-4, 2e-4).asDiagonal();
            def.pose = {at + 0.1 * (i + 0.5) * along, q};
            const BodyId body = world.add_body(def).value();
            if (!world.add_joint(ball(previous, body, at + 0.1 * i * along))) std::abort();
            previous = body;
        }
    }
    return world;
}

// Rods of 1 kg and 0.1 m, two on the end of each, leaning this way and that: one mechanism.
World make_tree(int bodies)
{
    World world;
    std::vector<BodyId> body;
    std::vector<Vec3> end;
    for (int k = 0; k < bodies; ++k) {
        const Vec3 along = Vec3(0.3 * std::sin(k), 0.3 * std::cos(1.7 * k), -1).normalized();
        const int parent = (k - 1) / 2;
        const Vec3 top = k == 0 ? Vec3(Vec3::Zero()) : end[parent];
        BodyDef def;
        def.mass = 1;
        def.inertia = Vec3(9.3e-4, 9.3e-4, 2e-4).asDiagonal();
        def.pose = {top + 0.05 * along, Quat::FromTwoVectors(Vec3(0, 0, -1), along)};
        body.push_back(world.add_body(def).value());
        end.push_back(top + 0.1 * along);
        if (!world.add_joint(ball(k == 0 ? kWorld : body[parent], body.back(), top))) std::abort();
    }
    return world;
}

double seconds_per_step(World& world, const StepSettings& settings, int steps)
{
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) world.step(settings);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
}

}  // namespace

int main(int argc, char** argv)
{
    const bool markdown = argc > 1 && std::strcmp(argv[1], "--markdown") == 0;
    const char* const only = argc > 1 + markdown ? argv[1 + markdown] : nullptr;
    constexpr int kRounds = 40, kSteps = 20;
    struct Case {
        const char* name;
        World worlds[2];
    };
    Case cases[] = {{"16 chains of 10", {make_world(16, 10), make_world(16, 10)}},
                    {"16 chains of 50", {make_world(16, 50), make_world(16, 50)}},
                    {"16 chains of 200", {make_world(16, 200), make_world(16, 200)}},
                    {"chains of 200 and 150", {make_world(2, 200, 50), make_world(2, 200, 50)}},
                    {"a tree of 500", {make_tree(500), make_tree(500)}},
                    {"a tree of 2000", {make_tree(2000), make_tree(2000)}}};
    std::printf(markdown ? "| scene | 1 thread [µs/step] | 2 threads | ratio |\n|---|---|---|---|\n"
                         : "scene                  1 thread [us/step]  2 threads  ratio\n");
    for (Case& c : cases) {
        if (only && !std::strstr(c.name, only)) continue;
        double best[2] = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
        for (int round = 0; round < kRounds; ++round)
            for (int k = 0; k < 2; ++k) {
                StepSettings settings;
                settings.threads = k + 1;
                best[k] = std::min(best[k], seconds_per_step(c.worlds[k], settings, kSteps));
            }
        if (c.worlds[0].hash() != c.worlds[1].hash()) {
            std::fprintf(stderr, "the hashes differ\n");
            return 1;
        }
        std::printf(markdown ? "| %s | %.0f | %.0f | %.2f |\n" : "%-21s  %18.0f  %9.0f  %5.2f\n",
                    c.name, 1e6 * best[0], 1e6 * best[1], best[0] / best[1]);
        std::fflush(stdout);
    }
    return 0;
}
