// Builds messages: text("mass is ", m, " kg"). For the boundary only; nothing in the step speaks.
#pragma once

#include <sstream>
#include <string>

#include "core/namespaces.h"

namespace taut::core {

template <class... Parts>
std::string text(const Parts&... parts)
{
    std::ostringstream out;
    (out << ... << parts);
    return out.str();
}

}  // namespace taut::core
