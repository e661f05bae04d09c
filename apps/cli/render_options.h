// What `taut render` is told, and what that comes to.
#pragma once

#include <optional>
#include <vector>

#include "browser/browser.h"
#include "run_options.h"

namespace taut::cli {

struct RenderOptions {
    RunOptions run;  // its `fps` is that of the pictures
    std::string png;
    std::string video;
    std::string at;
    std::string size = "1280x720";
    std::string camera;
    bool panels = false;
};

struct View {
    Vec3 eye, target;
};

struct RenderPlan {
    std::vector<Real> times;     // of single pictures [s]; empty: the whole motion
    Real frames_per_second = 0;  // of the whole motion
    PictureSize size;
    std::optional<View> view;  // else the page frames the scene by itself

    bool single() const noexcept { return !times.empty(); }
};

void add_render_options(CLI::App& command, RenderOptions& options);

// Everything that can be wrong with the line, before anything is run; `end` is that of the run [s].
Result<RenderPlan> plan_rendering(const RenderOptions& options, Real end);

}  // namespace taut::cli
