// Pictures are written as SVG and PNG files of the requested size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plot/curve_chart.h"
#include "plot/heat_map.h"
#include "plot/point_chart.h"

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

// Panels with a point of each name but the last, the second one hollow and outside the axes.
PointFigure points_of(std::size_t panels, std::size_t names)
{
    PointFigure figure;
    figure.title = "title \xff & <b>";
    figure.x = {0.1, 100, Scaling::Log, "time [ms]"};
    figure.y = {0.01, 100, Scaling::Log, "depth [%]"};
    figure.x_limit = 16, figure.x_limit_label = "real time";
    figure.y_limit = 10, figure.y_limit_label = "apart";
    for (std::size_t i = 0; i < names; ++i) figure.names.push_back("name" + std::to_string(i));
    figure.panels.resize(panels);
    for (PointPanel& panel : figure.panels) {
        panel.title = "panel";
        panel.points.resize(names);
        for (std::size_t i = 0; i + 1 < names; ++i)
            panel.points[i] = i == 1 ? ChartPoint{{1e9, 0}, {1e9, 1e9}, true, Point{1, 0}}
                                     : ChartPoint{{1, 1}, {10, 10}, false, {}};
    }
    figure.caption = {"one", "two"};
    return figure;
}

TEST(PointChart, IsWrittenInAnySize)
{
    expect_both_files(point_picture(points_of(1, 1)));
    expect_both_files(point_picture(points_of(3, 9)));
    expect_both_files(point_picture(points_of(5, 40)));
}

TEST(PointChart, GrowsWithItsLegendAndTellsHollowFromFilled)
{
    const Folder folder;
    const PointFigure figure = points_of(2, 3);
    EXPECT_EQ(point_picture(figure).width, 900);
    PointFigure longer = figure;
    longer.names.push_back("name3");  // a second row of the legend
    EXPECT_GT(point_picture(longer).height, point_picture(figure).height);
    // a hollow marker is drawn otherwise than a filled one
    PointFigure filled = figure;
    for (PointPanel& panel : filled.panels) panel.points[1]->hollow = false;
    ASSERT_TRUE(write_svg(point_picture(figure), folder / "a.svg").ok());
    ASSERT_TRUE(write_svg(point_picture(filled), folder / "b.svg").ok());
    EXPECT_NE(contents(folder / "a.svg"), contents(folder / "b.svg"));
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
