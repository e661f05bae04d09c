// Lists on the command line: "1,10,100", "ball,hinge", and LO..HI:N for N logarithmically spaced, rounded values.
#pragma once

#include <string>
#include <vector>

#include <taut/result.h>

#include "core/namespaces.h"

namespace taut::study {

// The parts between separators, without surrounding blanks. Text without a separator is one part.
std::vector<std::string> split_list(const std::string& text, char separator);

// Values as text, because parameters may be words. `option` is the prefix of errors. Duplicates are an error.
//     1..1e6:7  →  1 10 100 1000 1e4 1e5 1e6
Result<std::vector<std::string>> parse_values(const std::string& option, const std::string& list);

}  // namespace taut::study
