// A headless browser that has a replay open, with the camera set, and renders images of it.
#pragma once

#include <filesystem>

#include "render_options.h"

namespace taut::cli {

class RenderStudio {
public:
    static Result<RenderStudio> open(const std::filesystem::path& replay, const RenderPlan& plan,
                                     bool panels);

    // The image at a time of the replay [s], as PNG.
    Result<std::string> picture(Real time, Packing packing);

private:
    explicit RenderStudio(Browser browser) : browser_(std::move(browser)) {}

    Browser browser_;
};

}  // namespace taut::cli
