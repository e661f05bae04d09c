#include "core/number.h"

#include <cmath>
#include <cstdlib>

namespace taut::core {

std::optional<double> read_number(const std::string& text)
{
    const char* begin = text.c_str();
    char* end = nullptr;
    double value = std::strtod(begin, &end);
    if (end == begin) return std::nullopt;
    if (*end == '/') {
        begin = end + 1;
        const double divisor = std::strtod(begin, &end);
        if (end == begin) return std::nullopt;
        value /= divisor;
    }
    if (*end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value;
}

}  // namespace taut::core
