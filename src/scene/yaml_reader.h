// Parses YAML text into nodes, within the limits. The only code that uses yaml-cpp.
#pragma once

#include <string_view>

#include "scene/node.h"

namespace taut::scene {

// The document in `text`, or null after an error was reported. Keys are unique and plain text; `<<` is merged.
// `origin` is the file name for messages; its line and column are ignored.
NodePtr read_yaml(std::string_view text, const Where& origin, Problems& problems);

}  // namespace taut::scene
