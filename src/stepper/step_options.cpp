// What follows from the table of step options: texts, parsing and checks.
#include <taut/step_settings.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "core/number.h"
#include "core/suggestion.h"

namespace taut {

namespace {

template <class Value>
std::vector<std::string> names_of_choices(Value value)
{
    std::vector<std::string> names;
    for (const auto& choice : choices_of(value)) names.emplace_back(choice.name);
    return names;
}

std::string joined(const std::vector<std::string>& names)
{
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

// The shortest of the usual forms that reads as the same number.
std::string shortest(Real value)
{
    char text[32];
    for (const int digits : {6, 15, 17}) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value) break;
    }
    return text;
}

bool within(const OptionRange& range, Real value) noexcept
{
    const bool high_enough = range.above_lowest ? value > range.lowest : value >= range.lowest;
    return std::isfinite(value) && high_enough && value <= range.highest;
}

bool is_allowed(const StepSettings& settings, const StepOption& option) noexcept
{
    return visit_option(settings, option, [&](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const Real&> ||
                      std::is_same_v<decltype(value), const int&>)
            return within(option.range, static_cast<Real>(value));
        else
            return true;
    });
}

// Made once, by the first world that is stepped with a value out of range.
const std::vector<std::string>& range_messages()
{
    static const std::vector<std::string> messages = [] {
        std::vector<std::string> all;
        for (const StepOption& option : kStepOptions)
            all.push_back(std::string(option.name) + " must be " + allowed_values(option));
        return all;
    }();
    return messages;
}

Status set_number(const StepOption& option, const std::string& text, const std::string& subject,
                  Real& value)
{
    const auto number = core::read_number(text);
    if (!number)
        return Error{subject + " must be a number such as 0.01 or 1/60, not '" + text + "'"};
    if (!within(option.range, *number))
        return Error{subject + " must be " + allowed_values(option) + ", not '" + text + "'"};
    value = *number;
    return Done{};
}

Status set_whole_number(const StepOption& option, const std::string& text,
                        const std::string& subject, int& value)
{
    const auto number = core::read_number(text);
    if (!number || *number != std::floor(*number) || !within(option.range, *number))
        return Error{subject + " must be " + allowed_values(option) + ", not '" + text + "'"};
    value = static_cast<int>(*number);
    return Done{};
}

Status set_flag(const std::string& text, const std::string& subject, bool& value)
{
    if (text != "true" && text != "false")
        return Error{subject + " must be true or false, not '" + text + "'"};
    value = text == "true";
    return Done{};
}

template <class Enum>
Status set_choice(const std::string& text, const std::string& subject, Enum& value)
{
    if (const auto found = find_choice(choices_of(value), text)) {
        value = *found;
        return Done{};
    }
    const std::vector<std::string> names = names_of_choices(value);
    return Error{subject + " '" + text + "' is not one of " + joined(names) +
                 core::did_you_mean(text, names)};
}

}  // namespace

const StepOption* find_step_option(std::string_view name) noexcept
{
    for (const StepOption& option : kStepOptions)
        if (option.name == name) return &option;
    return nullptr;
}

std::string allowed_values(const StepOption& option)
{
    const StepSettings defaults;
    return visit_option(defaults, option, [&](const auto& value) -> std::string {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) {
            return "true or false";
        } else if constexpr (std::is_enum_v<Value>) {
            return joined(names_of_choices(value));
        } else {
            const OptionRange& range = option.range;
            const std::string unit = option.unit.empty() ? "" : " " + std::string(option.unit);
            std::string text = std::is_same_v<Value, int> ? "a whole number of " : "";
            text += (range.above_lowest ? "above " : "at least ") + shortest(range.lowest);
            text += std::isfinite(range.highest) ? " and at most " + shortest(range.highest) + unit
                                                 : unit + " and finite";
            return text;
        }
    });
}

std::string option_text(const StepSettings& settings, const StepOption& option)
{
    return visit_option(settings, option, [](const auto& value) -> std::string {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
            return value ? "true" : "false";
        else if constexpr (std::is_enum_v<Value>)
            return std::string(choice_name(choices_of(value), value));
        else
            return shortest(static_cast<Real>(value));
    });
}

Status set_option(StepSettings& settings, const StepOption& option, const std::string& text,
                  const std::string& subject)
{
    return visit_option(settings, option, [&](auto& value) -> Status {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>)
            return set_flag(text, subject, value);
        else if constexpr (std::is_enum_v<Value>)
            return set_choice(text, subject, value);
        else if constexpr (std::is_same_v<Value, int>)
            return set_whole_number(option, text, subject, value);
        else
            return set_number(option, text, subject, value);
    });
}

const char* find_option_out_of_range(const StepSettings& settings) noexcept
{
    for (std::size_t i = 0; i < kStepOptions.size(); ++i)
        if (!is_allowed(settings, kStepOptions[i])) return range_messages()[i].c_str();
    return nullptr;
}

}  // namespace taut
