// Chromium, if it is installed: pages, scripts, screenshots, removal of temporary files.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "browser/browser.h"

namespace taut::test {
namespace {

TEST(Browser, OpensAPageEvaluatesAndTakesAScreenshot)
{
    if (const auto there = Browser::available(); !there.ok()) GTEST_SKIP() << there.error().message;
    const TempFolder folder = TempFolder::make().value();
    const std::filesystem::path page = folder.path() / "a page, 100 % ours.html";
    std::ofstream(page) << "<!DOCTYPE html><title>hello</title><canvas></canvas>";
    std::filesystem::path profile;
    {
        auto browser = Browser::start({320, 200});
        ASSERT_TRUE(browser.ok()) << browser.error().message;
        profile = browser->profile();
        EXPECT_TRUE(std::filesystem::exists(profile));
        ASSERT_TRUE(browser->open(page).ok());
        EXPECT_EQ(*browser->evaluate("document.title"), "hello");
        EXPECT_EQ(*browser->evaluate("Promise.resolve(innerWidth)"), 320);
        EXPECT_EQ(*browser->evaluate("!!document.querySelector('canvas').getContext('webgl2')"),
                  true)
            << "the viewer draws with WebGL 2";
        const auto thrown = browser->evaluate("nothing.of.this.name");
        ASSERT_FALSE(thrown.ok());
        EXPECT_NE(thrown.error().message.find("nothing is not defined"), std::string::npos);

        const auto png = browser->picture();
        ASSERT_TRUE(png.ok()) << png.error().message;
        const auto number = [&](std::size_t at) {
            int value = 0;
            for (std::size_t k = 0; k < 4; ++k)
                value = value << 8 | static_cast<unsigned char>((*png)[at + k]);
            return value;
        };
        ASSERT_GT(png->size(), 24u);
        EXPECT_EQ(png->substr(1, 3), "PNG");
        EXPECT_EQ(number(16), 320);
        EXPECT_EQ(number(20), 200);
        EXPECT_FALSE(browser->open(folder.path() / "no_such_page.html").ok());
    }
    EXPECT_FALSE(std::filesystem::exists(profile));
}

}  // namespace
}  // namespace taut::test
