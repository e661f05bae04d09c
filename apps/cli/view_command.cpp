// taut view: shows a running scene in the browser.
#include <memory>

#include "commands.h"
#include "output.h"
#include "scene_finder.h"
#include "view_scene.h"

namespace taut::cli {

namespace {

// Validates the option; the default 0 selects a free port.
CLI::Validator port_number()
{
    return CLI::Validator(
        [](const std::string& text) -> std::string {
            const bool digits = !text.empty() && text.size() <= 5 &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            if (digits && std::stoi(text) <= 65535) return "";
            return "must be a port from 0 (any free port) to 65535, not '" + text + "'";
        },
        "");
}

int show([[maybe_unused]] const std::string& file, const ViewOptions& options)
{
#ifdef TAUT_HAS_VIEWER
    return view_scene(file, options);
#else
    return fail(
        "this taut was built without the viewer: install npm and the Boost headers (Debian: "
        "tools/install_dependencies build web), then configure with -DTAUT_VIEWER=ON and build",
        options.run.json);
#endif
}

}  // namespace

void add_view_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<ViewOptions>();
    CLI::App* command =
        app.add_subcommand("view", "Simulate a scene live in the browser, with interaction");
    add_scene_option(*command, options->run.scene);
    add_step_options(*command, options->run);
    command
        ->add_option("--speed", options->speed,
                     "Speed relative to real time, 0.01 to 100; default 1")
        ->type_name("X");
    command->add_flag("--paused", options->paused, "Start paused");
    command->add_option("--port", options->port, "Local TCP port; 0: any free port")
        ->type_name("P")
        ->check(port_number());
    command->add_flag("--no-open", options->no_open, "Print the address without opening a browser");
    command->add_option("--time", options->time, "Stop after this wall-clock time in seconds")
        ->type_name("T");
    command->add_flag(
        "--json", options->run.json,
        "Print the final statistics as one JSON object on stdout; the address goes to "
        "stderr");
    command->footer(
        "The server listens on the loopback interface only; the address contains a random token.\n"
        "The simulation starts when the first client connects.\n"
        "Space plays and pauses; Ctrl-drag pulls a body; the scene file is reloaded when it is "
        "saved.\n"
        "If steps take longer than real time allows, the simulation slows down and the page "
        "shows it.\n"
        "Ctrl-C stops the server and prints the lateness of the steps.\n"
        "\nExamples:\n"
        "  taut view crane\n"
        "  taut view my_scene.yaml --set links=40 --speed 0.2 --paused\n"
        "  taut view heavy_chain --stabilisation none            watch a method diverge\n"
        "  taut view crane --no-open --port 8080                 for access from another machine:\n"
        "  ssh -L 8080:127.0.0.1:8080 HOST                       run there; then open the address\n"
        "\nExit codes: 0 ok, 1 the simulation had diverged, 2 bad usage or bad scene.");
    command->callback([options, &action] {
        action = [options] {
            const auto file = find_scene(options->run.scene);
            return file.ok() ? show(*file, *options)
                             : fail(file.error().message, options->run.json);
        };
    });
}

}  // namespace taut::cli
