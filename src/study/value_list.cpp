#include "study/value_list.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/number.h"

namespace taut::study {

namespace {

constexpr int kMostValues = 1000;  // of one range

// Short form of a number: 1000, but 1e5.
std::string short_number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.15g", value);
    const std::string plain = text;
    if (value < 1e4) return plain;
    const int power = static_cast<int>(std::floor(std::log10(value) + 1e-12));
    std::snprintf(text, sizeof text, "%.15ge%d", value / std::pow(10, power), power);
    return plain.size() <= std::string(text).size() ? plain : text;
}

// Three digits, or more for closely spaced values: rounding changes a value by at most a twentieth of the distance to
// its neighbour.
std::string rounded(double value, double ratio)
{
    double shown = value;
    for (int digits = 3; digits <= 15; ++digits) {
        char text[32];
        std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
        shown = std::strtod(text, nullptr);
        if (std::abs(shown / value - 1) <= 0.05 * std::abs(ratio - 1)) break;
    }
    return short_number(shown);
}

Result<std::vector<std::string>> parse_range(const std::string& option, const std::string& text,
                                             std::size_t dots)
{
    const auto colon = text.find(':', dots);
    const Error form{option + ": a range must be LO..HI:N such as 1..1e6:7, not '" + text + "'"};
    if (colon == std::string::npos) return form;
    const auto low = read_number(text.substr(0, dots));
    const auto high = read_number(text.substr(dots + 2, colon - dots - 2));
    const auto number = read_number(text.substr(colon + 1));
    if (!low || !high || !number) return form;
    if (!(*low > 0 && *high > 0))
        return Error{option + ": the ends of '" + text +
                     "' must be above zero, because the values are logarithmically spaced"};
    if (!(*number >= 2 && *number <= kMostValues) || *number != std::floor(*number))
        return Error{option + ": '" + text + "' must have a whole number of values from 2 to " +
                     std::to_string(kMostValues)};

    const int count = static_cast<int>(*number);
    const double ratio = std::pow(*high / *low, 1.0 / (count - 1));
    // the ends keep their text
    std::vector<std::string> values = {text.substr(0, dots)};
    for (int i = 1; i + 1 < count; ++i)
        values.push_back(rounded(*low * std::pow(*high / *low, double(i) / (count - 1)), ratio));
    values.push_back(text.substr(dots + 2, colon - dots - 2));
    return values;
}

}  // namespace

std::vector<std::string> split_list(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        std::string part = text.substr(begin, end - begin);
        part.erase(0, part.find_first_not_of(" \t"));
        part.erase(part.find_last_not_of(" \t") + 1);
        parts.push_back(std::move(part));
        begin = end + 1;
    }
    return parts;
}

Result<std::vector<std::string>> parse_values(const std::string& option, const std::string& list)
{
    const Error form{option + " must be values separated by commas, not '" + list + "'"};
    std::vector<std::string> values;
    for (const std::string& part : split_list(list, ',')) {
        if (part.empty()) return form;
        if (const auto dots = part.find(".."); dots != std::string::npos) {
            auto range = parse_range(option, part, dots);
            if (!range.ok()) return range.error();
            values.insert(values.end(), range->begin(), range->end());
        } else {
            values.push_back(part);
        }
    }
    for (auto value = values.begin(); value != values.end(); ++value)
        if (std::find(values.begin(), value, *value) != value)
            return Error{option + " has the value '" + *value + "' twice"};
    return values;
}

}  // namespace taut::study
