// Curves over a common x axis, one panel above the other, each with a y axis of its own.
#pragma once

#include <string>
#include <vector>

#include "plot/axes.h"

namespace taut::plot {

struct Curve {
    std::vector<Point> points;
    bool broken_off =
        false;  // ends before its time: an × stands at its end, at the frame if it left it
};

struct CurvePanel {
    Axis y;
    std::vector<Curve> curves;  // one per name of the figure
    double limit = 0;  // a dashed line at this height, named `limit_label`; none if that is empty
    std::string limit_label;
};

struct CurveFigure {
    std::string title;
    std::string subtitle;
    Axis x;
    std::vector<std::string> names;  // of the curves; colours and dashes follow from the order
    std::vector<CurvePanel> panels;
    std::string broken_off_label = "ends here";
    std::vector<std::string> caption;
};

Picture curve_picture(const CurveFigure& figure);

}  // namespace taut::plot
