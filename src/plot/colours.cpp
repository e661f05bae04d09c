#include "plot/colours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace taut::plot {

namespace {

constexpr Colour hex(unsigned rgb)
{
    return {((rgb >> 16) & 255) / 255.0, ((rgb >> 8) & 255) / 255.0, (rgb & 255) / 255.0};
}

// blue, vermilion, green, purple, sky, orange, black
constexpr std::array<Colour, kCurves> kPalette = {hex(0x0072B2), hex(0xD55E00), hex(0x009E73),
                                                  hex(0xCC79A7), hex(0x56B4E9), hex(0xE69F00),
                                                  hex(0x222222)};

constexpr std::array<Colour, 6> kScale = {hex(0xFFF7CC), hex(0xD3EBB2), hex(0x86CFB4),
                                          hex(0x3FA9B9), hex(0x2273AE), hex(0x173A7A)};

constexpr Colour kDarkestInk{0.03, 0.04, 0.05};  // maximum contrast on cells of medium lightness

double linear(double c) noexcept
{
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

}  // namespace

Colour curve_colour(std::size_t index) noexcept { return kPalette[index % kPalette.size()]; }

Colour scale_colour(double share) noexcept
{
    const double at = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), kScale.size() - 2);
    const double t = at - static_cast<double>(below);
    const Colour &a = kScale[below], &b = kScale[below + 1];
    return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

double luminance(Colour colour) noexcept
{
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

Colour readable_on(Colour background) noexcept
{
    // contrast of WCAG: (lighter + 0.05) / (darker + 0.05)
    const double ground = luminance(background) + 0.05;
    return ground / (luminance(kDarkestInk) + 0.05) > (luminance(kPaper) + 0.05) / ground
               ? kDarkestInk
               : kPaper;
}

}  // namespace taut::plot
