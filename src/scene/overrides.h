// --set path=value: parameters by name first, then any value of the document by its dotted path.
#pragma once

#include <map>
#include <string>

#include <taut/scene.h>
#include "scene/document.h"

namespace taut::scene {

// Changes the tree for paths and returns the values given to parameters, by name.
std::map<std::string, NodePtr> apply_overrides(const Overrides& overrides, Document& document,
                                               Problems& problems);

}  // namespace taut::scene
