// What `taut run` and `taut demo` are told, and how it changes a scene.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <taut/scene.h>

namespace taut::cli {

struct RunOptions {
    std::string scene;
    std::string time;  // numbers are kept as text: 1/60 is welcome, and an error can quote it
    std::string dt;
    std::string alpha;
    std::string beta;
    std::string tolerance;
    int max_solves = -1;  // −1: the scene's
    int threads = -1;     // likewise
    std::string scheme;
    std::string stabilisation;
    std::string solver;
    std::string laws;
    std::string friction;
    std::vector<std::string> set;  // path=value
    std::string out;
    std::uint64_t every = 1;
    std::string columns;  // comma-separated; "usual", "all"
    std::string gltf;     // file
    std::string replay;   // file
    std::string fps;      // frames a second
    bool json = false;
};

// How to step, and what of the scene is overridden.
void add_step_options(CLI::App& command, RunOptions& options);
// All options but the scene itself.
void add_run_options(CLI::App& command, RunOptions& options);

// A check that says in words what was found and what is allowed.
CLI::Validator whole_number(int least);

// "0.01", "1e-3" or "1/60".
Result<Real> parse_number(const std::string& option, const std::string& text);

// Frames a second, in (0, 1e6].
Result<Real> parse_frame_rate(const std::string& text);

Result<Overrides> parse_overrides(const std::vector<std::string>& set);

// Puts the options' step settings and duration over those of the scene.
Status apply_settings(const RunOptions& options, Scene& scene);

// The list of --columns; empty where the scene is to choose.
std::vector<std::string> parse_columns(const std::string& list, const World& world);

}  // namespace taut::cli
