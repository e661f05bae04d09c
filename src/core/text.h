// Builds messages: text("mass is ", m, " kg"). For the boundary only; nothing in the step speaks.
#pragma once

#include <sstream>
#include <string>

namespace taut {

template <class... Parts>
std::string text(const Parts&... parts)
{
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

}  // namespace taut
