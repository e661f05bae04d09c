// taut view: a scene live in the browser.
#include <memory>

#include "commands.h"
#include "output.h"
#include "scene_finder.h"
#include "view_scene.h"

namespace taut::cli {

namespace {

// Without the option: whatever port is free.
CLI::Validator port_number()
{
    return CLI::Validator(
        [](const std::string& text) -> std::string {
            const bool digits = !text.empty() && text.size() <= 5 &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            if (digits && std::stoi(text) <= 65535) return "";
            return "wants a port from 0 (any that is free) to 65535, not '" + text + "'";
        },
        "");
}

int show([[maybe_unused]] const std::string& file, const ViewOptions& options)
{
#ifdef TAUT_HAS_VIEWER
    return view_scene(file, options);
#else
    return fail(
        "this taut was built without its viewer: install npm and Boost's headers (Debian: "
        "tools/install_dependencies build web), then configure with -DTAUT_VIEWER=ON and build",
        options.run.json);
#endif
}

}  // namespace

void add_view_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command =
        app.add_subcommand("view", "Show a scene live in the browser: pull at it, change it");
    command
        ->add_option("SCENE", options->run.scene,
                     "A scene file, or the name of a scene that comes with Taut")
        ->required();
    add_step_options(*command, options->run);
    command->add_option("--speed", options->speed, "Times real time, 0.01 to 100; 1 if not given")
        ->type_name("X");
    command->add_flag("--paused", options->paused, "Wait for the play button");
    command->add_option("--port", options->port, "Port on this machine; 0: any that is free")
        ->type_name("P")
        ->check(port_number());
    command->add_flag("--no-open", options->no_open, "Print the address, open no browser");
    command->add_option("--time", options->time, "Stop after this many seconds by the clock")
        ->type_name("T");
    command->add_flag("--json", options->run.json,
                      "At the end print one JSON object on stdout and nothing else; the address "
                      "goes to stderr");
    command->footer(
        "The page is served to this machine alone, at an address that holds a secret of this run.\n"
        "The motion begins when somebody looks.\n"
        "Space plays and pauses; Ctrl-drag a body to pull at it; the file is read again when it is "
        "saved.\n"
        "Steps begin at their time or, if they take too long, late: then the simulation slows "
        "down\n"
        "and says so, and nothing piles up. Ctrl-C ends it and prints how late steps were.\n"
        "\nExamples:\n"
        "  taut view crane\n"
        "  taut view my_scene.yaml --set links=40 --speed 0.2 --paused\n"
        "  taut view heavy_chain --stabilisation none            see a method fail\n"
        "  taut view crane --no-open --port 8080                 for a tunnel from elsewhere:\n"
        "  ssh -L 8080:127.0.0.1:8080 HOST                       then open the printed address\n"
        "\nExit codes: 0 ok, 1 the motion on show had diverged, 2 bad usage or bad scene.");
    command->callback([options, &action] {
        action = [options] {
            const auto file = find_scene(options->run.scene);
            return file.ok() ? show(*file, *options)
                             : fail(file.error().message, options->run.json);
        };
    });
}

}  // namespace taut::cli
