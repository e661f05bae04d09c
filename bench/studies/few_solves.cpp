// What is left of a step that is given few solves: cost, penetration, energy, bodies that went through a floor or a wall.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include <time.h>

#include "contact_scenes.h"
#include "dice.h"
#include "study.h"

using namespace taut;
using namespace taut::study;

namespace {

// Processor time of this process [s].
double processor_time()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Scene {
    World world;
    Real dt = Real(1) / 60;
    Real inside = std::numeric_limits<Real>::infinity();  // half of the room between walls [m]
};

Scene pile(std::uint64_t seed)
{
    Scene scene;
    add_floor(scene.world);
    add_pile(scene.world, 40, seed);
    return scene;
}

// The same in a narrow room, thrown at its walls.
Scene bin(std::uint64_t seed)
{
    Scene scene;
    scene.inside = 0.4;
    add_floor(scene.world);
    add_walls(scene.world, scene.inside, 20);
    add_pile(scene.world, 40, seed, {-0.18, -0.18, 0});
    Dice dice(seed);
    for (int b = 0; b < scene.world.body_count(); ++b)
        (void)scene.world.set_velocity(BodyId{b}, {dice.vector(8), dice.vector(20)});
    return scene;
}

Scene ragdolls(std::uint64_t seed)
{
    Scene scene;
    add_floor(scene.world);
    Dice dice(seed);
    for (int doll = 0; doll < 4; ++doll)
        add_ragdoll(scene.world,
                    dice.vector(0.2).cwiseProduct(Vec3(1, 1, 0)) + Vec3(0, 0, 0.3 + 0.4 * doll),
                    dice.between(-3, 3));
    return scene;
}

Scene any(std::uint64_t seed)
{
    ContactScene made = random_contact_scene(1000 + seed);
    Scene scene;
    scene.world = std::move(made.world);
    scene.dt = made.dt;
    return scene;
}

struct Family {
    const char* name;
    Scene (*make)(std::uint64_t seed);
    int seeds;  // for one that is asked for
};

struct Seen {
    std::vector<double> ms;
    std::vector<Real> depth;  // per contact, of pairs that were apart at first [m]
    std::vector<int> solves;
    Real rise = 0;  // of the energy above its start, over the largest kinetic energy
    Real gap = 0;
    long unsettled = 0, through = 0, refused = 0;
};

bool is_outside(const Scene& scene, const Vec3& p)
{
    return !(p.z() >= 0) || !(p.head<2>().cwiseAbs().maxCoeff() <= scene.inside);
}

void run(Scene scene, int steps, int most_solves, Seen& seen)
{
    World& world = scene.world;
    const auto balance = [&] { return world.energy().total() - world.work().total(); };
    const Real start = balance();
    Real rise = 0, kinetic = 1e-300;
    for (int k = 0; k < steps; ++k) {
        const double begin = processor_time();
        const StepReport report = world.step({.dt = scene.dt, .max_solves = most_solves});
        seen.ms.push_back(1e3 * (processor_time() - begin));
        seen.refused += report.status != StepStatus::Ok;
        seen.unsettled += !report.settled;
        seen.solves.push_back(report.solves);
        for (const ContactReading& contact : world.contacts())
            seen.depth.push_back(std::max(Real(0), -contact.gap));
        rise = std::max(rise, balance() - start);
        kinetic = std::max(kinetic, world.energy().kinetic());
        seen.gap = std::max(seen.gap, world.joint_gap());
    }
    for (int b = 0; b < world.body_count(); ++b)
        seen.through += is_outside(scene, world.pose(BodyId{b}).p);
    seen.rise = std::max(seen.rise, rise / kinetic);
}

template <class T>
T quantile(std::vector<T> x, double q)
{
    if (x.empty()) return 0;
    std::sort(x.begin(), x.end());
    return x[std::min(x.size() - 1, static_cast<std::size_t>(q * static_cast<double>(x.size())))];
}

template <class T>
double mean(const std::vector<T>& x)
{
    double sum = 0;
    for (const T one : x) sum += static_cast<double>(one);
    return sum / static_cast<double>(std::max<std::size_t>(x.size(), 1));
}

}  // namespace

int main(int count, char** words)
{
    Arguments arguments(
        count, words,
        "usage: few_solves [--seeds N] [--first S] [--steps K] [--scene NAME] [--cap SOLVES]\n"
        "Steps piles, a bin, ragdolls and random scenes with few solves a step. Exit code 1 if a\n"
        "body went through the floor or a wall, or if energy rose by more than 0.5 % of the\n"
        "largest kinetic energy.");
    const int seeds = static_cast<int>(arguments.number("--seeds", 3));
    const int first = static_cast<int>(arguments.number("--first", 1));
    const int steps = static_cast<int>(arguments.number("--steps", 180));
    const std::string only = arguments.text("--scene", "");
    const int cap = static_cast<int>(arguments.number("--cap", -1));
    arguments.done();

    constexpr Family kKinds[] = {
        {"pile", pile, 1}, {"bin", bin, 1}, {"ragdolls", ragdolls, 1}, {"random", any, 8}};
    std::puts(
        "| scene | most solves | ms mean | p99 | max | solves mean | p99 | max | unsettled % | "
        "depth p99 mm | max mm | joints mm | energy % | through |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    bool broken = false;
    for (const Family& kind : kKinds) {
        if (!only.empty() && only != kind.name) continue;
        for (const int most : {1, 2, 5, 10, 20, 50, 200, 0}) {
            if (cap >= 0 && most != cap) continue;
            Seen seen;
            for (int seed = first; seed < first + seeds * kind.seeds; ++seed)
                run(kind.make(static_cast<std::uint64_t>(seed)), steps, most, seen);
            std::printf(
                "| %s | %d | %.2f | %.2f | %.1f | %.1f | %d | %d | %.2f | %.2f | %.1f | %.3f | "
                "%.3f | %ld |\n",
                kind.name, most, mean(seen.ms), quantile(seen.ms, 0.99), quantile(seen.ms, 1),
                mean(seen.solves), quantile(seen.solves, 0.99), quantile(seen.solves, 1),
                100 * static_cast<double>(seen.unsettled) / static_cast<double>(seen.ms.size()),
                1e3 * quantile(seen.depth, 0.99), 1e3 * quantile(seen.depth, 1), 1e3 * seen.gap,
                100 * seen.rise, seen.through);
            std::fflush(stdout);
            broken = broken || seen.through > 0 || seen.refused > 0 || !(seen.rise <= 5e-3);
        }
    }
    return broken ? 1 : 0;
}
