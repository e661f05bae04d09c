// taut: runs, checks and lists scenes from the command line.
#include <exception>
#include <string>
#include <vector>

#include <taut/version.h>

#include "commands.h"
#include "core/suggestion.h"
#include "output.h"

namespace {

// The error for an unknown command; the parser itself would only report that a command is missing.
std::string unknown_command(const CLI::App& app, int argc, char** argv)
{
    if (argc < 2 || argv[1][0] == '-') return "";
    const std::string word = argv[1];
    std::vector<std::string> names;
    std::string all;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == word) return "";
        names.push_back(command->get_name());
        all += (all.empty() ? "" : ", ") + command->get_name();
    }
    return "there is no command '" + word + "'" + taut::core::did_you_mean(word, names) + " (" +
           all + ")";
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace taut::cli;

    CLI::App app{"Taut: real-time dynamics of constrained multibody systems."};
    app.name("taut");
    app.set_version_flag("--version", std::string("taut ") + taut::version());
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  taut demo                                  list the scenes that come with Taut\n"
        "  taut view crane                            show a scene live in the browser\n"
        "  taut run pendulum                          run a scene and print a report\n"
        "  taut run crane --out out/crane             also write the readings as CSV\n"
        "  taut run crane --replay crane.html         also write the motion as one HTML "
        "page\n"
        "  taut render crane --video crane.mp4        make a video\n"
        "  taut run my_scene.yaml --dt 1/240 --json   print the report as JSON\n"
        "  taut compare pendulum --methods none,tension --out out/compare\n"
        "                                             run several methods and plot their "
        "results\n"
        "  taut check my_scene.yaml                   report errors and implausible physics\n"
        "\n'taut COMMAND --help' describes a command.\n"
        "Exit codes: 0 ok, 1 an expectation failed or the run diverged, 2 bad usage or bad scene.");

    Action action;
    add_run_command(app, action);
    add_view_command(app, action);
    add_render_command(app, action);
    add_stability_command(app, action);
    add_compare_command(app, action);
    add_check_command(app, action);
    add_list_command(app, action);
    add_demo_command(app, action);
    add_schema_command(app, action);

    if (const std::string unknown = unknown_command(app, argc, argv); !unknown.empty())
        return fail(unknown, asks_for_json(argc, argv));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // --help and --version arrive here as well, with exit code 0
        if (error.get_exit_code() == 0) return app.exit(error);
        return fail(std::string(error.what()) + " ('taut --help' shows the usage)",
                    asks_for_json(argc, argv));
    }
    try {
        return action();
    } catch (const std::exception& error) {  // such as std::bad_alloc
        return fail(error.what(), asks_for_json(argc, argv));
    }
}
