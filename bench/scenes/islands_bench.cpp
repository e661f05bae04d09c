// Independent chains in one world: as many islands, on one thread and on two. Wall time per step; of several rounds
// the fastest counts, because other work on the machine can only add to it. The two take turns, so that both
// see the same machine. The hashes must agree: threads change nothing but the time.
//
// `--markdown` prints the table as it stands in the documents.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include <taut/joints.h>
#include <taut/world.h>

namespace {

using namespace taut;

// Links of 1 kg and 0.1 m with a load of 100 kg, let go at an angle that differs from chain to chain.
World make_world(int chains, int links)
{
    World world;
    for (int k = 0; k < chains; ++k) {
        const Real lean = 0.2 + 0.05 * k;
        const Vec3 along(std::sin(lean), 0, -std::cos(lean)), at(0, k, 0);
        const Quat q = Quat::FromTwoVectors(Vec3(0, 0, -1), along);
        BodyId previous = kWorld;
        for (int i = 0; i < links; ++i) {
            const Real mass = i + 1 == links ? 100 : 1;
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
    constexpr int kRounds = 9, kSteps = 40;
    std::printf(
        markdown
            ? "| chains | links | 1 thread [µs/step] | 2 threads | ratio |\n|---|---|---|---|---|\n"
            : "chains  links  1 thread [us/step]  2 threads  ratio\n");
    for (const auto& [chains, links] : {std::pair{16, 10}, std::pair{16, 50}, std::pair{16, 200}}) {
        World worlds[2] = {make_world(chains, links), make_world(chains, links)};
        double best[2] = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
        for (int round = 0; round < kRounds; ++round)
            for (int k = 0; k < 2; ++k) {
                StepSettings settings;
                settings.threads = k + 1;
                best[k] = std::min(best[k], seconds_per_step(worlds[k], settings, kSteps));
            }
        if (worlds[0].hash() != worlds[1].hash()) {
            std::fprintf(stderr, "the hashes differ\n");
            return 1;
        }
        std::printf(
            markdown ? "| %d | %d | %.0f | %.0f | %.2f |\n" : "%6d  %5d  %18.0f  %9.0f  %5.2f\n",
            chains, links, 1e6 * best[0], 1e6 * best[1], best[0] / best[1]);
        std::fflush(stdout);
    }
    return 0;
}
