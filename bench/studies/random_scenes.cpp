// Random mechanisms, 100 steps each: no state that is not finite, nothing that breaks.
#include <atomic>
#include <cmath>
#include <cstdio>

#include "study.h"

using namespace taut;
using namespace taut::study;

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: random_scenes [--count N] [--seed S] [--steps K] [-j THREADS]\n"
        "Steps N random mechanisms K times with the default step. Exit code 1 if one breaks.");
    const auto scenes = static_cast<std::size_t>(arguments.number("--count", 100000));
    const auto seed = static_cast<std::uint64_t>(arguments.number("--seed", 1));
    const int steps = static_cast<int>(arguments.number("--steps", 100));
    const auto threads = static_cast<unsigned>(arguments.number("-j", 1));
    arguments.done();

    std::atomic<std::size_t> broken{0}, refused{0}, joints{0};
    std::atomic<std::uint64_t> solves{0}, taken{0}, hard{0}, unsettled{0};
    spread(scenes, threads, [&](std::size_t i) {
        RandomScene scene = random_scene(seed + i);
        joints += static_cast<std::size_t>(scene.world.joint_count());
        for (int k = 0; k < steps; ++k) {
            const StepReport report = scene.world.step({.dt = scene.dt});
            if (report.status == StepStatus::Refused) ++refused;
            bool fine = report.status == StepStatus::Ok;
            for (int b = 0; b < scene.world.body_count() && fine; ++b) {
                const Pose pose = scene.world.pose(BodyId{b});
                const Twist twist = scene.world.velocity(BodyId{b});
                fine = pose.p.allFinite() && pose.q.coeffs().allFinite() &&
                       twist.linear.allFinite() && twist.angular.allFinite();
            }
            if (!fine) {
                ++broken;
                std::printf("seed %llu step %d dt %.3g: %.*s (%s)\n",
                            static_cast<unsigned long long>(seed + i), k + 1, scene.dt,
                            static_cast<int>(report.reason.size()), report.reason.data(),
                            scene.story.c_str());
                break;
            }
            ++taken;
            solves += static_cast<std::uint64_t>(report.solves);
            if (!report.reason.empty()) ++hard;
            if (!report.settled) ++unsettled;
        }
    });
    std::printf(
        "%zu scenes from seed %llu, %zu joints, %llu steps: %zu broken; %.2f solves a step, "
        "%.2f %% of the steps hard, %.4f %% handed out at the cap\n",
        scenes, static_cast<unsigned long long>(seed), joints.load(),
        static_cast<unsigned long long>(taken.load()), broken.load(),
        static_cast<double>(solves) / static_cast<double>(std::max<std::uint64_t>(taken, 1)),
        100 * static_cast<double>(hard) / static_cast<double>(std::max<std::uint64_t>(taken, 1)),
        100 * static_cast<double>(unsettled) /
            static_cast<double>(std::max<std::uint64_t>(taken, 1)));
    return broken > 0 || refused > 0 ? 1 : 0;
}
