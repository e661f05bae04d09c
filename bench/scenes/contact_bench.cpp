// Step time against the number of contacts, and where it goes: for a wall at rest, for one pile that comes to rest, and for a
// field of piles, each an island of its own.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "contact_scenes.h"

using namespace taut;
using namespace taut::study;

namespace {

struct Row {
    double contacts = 0;
    double solves = 0;
    StepTimes times;  // medians per step [s]
};

// `settle` steps to come to rest or to get going, then the medians of `steps`.
Row measure(World& world, int settle, int steps)
{
    const StepSettings settings{.dt = Real(1) / 60, .profile = true};
    for (int i = 0; i < settle; ++i) (void)world.step(settings);
    Row row;
    std::vector<double> whole, collision, assembly, solve;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(settings);
        row.contacts += static_cast<double>(world.contacts().size()) / steps;
        row.solves += static_cast<double>(report.solves) / steps;
        whole.push_back(report.times.whole);
        collision.push_back(report.times.collision);
        assembly.push_back(report.times.assembly);
        solve.push_back(report.times.solve);
    }
    const auto median = [](std::vector<double>& v) {
        std::nth_element(v.begin(), v.begin() + static_cast<long>(v.size() / 2), v.end());
        return v[v.size() / 2];
    };
    row.times = {median(whole), median(collision), median(assembly), median(solve)};
    return row;
}

void print(const char* scene, int bodies, const Row& row)
{
    const auto share = [&](double part) { return 100 * part / row.times.whole; };
    std::printf("| %s | %d | %.0f | %.2f | %.3f | %.2f | %.0f | %.0f | %.0f |\n", scene, bodies,
                row.contacts, row.solves, 1e3 * row.times.whole,
                1e6 * row.times.whole / std::max(row.contacts, 1.0), share(row.times.collision),
                share(row.times.assembly), share(row.times.solve));
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words)
{
    const bool quick = count > 1 && std::strcmp(words[1], "--quick") == 0;
    if (count > 1 && !quick) {
        std::puts("usage: contact_bench [--quick]");
        return std::strcmp(words[1], "--help") == 0 ? 0 : 2;
    }
    std::puts(
        "| scene | bodies | contacts | solves | ms a step | us a contact | collision % | assembly "
        "% | "
        "solve % |\n|---|---|---|---|---|---|---|---|---|");
    const int largest = quick ? 8 : 40;
    for (int rows = 1; rows <= largest; rows = rows < 4 ? rows + 1 : rows * 3 / 2) {
        World world;
        add_floor(world);
        add_wall(world, rows + 1, rows);
        print("wall", world.body_count(), measure(world, 20, 11));
    }
    const int settle = quick ? 30 : 120;
    for (int bodies = 3; bodies <= (quick ? 40 : 400); bodies = bodies * 2) {
        World world;
        add_floor(world);
        add_pile(world, bodies, 1);
        print("pile", world.body_count(), measure(world, settle, 11));
    }
    for (int side = 1; side <= (quick ? 2 : 13); side = side < 4 ? side + 1 : side * 2 - 1) {
        constexpr int kBodies = 24;
        World world;
        add_floor(world);
        for (int i = 0; i < side * side; ++i)
            add_pile(world, kBodies, static_cast<std::uint64_t>(i + 1),
                     Vec3(3 * (i % side), 3 * (i / side), 0));
        print("field of piles", world.body_count(), measure(world, settle, 11));
    }
    return 0;
}
