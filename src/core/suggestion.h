// "Did you mean …?": the allowed word that is nearest to what was typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/namespaces.h"

namespace taut::core {

// Fewest letters to insert, delete, replace or swap to turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

// The nearest of `words`, or empty if none is near enough to be a mistyped one.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

// "; did you mean 'tension'?" or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words);

}  // namespace taut::core
