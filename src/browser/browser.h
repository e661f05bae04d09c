// A Chromium without a window: opens one page, asks its script, takes pictures of it.
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

// How hard to work on making a file small: single pictures are kept, those of a video are not.
enum class Packing { Tight, Quick };

class Browser {
public:
    // The error says what to install where there is no Chromium. The variable TAUT_CHROMIUM names another program.
    static Status available();
    static Result<Browser> start(PictureSize size);

    // `fragment`: what stands behind # in the page's address.
    Status open(const std::filesystem::path& page, const std::string& fragment = "");

    // The value of an expression, waited for if it is a promise. What the page throws is an error.
    Result<DevTools::Json> evaluate(const std::string& expression);

    Result<std::string> picture(Packing packing = Packing::Tight);  // PNG

    // All that it writes; gone with it.
    const std::filesystem::path& profile() const noexcept { return profile_.path(); }

private:
    Browser(TempFolder profile, DevTools tools)
        : profile_(std::move(profile)), tools_(std::move(tools))
    {}
    Status attach(PictureSize size);

    TempFolder profile_;  // outlives the browser that writes to it
    DevTools tools_;
};

// The bytes behind base64; an error where it is none.
Result<std::string> decode_base64(std::string_view text);

}  // namespace taut::browser
