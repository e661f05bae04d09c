#include "plot/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace taut::plot {

namespace {

constexpr double kEdge = 24;
constexpr double kPanelWidth = 640, kPanelHeight = 172;
constexpr double kBetween = 20;
constexpr double kLegendLine = 22;
constexpr double kCaption = 17;
constexpr double kLeft = kEdge + 62;
constexpr double kTitles = kEdge + 46;

// Overlapping curves stay visible: the first is wide, later ones are thinner, and those beyond the palette are
// dashed.
LineStyle curve_style(std::size_t index)
{
    return {curve_colour(index), index == 0 ? 3.2 : 1.7, index < kCurves ? 0.0 : 6.0};
}

bool breaks_off(const CurveFigure& figure)
{
    for (const CurvePanel& panel : figure.panels)
        for (const Curve& curve : panel.curves)
            if (curve.broken_off) return true;
    return false;
}

// The legend has two columns between title and panels; the mark of aborted curves is one of its entries.
std::size_t legend_rows(const CurveFigure& figure)
{
    return (figure.names.size() + (breaks_off(figure) ? 1 : 0) + 1) / 2;
}

Box panel_box(const CurveFigure& figure, std::size_t index)
{
    const double top = kTitles + kLegendLine * static_cast<double>(legend_rows(figure)) + 16;
    return {kLeft, top + static_cast<double>(index) * (kPanelHeight + kBetween), kPanelWidth,
            kPanelHeight};
}

void draw_limit(Canvas& canvas, const PlotAxes& axes, const CurveFigure& figure,
                const CurvePanel& panel)
{
    const double share = panel.y.share(panel.limit);
    if (panel.limit_label.empty() || !(share > 0 && share < 1)) return;
    const Point left = axes.at(figure.x.low, panel.limit),
                right = axes.at(figure.x.high, panel.limit);
    canvas.line(left, right, {kFailed, 1, 4});
    canvas.text({right.x - 6, left.y + (share > 0.85 ? 12 : -5)}, panel.limit_label,
                {10, kFailed, Align::Right});
}

void draw_curves(Canvas& canvas, const CurveFigure& figure, std::size_t index)
{
    const CurvePanel& panel = figure.panels[index];
    const PlotAxes axes(panel_box(figure, index), figure.x, panel.y);
    const bool lowest = index + 1 == figure.panels.size();
    axes.draw(canvas, lowest ? PlotAxes::XNames::Shown : PlotAxes::XNames::Hidden);
    draw_limit(canvas, axes, figure, panel);
    for (std::size_t i = 0; i < panel.curves.size(); ++i)
        axes.curve(canvas, panel.curves[i].points, curve_style(i));
    for (std::size_t i = 0; i < panel.curves.size(); ++i) {
        const Curve& curve = panel.curves[i];
        if (!curve.broken_off || curve.points.empty()) continue;
        // background around the mark, so that it is visible on curves
        const Point end = axes.on_frame(curve.points.back());
        canvas.cross(end, 5.5, {kPaper, 5.5});
        canvas.cross(end, 5.5, {curve_colour(i), 2.6});
    }
}

void draw_key(Canvas& canvas, const CurveFigure& figure)
{
    const auto place = [&](std::size_t index) -> Point {
        const std::size_t rows = legend_rows(figure);
        return {kLeft + (index < rows ? 0 : kPanelWidth / 2),
                kTitles + 14 + kLegendLine * static_cast<double>(index % rows)};
    };
    const auto name = [&](Point at, const std::string& text) {
        canvas.text({at.x + 34, at.y}, text, canvas.fitted(text, {12, kInk}, kPanelWidth / 2 - 40));
    };
    for (std::size_t i = 0; i < figure.names.size(); ++i) {
        const Point at = place(i);
        canvas.line({at.x, at.y - 4}, {at.x + 26, at.y - 4}, curve_style(i));
        name(at, figure.names[i]);
    }
    if (!breaks_off(figure)) return;
    const Point at = place(figure.names.size());
    canvas.cross({at.x + 13, at.y - 4}, 5, {kFaintInk, 2.4});
    name(at, figure.broken_off_label);
}

}  // namespace

Picture curve_picture(const CurveFigure& figure)
{
    const Box last = panel_box(figure, figure.panels.size() - 1);
    const double width = kLeft + kPanelWidth + kEdge;
    const double height =
        std::ceil(last.bottom() + 62 + kCaption * static_cast<double>(figure.caption.size()));
    auto shared = std::make_shared<const CurveFigure>(figure);
    return {width, height, [shared, height](Canvas& canvas) {
                canvas.text({kEdge, kEdge + 14}, shared->title, {18, kInk, Align::Left, true});
                canvas.text({kEdge, kEdge + 34}, shared->subtitle, {12, kFaintInk});
                for (std::size_t i = 0; i < shared->panels.size(); ++i)
                    draw_curves(canvas, *shared, i);
                draw_key(canvas, *shared);
                double y =
                    height - 18 - kCaption * (static_cast<double>(shared->caption.size()) - 1);
                for (const std::string& line : shared->caption) {
                    canvas.text({kEdge, y}, line, {11, kFaintInk});
                    y += kCaption;
                }
            }};
}

}  // namespace taut::plot
