// A step option as JSON: a number, true or false, or the name of a choice.
#pragma once

#include <string>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <taut/step_settings.h>

#include "core/namespaces.h"

namespace taut::stream {

inline nlohmann::ordered_json option_json(const StepSettings& settings, const StepOption& option)
{
    return visit_option(settings, option, [](const auto& value) -> nlohmann::ordered_json {
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>)
            return std::string(choice_name(choices_of(value), value));
        else
            return value;
    });
}

}  // namespace taut::stream
