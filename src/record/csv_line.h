// Lines of CSV as RFC 4180 has them: what holds a comma, a quote or a line break is quoted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::record {

std::string csv_field(const std::string& text);
std::string csv_line(const std::vector<std::string>& fields);  // without the line break

// The fields of one line; nothing if a quote does not close, as in a line that was cut short.
std::optional<std::vector<std::string>> split_csv_line(const std::string& line);

}  // namespace taut::record
