// Where pictures of a replay are taken: a browser that has it open, with the camera in place.
#pragma once

#include <filesystem>

#include "render_options.h"

namespace taut::cli {

class RenderStudio {
public:
    static Result<RenderStudio> open(const std::filesystem::path& replay, const RenderPlan& plan,
                                     bool panels);

    // A picture of the motion at that time, as PNG.
    Result<std::string> picture(Real time, Packing packing);

private:
    explicit RenderStudio(Browser browser) : browser_(std::move(browser)) {}

    Browser browser_;
};

}  // namespace taut::cli
