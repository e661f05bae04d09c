// Loads a scene, runs it and reports: what `taut run` and `taut demo` have in common.
#pragma once

#include <string>

#include "run_options.h"

namespace taut::cli {

// Runs the scene in `file` and returns the exit code.
int run_file(const std::string& file, const RunOptions& options);

}  // namespace taut::cli
