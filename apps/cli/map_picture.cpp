// The picture of a stability map.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <taut/version.h>

#include "map_output.h"
#include "plot/heat_map.h"
#include "text_table.h"

namespace taut::cli {

namespace {

using plot::HeatCell;
using plot::HeatFigure;

std::string short_failure(const CellResult& result, Verdict verdict)
{
    char text[32];
    switch (verdict) {
        case Verdict::Diverged:
            std::snprintf(text, sizeof text, "at %.2g s", result.simulated_seconds);
            return text;
        case Verdict::Refused: return "refused";
        case Verdict::GainsEnergy: return "energy";
        case Verdict::JointsOpen: return "gap";
        case Verdict::Stable: break;
    }
    return "";
}

HeatCell heat_cell(const CellResult& result, const StabilityLimits& limits, MapColour colour)
{
    HeatCell cell;
    const Verdict verdict = judge(result, limits);
    if (verdict != Verdict::Stable) {
        cell.failed = true;
        cell.note = short_failure(result, verdict);
    } else if (colour == MapColour::Kept) {
        cell.value = result.kept;
        cell.text = brief_share(result.kept);
        cell.note = "gap " + brief(result.gap);
    } else {
        cell.value = result.gap;
        cell.text = brief(result.gap);
        cell.note = "kept " + brief_share(result.kept);
    }
    return cell;
}

// One panel: its rows are the values of the first parameter; the other parameters have the indices `values`.
plot::HeatPanel heat_panel(const StabilityMap& map, std::size_t method,
                           std::vector<std::size_t> values, MapColour colour)
{
    const Grid& grid = map.grid;
    plot::HeatPanel panel;
    panel.title = grid.methods[method].name();
    for (std::size_t i = 1; i < grid.axes.size(); ++i)
        panel.title +=
            (i == 1 ? ", " : " ") + grid.axes[i].name + "=" + grid.axes[i].values[values[i]];
    for (values[0] = 0; values[0] < grid.axes[0].values.size(); ++values[0])
        for (std::size_t step = 0; step < grid.steps.size(); ++step) {
            std::size_t cell = method;
            for (std::size_t i = 0; i < grid.axes.size(); ++i)
                cell = cell * grid.axes[i].values.size() + values[i];
            const auto found = map.cells.find(cell * grid.steps.size() + step);
            panel.cells.push_back(found != map.cells.end()
                                      ? heat_cell(found->second, map.limits, colour)
                                      : HeatCell{false, NAN, "", ""});
        }
    return panel;
}

void add_panels(const StabilityMap& map, MapColour colour, HeatFigure& figure)
{
    // panels of methods are arranged side by side, values of further parameters one below the other
    const Grid& grid = map.grid;
    const std::size_t others = grid.combinations() / grid.axes[0].values.size();
    for (std::size_t other = 0; other < others; ++other)
        for (std::size_t method = 0; method < grid.methods.size(); ++method)
            figure.panels.push_back(heat_panel(map, method, grid.values_of(other), colour));
    const auto methods = static_cast<int>(grid.methods.size());
    const auto panels = static_cast<int>(figure.panels.size());
    if (others > 1 && methods > 1)
        figure.columns = methods;
    else
        figure.columns = panels == 4 ? 2 : std::min(3, panels);
}

plot::Axis heat_scale(const StabilityMap& map, MapColour colour)
{
    if (colour == MapColour::Kept)
        return {0, 1, plot::Scaling::Linear, "kinetic energy|last swing|over first"};
    std::vector<double> gaps;
    for (const auto& [cell, result] : map.cells)
        if (judge(result, map.limits) == Verdict::Stable) gaps.push_back(result.gap);
    return plot::axis_around(gaps, plot::Scaling::Log, "largest gap|over size");
}

std::string what_was_set(const StabilityMap& map)
{
    std::string text =
        map.time > 0 ? plain(map.time) + " s each" : "each cell runs for the duration of the scene";
    for (const auto& [path, value] : map.overrides)
        text.append(", ").append(path).append(" = ").append(value);
    return text;
}

}  // namespace

plot::Picture map_picture(const StabilityMap& map, MapColour colour)
{
    HeatFigure figure;
    figure.title = "Stability of " + map.scene;
    figure.subtitle = what_was_set(map);
    figure.x_label = "step [s]";
    for (const GridStep& step : map.grid.steps) figure.x_values.push_back(step.label);
    figure.y_label = map.grid.axes[0].name;
    figure.y_values = map.grid.axes[0].values;
    add_panels(map, colour, figure);
    figure.scale = heat_scale(map, colour);
    figure.failed_label = "not stable";
    figure.caption = {
        colour == MapColour::Kept ? "Colour and number: kinetic energy of the last swing relative "
                                    "to the first; below it the "
                                    "largest joint gap relative to the size of the scene."
                                  : "Colour and number: largest joint gap relative to the size of "
                                    "the scene; below it the kinetic "
                                    "energy of the last swing relative to the first.",
        "Stable: finite; spurious energy gain at most " + brief_number(100 * map.limits.rise) +
            " % of the largest kinetic energy; joint gap at most " +
            brief_number(100 * map.limits.gap) + " % of the size.",
        "× not stable: time of the abort, or the limit that was exceeded.  taut " +
            std::string(version())};
    return plot::heat_picture(figure);
}

}  // namespace taut::cli
