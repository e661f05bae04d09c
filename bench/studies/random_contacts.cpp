// Random solids thrown onto a floor and onto each other: no state that is not finite, nobody through the floor, no energy from
// nothing, and next to no steps that did not settle.
#include <atomic>
#include <cmath>
#include <cstdio>

#include "contact_scenes.h"
#include "study.h"

using namespace taut;
using namespace taut::study;

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: random_contacts [--count N] [--seed S] [--steps K] [-j THREADS] [--verbose]\n"
        "Steps N random scenes of bodies that touch K times with the default step. Exit code 1 if\n"
        "a state is not finite, a centre of mass is below the floor, energy rises by more than\n"
        "0.5 % of the largest kinetic energy of its scene, or 0.1 % of the steps are unsettled.");
    const auto scenes = static_cast<std::size_t>(arguments.number("--count", 10000));
    const auto seed = static_cast<std::uint64_t>(arguments.number("--seed", 1));
    const int steps = static_cast<int>(arguments.number("--steps", 200));
    const auto threads = static_cast<unsigned>(arguments.number("-j", 1));
    const bool verbose = arguments.flag("--verbose");
    arguments.done();

    constexpr Real kMostRise = 5e-3, kMostUnsettled = 1e-3;
    std::atomic<std::size_t> broken{0}, through{0}, risen{0};
    std::atomic<std::uint64_t> solves{0}, taken{0}, hard{0}, unsettled{0}, contacts{0};
    spread(scenes, threads, [&](std::size_t i) {
        ContactScene scene = random_contact_scene(seed + i);
        World& world = scene.world;
        std::uint64_t own = 0, lost = 0;
        const char* what = nullptr;
        const auto balance = [&] { return world.energy().total() - world.work().total(); };
        const Real start = balance();
        Real rise = 0, kinetic = world.energy().kinetic();
        int k = 0;
        for (; k < steps && !what; ++k) {
            const StepReport report = world.step({.dt = scene.dt});
            if (report.status != StepStatus::Ok) what = "a step could not be taken";
            for (int b = 0; b < world.body_count() && !what; ++b) {
                const Pose pose = world.pose(BodyId{b});
                const Twist twist = world.velocity(BodyId{b});
                if (!(pose.p.allFinite() && pose.q.coeffs().allFinite() &&
                      twist.linear.allFinite() && twist.angular.allFinite()))
                    what = "not finite";
                else if (pose.p.z() < 0)
                    what = "through the floor";
            }
            rise = std::max(rise, balance() - start);
            kinetic = std::max(kinetic, world.energy().kinetic());
            own += static_cast<std::uint64_t>(report.solves);
            contacts += world.contacts().size();
            if (!report.reason.empty()) ++hard;
            if (!report.settled) ++lost;
        }
        const Real rounding = 1e-12 * std::max(kinetic, std::abs(start));
        if (!what && rise > kMostRise * kinetic + rounding) what = "energy rose";
        taken += static_cast<std::uint64_t>(k);
        solves += own;
        unsettled += lost;
        if (what && what[0] == 't') ++through;
        if (what && what[0] == 'e') ++risen;
        if (what) ++broken;
        if (what || verbose)
            std::printf(
                "seed %llu step %d dt %.3g: %s; %.1f solves a step, %llu unsettled, energy +%.2g "
                "%% (%s)\n",
                static_cast<unsigned long long>(seed + i), k, scene.dt, what ? what : "fine",
                static_cast<double>(own) / static_cast<double>(std::max(k, 1)),
                static_cast<unsigned long long>(lost),
                kinetic > 0 ? 100 * std::max(rise, Real(0)) / kinetic : 0, scene.story.c_str());
    });
    const auto per_step = [&](std::uint64_t n) {
        return static_cast<double>(n) / static_cast<double>(std::max<std::uint64_t>(taken, 1));
    };
    std::printf(
        "%zu scenes from seed %llu, %llu steps, %.1f contacts a step: %zu broken, of these %zu "
        "through the floor, %zu with more energy; %.2f solves a step, %.2f %% of the steps hard, "
        "%.4f %% unsettled\n",
        scenes, static_cast<unsigned long long>(seed),
        static_cast<unsigned long long>(taken.load()), per_step(contacts), broken.load(),
        through.load(), risen.load(), per_step(solves), 100 * per_step(hard),
        100 * per_step(unsettled));
    return broken > 0 || per_step(unsettled) > kMostUnsettled ? 1 : 0;
}
