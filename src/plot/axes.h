// A frame with a horizontal and a vertical axis: mapping of values to pixels, ticks, grid and labels.
#pragma once

#include <string>
#include <vector>

#include "plot/canvas.h"

namespace taut::plot {

enum class Scaling { Linear, Log };

struct Axis {
    double low = 0;
    double high = 1;
    Scaling scaling = Scaling::Linear;
    std::string label;

    // 0 at low, 1 at high. On a log axis, values that are not above zero are below all others.
    double share(double value) const noexcept;
};

// An axis that covers all values with a margin; log axes end at powers of ten. Values that are not finite, or not
// above zero on a log axis, are ignored. Without any value the axis is [0, 1] or [0.1, 1].
Axis axis_around(const std::vector<double>& values, Scaling scaling, std::string label);

class PlotAxes {
public:
    PlotAxes(const Box& frame, Axis x, Axis y) : frame_(frame), x_(std::move(x)), y_(std::move(y))
    {}

    Point at(double x, double y) const noexcept;
    const Box& frame() const noexcept { return frame_; }

    enum class XNames { Shown, Hidden };  // hidden if a panel below has the same axis
    void draw(Canvas& canvas, XNames x_names) const;

    // Draws the curve clipped to the frame; points far outside are moved closer to avoid overflow.
    void curve(Canvas& canvas, const std::vector<Point>& points, const LineStyle& style) const;

    // The point itself, or the nearest point of the frame if it is outside.
    Point on_frame(Point value) const noexcept;

private:
    void draw_x(Canvas& canvas, XNames names) const;
    void draw_y(Canvas& canvas) const;

    Box frame_;
    Axis x_, y_;
};

}  // namespace taut::plot
