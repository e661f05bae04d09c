#include "page/page_assets.h"

#ifdef TAUT_PAGE_FOLDER

// The files are embedded by the assembler (.incbin), which is faster than compiling a megabyte of text.
#define TAUT_EMBED(symbol, file)               \
    asm(".section .rodata\n"                   \
        ".global taut_page_" #symbol           \
        "\n"                                   \
        "taut_page_" #symbol                   \
        ":\n"                                  \
        ".incbin \"" TAUT_PAGE_FOLDER "/" file \
        "\"\n"                                 \
        ".global taut_page_" #symbol           \
        "_end\n"                               \
        "taut_page_" #symbol                   \
        "_end:\n"                              \
        ".byte 0\n"                            \
        ".text\n");                            \
    extern "C" const char taut_page_##symbol[], taut_page_##symbol##_end[]

TAUT_EMBED(index, "index.html");
TAUT_EMBED(script, "viewer.js");
TAUT_EMBED(style, "viewer.css");

#endif

namespace taut::page {

std::span<const PageAsset> page_assets() noexcept
{
#ifdef TAUT_PAGE_FOLDER
    const auto between = [](const char* begin, const char* end) {
        return std::string_view(begin, static_cast<std::size_t>(end - begin));
    };
    static const PageAsset assets[] = {
        {"index.html", "text/html; charset=utf-8", between(taut_page_index, taut_page_index_end)},
        {"viewer.js", "text/javascript; charset=utf-8",
         between(taut_page_script, taut_page_script_end)},
        {"viewer.css", "text/css; charset=utf-8", between(taut_page_style, taut_page_style_end)},
    };
    return assets;
#else
    return {};
#endif
}

const PageAsset* find_page_asset(std::string_view name) noexcept
{
    for (const PageAsset& asset : page_assets())
        if (asset.name == name) return &asset;
    return nullptr;
}

}  // namespace taut::page
