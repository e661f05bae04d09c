// taut list: joint types, methods, scenes and readings, one line each.
#include <cstdio>
#include <iostream>
#include <memory>

#include <taut/catalogue.h>
#include <taut/scene.h>

#include "commands.h"
#include "core/suggestion.h"
#include "output.h"
#include "record/columns.h"
#include "record/gauge.h"
#include "scene_finder.h"
#include "stream/option_json.h"

namespace taut::cli {

namespace {

const char* family_name(JointFamily family)
{
    switch (family) {
        case JointFamily::Primitive: return "primitive";
        case JointFamily::Joint: return "joint";
        case JointFamily::Motor: return "motor";
        case JointFamily::Servo: return "servo";
        case JointFamily::Limit: return "limit";
        case JointFamily::Contact: return "contact";
    }
    return "?";
}

// A list is an array of objects with "name" and "summary" first; the rest is extra.
Json joints_json()
{
    Json list = Json::array();
    for (const JointTypeInfo& type : joint_types()) {
        Json entry = {{"name", type.name},
                      {"summary", type.summary},
                      {"family", family_name(type.family)},
                      {"rows", type.rows},
                      {"bodies", type.bodies}};
        entry["parameters"] = Json::array();
        for (const ParameterInfo& p : type.parameters) {
            Json parameter = {{"name", p.name}, {"unit", p.unit}, {"summary", p.summary}};
            if (p.fallback) parameter["default"] = *p.fallback;
            entry["parameters"].push_back(std::move(parameter));
        }
        list.push_back(std::move(entry));
    }
    return list;
}

template <class Enum>
Json choices_json(std::span<const Choice<Enum>> choices)
{
    Json list = Json::array();
    for (const auto& choice : choices)
        list.push_back({{"name", choice.name}, {"summary", choice.summary}});
    return list;
}

Json options_json()
{
    const StepSettings defaults;
    Json list = Json::array();
    for (const StepOption& option : kStepOptions) {
        if (!(option.places & kInScenes)) continue;
        list.push_back({{"name", option.name},
                        {"summary", option.summary},
                        {"unit", option.unit},
                        {"default", option_json(defaults, option)},
                        {"allowed", allowed_values(option)}});
    }
    return list;
}

Json scenes_json()
{
    Json list = Json::array();
    for (const ShippedScene& shipped : shipped_scenes()) {
        const auto scene = load_scene(shipped.file);
        const std::string title = scene.ok() ? scene->title : "(" + scene.error().message + ")";
        list.push_back({{"name", shipped.name}, {"summary", title}, {"file", shipped.file}});
    }
    return list;
}

Json columns_json()
{
    Json list = Json::array();
    for (const ColumnInfo& column : column_catalogue())
        list.push_back({{"name", column.name}, {"summary", column.summary}, {"unit", column.unit}});
    for (const GaugeInfo& form : gauge_forms())
        list.push_back({{"name", std::string(form.form) + "(READING)"},
                        {"summary", std::string(form.summary) + "; in expectations"},
                        {"unit", ""}});
    return list;
}

struct Topic {
    const char* name;
    const char* heading;
    Json (*list)();
    bool by_default;
};

constexpr Topic kTopics[] = {
    {"joints", "Joint types", joints_json, true},
    {"schemes", "Schemes (--scheme)", [] { return choices_json(schemes()); }, true},
    {"stabilisations", "Stabilisations (--stabilisation)",
     [] { return choices_json(stabilisations()); }, true},
    {"solvers", "Solvers (--solver)", [] { return choices_json(solvers()); }, true},
    {"laws", "Solvers of inequality rows (--laws)", [] { return choices_json(law_methods()); },
     true},
    {"frictions", "Friction models (--friction)", [] { return choices_json(friction_shapes()); },
     true},
    {"options", "Step options (key 'step' of scenes, --set step.NAME=VALUE)", options_json, false},
    {"scenes", "Scenes that come with Taut", scenes_json, false},
    {"columns", "Readings (--columns, record, expect)", columns_json, false},
};

// " [N m]", or an empty text for a dimensionless reading.
std::string unit_note(const Json& entry)
{
    const std::string unit = entry.value("unit", "");
    return unit.empty() || unit == "-" ? "" : " [" + unit + "]";
}

std::string note(const Json& entry)
{
    std::string text = entry["summary"].get<std::string>() + unit_note(entry);
    if (entry.contains("allowed")) {
        const Json& fallback = entry["default"];
        text += " (" + entry["allowed"].get<std::string>() + "; default " +
                (fallback.is_string() ? fallback.get<std::string>() : fallback.dump()) + ")";
    }
    if (entry.contains("rows")) {
        const int rows = entry["rows"].get<int>();
        text += " (" + std::to_string(rows) + (rows == 1 ? " row" : " rows");
        for (const Json& p : entry["parameters"])
            text += ", " + p["name"].get<std::string>() + unit_note(p);
        text += ")";
    }
    return text;
}

void print_topic(const Topic& topic)
{
    const Json list = topic.list();
    std::size_t width = 0;
    for (const Json& entry : list) width = std::max(width, entry["name"].get<std::string>().size());
    std::printf("%s:\n", topic.heading);
    for (const Json& entry : list)
        std::printf("  %-*s  %s\n", static_cast<int>(width),
                    entry["name"].get<std::string>().c_str(), note(entry).c_str());
}

struct ListOptions {
    std::string topic;
    bool json = false;
};

int list(const ListOptions& options)
{
    std::vector<const Topic*> chosen;
    std::vector<std::string> names;
    std::string all;
    for (const Topic& topic : kTopics) {
        names.emplace_back(topic.name);
        all += (all.empty() ? "" : ", ") + std::string(topic.name);
        if (options.topic.empty() ? topic.by_default : options.topic == topic.name)
            chosen.push_back(&topic);
    }
    if (chosen.empty())
        return fail("list '" + options.topic + "' is not one of " + all +
                        did_you_mean(options.topic, names),
                    options.json);

    if (options.json) {
        Json json = Json::object();
        for (const Topic* topic : chosen) json[topic->name] = topic->list();
        std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
        return kOk;
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (i > 0) std::printf("\n");
        print_topic(*chosen[i]);
    }
    return kOk;
}

}  // namespace

void add_list_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ListOptions>();
    CLI::App* command = app.add_subcommand(
        "list", "List joint types, schemes, stabilisations, solvers, scenes and readings");
    command->add_option("TOPIC", options->topic,
                        "joints, schemes, stabilisations, solvers, laws, frictions, options, "
                        "scenes or columns; without it, the first six lists");
    command->add_flag("--json", options->json, "Print the result as one JSON object on stdout");
    command->footer(
        "Examples:\n"
        "  taut list\n"
        "  taut list joints\n"
        "  taut list columns --json");
    command->callback([options, &action] { action = [options] { return list(*options); }; });
}

}  // namespace taut::cli
