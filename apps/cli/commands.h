// The subcommands of `taut`. Each registers itself with the parser; the selected one sets the action that
// main runs after the whole command line has been parsed.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace taut::cli {

// Exit codes.
inline constexpr int kOk = 0;
inline constexpr int kCheckFailed = 1;  // an expectation is not met, or the run diverged
inline constexpr int kBadInput = 2;     // bad usage or bad scene

using Action = std::function<int()>;

void add_run_command(CLI::App& app, Action& action);
void add_render_command(CLI::App& app, Action& action);
void add_stability_command(CLI::App& app, Action& action);
void add_compare_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_list_command(CLI::App& app, Action& action);
void add_demo_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_schema_command(CLI::App& app, Action& action);

}  // namespace taut::cli
