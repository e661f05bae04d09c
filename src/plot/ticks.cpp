#include "plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace taut::plot {

namespace {

constexpr double kSlack = 1e-9;  // tolerance for ticks at the ends, as a fraction of the spacing

std::vector<double> multiples(double low, double high, double spacing)
{
    std::vector<double> ticks;
    const double first = std::ceil(low / spacing - kSlack);
    const double last = std::floor(high / spacing + kSlack);
    const int count = last >= first ? static_cast<int>(last - first) + 1 : 0;
    for (int i = 0; i < count; ++i) ticks.push_back((first + i) * spacing);
    return ticks;
}

}  // namespace

std::vector<double> linear_ticks(double low, double high, int most)
{
    if (!(high > low) || !std::isfinite(high - low)) return {};
    most = std::max(2, most);

    // from fine to coarse spacing; the first one that fits is used
    double power = std::pow(10, std::floor(std::log10((high - low) / most)));
    for (;; power *= 10)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double spacing = digit * power;
            if ((high - low) / spacing > 2.0 * most) continue;
            std::vector<double> ticks = multiples(low, high, spacing);
            if (static_cast<int>(ticks.size()) <= most) return ticks;
        }
}

std::vector<double> log_ticks(double low, double high, int most)
{
    if (!(low > 0) || !(high > low) || !std::isfinite(high)) return {};
    const int first = static_cast<int>(std::ceil(std::log10(low) - kSlack));
    const int last = static_cast<int>(std::floor(std::log10(high) + kSlack));
    const int each = std::max(1, (last - first + most) / std::max(1, most));
    std::vector<double> ticks;
    // counted from exponent zero, so that 10⁰ is always included
    for (int i = first; i <= last; ++i)
        if (i % each == 0) ticks.push_back(std::pow(10, i));
    return ticks;
}

std::vector<double> minor_log_ticks(double low, double high)
{
    std::vector<double> ticks;
    if (!(low > 0) || !(high > low) || !std::isfinite(high)) return ticks;
    for (int i = static_cast<int>(std::floor(std::log10(low))); std::pow(10, i) < high; ++i)
        for (int digit = 2; digit <= 9; ++digit) {
            const double tick = digit * std::pow(10, i);
            if (tick >= low && tick <= high) ticks.push_back(tick);
        }
    return ticks;
}

std::string tick_label(double value, double spacing)
{
    if (value == 0) return "0";
    char text[32];
    const double size = std::abs(value);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(spacing) - kSlack)));
    if (size < 1e5 && decimals <= 4) {
        std::snprintf(text, sizeof text, "%.*f", decimals, value);
        return text;
    }
    // digits down to the spacing, before a power of ten
    const int power = static_cast<int>(std::floor(std::log10(size) + kSlack));
    const int finest = static_cast<int>(std::floor(std::log10(spacing) + kSlack));
    const int digits = std::max(0, power - finest);
    std::snprintf(text, sizeof text, "%.*fe%d", digits, value / std::pow(10, power), power);
    return text;
}

std::string power_label(double power_of_ten)
{
    static constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = static_cast<int>(std::lround(std::log10(power_of_ten)));
    if (power == 0) return "1";
    if (power == 1) return "10";
    std::string label = "10";
    if (power < 0) label += "⁻";
    for (const char digit : std::to_string(std::abs(power))) label += kRaised[digit - '0'];
    return label;
}

}  // namespace taut::plot
