#include "run_options.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <type_traits>

#include "core/number.h"
#include "core/suggestion.h"
#include "record/columns.h"

namespace taut::cli {

namespace {

// Sets `value` to a number above zero; leaves it unchanged if the option was not given.
Status set_positive(const char* option, const std::string& text, Real& value)
{
    if (text.empty()) return Done{};
    const auto number = parse_number(option, text);
    if (!number.ok()) return number.error();
    if (!(*number > 0))
        return Error{std::string(option) + " must be above zero, not '" + text + "'"};
    value = *number;
    return Done{};
}

// The letter that stands for the value in the help.
const char* placeholder(const StepOption& option)
{
    const StepSettings defaults;
    return visit_option(defaults, option, [](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_enum_v<Value>) return "NAME";
        if constexpr (std::is_same_v<Value, bool>) return "FLAG";
        return std::is_same_v<Value, int> ? "N" : "X";
    });
}

// "Time step, default 1/60 (above 0 and at most 10 s)", or where the list of the names is printed.
std::string help_of(const StepOption& option)
{
    std::string text(option.summary);
    if (text.substr(0, text.find(' ')).find('_') == std::string::npos)  // no name of a scheme
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    const StepSettings defaults;
    visit_option(defaults, option, [&](const auto& value) {
        if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(value)>>)
            text += " ('taut list " + std::string(topic_of(value)) + "')";
        else
            text += " (" + allowed_values(option) + ")";
    });
    return text;
}

Status apply_step_option(const StepOption& option, const std::string& text, StepSettings& settings)
{
    if (text.empty()) return Done{};
    const Scheme scheme = settings.research.scheme;
    if (option.scheme && scheme != *option.scheme)
        return Error{flag_of(option) + " requires the scheme " +
                     std::string(choice_name(schemes(), *option.scheme)) + "; the scene uses " +
                     std::string(choice_name(schemes(), scheme))};
    return set_option(settings, option, text, flag_of(option));
}

}  // namespace

void add_scene_option(CLI::App& command, std::string& scene)
{
    command.add_option("SCENE", scene, "Scene file, or name of a scene that comes with Taut")
        ->required();
}

void add_set_option(CLI::App& command, std::vector<std::string>& set)
{
    command
        .add_option("--set", set, "Override a parameter or any value of the scene; may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
}

void add_control_option(CLI::App& command, std::vector<std::string>& control)
{
    command
        .add_option("--control", control,
                    "Value of a control, a schedule such as '0:0, 2:0.5, 5:0' (time:value, linear "
                    "between), or a file with lines time,value; may be repeated")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
}

void add_time_option(CLI::App& command, std::string& time)
{
    command
        .add_option("--time", time, "Simulated time in seconds; default: the duration of the scene")
        ->type_name("T");
}

void add_step_options(CLI::App& command, RunOptions& options)
{
    for (const StepOption& option : kStepOptions)
        if (option.places & kOnCommandLine)
            command
                .add_option(flag_of(option), options.step[std::string(option.name)],
                            help_of(option))
                ->type_name(placeholder(option));
    add_set_option(command, options.set);
}

void add_run_options(CLI::App& command, RunOptions& options)
{
    const char* const recording = "Recording";
    add_time_option(command, options.time);
    add_step_options(command, options);
    add_control_option(command, options.control);
    command
        .add_option("--out", options.out,
                    "Write run.csv, summary.json and a copy of the scene to this folder")
        ->type_name("DIR");
    command.add_option("--every", options.every, "Record every N-th step")
        ->type_name("N")
        ->check(whole_number(1))
        ->group(recording);
    command
        .add_option(
            "--columns", options.columns,
            "Readings to record, separated by commas; or 'usual' or 'all' ('taut list columns')")
        ->type_name("LIST")
        ->group(recording);
    command
        .add_option(
            "--replay", options.replay,
            "Write an HTML file that plays the motion in any browser, without network access")
        ->type_name("FILE")
        ->group(recording);
    command
        .add_option("--gltf", options.gltf,
                    "Write the animation as binary glTF 2.0 (.glb), for Blender and other programs")
        ->type_name("FILE")
        ->group(recording);
    command
        .add_option("--fps", options.fps,
                    "Frames per second of --replay and --gltf; default 60, at most "
                    "one per step")
        ->type_name("N")
        ->group(recording);
    command.add_flag("--json", options.json, "Print the result as one JSON object on stdout");
}

std::string flag_of(const StepOption& option)
{
    std::string flag = "--" + std::string(option.name);
    std::replace(flag.begin(), flag.end(), '_', '-');
    return flag;
}

CLI::Validator whole_number(int least)
{
    return CLI::Validator(
        [least](const std::string& text) -> std::string {
            const bool digits = !text.empty() && text.size() <= 9 &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            if (digits && std::stoi(text) >= least) return "";
            return "must be a whole number of at least " + std::to_string(least) + ", not '" +
                   text + "'";
        },
        "");
}

Result<Real> parse_number(const std::string& option, const std::string& text)
{
    if (const auto number = read_number(text)) return *number;
    return Error{option + " must be a number such as 0.01 or 1/60, not '" + text + "'"};
}

Result<Real> parse_frame_rate(const std::string& text)
{
    constexpr Real kMost = 1e6;
    const auto number = parse_number("--fps", text);
    if (number.ok() && !(*number > 0 && *number <= kMost))
        return Error{"--fps must be above 0 and at most 1e6, not '" + text + "'"};
    return number;
}

Result<Overrides> parse_overrides(const std::vector<std::string>& set)
{
    Overrides overrides;
    for (const std::string& entry : set) {
        const auto equals = entry.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{"--set must be path=value, such as --set ratio=100, not '" + entry + "'"};
        overrides.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return overrides;
}

Status apply_settings(const RunOptions& options, Scene& scene)
{
    // in the order of the table: the scheme precedes the options of one scheme
    for (const StepOption& option : kStepOptions)
        if (const auto given = options.step.find(std::string(option.name));
            given != options.step.end())
            TAUT_TRY(apply_step_option(option, given->second, scene.settings));
    TAUT_TRY(set_positive("--time", options.time, scene.duration));
    return Done{};
}

std::vector<std::string> parse_columns(const std::string& list, const Scene& scene)
{
    if (list == "usual") return usual_columns(scene.world);
    if (list == "all") return column_names(scene);
    std::vector<std::string> columns;
    std::istringstream in(list);
    for (std::string name; std::getline(in, name, ',');) {
        const auto first = name.find_first_not_of(' ');
        if (first != std::string::npos)
            columns.push_back(name.substr(first, name.find_last_not_of(' ') - first + 1));
    }
    return columns;
}

}  // namespace taut::cli
