// Loads a scene, runs it and reports the result: the common part of `taut run` and `taut demo`.
#pragma once

#include <string>

#include "record/run_monitor.h"
#include "run_options.h"

namespace taut::cli {

// Loads the scene and applies the overrides and settings of the command line.
Result<Scene> load_with_options(const std::string& file, const RunOptions& options);

int exit_code(RunStatus status);

// Runs the scene in `file` and returns the exit code.
int run_file(const std::string& file, const RunOptions& options);

}  // namespace taut::cli
