#include "map_output.h"

#include <cmath>
#include <cstdio>

#include "text_table.h"

namespace taut::cli {

namespace {

bool is_stable(const StabilityMap& map, const CellResult& result)
{
    return judge(result, map.limits) == Verdict::Stable;
}

std::string all_values(const GridAxis& axis)
{
    std::string text;
    for (const std::string& value : axis.values) text += (text.empty() ? "" : ", ") + value;
    return text;
}

}  // namespace

std::size_t StabilityMap::stable_count() const
{
    std::size_t count = 0;
    for (const auto& [cell, result] : cells) count += is_stable(*this, result) ? 1 : 0;
    return count;
}

bool StabilityMap::first_method_stable() const
{
    for (const auto& [cell, result] : cells)
        if (grid.place(cell).method == 0 && !is_stable(*this, result)) return false;
    return true;
}

bool has_kept(const StabilityMap& map)
{
    for (const auto& [cell, result] : map.cells)
        if (is_stable(map, result) && !std::isnan(result.kept)) return true;
    return false;
}

void put_grid(const Grid& grid, Json& json)
{
    json["vary"] = Json::array();
    for (const GridAxis& axis : grid.axes)
        json["vary"].push_back({{"name", axis.name}, {"values", axis.values}});
    json["dt"] = Json::array();
    for (const GridStep& step : grid.steps) json["dt"].push_back(step.dt);
    json["methods"] = Json::array();
    for (const Method& method : grid.methods) json["methods"].push_back(method.name());
}

Json map_json(const StabilityMap& map)
{
    const Grid& grid = map.grid;
    Json json = {
        {"status", map.cells.size() == grid.size() ? "ok" : "interrupted"},
        {"scene", map.scene},
        {"file", map.file},
        {"criterion",
         {{"text", criterion(map.limits)},
          {"max_rise", map.limits.rise},
          {"max_gap", map.limits.gap}}},
        {"cells_planned", grid.size()},
        {"cells_stable", map.stable_count()},
        {"first_method_stable", map.first_method_stable()},
    };
    json["time"] = map.time > 0 ? Json(map.time) : Json(nullptr);
    json["set"] = Json::object();
    for (const auto& [path, value] : map.overrides) json["set"][path] = value;
    put_grid(grid, json);

    json["cells"] = Json::array();
    for (const auto& [cell, result] : map.cells) {
        const Grid::Place place = grid.place(cell);
        Json entry = {{"method", grid.methods[place.method].name()}};
        entry["parameters"] = Json::object();
        for (const auto& [name, value] : grid.overrides(place.values))
            entry["parameters"][name] = value;
        entry["dt"] = grid.steps[place.step].dt;
        put_figures(result, map.limits, entry);
        json["cells"].push_back(std::move(entry));
    }
    return json;
}

void print_map(const StabilityMap& map)
{
    const Grid& grid = map.grid;
    std::printf("%s: stability of %zu cells\n", map.scene.c_str(), grid.size());
    for (const GridAxis& axis : grid.axes)
        std::printf("  %s = %s\n", axis.name.c_str(), all_values(axis).c_str());
    std::printf("  stable: %s\n\n", criterion(map.limits).c_str());

    std::vector<std::string> headings = {"method"};
    for (const GridAxis& axis : grid.axes) headings.push_back(">" + axis.name);
    for (const char* heading : {">step [s]", "stable", ">gap", ">rise", ">kept", ">solves", ">most",
                                ">halved", ">µs/step"})
        headings.emplace_back(heading);
    TextTable table(headings);
    for (const auto& [cell, result] : map.cells) {
        const Grid::Place place = grid.place(cell);
        std::vector<std::string> row = {grid.methods[place.method].name()};
        for (std::size_t i = 0; i < grid.axes.size(); ++i)
            row.push_back(grid.axes[i].values[place.values[i]]);
        row.push_back(grid.steps[place.step].label);
        row.push_back(verdict_text(result, map.limits));
        row.push_back(brief(result.gap));
        row.push_back(brief(result.rise));
        row.push_back(brief_share(result.kept));
        row.push_back(brief_number(result.solves_mean));
        row.push_back(std::to_string(result.solves_max));
        row.push_back(std::to_string(result.halvings));
        row.push_back(brief_number(1e6 * result.step_seconds));
        table.add(std::move(row));
    }
    std::fputs(table.text().c_str(), stdout);
    std::printf("\n%zu of %zu cells are stable\n", map.stable_count(), map.cells.size());
}

}  // namespace taut::cli
