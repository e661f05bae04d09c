// The files of the viewer's page, embedded in the program.
#pragma once

#include <span>
#include <string_view>

namespace taut::page {

struct PageAsset {
    std::string_view name;  // "index.html"
    std::string_view type;  // "text/html; charset=utf-8"
    std::string_view content;
};

// All files; empty if Taut was built without the viewer.
std::span<const PageAsset> page_assets() noexcept;

// The file of this name, or null.
const PageAsset* find_page_asset(std::string_view name) noexcept;

}  // namespace taut::page
