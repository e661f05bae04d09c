#include "compare_output.h"

#include <cmath>
#include <cstdio>

#include "record/csv_line.h"
#include "record/csv_writer.h"
#include "text_table.h"

namespace taut::cli {

Json comparison_json(const Comparison& comparison)
{
    Json json = {
        {"status", "ok"},
        {"scene", comparison.scene},
        {"title", comparison.title},
        {"file", comparison.file},
        {"time", comparison.time},
        {"dt", comparison.dt},
        {"criterion",
         {{"text", criterion(comparison.limits)},
          {"max_rise", comparison.limits.rise},
          {"max_gap", comparison.limits.gap}}},
    };
    json["set"] = Json::object();
    for (const auto& [path, value] : comparison.overrides) json["set"][path] = value;
    json["methods"] = Json::array();
    for (const MethodRun& run : comparison.runs) {
        Json entry = {{"method", run.method.name()}, {"end_distance", run.distance}};
        put_figures(run.result, comparison.limits, entry);
        json["methods"].push_back(std::move(entry));
    }
    return json;
}

std::string comparison_csv(const Comparison& comparison)
{
    std::vector<std::string> headings = {"method", "end_distance [m]"};
    for (std::string& heading : figure_headings()) headings.push_back(std::move(heading));
    std::string text = csv_line(headings) + "\n";
    for (const MethodRun& run : comparison.runs) {
        std::vector<std::string> fields = {run.method.name(), shortest(run.distance)};
        for (std::string& field : figure_fields(run.result, comparison.limits))
            fields.push_back(std::move(field));
        text += csv_line(fields) + "\n";
    }
    return text;
}

void print_comparison(const Comparison& comparison)
{
    std::printf("%s%s%s\n  simulated time %s s, time step %s s\n  stable: %s\n\n",
                comparison.scene.c_str(), comparison.title.empty() ? "" : ": ",
                comparison.title.c_str(), plain(comparison.time).c_str(),
                plain(comparison.dt).c_str(), criterion(comparison.limits).c_str());
    TextTable table({"method", "stable", ">gap", ">rise", ">numerical", ">kept", ">solves", ">most",
                     ">halved", ">µs/step", ">end distance [m]"});
    for (const MethodRun& run : comparison.runs)
        table.add({run.method.name(), verdict_text(run.result, comparison.limits),
                   brief(run.result.gap), brief(run.result.rise),
                   brief_number(100 * run.result.numerical) + " %", brief_share(run.result.kept),
                   brief_number(run.result.solves_mean), std::to_string(run.result.solves_max),
                   std::to_string(run.result.halvings), brief_number(1e6 * run.result.step_seconds),
                   brief(run.distance)});
    std::fputs(table.text().c_str(), stdout);
    for (const MethodRun& run : comparison.runs)
        if (!run.result.reason.empty())
            std::printf("%s: %s\n", run.method.name().c_str(), run.result.reason.c_str());
}

}  // namespace taut::cli
