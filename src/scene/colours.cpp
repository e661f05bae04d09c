#include "scene/colours.h"

#include <array>
#include <string_view>

namespace taut::scene {
namespace {

struct NamedColour {
    std::string_view name;
    std::string_view code;
};
constexpr std::array kColours = {
    NamedColour{"black", "#000000"},  NamedColour{"white", "#ffffff"},
    NamedColour{"grey", "#888888"},   NamedColour{"red", "#d03030"},
    NamedColour{"green", "#2f9e44"},  NamedColour{"blue", "#2f6fd0"},
    NamedColour{"yellow", "#e8c020"}, NamedColour{"orange", "#e8801a"},
    NamedColour{"brown", "#8b5a2b"},  NamedColour{"purple", "#8040b0"},
    NamedColour{"cyan", "#20b0c0"},   NamedColour{"pink", "#e070a0"},
};

}  // namespace

std::string colour_code(const std::string& text)
{
    for (const NamedColour& colour : kColours)
        if (colour.name == text) return std::string(colour.code);
    const bool code = text.size() == 7 && text[0] == '#' &&
                      text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    return code ? text : std::string();
}

std::vector<std::string> colour_names()
{
    std::vector<std::string> names;
    for (const NamedColour& colour : kColours) names.emplace_back(colour.name);
    return names;
}

}  // namespace taut::scene
