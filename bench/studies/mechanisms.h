// The mechanisms that the studies and their samples in the tests are about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <taut/world.h>

namespace taut::study {

// Chains of 1 kg links of 0.1 m along x, the first joint on the ground, the last link `ratio` times as
// heavy; released horizontally while all turns about the vertical.
enum class Kind {
    Ball,
    Hinge,           // axes alternate between horizontal and vertical
    Universal,       // likewise
    PrismaticHinge,  // every second joint slides sideways against a spring, axes of the hinges alternate
    Weld,            // bends by angular compliance
    // closed loops; `links` counts the light bodies
    Ring,      // of ball joints, hung up at one joint, the heavy link opposite
    FourBars,  // side by side on the ground, hinges all parallel (redundant in space), heavy couplers
    Bridge,    // a heavy beam between two chains
    Net,       // particles and distances, one edge held, the two opposite corners heavy
};

struct KindInfo {
    Kind kind;
    std::string_view name;
    bool chain;
};
const std::vector<KindInfo>& kinds();

struct Cell {
    Kind kind = Kind::Ball;
    int links = 10;
    Real ratio = 1;
    Real dt = Real(1) / 60;
    Real stretch = 0;  // of a joint under the hanging load, over a link's length; 0: rigid
    Real turn = 0.3;   // about the vertical [rad/s]
};

World build(const Cell& cell);

// 20 segments of half a kilogram and half a metre, welded by joints that are stiff along (1e12 N/m) and
// soft in bending and torsion (10 N m/rad), with 100 kg at the end, released at 45°.
World cable_pendulum();

// A random mechanism: up to 12 bodies with masses over twelve decades, any joints, trees and loops, springs,
// motors, moving anchors. The same for the same seed on any machine.
struct RandomScene {
    World world;
    Real dt = 0;  // 1e-4 … 0.1 s
    std::string story;
};
RandomScene random_scene(std::uint64_t seed);

// Whether nothing feeds energy in: no motors, servos or moving anchors, and all joints meet at the start.
bool is_undriven(const RandomScene& scene);

}  // namespace taut::study
