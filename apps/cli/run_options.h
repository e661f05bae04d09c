// The options of `taut run` and `taut demo`, and their effect on a scene.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <taut/scene.h>

namespace taut::cli {

struct RunOptions {
    std::string scene;
    // numbers are kept as text, because they may be fractions and errors quote them
    std::string time;
    std::map<std::string, std::string> step;  // name of a step option → its text; empty: not given
    std::vector<std::string> set;             // path=value
    std::vector<std::string> control;         // name=schedule
    std::string out;
    std::uint64_t every = 1;
    std::string columns;  // comma-separated; "usual", "all"
    std::string gltf;     // file
    std::string replay;   // file
    std::string fps;      // frames per second
    bool json = false;
};

// Options that several commands have.
void add_scene_option(CLI::App& command, std::string& scene);
void add_set_option(CLI::App& command, std::vector<std::string>& set);
void add_control_option(CLI::App& command, std::vector<std::string>& control);
void add_time_option(CLI::App& command, std::string& time);
// Adds the step options that have a place on the command line, and the overrides of the scene.
void add_step_options(CLI::App& command, RunOptions& options);
// Adds all options except the scene itself.
void add_run_options(CLI::App& command, RunOptions& options);

// "--max-solves"
std::string flag_of(const StepOption& option);

// A validator whose error states the value found and the values allowed.
CLI::Validator whole_number(int least);

// "0.01", "1e-3" or "1/60".
Result<Real> parse_number(const std::string& option, const std::string& text);

// Frames per second, in (0, 1e6].
Result<Real> parse_frame_rate(const std::string& text);

Result<Overrides> parse_overrides(const std::vector<std::string>& set);

// Lets controls of the scene follow the schedules of --control.
Status apply_controls(const std::vector<std::string>& control, Scene& scene);

// Replaces step settings and duration of the scene by those of the options.
Status apply_settings(const RunOptions& options, Scene& scene);

// The list of --columns; empty if the choice of the scene applies.
std::vector<std::string> parse_columns(const std::string& list, const Scene& scene);

}  // namespace taut::cli
