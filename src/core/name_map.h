// Names → indices, looked up by string_view without making a string.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/namespaces.h"

namespace taut::core {

struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept
    {
        return std::hash<std::string_view>()(name);
    }
};

using NameMap = std::unordered_map<std::string, int, NameHash, std::equal_to<>>;

}  // namespace taut::core
