// The description of a scene as JSON: the message `scene` of docs/viewer-protocol.md.
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

// Data of a description besides the scene itself.
struct DescriptionNote {
    std::uint32_t revision = 1;
    std::string file;
    std::vector<std::string> plots;   // readings whose values are part of each frame, in this order
    std::vector<ListedScene> scenes;  // scenes that a live viewer offers
};

// Maximum number of readings per frame.
inline constexpr std::size_t kMostPlots = 16;

// The default plots: energies and the force of the first joint.
std::vector<std::string> usual_plots(const World& world);
// The default plots and the readings that the scene records, up to kMostPlots: for recordings, whose plots are fixed.
std::vector<std::string> recorded_plots(const Scene& scene);

// The message on one line. Invalid UTF-8 in names is replaced.
std::string describe_scene(const Scene& scene, const DescriptionNote& note);

}  // namespace taut::stream
