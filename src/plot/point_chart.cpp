#include "plot/point_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

namespace taut::plot {

namespace {

constexpr double kOuter = 24;
constexpr double kFrameLeft = kOuter + 66;
constexpr double kTotalWidth = 900;
constexpr double kFrameHeight = 300;
constexpr double kFrameGap = 44;  // of panels: room for the tick labels of the next one
constexpr double kHeader = kOuter + 46;
constexpr double kKeyLine = 21;
constexpr std::size_t kKeyColumns = 3;
constexpr double kFrameTitle = 30;
constexpr double kNoteLine = 17;
constexpr double kMarkerRadius = 5, kFirstMarkerRadius = 7, kVariantRadius = 3.2;  // [px]

enum class Marker { Circle, Square, Triangle, Diamond };
constexpr std::array kMarkers = {Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond};

// The first name has its colour alone.
Colour marker_colour(std::size_t index)
{
    return curve_colour(index == 0 ? 0 : 1 + (index - 1) % (kCurves - 1));
}

// Corners on a circle of this radius, in which all shapes look alike in size.
std::vector<Point> outline(Marker shape, Point centre, double radius)
{
    const int corners = shape == Marker::Circle ? 24 : shape == Marker::Triangle ? 3 : 4;
    const double first = shape == Marker::Square ? M_PI / 4 : -M_PI / 2;
    const double r = shape == Marker::Circle ? radius : 1.2 * radius;
    std::vector<Point> points;
    for (int i = 0; i < corners; ++i) {
        const double angle = first + 2 * M_PI * i / corners;
        points.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
    }
    return points;
}

void draw_marker(Canvas& canvas, std::size_t index, Point at, double radius, bool hollow)
{
    const std::vector<Point> points = outline(kMarkers[index % kMarkers.size()], at, radius);
    canvas.fill(points, hollow ? kPaper : marker_colour(index));
    canvas.closed(points, {hollow ? marker_colour(index) : kPaper, hollow ? 2.0 : 0.8});
}

double radius_of(std::size_t index) { return index == 0 ? kFirstMarkerRadius : kMarkerRadius; }

double legend_rows(const PointFigure& figure)
{
    return std::ceil(static_cast<double>(figure.names.size()) / kKeyColumns);
}

Box panel_box(const PointFigure& figure, std::size_t index)
{
    const double count = static_cast<double>(std::max<std::size_t>(1, figure.panels.size()));
    const double width = (kTotalWidth - kFrameLeft - kOuter - kFrameGap * (count - 1)) / count;
    return {kFrameLeft + static_cast<double>(index) * (width + kFrameGap),
            kHeader + kKeyLine * legend_rows(figure) + kFrameTitle, width, kFrameHeight};
}

void draw_limits(Canvas& canvas, const PlotAxes& axes, const PointFigure& figure, bool labels)
{
    const Box& box = axes.frame();
    const double x = figure.x.share(figure.x_limit), y = figure.y.share(figure.y_limit);
    if (!figure.x_limit_label.empty() && x > 0 && x < 1) {
        const double at = box.x + x * box.width;
        canvas.line({at, box.y}, {at, box.bottom()}, {kFailed, 1, 4});
        if (labels)
            canvas.text({at - 4, box.bottom() - 6}, figure.x_limit_label,
                        {10, kFailed, Align::Right});
    }
    if (!figure.y_limit_label.empty() && y > 0 && y < 1) {
        const double at = box.bottom() - y * box.height;
        canvas.line({box.x, at}, {box.right(), at}, {kFailed, 1, 4});
        if (labels)
            canvas.text({box.right() - 5, at + 13}, figure.y_limit_label,
                        {10, kFailed, Align::Right});
    }
}

void draw_points(Canvas& canvas, const PlotAxes& axes, const PointPanel& panel)
{
    for (std::size_t i = 0; i < panel.points.size(); ++i) {
        if (!panel.points[i]) continue;
        const ChartPoint& point = *panel.points[i];
        const LineStyle style{marker_colour(i), 1.2};
        if (point.largest.y > point.at.y)
            axes.curve(canvas, {point.at, {point.at.x, point.largest.y}}, style);
        if (point.largest.x > point.at.x)
            axes.curve(canvas, {point.at, {point.largest.x, point.at.y}}, style);
        if (point.variant) {
            axes.curve(canvas, {point.at, *point.variant}, {style.colour, 1, 2});
            draw_marker(canvas, i, axes.on_frame(*point.variant), kVariantRadius, false);
        }
    }
    // the first on top of all others
    for (std::size_t i = panel.points.size(); i-- > 0;)
        if (panel.points[i])
            draw_marker(canvas, i, axes.on_frame(panel.points[i]->at), radius_of(i),
                        panel.points[i]->hollow);
}

void draw_panel(Canvas& canvas, const PointFigure& figure, std::size_t index)
{
    Axis y = figure.y;
    if (index > 0) y.label.clear();
    const PlotAxes axes(panel_box(figure, index), figure.x, y);
    axes.draw(canvas, PlotAxes::XNames::Shown);
    draw_limits(canvas, axes, figure, index == 0);
    draw_points(canvas, axes, figure.panels[index]);
    canvas.text({axes.frame().x, axes.frame().y - 9}, figure.panels[index].title,
                {13, kInk, Align::Left, true});
}

void draw_legend(Canvas& canvas, const PointFigure& figure)
{
    const double width = (kTotalWidth - 2 * kOuter) / static_cast<double>(kKeyColumns);
    for (std::size_t i = 0; i < figure.names.size(); ++i) {
        const auto row = static_cast<double>(i / kKeyColumns),
                   column = static_cast<double>(i % kKeyColumns);
        const Point at{kOuter + 8 + column * width, kHeader + 14 + row * kKeyLine};
        draw_marker(canvas, i, {at.x, at.y - 4}, radius_of(i), false);
        TextStyle style{12, kInk};
        style.bold = i == 0;
        canvas.text({at.x + 14, at.y}, figure.names[i],
                    canvas.fitted(figure.names[i], style, width - 30));
    }
}

}  // namespace

Picture point_picture(const PointFigure& figure)
{
    const double below = panel_box(figure, 0).bottom() + 62;
    const double height = std::ceil(below + kNoteLine * static_cast<double>(figure.caption.size()));
    auto shared = std::make_shared<const PointFigure>(figure);
    return {kTotalWidth, height, [shared, below](Canvas& canvas) {
                canvas.text({kOuter, kOuter + 14}, shared->title, {18, kInk, Align::Left, true});
                canvas.text({kOuter, kOuter + 34}, shared->subtitle, {12, kFaintInk});
                draw_legend(canvas, *shared);
                for (std::size_t i = 0; i < shared->panels.size(); ++i)
                    draw_panel(canvas, *shared, i);
                double y = below;
                for (const std::string& line : shared->caption) {
                    canvas.text({kOuter, y}, line, {11, kFaintInk});
                    y += kNoteLine;
                }
            }};
}

}  // namespace taut::plot
