// Ticks, axes and colours.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "plot/axes.h"
#include "plot/ticks.h"

namespace taut::plot {
namespace {

using Numbers = std::vector<double>;

TEST(Ticks, AreRoundNumbers)
{
    EXPECT_EQ(linear_ticks(0, 10, 6), (Numbers{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(linear_ticks(0, 10, 11).size(), 11u);
    EXPECT_EQ(linear_ticks(-1, 1, 5), (Numbers{-1, -0.5, 0, 0.5, 1}));
    EXPECT_TRUE(linear_ticks(1, 1, 5).empty());
    EXPECT_TRUE(linear_ticks(0, INFINITY, 5).empty());
}

TEST(Ticks, LieInTheRangeAndAreLimitedInNumber)
{
    std::mt19937 random(20);
    std::uniform_real_distribution<double> power(-8, 8), sign(-1, 1);
    for (int i = 0; i < 2000; ++i) {
        const double low = sign(random) * std::pow(10, power(random));
        const double high = low + std::pow(10, power(random));
        if (!(high - low > 1e-9 * std::abs(low))) continue;
        const Numbers ticks = linear_ticks(low, high, 6);
        EXPECT_GE(ticks.size(), 2u) << low << " " << high;
        EXPECT_LE(ticks.size(), 6u) << low << " " << high;
        const double slack = 1e-8 * (high - low);
        for (const double tick : ticks) EXPECT_TRUE(tick >= low - slack && tick <= high + slack);
    }
}

TEST(Ticks, OfALogAxisArePowersOfTen)
{
    EXPECT_EQ(log_ticks(1e-3, 1, 8).size(), 4u);
    EXPECT_NEAR(log_ticks(1e-3, 1, 8)[0], 1e-3, 1e-15);
    EXPECT_LE(log_ticks(1e-16, 1, 6).size(), 6u);
    EXPECT_EQ(log_ticks(1e-16, 1, 6).back(), 1);
    EXPECT_TRUE(log_ticks(0, 1, 6).empty());
    EXPECT_EQ(minor_log_ticks(1, 10), (Numbers{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Ticks, LabelsAreShort)
{
    EXPECT_EQ(tick_label(0, 0.5), "0");
    EXPECT_EQ(tick_label(0.5, 0.5), "0.5");
    EXPECT_EQ(tick_label(1, 0.5), "1.0");
    EXPECT_EQ(tick_label(2, 2), "2");
    EXPECT_EQ(tick_label(-0.25, 0.05), "-0.25");
    EXPECT_EQ(tick_label(98000, 1000), "98000");
    EXPECT_EQ(tick_label(1500000, 500000), "1.5e6");
    EXPECT_EQ(tick_label(0.00002, 0.00001), "2e-5");
    EXPECT_EQ(power_label(1e-12), "10⁻¹²");
    EXPECT_EQ(power_label(1), "1");
    EXPECT_EQ(power_label(1e3), "10³");
}

TEST(Axis, ContainsAllFiniteValues)
{
    const Axis axis = axis_around({3, NAN, -1, INFINITY}, Scaling::Linear, "");
    EXPECT_LT(axis.low, -1);
    EXPECT_GT(axis.low, -2);
    EXPECT_GT(axis.high, 3);
    const Axis log = axis_around({0, -1, 3e-5, 0.2}, Scaling::Log, "");
    EXPECT_NEAR(log.low, 1e-5, 1e-18);
    EXPECT_NEAR(log.high, 1, 1e-12);
    EXPECT_LT(log.share(0), -1) << "below everything";
    for (const Scaling scaling : {Scaling::Linear, Scaling::Log})
        for (const Numbers& values : {Numbers{}, Numbers{5, 5}, Numbers{1, 1}, Numbers{0}}) {
            const Axis constant = axis_around(values, scaling, "");
            EXPECT_LT(constant.low, constant.high);
        }
}

TEST(PlotAxes, PutTheEndsOnTheFrame)
{
    const PlotAxes axes({100, 50, 200, 80}, {0, 10, Scaling::Linear, ""},
                        {1e-4, 1, Scaling::Log, ""});
    EXPECT_NEAR(axes.at(0, 1e-4).x, 100, 1e-9);
    EXPECT_NEAR(axes.at(0, 1e-4).y, 130, 1e-9);
    EXPECT_NEAR(axes.at(10, 1).x, 300, 1e-9);
    EXPECT_NEAR(axes.at(10, 1).y, 50, 1e-9);
    EXPECT_NEAR(axes.at(5, 1e-2).y, 90, 1e-9) << "the middle decade is in the middle";
    EXPECT_EQ(axes.on_frame({20, 1e300}).x, 300);
    EXPECT_EQ(axes.on_frame({20, 1e300}).y, 50);
}

// The lightness decreases monotonically, so that a greyscale print is readable.
TEST(Colours, TheScaleDarkensMonotonically)
{
    for (int i = 1; i <= 100; ++i)
        EXPECT_LT(luminance(scale_colour(i / 100.0)), luminance(scale_colour((i - 1) / 100.0)));
    EXPECT_EQ(luminance(scale_colour(-1)), luminance(scale_colour(0)));
    EXPECT_EQ(luminance(scale_colour(2)), luminance(scale_colour(1)));
}

// WCAG requires a contrast of 4.5 : 1 for small text.
TEST(Colours, TextHasContrastOnEveryCell)
{
    for (int i = 0; i <= 100; ++i) {
        const Colour ground = scale_colour(i / 100.0);
        double a = luminance(ground) + 0.05, b = luminance(readable_on(ground)) + 0.05;
        if (a < b) std::swap(a, b);
        EXPECT_GT(a / b, 4.0) << i;
    }
}

}  // namespace
}  // namespace taut::plot
