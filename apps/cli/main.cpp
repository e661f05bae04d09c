// taut: runs, checks and lists scenes from the command line.
#include <exception>
#include <string>
#include <vector>

#include <taut/version.h>

#include "commands.h"
#include "core/near_miss.h"
#include "output.h"

namespace {

// What to say if the first word is none of the commands; the parser would only miss a command.
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
    return "there is no command '" + word + "'" + taut::core::did_you_mean(word, names) + " (" + all +
           ")";
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace taut::cli;

    CLI::App app{"Taut: real-time dynamics of constrained bodies."};
    app.name("taut");
    app.set_version_flag("--version", std::string("taut ") + taut::version());
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  taut demo                                  shows the scenes that come with Taut\n"
        "  taut view crane                            shows one of them in the browser, live\n"
        "  taut run pendulum                          runs one of them\n"
        "  taut run crane --out out/crane             and writes its readings as CSV\n"
        "  taut run crane --replay crane.html         and a page that plays the motion, to be "
        "mailed\n"
        "  taut render crane --video crane.mp4        films it\n"
        "  taut run my_scene.yaml --dt 1/240 --json   one JSON object for programs\n"
        "  taut compare pendulum --methods none,tension --out out/compare\n"
        "                                             one scene, several methods, and their "
        "curves\n"
        "  taut check my_scene.yaml                   finds mistakes and doubtful physics\n"
        "\n'taut COMMAND --help' tells more.\n"
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
        // --help and --version arrive here as well, as successes
        if (error.get_exit_code() == 0) return app.exit(error);
        return fail(std::string(error.what()) + " ('taut --help' shows the usage)",
                    asks_for_json(argc, argv));
    }
    try {
        return action();
    } catch (const std::exception& error) {  // out of memory, say
        return fail(error.what(), asks_for_json(argc, argv));
    }
}
