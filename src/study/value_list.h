// Lists as they are typed: "1,10,100", "ball,hinge", and LO..HI:N for N values at equal ratios, rounded.
#pragma once

#include <string>
#include <vector>

#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::study {

// The parts between separators, without blanks around them. Text without a separator is one part.
std::vector<std::string> split_list(const std::string& text, char separator);

// Values as text, for a scene's parameters may be words. `who` opens the error. No value twice.
//     1..1e6:7  →  1 10 100 1000 1e4 1e5 1e6
Result<std::vector<std::string>> parse_values(const std::string& who, const std::string& list);

}  // namespace taut::study
