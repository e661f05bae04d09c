// YAML text into nodes, within the limits. The only code that knows yaml-cpp.
#pragma once

#include <string_view>

#include "scene/node.h"

namespace taut::scene {

// The one document in `text`, or null after reporting what is wrong. Keys are unique and plain
// text; `<<` is merged. `origin` names the file; its line and column are ignored.
NodePtr read_yaml(std::string_view text, const Where& origin, Problems& problems);

}  // namespace taut::scene
