// Where an axis has its marks, and how they are written.
#pragma once

#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::plot {

// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most` of them but at least two
// where the range is not empty.
std::vector<double> linear_ticks(double low, double high, int most);

// Powers of ten within [low, high], all of them or each n-th so that there are at most `most`.
std::vector<double> log_ticks(double low, double high, int most);

// 2 … 9 times each power of ten within [low, high].
std::vector<double> minor_log_ticks(double low, double high);

// As short as the spacing of the ticks allows: "0.25", "1.5e6". Zero is "0".
std::string tick_label(double value, double spacing);

// "10⁻³"; 1 and 10 are written out.
std::string power_label(double power_of_ten);

}  // namespace taut::plot
