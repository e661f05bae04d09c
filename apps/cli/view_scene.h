// Runs the live viewer of `taut view`; a build without the viewer reports an error.
#pragma once

#include <string>

#include "run_options.h"

namespace taut::cli {

struct ViewOptions {
    RunOptions run;     // scene, step and overrides
    std::string speed;  // numbers are kept as text, as in RunOptions
    std::string time;
    int port = 0;
    bool no_open = false;
    bool paused = false;
};

// Shows the scene in `file` until the time limit or Ctrl-C, and returns the exit code.
int view_scene(const std::string& file, const ViewOptions& options);

}  // namespace taut::cli
