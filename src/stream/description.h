// A scene as the JSON text that a page builds its picture from: the message `scene` of docs/viewer-protocol.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <taut/scene.h>

#include "core/namespaces.h"

namespace taut::stream {

struct ListedScene {
    std::string name;
    std::string title;
};

// What a description says besides the scene itself.
struct DescriptionNote {
    std::uint32_t revision = 1;
    std::string file;
    std::vector<std::string> plots;   // readings whose values each frame carries, in this order
    std::vector<ListedScene> scenes;  // that a live viewer may switch to
};

// Most readings that frames may carry.
inline constexpr std::size_t kMostPlots = 16;

// What is plotted if nobody chooses: energies, then the force of the first joint.
std::vector<std::string> usual_plots(const World& world);
// Those, and what the scene itself records, as far as frames have room: for recordings, to which none can be added later.
std::vector<std::string> recorded_plots(const Scene& scene);

// The message, in one line. Names that are no valid UTF-8 are mended rather than refused.
std::string describe_scene(const Scene& scene, const DescriptionNote& note);

}  // namespace taut::stream
