// Points of several runs in panels side by side with common axes: one marker per name and panel.
//
//     title                          A marker has a line to its largest y and one to its largest x; it is hollow where the run
//     ● a  ■ b  ▲ c                  was cut short. What is outside the axes stands on the frame.
//     ┌ panel ──┐ ┌ panel ──┐
//   y │ │       │ │         │        Dashed lines mark limits.
//     │ ●─   ▲  │ │ ●    □  │
//     └─────────┘ └─────────┘
//          x           x
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plot/axes.h"

namespace taut::plot {

struct ChartPoint {
    Point at;
    Point largest;  // ends of the lines; those below `at` have none
    bool hollow = false;
    std::optional<Point>
        variant;  // the same with another setting: a small marker at the end of a dashed line
};

struct PointPanel {
    std::string title;
    std::vector<std::optional<ChartPoint>> points;  // one per name of the figure
};

struct PointFigure {
    std::string title;
    std::string subtitle;
    Axis x, y;  // of all panels
    std::vector<std::string>
        names;  // colours and shapes depend on the order; the first is the largest
    std::vector<PointPanel> panels;
    // dashed lines with labels; none where the label is empty
    double x_limit = 0, y_limit = 0;
    std::string x_limit_label, y_limit_label;
    std::vector<std::string> caption;  // lines
};

Picture point_picture(const PointFigure& figure);

}  // namespace taut::plot
