#include "plot/axes.h"

#include <algorithm>
#include <cmath>

#include "plot/ticks.h"

namespace taut::plot {

namespace {

// margin above and below the values, as a fraction of their range
constexpr double kMarginFraction = 0.06;
constexpr double kClipDistance = 50;  // distance in frame sizes beyond which points are clipped
constexpr double kPerTickX = 70;      // minimum distance of labels [px]
constexpr double kPerPowerX = 40;     // the same of powers of ten, which are short
constexpr double kPerTickY = 28;
constexpr double kLabelSize = 11;

double spacing_of(const std::vector<double>& ticks)
{
    return ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
}

}  // namespace

double Axis::share(double value) const noexcept
{
    if (scaling == Scaling::Linear) return (value - low) / (high - low);
    if (!(value > 0)) return -kClipDistance;
    return std::log(value / low) / std::log(high / low);
}

Axis axis_around(const std::vector<double>& values, Scaling scaling, std::string label)
{
    const bool log = scaling == Scaling::Log;
    double low = INFINITY, high = -INFINITY;
    for (const double value : values) {
        if (!std::isfinite(value) || (log && !(value > 0))) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low <= high)) return {log ? 0.1 : 0.0, 1, scaling, std::move(label)};
    if (log) {
        low = std::pow(10, std::floor(std::log10(low) + 1e-9));
        high = std::pow(10, std::ceil(std::log10(high) - 1e-9));
        if (low == high) high *= 10;
        return {low, high, scaling, std::move(label)};
    }
    // a constant value gets a range of its own magnitude, or of 1
    const double range = high > low ? high - low : low != 0 ? std::abs(low) : 1;
    return {low - kMarginFraction * range, high + kMarginFraction * range, scaling,
            std::move(label)};
}

Point PlotAxes::at(double x, double y) const noexcept
{
    const auto near = [](double share) { return std::clamp(share, -kClipDistance, kClipDistance); };
    return {frame_.x + near(x_.share(x)) * frame_.width,
            frame_.bottom() - near(y_.share(y)) * frame_.height};
}

Point PlotAxes::on_frame(Point value) const noexcept
{
    const Point p = at(value.x, value.y);
    return {std::clamp(p.x, frame_.x, frame_.right()), std::clamp(p.y, frame_.y, frame_.bottom())};
}

void PlotAxes::curve(Canvas& canvas, const std::vector<Point>& points, const LineStyle& style) const
{
    std::vector<Point> line;
    for (const Point& p : points) line.push_back(at(p.x, p.y));
    canvas.clipped(frame_, [&] { canvas.lines(line, style); });
}

void PlotAxes::draw(Canvas& canvas, XNames x_names) const
{
    draw_x(canvas, x_names);
    draw_y(canvas);
    canvas.frame(frame_, {kFaintInk, 1});
}

void PlotAxes::draw_x(Canvas& canvas, XNames names) const
{
    const bool log = x_.scaling == Scaling::Log;
    const int most = std::max(2, static_cast<int>(frame_.width / (log ? kPerPowerX : kPerTickX)));
    const std::vector<double> ticks =
        log ? log_ticks(x_.low, x_.high, most) : linear_ticks(x_.low, x_.high, most);
    for (const double tick : ticks) {
        const double x = at(tick, y_.low).x;
        canvas.line({x, frame_.y}, {x, frame_.bottom()}, {kGrid, 1});
        if (names == XNames::Hidden) continue;
        canvas.line({x, frame_.bottom()}, {x, frame_.bottom() + 4}, {kFaintInk, 1});
        canvas.text({x, frame_.bottom() + 17},
                    log ? power_label(tick) : tick_label(tick, spacing_of(ticks)),
                    {kLabelSize, kInk, Align::Centre});
    }
    if (names == XNames::Shown)
        canvas.text({frame_.centre().x, frame_.bottom() + 35}, x_.label,
                    {kLabelSize + 1, kInk, Align::Centre});
}

void PlotAxes::draw_y(Canvas& canvas) const
{
    const bool log = y_.scaling == Scaling::Log;
    const int most = std::max(2, static_cast<int>(frame_.height / kPerTickY));
    const std::vector<double> ticks =
        log ? log_ticks(y_.low, y_.high, most) : linear_ticks(y_.low, y_.high, most);
    // minor ticks if they are far enough apart
    if (log && std::log10(y_.high / y_.low) * 20 < frame_.height)
        for (const double tick : minor_log_ticks(y_.low, y_.high)) {
            const double y = at(x_.low, tick).y;
            canvas.line({frame_.x - 2, y}, {frame_.x, y}, {kFaintInk, 0.7});
        }
    for (const double tick : ticks) {
        const double y = at(x_.low, tick).y;
        canvas.line({frame_.x, y}, {frame_.right(), y}, {kGrid, 1});
        canvas.line({frame_.x - 4, y}, {frame_.x, y}, {kFaintInk, 1});
        canvas.text({frame_.x - 7, y + 4},
                    log ? power_label(tick) : tick_label(tick, spacing_of(ticks)),
                    {kLabelSize, kInk, Align::Right});
    }
    TextStyle name{kLabelSize + 1, kInk, Align::Centre};
    name = canvas.fitted(y_.label, name, frame_.height + 16);
    name.upward = true;
    canvas.text({frame_.x - 58, frame_.centre().y}, y_.label, name);
}

}  // namespace taut::plot
