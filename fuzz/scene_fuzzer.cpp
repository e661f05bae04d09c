// Any bytes are either a scene or an error with a message; and what was accepted can be stepped.
//
//     scene_fuzzer CORPUS scenes        # the shipped scenes are the seeds
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <taut/scene.h>

#include "scene/file_bounds.h"

namespace {

// A generator may make more bodies than can be stepped at fuzzing speed.
constexpr int kMostBodies = 60;
constexpr int kMostSolves = 10;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
    taut::scene::file_bounds::generated_bodies = 10 * kMostBodies;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto scene = taut::read_scene(text, "fuzz/nowhere/scene.yaml");
    if (!scene.ok()) {
        if (scene.error().message.empty()) {
            std::fputs("an error without a message\n", stderr);
            std::abort();
        }
        return 0;
    }
    if (scene->world.body_count() > kMostBodies) return 0;
    // steps that do not settle are handed out sooner than for a user
    const int named = scene->settings.max_solves;
    if (scene->settings.research.scheme <= taut::Scheme::Bdf2 || named > kMostSolves)
        scene->settings.max_solves = named > 0 ? std::min(named, kMostSolves) : kMostSolves;
    for (int i = 0; i < 2; ++i) scene->world.step(scene->settings);
    return 0;
}
