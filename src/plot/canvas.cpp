#include "plot/canvas.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>

namespace taut::plot {

namespace {

struct CairoRelease {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};
using CairoSurface = std::unique_ptr<cairo_surface_t, CairoRelease>;
using Context = std::unique_ptr<cairo_t, CairoRelease>;

Status draw_on(cairo_surface_t* surface, const Picture& picture, double scale)
{
    const Context context(cairo_create(surface));
    cairo_scale(context.get(), scale, scale);
    Canvas canvas(context.get());
    canvas.fill({0, 0, picture.width, picture.height}, kPaper);
    picture.draw(canvas);
    if (const auto status = cairo_status(context.get()); status != CAIRO_STATUS_SUCCESS)
        return Error{std::string("cannot draw: ") + cairo_status_to_string(status)};
    return Done{};
}

Status written(cairo_status_t status, const std::string& file)
{
    if (status == CAIRO_STATUS_SUCCESS) return Done{};
    return Error{"cannot write '" + file + "': " + cairo_status_to_string(status)};
}

// Length of the UTF-8 character that starts at `at`; 0 if it is invalid.
std::size_t character_length(const std::string& text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first_byte = byte(at);
    if (first_byte < 0x80) return first_byte < 0x20 || first_byte == 0x7f ? 0 : 1;
    const std::size_t length = first_byte >= 0xc2 && first_byte < 0xe0   ? 2
                               : first_byte >= 0xe0 && first_byte < 0xf0 ? 3
                               : first_byte >= 0xf0 && first_byte < 0xf5 ? 4
                                                                         : 0;
    if (length == 0 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xc0) != 0x80) return 0;
    // overlong encodings, surrogates, beyond the last code point
    const unsigned second = byte(at + 1);
    if ((first_byte == 0xe0 && second < 0xa0) || (first_byte == 0xed && second > 0x9f) ||
        (first_byte == 0xf0 && second < 0x90) || (first_byte == 0xf4 && second > 0x8f))
        return 0;
    return length;
}

}  // namespace

std::string valid_utf8(const std::string& text)
{
    std::string valid;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        valid += length ? text.substr(i, length) : "?";
        i += std::max<std::size_t>(1, length);
    }
    return valid;
}

void Canvas::use(Colour colour) { cairo_set_source_rgb(context_, colour.r, colour.g, colour.b); }

void Canvas::use(const LineStyle& style)
{
    use(style.colour);
    cairo_set_line_width(context_, style.width);
    cairo_set_line_join(context_, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(context_, style.dash > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(context_, &style.dash, style.dash > 0 ? 1 : 0, 0);
}

void Canvas::use(const TextStyle& style)
{
    use(style.colour);
    cairo_select_font_face(context_, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context_, style.size);
}

void Canvas::fill(const Box& box, Colour colour)
{
    use(colour);
    cairo_rectangle(context_, box.x, box.y, box.width, box.height);
    cairo_fill(context_);
}

void Canvas::fill(std::span<const Point> corners, Colour colour)
{
    if (corners.empty()) return;
    use(colour);
    for (const Point& p : corners) cairo_line_to(context_, p.x, p.y);
    cairo_close_path(context_);
    cairo_fill(context_);
}

void Canvas::frame(const Box& box, const LineStyle& style)
{
    use(style);
    cairo_rectangle(context_, box.x, box.y, box.width, box.height);
    cairo_stroke(context_);
}

void Canvas::line(Point from, Point to, const LineStyle& style)
{
    const Point ends[] = {from, to};
    lines(ends, style);
}

void Canvas::lines(std::span<const Point> points, const LineStyle& style)
{
    if (points.empty()) return;
    use(style);
    for (const Point& p : points) cairo_line_to(context_, p.x, p.y);
    cairo_stroke(context_);
}

void Canvas::closed(std::span<const Point> corners, const LineStyle& style)
{
    if (corners.empty()) return;
    use(style);
    for (const Point& p : corners) cairo_line_to(context_, p.x, p.y);
    cairo_close_path(context_);
    cairo_stroke(context_);
}

void Canvas::hatch(const Box& box, double spacing, const LineStyle& style)
{
    // one path for all lines, to keep the SVG of a map with many hatched cells small
    clipped(box, [&] {
        use(style);
        const int count = static_cast<int>(std::ceil((box.width + box.height) / spacing));
        for (int i = 0; i < count; ++i) {
            const double x = box.x - box.height + i * spacing;
            cairo_move_to(context_, x, box.bottom());
            cairo_line_to(context_, x + box.height, box.y);
        }
        cairo_stroke(context_);
    });
}

void Canvas::cross(Point centre, double radius, const LineStyle& style)
{
    line({centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius}, style);
    line({centre.x - radius, centre.y + radius}, {centre.x + radius, centre.y - radius}, style);
}

void Canvas::text(Point at, const std::string& text, const TextStyle& style)
{
    const double shift = style.align == Align::Left     ? 0
                         : style.align == Align::Centre ? text_width(text, style) / 2
                                                        : text_width(text, style);
    use(style);
    cairo_save(context_);
    cairo_translate(context_, at.x, at.y);
    if (style.upward) cairo_rotate(context_, -std::numbers::pi / 2);
    cairo_move_to(context_, -shift, 0);
    cairo_show_text(context_, valid_utf8(text).c_str());
    cairo_restore(context_);
    cairo_new_path(context_);
}

double Canvas::text_width(const std::string& text, const TextStyle& style)
{
    use(style);
    cairo_text_extents_t extents;
    cairo_text_extents(context_, valid_utf8(text).c_str(), &extents);
    return extents.x_advance;
}

TextStyle Canvas::fitted(const std::string& text, TextStyle style, double width)
{
    const double wanted = text_width(text, style);
    if (wanted > width) style.size *= std::max(0.0, width) / wanted;
    return style;
}

void Canvas::clipped(const Box& box, const std::function<void()>& draw)
{
    cairo_save(context_);
    cairo_rectangle(context_, box.x, box.y, box.width, box.height);
    cairo_clip(context_);
    draw();
    cairo_restore(context_);
}

Status write_svg(const Picture& picture, const std::string& file)
{
    const CairoSurface surface(
        cairo_svg_surface_create(file.c_str(), picture.width, picture.height));
    TAUT_TRY(written(cairo_surface_status(surface.get()), file));
    cairo_svg_surface_set_document_unit(surface.get(), CAIRO_SVG_UNIT_PX);
    TAUT_TRY(draw_on(surface.get(), picture, 1));
    cairo_surface_finish(surface.get());
    return written(cairo_surface_status(surface.get()), file);
}

Status write_png(const Picture& picture, const std::string& file, double scale)
{
    const CairoSurface surface(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(std::ceil(picture.width * scale)),
        static_cast<int>(std::ceil(picture.height * scale))));
    TAUT_TRY(written(cairo_surface_status(surface.get()), file));
    TAUT_TRY(draw_on(surface.get(), picture, scale));
    return written(cairo_surface_write_to_png(surface.get(), file.c_str()), file);
}

}  // namespace taut::plot
