// Opens an address in the user's browser without showing it to whoever lists processes: the command
// line names a private file that leads there.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "browser/temp_folder.h"

namespace taut::view {

// The private file; gone with this.
class BrowserPage {
public:
    explicit BrowserPage(TempFolder folder) : folder_(std::move(folder)) {}

    std::filesystem::path file() const { return folder_.path() / "taut.html"; }

private:
    TempFolder folder_;
};

// Null if it cannot be written.
std::unique_ptr<BrowserPage> write_browser_page(const std::string& address);

// Null where there is no screen, or nothing that opens pages.
std::unique_ptr<BrowserPage> open_in_browser(const std::string& address);

}  // namespace taut::view
