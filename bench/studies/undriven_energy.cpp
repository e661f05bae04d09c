// Random mechanisms that nothing drives: energy does not rise, and bodies move as their velocities say.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "study.h"

using namespace taut;
using namespace taut::study;

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: undriven_energy [--count N] [--seed S] [--steps K] [--rise R] [-j THREADS]\n"
        "Steps N random undriven mechanisms K times with the default step. Exit code 1 if the "
        "energy of one rises by more than\n"
        "R of its largest kinetic energy, or a body moves farther in a settled step than its "
        "velocities tell.");
    const auto wanted = static_cast<std::size_t>(arguments.number("--count", 5000));
    const auto seed = static_cast<std::uint64_t>(arguments.number("--seed", 1));
    const int steps = static_cast<int>(arguments.number("--steps", 60));
    const Real most = arguments.number("--rise", 0.005);
    const auto threads = static_cast<unsigned>(arguments.number("-j", 1));
    arguments.done();

    std::vector<std::uint64_t> seeds;
    for (std::uint64_t s = seed; seeds.size() < wanted; ++s)
        if (is_undriven(random_scene(s))) seeds.push_back(s);
    std::atomic<std::size_t> risen{0}, unexplained{0}, broken{0};
    std::atomic<long> unsettled{0}, taken{0};
    spread(seeds.size(), threads, [&](std::size_t i) {
        RandomScene scene = random_scene(seeds[i]);
        MotionCheck seen = check_motion(scene.world, {.dt = scene.dt}, steps);
        if (seen.rise > most) {
            // mechanisms that swing within a step have their largest kinetic energy there: a run with short steps sees it
            constexpr int kParts = 16;
            RandomScene fine = random_scene(seeds[i]);
            seen.rise =
                seen.gained /
                std::max(
                    seen.kinetic,
                    check_motion(fine.world, {.dt = scene.dt / kParts}, steps * kParts).kinetic);
        }
        unsettled += seen.unsettled;
        taken += seen.taken;
        if (!seen.finite) ++broken;
        if (seen.rise > most) ++risen;
        if (seen.unexplained > 0) ++unexplained;
        if (!seen.finite || seen.rise > most || seen.unexplained > 0)
            std::printf("seed %llu dt %.3g: rise %.3g, %ld steps unexplained (%s)\n",
                        static_cast<unsigned long long>(seeds[i]), scene.dt, seen.rise,
                        seen.unexplained, scene.story.c_str());
    });
    std::printf(
        "%zu mechanisms, %ld steps, %ld unsettled: energy rises by more than %g of the kinetic "
        "energy in %zu, "
        "%zu move without a velocity, %zu broken\n",
        seeds.size(), taken.load(), unsettled.load(), most, risen.load(), unexplained.load(),
        broken.load());
    return risen + unexplained + broken > 0 ? 1 : 0;
}
