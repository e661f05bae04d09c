// A headless Chromium: opens a page, evaluates expressions in it and takes screenshots.
//
//     auto browser = Browser::start({1280, 720});
//     browser->open(file);
//     browser->evaluate("document.title");
//     std::string png = *browser->picture();
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "browser/dev_tools.h"
#include "browser/temp_folder.h"

namespace taut::browser {

struct PictureSize {
    int width = 1280, height = 720;  // [pixels]
};

// PNG compression: tight for single images, quick for the frames of a video.
enum class Packing { Tight, Quick };

class Browser {
public:
    // The error states what to install if Chromium is missing. The environment variable TAUT_CHROMIUM selects another
    // executable.
    static Status available();
    static Result<Browser> start(PictureSize size);

    // `fragment` is the part of the address after #.
    Status open(const std::filesystem::path& page, const std::string& fragment = "");

    // The value of an expression; promises are awaited. Exceptions of the page are returned as errors.
    Result<DevTools::Json> evaluate(const std::string& expression);

    Result<std::string> picture(Packing packing = Packing::Tight);  // PNG

    // Files that the browser writes; removed with this object.
    const std::filesystem::path& profile() const noexcept { return profile_.path(); }

private:
    Browser(TempFolder profile, DevTools tools)
        : profile_(std::move(profile)), tools_(std::move(tools))
    {}
    Status attach(PictureSize size);

    TempFolder profile_;  // destroyed after the browser that writes to it
    DevTools tools_;
};

// Decodes base64; returns an error for invalid text.
Result<std::string> decode_base64(std::string_view text);

}  // namespace taut::browser
