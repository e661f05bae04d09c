// taut schema: the JSON Schema of scene files, for editors.
#include <iostream>

#include <taut/scene.h>

#include "commands.h"

namespace taut::cli {

void add_schema_command(CLI::App& app, Action& action)
{
    CLI::App* command =
        app.add_subcommand("schema", "Print the JSON Schema of scene files, for editors");
    command->footer(
        "Examples:\n"
        "  taut schema > taut-scene.schema.json\n"
        "\nMost editors use it when the first line of a scene says\n"
        "  # yaml-language-server: $schema=taut-scene.schema.json");
    command->callback([&action] {
        action = [] {
            std::cout << scene_schema() << std::flush;
            return kOk;
        };
    });
}

}  // namespace taut::cli
