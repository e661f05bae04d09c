// Opens an address in the user's browser. The address is not visible in the process list: the command line contains a
// private file that redirects to it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "browser/temp_folder.h"

namespace taut::view {

// The private file, removed by the destructor.
class BrowserPage {
public:
    explicit BrowserPage(TempFolder folder) : folder_(std::move(folder)) {}

    std::filesystem::path file() const { return folder_.path() / "taut.html"; }

private:
    TempFolder folder_;
};

// Returns null if the file cannot be written.
std::unique_ptr<BrowserPage> write_browser_page(const std::string& address);

// Returns null if there is no display or no browser.
std::unique_ptr<BrowserPage> open_in_browser(const std::string& address);

}  // namespace taut::view
