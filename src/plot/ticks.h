// Positions and labels of axis ticks.
#pragma once

#include <string>
#include <vector>

#include "core/namespaces.h"

namespace taut::plot {

// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most` of them but at least two
// where the range is not empty.
std::vector<double> linear_ticks(double low, double high, int most);

// Powers of ten within [low, high]; only every n-th if there would be more than `most`.
std::vector<double> log_ticks(double low, double high, int most);

// 2 … 9 times each power of ten within [low, high].
std::vector<double> minor_log_ticks(double low, double high);

// The shortest label for the given tick spacing: "0.25", "1.5e6". Zero is "0".
std::string tick_label(double value, double spacing);

// "10⁻³"; 1 and 10 are written as numbers.
std::string power_label(double power_of_ten);

}  // namespace taut::plot
