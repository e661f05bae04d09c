// The picture of a comparison: total energy, joint gap and the requested reading over time.
#include <algorithm>
#include <cmath>

#include <taut/version.h>

#include "compare_output.h"
#include "plot/curve_chart.h"
#include "text_table.h"

namespace taut::cli {

namespace {

using Samples = std::vector<Trace::Sample> MethodRun::*;

bool came_to_its_end(const MethodRun& run) { return run.result.status == RunStatus::Ok; }

// The axis covers the values of the stable runs, because the values of a run that diverges would compress all
// other curves. If no run is stable, it covers the central part of all values.
plot::Axis value_axis(const Comparison& comparison, Samples samples, plot::Scaling scaling,
                      std::string label)
{
    std::vector<double> stable, all;
    for (const MethodRun& run : comparison.runs)
        for (const Trace::Sample& sample : run.*samples) {
            if (!std::isfinite(sample.value)) continue;
            all.push_back(sample.value);
            if (judge(run.result, comparison.limits) == Verdict::Stable)
                stable.push_back(sample.value);
        }
    if (!stable.empty()) return plot::axis_around(stable, scaling, std::move(label));
    constexpr double kMiddle = 0.9;
    std::sort(all.begin(), all.end());
    const auto cut = static_cast<std::size_t>((1 - kMiddle) / 2 * static_cast<double>(all.size()));
    return plot::axis_around({all.begin() + static_cast<std::ptrdiff_t>(cut),
                              all.end() - static_cast<std::ptrdiff_t>(cut)},
                             scaling, std::move(label));
}

// Covers the gaps of all runs, between the rounding error and the size of the scene.
plot::Axis gap_axis(const Comparison& comparison)
{
    std::vector<double> gaps;
    for (const MethodRun& run : comparison.runs)
        for (const Trace::Sample& sample : run.gap)
            if (sample.value > 0) gaps.push_back(std::clamp(sample.value, 1e-16, 1.0));
    return plot::axis_around(gaps, plot::Scaling::Log, "joint gap / size [-]");
}

plot::CurvePanel curve_panel(const Comparison& comparison, Samples samples, plot::Axis axis)
{
    plot::CurvePanel panel;
    panel.y = std::move(axis);
    for (const MethodRun& run : comparison.runs) {
        plot::Curve curve;
        for (const Trace::Sample& sample : run.*samples)
            curve.points.push_back({sample.time, sample.value});
        curve.broken_off = !came_to_its_end(run);
        panel.curves.push_back(std::move(curve));
    }
    return panel;
}

std::string curve_name(const MethodRun& run, const StabilityLimits& limits)
{
    const std::string verdict = verdict_text(run.result, limits);
    const auto why = verdict.find(": ");
    return run.method.name() +
           (why == std::string::npos ? "" : " (" + verdict.substr(why + 2) + ")");
}

}  // namespace

plot::Picture comparison_picture(const Comparison& comparison)
{
    plot::CurveFigure figure;
    figure.title = comparison.scene + ": methods compared";
    figure.subtitle = comparison.title + (comparison.title.empty() ? "" : ", ") + "step " +
                      plain(comparison.dt) + " s";
    figure.x = {0, comparison.time, plot::Scaling::Linear, "time [s]"};
    for (const MethodRun& run : comparison.runs)
        figure.names.push_back(curve_name(run, comparison.limits));

    figure.panels.push_back(curve_panel(
        comparison, &MethodRun::energy,
        value_axis(comparison, &MethodRun::energy, plot::Scaling::Linear, "total energy [J]")));
    figure.panels.push_back(curve_panel(comparison, &MethodRun::gap, gap_axis(comparison)));
    figure.panels.back().limit = comparison.limits.gap;
    figure.panels.back().limit_label = "stable below";
    if (!comparison.reading.empty())
        figure.panels.push_back(
            curve_panel(comparison, &MethodRun::reading,
                        value_axis(comparison, &MethodRun::reading, plot::Scaling::Linear,
                                   comparison.reading + " [" + comparison.reading_unit + "]")));
    figure.broken_off_label = "aborted";
    figure.caption = {"Stable: finite; spurious energy gain at most " +
                          brief_number(100 * comparison.limits.rise) +
                          " % of the largest kinetic energy; joint gap at most " +
                          brief_number(100 * comparison.limits.gap) + " % of the size.",
                      "taut " + std::string(version())};
    return plot::curve_picture(figure);
}

}  // namespace taut::cli
