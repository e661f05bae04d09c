// Colours on a light background: a palette for curves that is safe for colour blindness, and a colour scale for maps.
#pragma once

#include <cstddef>

#include "core/namespaces.h"

namespace taut::plot {

struct Colour {
    double r = 0, g = 0, b = 0;
};

inline constexpr Colour kPaper{1, 1, 1};
inline constexpr Colour kInk{0.13, 0.15, 0.18};
inline constexpr Colour kFaintInk{0.42, 0.45, 0.5};
inline constexpr Colour kGrid{0.9, 0.91, 0.925};
inline constexpr Colour kUnknown{0.87, 0.88, 0.89};  // a cell without a value
inline constexpr Colour kFailed{0.78, 0.12, 0.12};
inline constexpr Colour kFailedPaper{0.985, 0.895, 0.875};

// The palette of Okabe and Ito, strongest contrasts first; it repeats after kCurves.
inline constexpr std::size_t kCurves = 7;
Colour curve_colour(std::size_t index) noexcept;

// From pale yellow (0) through green to dark blue (1), with uniformly decreasing lightness, readable in greyscale.
Colour scale_colour(double share) noexcept;

// Near-black or paper colour, whichever has the better contrast on `background`.
Colour readable_on(Colour background) noexcept;

// Relative luminance, 0 black to 1 white (WCAG).
double luminance(Colour colour) noexcept;

}  // namespace taut::plot
