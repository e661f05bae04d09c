#include "plot/heat_map.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "plot/ticks.h"

namespace taut::plot {

namespace {

constexpr double kMargin = 24;
constexpr double kTitleHeight = 30, kSubtitleHeight = 20;
constexpr double kPanelTitle = 24, kPanelTitleSize = 13;
constexpr double kXNames = 44;  // tick labels and axis label below a row of panels
constexpr double kGutter = 22;
constexpr double kLegendWidth = 132;
constexpr double kCaptionLine = 17;
constexpr double kNameSize = 11.5;
constexpr double kSmallestText = 7.5;  // smaller text is omitted

// Layout computed from the figure and the widths of its texts.
struct MapLayout {
    double cell_width, cell_height;
    double y_names;  // width of the labels of the first column
    int columns, rows;
    std::size_t names_each;
    double panel_width, panel_height;
    double left, top;
    double width, height;

    Box panel(std::size_t index) const
    {
        const int column = static_cast<int>(index) % columns,
                  row = static_cast<int>(index) / columns;
        return {left + column * (panel_width + kGutter),
                top + kPanelTitle + row * (panel_height + kPanelTitle + kXNames + 6), panel_width,
                panel_height};
    }
};

// Estimate without a canvas: a letter is taken to be 0.62 of its height.
double rough_width(const std::string& text, double size)
{
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    const auto letters =
        std::count_if(text.begin(), text.end(), [&](char c) { return !continues(c); });
    return 0.62 * size * static_cast<double>(letters);
}

double widest(const std::vector<std::string>& texts, double size)
{
    double width = 0;
    for (const std::string& text : texts) width = std::max(width, rough_width(text, size));
    return width;
}

MapLayout make_layout(const HeatFigure& figure)
{
    MapLayout at{};
    const auto nx = static_cast<double>(figure.x_values.size());
    const auto ny = static_cast<double>(figure.y_values.size());

    // many cells are small; a panel with few cells has a minimum width, and room for its title
    at.cell_width = std::clamp(560 / nx, 18.0, 74.0);
    double title = 0;
    for (const HeatPanel& panel : figure.panels)
        title = std::max(title, rough_width(panel.title, kPanelTitleSize) * 1.12);  // bold
    at.cell_width = std::max(at.cell_width, std::min(120.0, title / nx));
    // all labels if they fit, otherwise every n-th
    const double name = widest(figure.x_values, kNameSize) + 8;
    at.names_each = static_cast<std::size_t>(std::max(1.0, std::ceil(name / at.cell_width)));
    at.cell_height = std::clamp(420 / ny, 14.0, 46.0);
    at.columns = std::clamp(figure.columns, 1, std::max(1, static_cast<int>(figure.panels.size())));
    at.rows = (static_cast<int>(figure.panels.size()) + at.columns - 1) / at.columns;
    at.panel_width = at.cell_width * nx;
    at.panel_height = at.cell_height * ny;
    at.y_names = widest(figure.y_values, kNameSize) + 12;

    at.left = kMargin + 22 + at.y_names;
    at.top = kMargin + kTitleHeight + (figure.subtitle.empty() ? 0 : kSubtitleHeight) + 4;
    const double panels = at.columns * at.panel_width + (at.columns - 1) * kGutter;
    at.width = at.left + panels + kGutter + kLegendWidth + kMargin;
    double texts = std::max(rough_width(figure.title, 18), rough_width(figure.subtitle, 12));
    for (const std::string& line : figure.caption)
        texts = std::max(texts, rough_width(line, kNameSize) * 0.92);
    at.width = std::max(at.width, texts + 2 * kMargin);
    const double stack = at.rows * (at.panel_height + kPanelTitle + kXNames + 6);
    at.height = at.top + std::max(stack, 230.0) + 10 +
                kCaptionLine * static_cast<double>(figure.caption.size()) + kMargin - 8;
    return at;
}

void draw_failed(Canvas& canvas, const Box& box)
{
    canvas.fill(box, kFailedPaper);
    canvas.hatch(box, 6, {{0.93, 0.68, 0.65}, 0.9});
}

// Draws a text on one line of the cell if it fits at a readable size. Returns whether it was drawn.
bool draw_line(Canvas& canvas, const Box& box, double base, const std::string& text,
               TextStyle style)
{
    style.align = Align::Centre;
    style = canvas.fitted(text, style, box.width - 6);
    if (text.empty() || style.size < kSmallestText) return false;
    canvas.text({box.centre().x, base}, text, style);
    return true;
}

void draw_cell(Canvas& canvas, const Box& box, const HeatCell& cell, const Axis& scale)
{
    const bool two_lines = box.height >= 30;
    if (cell.failed) {
        draw_failed(canvas, box);
        // background under the note, because text on hatching is not readable
        const bool note = two_lines && box.width >= 34 && !cell.note.empty();
        const double radius = std::min({6.5, box.width / 4, box.height / 4});
        canvas.cross({box.centre().x, box.centre().y - (note ? 8 : 0)}, radius, {kFailed, 2.6});
        if (note) {
            TextStyle style{10, kFailed, Align::Centre};
            style = canvas.fitted(cell.note, style, box.width - 6);
            const double width = canvas.text_width(cell.note, style);
            canvas.fill({box.centre().x - width / 2 - 2, box.centre().y + 4, width + 4, 13},
                        kFailedPaper);
            draw_line(canvas, box, box.centre().y + 14, cell.note, style);
        }
        return;
    }
    const Colour ground = std::isnan(cell.value) ? kUnknown : scale_colour(scale.share(cell.value));
    canvas.fill(box, ground);
    const Colour ink = readable_on(ground);
    const bool note = two_lines && !cell.note.empty();
    draw_line(canvas, box, box.centre().y + (note ? -1 : 4.5), cell.text,
              {std::min(13.0, box.height * 0.6), ink, Align::Centre, true});
    if (note) draw_line(canvas, box, box.centre().y + 13, cell.note, {9.5, ink});
}

void draw_panel(Canvas& canvas, const HeatFigure& figure, const MapLayout& at, std::size_t index)
{
    const HeatPanel& panel = figure.panels[index];
    const Box frame = at.panel(index);
    const std::size_t nx = figure.x_values.size();
    const auto left_of = [&](std::size_t x) {
        return frame.x + at.cell_width * static_cast<double>(x);
    };
    const auto top_of = [&](std::size_t y) {
        return frame.bottom() - at.cell_height * static_cast<double>(y + 1);
    };
    // all panel titles have the size that fits the longest one
    TextStyle title{kPanelTitleSize, kInk, Align::Left, true};
    for (const HeatPanel& other : figure.panels)
        title = canvas.fitted(other.title, title, frame.width);
    canvas.text({frame.x, frame.y - 8}, panel.title, title);

    for (std::size_t i = 0; i < panel.cells.size(); ++i) {
        const Box box{left_of(i % nx), top_of(i / nx), at.cell_width, at.cell_height};
        draw_cell(canvas, box, panel.cells[i], figure.scale);
        canvas.frame(box, {kPaper, 1.5});
    }
    canvas.frame(frame, {kFaintInk, 1});

    // labels of the values; those of y at the left column only, because all panels share them
    for (std::size_t x = 0; x < nx; x += at.names_each) {
        const double room = at.cell_width * static_cast<double>(at.names_each) - 2;
        canvas.text({left_of(x) + at.cell_width / 2, frame.bottom() + 16}, figure.x_values[x],
                    canvas.fitted(figure.x_values[x], {kNameSize, kInk, Align::Centre}, room));
    }
    canvas.text({frame.centre().x, frame.bottom() + 35}, figure.x_label,
                {12, kFaintInk, Align::Centre});
    if (static_cast<int>(index) % at.columns != 0) return;
    for (std::size_t y = 0; y < figure.y_values.size(); ++y)
        canvas.text({frame.x - 7, top_of(y) + at.cell_height / 2 + 4}, figure.y_values[y],
                    {std::min(kNameSize, at.cell_height * 0.8), kInk, Align::Right});
    TextStyle name =
        canvas.fitted(figure.y_label, {12, kFaintInk, Align::Centre}, frame.height + 40);
    name.upward = true;
    canvas.text({frame.x - at.y_names - 8, frame.centre().y}, figure.y_label, name);
}

void draw_legend(Canvas& canvas, const HeatFigure& figure, const MapLayout& at)
{
    const double x = at.panel(static_cast<std::size_t>(at.columns - 1)).right() + kGutter + 4;
    double y = at.top + 14;
    // the label of the scale, with line breaks at '|'
    std::string label = figure.scale.label;
    for (std::size_t bar; !label.empty(); y += 15) {
        bar = std::min(label.find('|'), label.size());
        canvas.text({x, y}, label.substr(0, bar), {12, kInk});
        label.erase(0, bar + 1);
    }

    const Box scale{x, y + 2, 18, 110};
    constexpr int kStrips = 110;
    for (int i = 0; i < kStrips; ++i)
        canvas.fill({scale.x, scale.bottom() - scale.height * (i + 1) / kStrips, scale.width,
                     scale.height / kStrips + 0.5},
                    scale_colour((i + 0.5) / kStrips));
    canvas.frame(scale, {kFaintInk, 1});
    const bool log = figure.scale.scaling == Scaling::Log;
    const auto ticks = log ? log_ticks(figure.scale.low, figure.scale.high, 6)
                           : linear_ticks(figure.scale.low, figure.scale.high, 6);
    for (const double tick : ticks) {
        const double level = scale.bottom() - scale.height * figure.scale.share(tick);
        canvas.line({scale.right(), level}, {scale.right() + 4, level}, {kFaintInk, 1});
        canvas.text({scale.right() + 7, level + 4},
                    log ? power_label(tick) : tick_label(tick, ticks[1] - ticks[0]), {11, kInk});
    }

    const auto key = [&](double top, const std::string& text, const auto& draw) {
        const Box box{x, top, 18, 18};
        draw(box);
        canvas.frame(box, {kFaintInk, 1});
        canvas.text({box.right() + 7, top + 13}, text, {12, kInk});
    };
    key(scale.bottom() + 16, figure.failed_label, [&](const Box& box) {
        draw_failed(canvas, box);
        canvas.cross(box.centre(), 4.5, {kFailed, 2.4});
    });
    bool unknown = false;
    for (const HeatPanel& panel : figure.panels)
        for (const HeatCell& cell : panel.cells)
            unknown = unknown || (!cell.failed && std::isnan(cell.value));
    if (unknown)
        key(scale.bottom() + 42, "no value", [&](const Box& box) { canvas.fill(box, kUnknown); });
}

}  // namespace

Picture heat_picture(const HeatFigure& figure)
{
    const MapLayout at = make_layout(figure);
    auto shared = std::make_shared<const HeatFigure>(figure);
    return {std::ceil(at.width), std::ceil(at.height), [shared, at](Canvas& canvas) {
                canvas.text({kMargin, kMargin + 14}, shared->title, {18, kInk, Align::Left, true});
                canvas.text({kMargin, kMargin + 14 + kSubtitleHeight}, shared->subtitle,
                            {12, kFaintInk});
                for (std::size_t i = 0; i < shared->panels.size(); ++i)
                    draw_panel(canvas, *shared, at, i);
                draw_legend(canvas, *shared, at);
                double y = at.height - kMargin + 4 -
                           kCaptionLine * (static_cast<double>(shared->caption.size()) - 1);
                for (const std::string& line : shared->caption) {
                    canvas.text({kMargin, y}, line, {kNameSize - 0.5, kFaintInk});
                    y += kCaptionLine;
                }
            }};
}

}  // namespace taut::plot
