// Where scenes are: a file of the user's, or one that comes with Taut, found by its name.
#pragma once

#include <string>
#include <vector>

#include <taut/result.h>

namespace taut::cli {

struct ShippedScene {
    std::string name;  // path below the scenes folder without ".yaml": "crane", "joints/hinge"
    std::string file;
};

// Folders in order: those of the variable TAUT_SCENES (separated by colons), beside the installed
// program, the installation, the source tree. The first that has a name wins.
std::vector<ShippedScene> shipped_scenes();

// The file of a shipped scene; "hinge" finds "joints/hinge" if no other scene ends like that.
Result<std::string> find_shipped_scene(const std::string& name);

// An existing file is itself; anything else is looked up among the shipped scenes.
Result<std::string> find_scene(const std::string& file_or_name);

}  // namespace taut::cli
