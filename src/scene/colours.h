// Colours by name or by code "#rrggbb".
#pragma once

#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::scene {

// The code "#rrggbb" of a colour given by name or by code; empty if the text is not a colour.
std::string colour_code(const std::string& text);

std::vector<std::string> colour_names();

}  // namespace taut::scene
