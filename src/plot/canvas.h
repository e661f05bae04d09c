// Drawing operations. Coordinates are pixels, x to the right, y down; text is UTF-8.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <taut/result.h>

#include "plot/colours.h"

struct _cairo;

namespace taut::plot {

struct Point {
    double x = 0, y = 0;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    double right() const noexcept { return x + width; }
    double bottom() const noexcept { return y + height; }
    Point centre() const noexcept { return {x + width / 2, y + height / 2}; }
};

enum class Align { Left, Centre, Right };

struct TextStyle {
    double size = 12;
    Colour colour = kInk;
    Align align = Align::Left;
    bool bold = false;
    bool upward = false;  // rotated by 90°, for labels of vertical axes
};

struct LineStyle {
    Colour colour = kInk;
    double width = 1;
    double dash = 0;  // length of dashes and gaps; 0 is a full line
};

class Canvas {
public:
    explicit Canvas(_cairo* context) : context_(context) {}

    void fill(const Box& box, Colour colour);
    void fill(std::span<const Point> corners, Colour colour);
    void frame(const Box& box, const LineStyle& style);
    void line(Point from, Point to, const LineStyle& style);
    void lines(std::span<const Point> points, const LineStyle& style);
    void closed(std::span<const Point> corners, const LineStyle& style);
    void hatch(const Box& box, double spacing, const LineStyle& style);  // rising to the right
    void cross(Point centre, double radius, const LineStyle& style);     // ×

    // `at` is on the base line; use text_width for the width.
    void text(Point at, const std::string& text, const TextStyle& style);
    double text_width(const std::string& text, const TextStyle& style);
    // The style with a reduced size if the text would be wider than `width`.
    TextStyle fitted(const std::string& text, TextStyle style, double width);

    // Draws clipped to the box.
    void clipped(const Box& box, const std::function<void()>& draw);

private:
    void use(Colour colour);
    void use(const LineStyle& style);
    void use(const TextStyle& style);

    _cairo* context_;
};

struct Picture {
    double width = 0;
    double height = 0;
    std::function<void(Canvas&)> draw;
};

Status write_svg(const Picture& picture, const std::string& file);
// `scale` is the number of file pixels per picture pixel.
Status write_png(const Picture& picture, const std::string& file, double scale = 2);

// Replaces invalid UTF-8 by "?", because cairo would stop drawing.
std::string valid_utf8(const std::string& text);

}  // namespace taut::plot
