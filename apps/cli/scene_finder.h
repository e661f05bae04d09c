// Finds a scene: a file of the user, or a shipped scene by its name.
#pragma once

#include <string>
#include <vector>

#include <taut/result.h>

namespace taut::cli {

struct ShippedScene {
    std::string name;  // path below the scenes folder without ".yaml": "crane", "joints/hinge"
    std::string file;
};

// Searches, in this order: the folders of the environment variable TAUT_SCENES (colon-separated), the folder
// beside the installed program, the installation, the source tree. The first match is used.
std::vector<ShippedScene> shipped_scenes();

// The file of a shipped scene; "hinge" finds "joints/hinge" if no other scene has this last component.
Result<std::string> find_shipped_scene(const std::string& name);

// The path itself if the file exists; otherwise the shipped scene of this name.
Result<std::string> find_scene(const std::string& file_or_name);

}  // namespace taut::cli
