// A few scenes that never change, each for a fixed number of steps: what tools/count_instructions counts.
//
//     fixed_scenes            lists them
//     fixed_scenes SCENE      runs one and prints the hash of where it ended
//
// Scenes named *_bdf2 are stepped by that scheme, whose cost does not depend on how well a motion is resolved; chain_one_solve by one
// solve a step.
#include <cstdio>
#include <string_view>

#include "contact_scenes.h"
#include "mechanisms.h"

using namespace taut;
using namespace taut::study;

namespace {

struct Fixed {
    std::string_view name;
    World (*build)();
    int steps;
    StepSettings settings = {.dt = Real(1) / 60};
};

constexpr StepSettings kBdf2{.dt = Real(1) / 60, .research = {.scheme = Scheme::Bdf2}};
constexpr StepSettings kOneSolve{
    .dt = Real(1) / 60, .max_solves = 1, .research = {.scheme = Scheme::BackwardEuler}};

World chain() { return build({.kind = Kind::Ball, .links = 100, .ratio = 100}); }
World hinges() { return build({.kind = Kind::Hinge, .links = 50, .ratio = 1e4}); }
World net() { return build({.kind = Kind::Net, .links = 100, .ratio = 100}); }
World loops() { return build({.kind = Kind::FourBars, .links = 40, .ratio = 100}); }

World wall()
{
    World world;
    add_floor(world);
    add_wall(world, 8, 5);
    return world;
}

constexpr Fixed kScenes[] = {
    {"chain", chain, 120},
    {"hinges", hinges, 120},
    {"net", net, 60},
    {"loops", loops, 60},
    {"wall", wall, 30},
    {"chain_bdf2", chain, 120, kBdf2},
    {"hinges_bdf2", hinges, 120, kBdf2},
    {"net_bdf2", net, 60, kBdf2},
    {"loops_bdf2", loops, 60, kBdf2},
    {"chain_one_solve", chain, 120, kOneSolve},
};

}  // namespace

// Not inlined: its name is where counting begins and ends.
[[gnu::noinline]] void take_fixed_steps(World& world, const StepSettings& settings, int steps)
{
    for (int i = 0; i < steps; ++i) (void)world.step(settings);
}

int main(int argc, char** argv)
{
    for (const Fixed& scene : kScenes) {
        if (argc < 2) std::printf("%.*s\n", static_cast<int>(scene.name.size()), scene.name.data());
        if (argc < 2 || scene.name != argv[1]) continue;
        World world = scene.build();
        (void)world.step(scene.settings);  // lays out memory
        take_fixed_steps(world, scene.settings, scene.steps);
        std::printf("%016llx\n", static_cast<unsigned long long>(world.hash()));
        return 0;
    }
    return argc < 2 ? 0 : 2;
}
