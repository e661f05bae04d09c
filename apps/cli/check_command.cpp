// taut check: reports errors in a scene file and warns about implausible physics, without running it.
#include <cstdio>
#include <iostream>
#include <memory>

#include "commands.h"
#include "output.h"
#include "record/run_scene.h"
#include "run_options.h"
#include "scene_finder.h"

namespace taut::cli {

namespace {

struct CheckOptions {
    std::string scene;
    std::vector<std::string> set;
    bool json = false;
    bool strict = false;
};

void print_control(const ControlInfo& c)
{
    std::printf("  --control %s=%s", c.name.c_str(), plain(c.initial).c_str());
    if (c.is_switch)
        std::printf(" (0 or 1)");
    else
        std::printf(" (%s to %s)", plain(c.lowest).c_str(), plain(c.highest).c_str());
    if (!c.unit.empty()) std::printf(" %s", c.unit.c_str());
    for (std::size_t i = 0; i < c.keys.size(); ++i) {
        const std::string& key = c.keys[i];
        std::printf("%s%s", i == 0 ? ", keys " : " ", key == " " ? "space" : key.c_str());
    }
    std::printf("%s%s\n", c.doc.empty() ? "" : ": ", c.doc.c_str());
}

void print_check(const Scene& scene, const std::string& file)
{
    std::printf("%s: %s%s%s\n", file.c_str(), scene.name.c_str(), scene.title.empty() ? "" : ", ",
                scene.title.c_str());
    std::printf("  %d bodies, %d joints with %d constraint rows, %d springs\n",
                scene.world.body_count(), scene.world.joint_count(), scene.world.row_count(),
                scene.world.spring_count());
    for (const SceneParameter& p : scene.parameters)
        std::printf("  --set %s=%s%s%s%s%s\n", p.name.c_str(), p.value.c_str(),
                    p.unit.empty() ? "" : " ", p.unit.c_str(), p.doc.empty() ? "" : ": ",
                    p.doc.c_str());
    for (const ControlInfo& c : scene.controls.list()) print_control(c);
    for (const std::string& warning : scene.warnings)
        std::printf("  warning: %s\n", warning.c_str());
    const std::size_t count = scene.warnings.size();
    if (count == 0)
        std::printf("ok\n");
    else
        std::printf("ok, with %zu warning%s\n", count, count == 1 ? "" : "s");
}

Json check_json(const Scene& scene, const std::string& file)
{
    Json json = {{"status", "ok"},
                 {"scene", scene.name},
                 {"title", scene.title},
                 {"file", file},
                 {"bodies", scene.world.body_count()},
                 {"joints", scene.world.joint_count()},
                 {"rows", scene.world.row_count()},
                 {"springs", scene.world.spring_count()},
                 {"duration", scene.duration}};
    json["parameters"] = Json::object();
    for (const SceneParameter& p : scene.parameters) json["parameters"][p.name] = p.value;
    json["controls"] = Json::array();
    for (const ControlInfo& c : scene.controls.list())
        json["controls"].push_back({{"name", c.name},
                                    {"unit", c.unit},
                                    {"lowest", c.lowest},
                                    {"highest", c.highest},
                                    {"value", c.initial},
                                    {"type", c.is_switch ? "switch" : "axis"}});
    json["warnings"] = scene.warnings;
    return json;
}

int check(const CheckOptions& options)
{
    const auto file = find_scene(options.scene);
    if (!file.ok()) return fail(file.error().message, options.json);
    const auto overrides = parse_overrides(options.set);
    if (!overrides.ok()) return fail(overrides.error().message, options.json);

    auto scene = load_scene(*file, *overrides);
    if (!scene.ok()) return fail(scene.error().message, options.json);
    if (auto readings = check_readings(*scene); !readings.ok())
        return fail(readings.error().message, options.json);
    if (auto ready = scene->world.prepare(scene->settings); !ready.ok())
        return fail(*file + ": step: " + ready.error().message, options.json);

    if (options.json)
        std::cout << check_json(*scene, *file).dump(2, ' ', false, Json::error_handler_t::replace)
                  << std::endl;
    else
        print_check(*scene, *file);
    return options.strict && !scene->warnings.empty() ? kCheckFailed : kOk;
}

}  // namespace

void add_check_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "Check a scene for errors and implausible physics, without running it");
    add_scene_option(*command, options->scene);
    add_set_option(*command, options->set);
    command->add_flag("--strict", options->strict, "Treat warnings as failures (exit code 1)");
    command->add_flag("--json", options->json, "Print the result as one JSON object on stdout");
    command->footer(
        "Errors give file, line and column, the value found and the values allowed.\n"
        "Warnings concern scenes that run but are probably not what was intended: impossible\n"
        "inertias, more constraint rows than degrees of freedom, values in a wrong unit.\n"
        "\nExamples:\n"
        "  taut check scenes/four_bar.yaml\n"
        "  taut check heavy_chain --set links=100 --strict");
    command->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace taut::cli
