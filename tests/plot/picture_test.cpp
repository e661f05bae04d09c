// Pictures are written as SVG and PNG files of the requested size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plot/curve_chart.h"
#include "plot/heat_map.h"

namespace taut::plot {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

class Folder {
public:
    Folder() { fs::create_directories(path_); }
    ~Folder() { fs::remove_all(path_); }
    std::string operator/(const char* name) const { return (path_ / name).string(); }

private:
    fs::path path_ = fs::temp_directory_path() / ("taut_plot_" + std::to_string(getpid()));
};

unsigned png_number(const std::string& png, std::size_t at)
{
    unsigned number = 0;
    for (std::size_t i = 0; i < 4; ++i)
        number = number * 256 + static_cast<unsigned char>(png[at + i]);
    return number;
}

HeatFigure map_of(std::size_t columns, std::size_t rows)
{
    HeatFigure figure;
    figure.title = "title \xff & <b>";  // not UTF-8, and not XML either
    figure.scale = {0, 1, Scaling::Linear, "kept|of all"};
    for (std::size_t x = 0; x < columns; ++x) figure.x_values.push_back(std::to_string(x));
    for (std::size_t y = 0; y < rows; ++y) figure.y_values.push_back(std::to_string(y));
    figure.panels.resize(2);
    for (HeatPanel& panel : figure.panels)
        for (std::size_t i = 0; i < columns * rows; ++i)
            panel.cells.push_back({i % 3 == 0, i % 5 == 0 ? NAN : 0.1, "0.1", "note"});
    figure.caption = {"one", "two"};
    return figure;
}

void expect_both_files(const Picture& picture)
{
    const Folder folder;
    const auto svg = write_svg(picture, folder / "p.svg");
    ASSERT_TRUE(svg.ok()) << svg.error().message;
    const auto png = write_png(picture, folder / "p.png", 2);
    ASSERT_TRUE(png.ok()) << png.error().message;
    EXPECT_EQ(contents(folder / "p.svg").substr(0, 5), "<?xml");
    const std::string bytes = contents(folder / "p.png");
    ASSERT_GT(bytes.size(), 100u);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(png_number(bytes, 16), static_cast<unsigned>(2 * picture.width));
    EXPECT_EQ(png_number(bytes, 20), static_cast<unsigned>(2 * picture.height));
}

TEST(HeatMap, IsWrittenInAnySize)
{
    expect_both_files(heat_picture(map_of(1, 1)));
    expect_both_files(heat_picture(map_of(4, 6)));
    expect_both_files(heat_picture(map_of(40, 50)));
}

TEST(CurveChart, ClipsCurvesThatLeaveTheFrame)
{
    CurveFigure figure;
    figure.title = "title";
    figure.x = {0, 1, Scaling::Linear, "t [s]"};
    figure.names = {"a", "b", "c"};
    const Axis y = axis_around({0, 1}, Scaling::Linear, "y");
    const Axis gap = axis_around({1e-9, 1e-3}, Scaling::Log, "gap");
    const std::vector<Curve> curves = {
        {{{0, 0}, {1, 1}}, false}, {{{0, 0}, {0.5, 1e300}}, true}, {{}, true}};
    figure.panels = {{y, curves, 0.5, "limit"}, {gap, curves, 2, "limit"}};
    expect_both_files(curve_picture(figure));
}

TEST(Picture, ReportsAPathThatCannotBeWritten)
{
    const Picture picture = heat_picture(map_of(1, 1));
    for (const auto& status : {write_svg(picture, "/no/such/folder/p.svg"),
                               write_png(picture, "/no/such/folder/p.png")}) {
        ASSERT_FALSE(status.ok());
        EXPECT_NE(status.error().message.find("/no/such/folder"), std::string::npos);
    }
}

TEST(Text, InvalidUtf8BecomesQuestionMarks)
{
    EXPECT_EQ(valid_utf8("10⁻³ µs ≤ ✗"), "10⁻³ µs ≤ ✗");
    EXPECT_EQ(valid_utf8("a\xff"
                         "b\xc3"),
              "a?b?");
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "???") << "a surrogate";
    EXPECT_EQ(valid_utf8("\xc0\xaf"), "??") << "an overlong slash";
    EXPECT_EQ(valid_utf8("a\nb"), "a?b");
}

}  // namespace
}  // namespace taut::plot
