// Numbers as people type them: 0.01, 1e-3 or 1/60.
#pragma once

#include <optional>
#include <string>

#include "core/namespaces.h"

namespace taut::core {

// Nothing where the text is not one finite number, or a quotient of two.
std::optional<double> read_number(const std::string& text);

}  // namespace taut::core
