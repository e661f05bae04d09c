// Colours by name or code.
#pragma once

#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::scene {

// "#rrggbb" for a colour as written, by name or as such; empty if it is none.
std::string colour_code(const std::string& text);

std::vector<std::string> colour_names();

}  // namespace taut::scene
