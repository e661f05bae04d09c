// --set path=value: sets a parameter by its name, or any other value of the document by its dotted path.
#pragma once

#include <map>
#include <string>

#include <taut/scene.h>
#include "scene/document.h"

namespace taut::scene {

// Modifies the tree for paths, and returns the values of parameters by name.
std::map<std::string, NodePtr> apply_overrides(const Overrides& overrides, Document& document,
                                               Problems& problems);

}  // namespace taut::scene
