#include "study_options.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/number.h"
#include "record/csv_writer.h"
#include "run_options.h"
#include "scene_finder.h"

namespace taut::cli {

namespace {

std::string percent(Real share)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g %%", 100 * share);
    return text;
}

// Replaces line breaks, because a reason is one field of one CSV line.
std::string one_line(std::string text)
{
    for (char& c : text)
        if (c == '\n' || c == '\r') c = ' ';
    return text;
}

}  // namespace

void add_study_options(CLI::App& command, StudyOptions& options)
{
    add_scene_option(command, options.scene);
    add_time_option(command, options.time);
    add_set_option(command, options.set);
    command
        .add_option("--max-rise", options.max_rise,
                    "Stability limit: spurious energy gain relative to the largest kinetic "
                    "energy; default 0.05")
        ->type_name("X");
    command
        .add_option("--max-gap", options.max_gap,
                    "Stability limit: joint gap relative to the size of the scene; default 0.05")
        ->type_name("X");
    command.add_flag("--json", options.json, "Print the result as one JSON object on stdout");
}

Result<Real> read_positive(const std::string& option, const std::string& text)
{
    const auto number = parse_number(option, text);
    if (number.ok() && !(*number > 0))
        return Error{option + " must be above zero, not '" + text + "'"};
    return number;
}

Result<StudyBase> read_base(const StudyOptions& options)
{
    StudyBase base;
    const auto file = find_scene(options.scene);
    if (!file.ok()) return file.error();
    base.file = *file;
    auto overrides = parse_overrides(options.set);
    if (!overrides.ok()) return overrides.error();
    base.overrides = std::move(*overrides);

    const auto set = [](const char* name, const std::string& text, auto& value) -> Status {
        if (text.empty()) return Done{};
        const auto number = read_positive(name, text);
        if (!number.ok()) return number.error();
        value = *number;
        return Done{};
    };
    TAUT_TRY(set("--time", options.time, base.time));
    TAUT_TRY(set("--max-rise", options.max_rise, base.limits.rise));
    TAUT_TRY(set("--max-gap", options.max_gap, base.limits.gap));
    return base;
}

Result<std::vector<Method>> read_methods(const StudyOptions& options, const Scene& scene)
{
    if (options.methods.empty()) return std::vector<Method>{Method::of(StepSettings{})};
    return parse_methods(options.methods, scene.settings);
}

std::string criterion(const StabilityLimits& limits)
{
    return "finite; energy exceeds its initial value plus the work done by at most " +
           percent(limits.rise) + " of the largest kinetic energy; joint gap at most " +
           percent(limits.gap) + " of the size of the scene";
}

std::string verdict_text(const CellResult& result, const StabilityLimits& limits)
{
    char text[48];
    switch (judge(result, limits)) {
        case Verdict::Stable: return "yes";
        case Verdict::Diverged:
            std::snprintf(text, sizeof text, "no: diverges at %.3g s", result.simulated_seconds);
            return text;
        case Verdict::Refused: return "no: settings refused";
        case Verdict::GainsEnergy: return "no: gains energy";
        case Verdict::JointsOpen: return "no: joints open";
    }
    return "?";
}

void put_figures(const CellResult& result, const StabilityLimits& limits, Json& json)
{
    const Verdict verdict = judge(result, limits);
    json["stable"] = verdict == Verdict::Stable;
    json["verdict"] = verdict_name(verdict);
    json["joint_gap_max_relative"] = result.gap;
    json["energy_rise_max_relative"] = result.rise;
    json["numerical_dissipation_relative"] = result.numerical;
    json["kinetic_kept"] = result.kept;
    json["solves_mean"] = result.solves_mean;
    json["solves_max"] = result.solves_max;
    json["halvings"] = result.halvings;
    json["steps"] = result.steps;
    json["simulated_seconds"] = result.simulated_seconds;
    json["state_hash"] = result.state_hash;
    json["message"] = result.reason;
    json["step_seconds"] = result.step_seconds;
}

std::vector<std::string> figure_headings()
{
    return {"stable",
            "verdict",
            "joint_gap_max_relative [-]",
            "energy_rise_max_relative [-]",
            "numerical_dissipation_relative [-]",
            "kinetic_kept [-]",
            "solves_mean [-]",
            "solves_max [-]",
            "halvings [-]",
            "steps [-]",
            "simulated_seconds [s]",
            "state_hash",
            "message",
            "step_seconds [s]"};
}

std::vector<std::string> figure_fields(const CellResult& result, const StabilityLimits& limits)
{
    const Verdict verdict = judge(result, limits);
    return {verdict == Verdict::Stable ? "yes" : "no",
            std::string(verdict_name(verdict)),
            shortest(result.gap),
            shortest(result.rise),
            shortest(result.numerical),
            shortest(result.kept),
            shortest(result.solves_mean),
            std::to_string(result.solves_max),
            std::to_string(result.halvings),
            std::to_string(result.steps),
            shortest(result.simulated_seconds),
            result.state_hash,
            one_line(result.reason),
            shortest(result.step_seconds)};
}

std::optional<CellResult> read_figures(const std::vector<std::string>& fields)
{
    if (fields.size() != figure_headings().size()) return std::nullopt;
    std::vector<Real> numbers;
    for (const std::size_t i : {2, 3, 4, 5, 6, 7, 8, 9, 10, 13}) {
        char* end = nullptr;
        numbers.push_back(std::strtod(fields[i].c_str(), &end));  // accepts "nan" and "inf"
        if (fields[i].empty() || *end != '\0') return std::nullopt;
    }
    CellResult result;
    result.status = fields[1] == verdict_name(Verdict::Diverged)  ? RunStatus::Diverged
                    : fields[1] == verdict_name(Verdict::Refused) ? RunStatus::Refused
                                                                  : RunStatus::Ok;
    result.gap = numbers[0];
    result.rise = numbers[1];
    result.numerical = numbers[2];
    result.kept = numbers[3];
    result.solves_mean = numbers[4];
    result.solves_max = static_cast<int>(numbers[5]);
    result.halvings = static_cast<std::uint64_t>(numbers[6]);
    result.steps = static_cast<std::uint64_t>(numbers[7]);
    result.simulated_seconds = numbers[8];
    result.state_hash = fields[11];
    result.reason = fields[12];
    result.step_seconds = numbers[9];
    return result;
}

Status replace_file(const std::string& file, const std::string& text)
{
    const std::string aside = file + ".part";
    std::ofstream out(aside, std::ios::binary);
    out << text;
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(aside, file, error);
    if (!out || error) return Error{"cannot write '" + file + "'"};
    return Done{};
}

std::string json_text(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace taut::cli
