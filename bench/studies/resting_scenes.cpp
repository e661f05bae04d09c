// Bodies at rest, at any step: every step settles, with a handful of solves.
#include <atomic>
#include <cstdio>

#include "resting.h"
#include "study.h"

using namespace taut;
using namespace taut::study;

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: resting_scenes [--count N] [--seed S] [--seconds T] [--steps K] [-j THREADS]\n"
        "N random resting configurations with steps from 1e-5 to 0.1 s, each for T seconds, at "
        "most K steps, or until the state\n"
        "repeats itself to the bit. Exit code 1 if a step does not settle or takes more than 5 "
        "solves, if 99.9 % of the steps\n"
        "do not stay within twice the median, or if a body moves by more than 1e-5 m from where "
        "it was set.");
    const auto scenes = static_cast<std::size_t>(arguments.number("--count", 100));
    const auto seed = static_cast<std::uint64_t>(arguments.number("--seed", 1));
    const Real seconds = arguments.number("--seconds", 600);
    const auto most = static_cast<long>(arguments.number("--steps", 36000));
    const auto threads = static_cast<unsigned>(arguments.number("-j", 1));
    arguments.done();

    constexpr Real kSteps[] = {1e-5, 1e-4, 1e-3, 1.0 / 240, 1.0 / 60, 0.1};
    constexpr std::size_t kStepCount = std::size(kSteps);
    std::atomic<std::size_t> failed{0}, still{0};
    spread(scenes * kStepCount, threads, [&](std::size_t i) {
        RestingScene scene = resting_scene(seed + i / kStepCount);
        const Real dt = kSteps[i % kStepCount];
        const RestOutcome seen = watch_rest(scene.world, {.dt = dt}, seconds, most);
        if (seen.still) ++still;
        if (seen.rests()) return;
        ++failed;
        std::printf(
            "seed %llu (%s), dt %.3g: %ld of %ld steps unsettled; solves median %d, "
            "99.9 %% %d, most %d; moved by %.2g m\n",
            static_cast<unsigned long long>(seed + i / kStepCount), scene.story.c_str(), dt,
            seen.unsettled, seen.steps, seen.median_solves, seen.high_solves, seen.most_solves,
            seen.moved);
    });
    std::printf(
        "%zu configurations at %zu steps each: %zu runs failed, %zu stand still to the bit\n",
        scenes, kStepCount, failed.load(), still.load());
    return failed > 0 ? 1 : 0;
}
