// taut demo: lists the scenes that come with Taut, or runs one by its name.
#include <cstdio>
#include <iostream>
#include <memory>

#include "commands.h"
#include "output.h"
#include "run_command.h"
#include "scene_finder.h"

namespace taut::cli {

namespace {

int show_demos(bool json)
{
    Json list = Json::array();
    for (const ShippedScene& shipped : shipped_scenes()) {
        const auto scene = load_scene(shipped.file);
        const std::string title = scene.ok() ? scene->title : "(" + scene.error().message + ")";
        if (json)
            list.push_back({{"name", shipped.name}, {"title", title}, {"file", shipped.file}});
        else
            std::printf("  %-26s %s\n", shipped.name.c_str(), title.c_str());
    }
    if (json)
        std::cout << Json{{"scenes", list}}.dump(2, ' ', false, Json::error_handler_t::replace)
                  << std::endl;
    else
        std::printf("\nRun one with 'taut demo NAME'.\n");
    return kOk;
}

}  // namespace

void add_demo_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App* command =
        app.add_subcommand("demo", "Run a scene that comes with Taut; without a name, list them");
    command->add_option("NAME", options->scene,
                        "Name of the scene: crane, heavy_chain, joints/hinge or just hinge");
    add_run_options(*command, *options);
    command->footer(
        "Scenes are searched in the folders of the environment variable TAUT_SCENES "
        "(colon-separated),\n"
        "then in the installation, then in the source tree.\n"
        "\nExamples:\n"
        "  taut demo\n"
        "  taut demo crane\n"
        "  taut demo heavy_chain --set ratio=1e6 --stabilisation none");
    command->callback([options, &action] {
        action = [options] {
            if (options->scene.empty()) return show_demos(options->json);
            const auto file = find_shipped_scene(options->scene);
            return file.ok() ? run_file(*file, *options)
                             : fail(file.error().message, options->json);
        };
    });
}

}  // namespace taut::cli
