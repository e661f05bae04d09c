// What `taut stability` and `taut compare` are both told: a scene, methods, limits, a folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "output.h"
#include "study/run_cell.h"

namespace taut::cli {

struct StudyOptions {
    std::string scene;
    std::vector<std::string> set;  // path=value
    std::string methods;           // comma-separated
    std::string time;              // numbers are kept as text: an error can quote them
    std::string max_rise;
    std::string max_gap;
    std::string out;
    bool json = false;
};

void add_study_options(CLI::App& command, StudyOptions& options);

// The options as the study needs them.
struct StudyBase {
    std::string file;
    Overrides overrides;       // of --set
    std::optional<Real> time;  // of --time [s]
    StabilityLimits limits;
};
Result<StudyBase> read_base(const StudyOptions& options);

// A number above zero.
Result<Real> read_positive(const std::string& option, const std::string& text);

// The methods of --methods, or the engine's own.
Result<std::vector<Method>> read_methods(const StudyOptions& options, const Scene& scene);

// "finite, energy never above … by more than 5 % of …, joint gap at most 5 % of …"
std::string criterion(const StabilityLimits& limits);

// "yes", or what went wrong: "no: fails at 0.83 s"
std::string verdict_text(const CellResult& result, const StabilityLimits& limits);

// What a cell has measured, as JSON and as fields of CSV. Timing comes last in both.
void put_figures(const CellResult& result, const StabilityLimits& limits, Json& json);
std::vector<std::string> figure_headings();
std::vector<std::string> figure_fields(const CellResult& result, const StabilityLimits& limits);
// The reverse; nothing if the fields are not such figures.
std::optional<CellResult> read_figures(const std::vector<std::string>& fields);

// Writes the whole file or leaves the old one: a name aside first, then moved into place.
Status replace_file(const std::string& file, const std::string& text);

std::string json_text(const Json& json);

}  // namespace taut::cli
