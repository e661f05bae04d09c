#include "view/command.h"

#include <cmath>
#include <functional>
#include <map>
#include <type_traits>

#include <nlohmann/json.hpp>

#include <taut/step_settings.h>

namespace taut::view {

namespace {

using CommandJson = nlohmann::json;

constexpr std::size_t kMostDepth = 4;  // maximum nesting of a command

// Thrown for an invalid field; caught in parse_command only.
struct BadField {
    std::string reason;
};

const CommandJson& field(const CommandJson& json, const char* name)
{
    const auto found = json.find(name);
    if (found == json.end()) throw BadField{std::string("'") + name + "' is missing"};
    return *found;
}

Real number(const CommandJson& json, const char* name)
{
    const CommandJson& value = field(json, name);
    if (!value.is_number() || !std::isfinite(value.get<Real>()))
        throw BadField{std::string("'") + name + "' must be a number"};
    return value.get<Real>();
}

int whole(const CommandJson& json, const char* name)
{
    const Real value = number(json, name);
    if (value != std::floor(value) || std::abs(value) > 1e9)
        throw BadField{std::string("'") + name + "' must be a whole number"};
    return static_cast<int>(value);
}

std::string word(const CommandJson& value, const char* name)
{
    if (!value.is_string()) throw BadField{std::string("'") + name + "' must be text"};
    return value.get<std::string>();
}

Vec3 vector(const CommandJson& json, const char* name)
{
    const CommandJson& value = field(json, name);
    Vec3 v = Vec3::Constant(NAN);
    if (value.is_array() && value.size() == 3)
        for (int i = 0; i < 3; ++i)
            if (value[i].is_number()) v[i] = value[i].get<Real>();
    if (!v.allFinite()) throw BadField{std::string("'") + name + "' must be three numbers"};
    return v;
}

// The value is a number (slider) or text (choice, formula).
std::string parameter_value(const CommandJson& json)
{
    const CommandJson& value = field(json, "value");
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number() || value.is_boolean()) return value.dump();
    throw BadField{"'value' must be a number or text"};
}

// A number for options that are numbers, true or false for flags, a name for choices.
std::string option_value(const CommandJson& json, const StepOption& option, const char* name)
{
    const StepSettings defaults;
    return visit_option(defaults, option, [&](const auto& of) -> std::string {
        using Value = std::remove_cvref_t<decltype(of)>;
        if constexpr (std::is_enum_v<Value>) {
            return word(json[name], name);
        } else if constexpr (std::is_same_v<Value, bool>) {
            if (!json[name].is_boolean())
                throw BadField{std::string("'") + name + "' must be true or false"};
            return json[name].dump();
        } else {
            if constexpr (std::is_same_v<Value, int>) return std::to_string(whole(json, name));
            number(json, name);
            return json[name].dump();
        }
    });
}

Command settings(const CommandJson& json)
{
    ChangeSettings change;
    for (const StepOption& option : kStepOptions) {
        const std::string name(option.name);
        if (option.places & kInViewer && json.contains(name))
            change.options[name] = option_value(json, option, name.c_str());
    }
    return change;
}

Command plots(const CommandJson& json)
{
    const CommandJson& list = field(json, "readings");
    if (!list.is_array()) throw BadField{"'readings' must be a list of names"};
    ChoosePlots chosen;
    for (const CommandJson& name : list) chosen.readings.push_back(word(name, "readings"));
    return chosen;
}

Command grab(const CommandJson& json)
{
    return Grab{whole(json, "body"), vector(json, "point"), vector(json, "target"),
                json.contains("strength") ? number(json, "strength") : 1};
}

const std::map<std::string, std::function<Command(const CommandJson&)>, std::less<>>& readers()
{
    static const std::map<std::string, std::function<Command(const CommandJson&)>, std::less<>>
        table = {
            {"play", [](const CommandJson&) { return Play{}; }},
            {"pause", [](const CommandJson&) { return Pause{}; }},
            {"step", [](const CommandJson&) { return SingleStep{}; }},
            {"reset", [](const CommandJson&) { return Reset{}; }},
            {"speed", [](const CommandJson& j) { return SetSpeed{number(j, "value")}; }},
            {"rewind", [](const CommandJson& j) { return Rewind{number(j, "time")}; }},
            {"grab", grab},
            {"drag", [](const CommandJson& j) { return Drag{vector(j, "target")}; }},
            {"release", [](const CommandJson&) { return Release{}; }},
            {"settings", settings},
            {"set",
             [](const CommandJson& j) {
                 return SetParameter{word(field(j, "name"), "name"), parameter_value(j)};
             }},
            {"control",
             [](const CommandJson& j) {
                 return SetControl{word(field(j, "name"), "name"), number(j, "value")};
             }},
            {"defaults", [](const CommandJson&) { return Defaults{}; }},
            {"scene",
             [](const CommandJson& j) { return SwitchScene{word(field(j, "name"), "name")}; }},
            {"plots", plots},
        };
    return table;
}

// Null if the text is not JSON or is nested too deeply.
CommandJson read_json(std::string_view text)
{
    bool too_deep = false;
    CommandJson json = CommandJson::parse(
        text,
        [&](int depth, CommandJson::parse_event_t, CommandJson&) {
            too_deep |= depth > static_cast<int>(kMostDepth);
            return !too_deep;
        },
        false);
    return json.is_discarded() || too_deep ? CommandJson() : json;
}

}  // namespace

ParsedCommand parse_command(std::string_view text)
{
    ParsedCommand out;
    const CommandJson json = read_json(text);
    if (!json.is_object() || !json.contains("command") || !json["command"].is_string()) {
        out.malformed = true;
        out.reason = "not a JSON object with a 'command'";
        return out;
    }
    out.name = json["command"].get<std::string>();
    const auto reader = readers().find(out.name);
    if (reader == readers().end()) {
        out.reason = "unknown command";
        return out;
    }
    try {
        out.command = reader->second(json);
    } catch (const BadField& bad) {
        out.reason = bad.reason;
    }
    return out;
}

}  // namespace taut::view
