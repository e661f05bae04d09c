// The options of `taut render` and the rendering plan that follows from them.
#pragma once

#include <optional>
#include <vector>

#include "browser/browser.h"
#include "run_options.h"

namespace taut::cli {

struct RenderOptions {
    RunOptions run;  // `fps` is the image rate
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
    std::vector<Real> times;     // of single images [s]; empty: the whole motion
    Real frames_per_second = 0;  // of the whole motion
    PictureSize size;
    std::optional<View> view;  // otherwise the page chooses a view of the whole scene

    bool single() const noexcept { return !times.empty(); }
};

void add_render_options(CLI::App& command, RenderOptions& options);

// Validates the options before the run; `end` is the end time of the run [s].
Result<RenderPlan> plan_rendering(const RenderOptions& options, Real end);

}  // namespace taut::cli
