// CSV lines according to RFC 4180: fields with a comma, a quote or a line break are quoted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::record {

std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);  // without the line break

// The fields of one line; empty if a quote is not closed, as in a truncated line.
std::optional<std::vector<std::string>> split_csv_line(const std::string& line);

}  // namespace taut::record
