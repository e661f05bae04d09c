// The common options of `taut stability` and `taut compare`: scene, methods, limits, output folder.
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
    std::string time;              // numbers are kept as text, because errors quote them
    std::string max_rise;
    std::string max_gap;
    std::string out;
    bool json = false;
};

void add_study_options(CLI::App& command, StudyOptions& options);

// The parsed and validated options.
struct StudyBase {
    std::string file;
    Overrides overrides;       // of --set
    std::optional<Real> time;  // of --time [s]
    StabilityLimits limits;
};
Result<StudyBase> read_base(const StudyOptions& options);

// Parses a number above zero.
Result<Real> read_positive(const std::string& option, const std::string& text);

// The methods of --methods, or the default method of the engine.
Result<std::vector<Method>> read_methods(const StudyOptions& options, const Scene& scene);

// "finite; energy exceeds … by at most 5 % of …; joint gap at most 5 % of …"
std::string criterion(const StabilityLimits& limits);

// "yes", or the reason of the failure: "no: diverges at 0.83 s"
std::string verdict_text(const CellResult& result, const StabilityLimits& limits);

// The figures of a cell as JSON and as CSV fields. Timing comes last in both.
void put_figures(const CellResult& result, const StabilityLimits& limits, Json& json);
std::vector<std::string> figure_headings();
std::vector<std::string> figure_fields(const CellResult& result, const StabilityLimits& limits);
// The inverse of figure_fields(); empty if the fields are malformed.
std::optional<CellResult> read_figures(const std::vector<std::string>& fields);

// Replaces a file atomically: writes a temporary file beside it and renames that.
Status replace_file(const std::string& file, const std::string& text);

std::string json_text(const Json& json);

}  // namespace taut::cli
