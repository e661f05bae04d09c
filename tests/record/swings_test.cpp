// Swings on curves with known peaks.
#include "record/swings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace taut::test {
namespace {

constexpr Real kPi = std::numbers::pi;

Swings watch(const std::function<Real(Real)>& kinetic, Real duration, Real dt = 0.01)
{
    Swings swings;
    const int steps = static_cast<int>(std::lround(duration / dt));
    for (int i = 0; i <= steps; ++i) swings.observe(i * dt, kinetic(i * dt));
    return swings;
}

// K = sin²(πt) peaks at ½, 1½, …; ¼ ½ ¼ lowers a peak by the share π²h²/2 of it.
TEST(Swings, FindsThePeaksOfAPendulum)
{
    const Swings swings = watch([](Real t) { return std::pow(std::sin(kPi * t), 2); }, 4.8);
    ASSERT_EQ(swings.peaks().size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(swings.peaks()[i].time, 0.5 + Real(i), 1e-9);
        EXPECT_NEAR(swings.peaks()[i].kinetic, 1 - kPi * kPi * 1e-4 / 2, 1e-6);
    }
    EXPECT_NEAR(swings.kept(), 1, 1e-9);
}

// Peaks of e^(−ct) sin²(πt) are e^(−c) apart from one to the next.
TEST(Swings, MeasuresDamping)
{
    const Real c = 0.3;
    const Swings swings =
        watch([&](Real t) { return std::exp(-c * t) * std::pow(std::sin(kPi * t), 2); }, 6.9);
    ASSERT_EQ(swings.peaks().size(), 7u);
    EXPECT_NEAR(swings.kept(), std::exp(-6 * c), 1e-9);
}

// The period of a pendulum decreases with its amplitude, so the intervals between peaks become shorter; each peak is
// still a separate swing. Two peaks are enough.
TEST(Swings, SeparatesPeaksWithDecreasingIntervals)
{
    const auto kinetic = [](Real t) {
        return std::exp(-0.3 * t) * std::pow(std::sin(kPi * (t + 0.03 * t * t)), 2);
    };
    const Swings many = watch(kinetic, 5);
    ASSERT_GE(many.peaks().size(), 5u);
    EXPECT_EQ(many.kept(), many.peaks().back().kinetic / many.peaks().front().kinetic);
    for (const Real dt : {0.01, 0.013, 0.017, 0.023}) {
        const Swings two = watch(kinetic, 1.9, dt);
        ASSERT_EQ(two.peaks().size(), 2u);
        EXPECT_LT(two.kept(), 0.8) << dt;
    }
}

TEST(Swings, ASuddenLossIsMeasured)
{
    // all but a thousandth is lost at once, as when a chain snaps tight
    const Swings swings =
        watch([&](Real t) { return (t < 1 ? 1 : 1e-3) * std::pow(std::sin(kPi * t), 2); }, 5);
    EXPECT_NEAR(swings.kept(), 1e-3, 1e-6);
}

TEST(Swings, RipplesAreIgnored)
{
    const Swings swings = watch(
        [](Real t) {
            return std::pow(std::sin(kPi * t), 2) * (1 + 0.1 * std::sin(40 * kPi * t)) + 0.02;
        },
        3.9);
    EXPECT_EQ(swings.peaks().size(), 4u);
    EXPECT_NEAR(swings.kept(), 1, 1e-6);
}

// The run ends in the valley after the third peak with small vibrations: the last swing is still the third.
TEST(Swings, VibrationsInAValleyAreNotTheLastSwing)
{
    const auto shiver = [](Real t) { return 5e-3 * std::pow(std::sin(20 * kPi * t), 2); };
    const Swings swings =
        watch([&](Real t) { return std::pow(std::sin(kPi * t), 4) + (t > 2.9 ? shiver(t) : 0); },
              3.06, 1e-3);
    ASSERT_GT(swings.peaks().size(), 3u) << "the vibration is present";
    EXPECT_LT(swings.peaks().back().kinetic, 0.1);
    EXPECT_NEAR(swings.kept(), 1, 1e-3);
}

TEST(Swings, ARunMayStartAtItsPeak)
{
    const Swings swings = watch([](Real t) { return std::pow(std::cos(kPi * t), 2); }, 2.4);
    ASSERT_EQ(swings.peaks().size(), 3u);
    EXPECT_EQ(swings.peaks()[0].time, 0);
}

TEST(Swings, FewerThanTwoPeaksGiveNaN)
{
    EXPECT_TRUE(std::isnan(Swings().kept()));
    EXPECT_FALSE(Swings().first().has_value());
    EXPECT_TRUE(std::isnan(watch([](Real) { return 0.0; }, 1).kept())) << "at rest";
    EXPECT_TRUE(std::isnan(watch([](Real) { return 3.0; }, 1).kept())) << "a flywheel";
    EXPECT_TRUE(std::isnan(watch([](Real t) { return t * t; }, 1).kept())) << "a fall";
    EXPECT_TRUE(std::isnan(watch([](Real t) { return t * std::exp(-9 * t); }, 9).kept()))
        << "a single peak";
}

}  // namespace
}  // namespace taut::test
