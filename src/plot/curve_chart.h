// Curves over a common x axis in stacked panels, each with its own y axis.
#pragma once

#include <string>
#include <vector>

#include "plot/axes.h"

namespace taut::plot {

struct Curve {
    std::vector<Point> points;
    // the run was aborted: an × marks the end, on the frame if the curve has left it
    bool broken_off = false;
};

struct CurvePanel {
    Axis y;
    std::vector<Curve> curves;  // one per name of the figure
    // a dashed line at this value with the label `limit_label`; none if that is empty
    double limit = 0;
    std::string limit_label;
};

struct CurveFigure {
    std::string title;
    std::string subtitle;
    Axis x;
    std::vector<std::string> names;  // of the curves; colours and dashes depend on the order
    std::vector<CurvePanel> panels;
    std::string broken_off_label = "ends here";
    std::vector<std::string> caption;
};

Picture curve_picture(const CurveFigure& figure);

}  // namespace taut::plot
