// Heat maps in several panels with common x and y axes, such as one panel per method.
//
//     title                                   A cell has a colour from the scale, a text and a smaller note.
//     ┌ panel ──┐ ┌ panel ──┐   ▒ 1           A failed cell is red, hatched and crossed, whatever its
//   y │ .9 .8 × │ │ .9 .9 .9│   ▒             value; one without a value is grey. Row 0 is at the bottom,
//     │ .9 .9 .8│ │ .9 .9 .9│   ▒ 0           as on an axis.
//     └─────────┘ └─────────┘  ▨× failed
//         x           x
//     caption
#pragma once

#include <string>
#include <vector>

#include "plot/axes.h"

namespace taut::plot {

struct HeatCell {
    bool failed = false;
    double value = 0;  // NaN: grey
    std::string text;  // text and note are drawn if they fit
    std::string note;
};

struct HeatPanel {
    std::string title;
    std::vector<HeatCell> cells;  // row by row, x_values.size() in each
};

struct HeatFigure {
    std::string title;
    std::string subtitle;
    std::string x_label;
    std::string y_label;
    std::vector<std::string> x_values;
    std::vector<std::string> y_values;
    std::vector<HeatPanel> panels;
    int columns = 3;  // panels side by side
    Axis scale;       // of the colours; its label is above the colour bar
    std::string failed_label = "failed";
    std::vector<std::string> caption;  // lines
};

Picture heat_picture(const HeatFigure& figure);

}  // namespace taut::plot
