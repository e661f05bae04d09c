// Loads a scene, runs it and reports: what `taut run` and `taut demo` have in common.
#pragma once

#include <string>

#include "record/run_monitor.h"
#include "run_options.h"

namespace taut::cli {

// The scene with all that the command line says about it.
Result<Scene> load_with_options(const std::string& file, const RunOptions& options);

int exit_code(RunStatus status);

// Runs the scene in `file` and returns the exit code.
int run_file(const std::string& file, const RunOptions& options);

}  // namespace taut::cli
