// A frame with a horizontal and a vertical axis: from numbers to pixels, ticks, grid and names.
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

    // 0 at low, 1 at high. Log: what is not above zero lies below everything.
    double share(double value) const noexcept;
};

// An axis around all values with some air; log axes end at whole powers of ten. Values that are not
// finite, or not above zero on a log axis, do not count. Without any value the axis is [0, 1] or [0.1, 1].
Axis axis_around(const std::vector<double>& values, Scaling scaling, std::string label);

class Axes {
public:
    Axes(const Box& frame, Axis x, Axis y) : frame_(frame), x_(std::move(x)), y_(std::move(y)) {}

    Point at(double x, double y) const noexcept;
    const Box& frame() const noexcept { return frame_; }

    enum class XNames { Shown, Hidden };  // hidden where a panel below has the same axis
    void draw(Canvas& canvas, XNames x_names) const;

    // The part of the curve within the frame; points far outside are brought near to it.
    void curve(Canvas& canvas, const std::vector<Point>& points, const LineStyle& style) const;

    // Where a point is shown: itself, or the nearest point of the frame.
    Point on_frame(Point value) const noexcept;

private:
    void draw_x(Canvas& canvas, XNames names) const;
    void draw_y(Canvas& canvas) const;

    Box frame_;
    Axis x_, y_;
};

}  // namespace taut::plot
