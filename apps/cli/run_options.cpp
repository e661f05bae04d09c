#include "run_options.h"

#include <sstream>

#include "core/number.h"
#include "core/suggestion.h"
#include "record/columns.h"

namespace taut::cli {

namespace {

// Looks up a name in one of the engine's lists; the error contains the whole list.
template <class Enum>
Status choose(const char* what, const std::string& name, std::span<const Choice<Enum>> list,
              Enum& value)
{
    if (name.empty()) return Done{};
    if (const auto found = find_choice(list, name)) {
        value = *found;
        return Done{};
    }
    std::string all;
    std::vector<std::string> names;
    for (const auto& choice : list) {
        all += (all.empty() ? "" : ", ") + std::string(choice.name);
        names.emplace_back(choice.name);
    }
    return Error{std::string("--") + what + " '" + name + "' is not one of " + all +
                 did_you_mean(name, names)};
}

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

Status set_weight(const char* option, const std::string& text, const Scene& scene, Real& value)
{
    if (text.empty()) return Done{};
    if (scene.settings.scheme != Scheme::AlphaBeta)
        return Error{std::string(option) + " requires the scheme alpha_beta; the scene uses " +
                     std::string(choice_name(schemes(), scene.settings.scheme))};
    const auto number = parse_number(option, text);
    if (!number.ok()) return number.error();
    if (!(*number >= 0 && *number <= 1))
        return Error{std::string(option) + " must be in [0, 1], not '" + text + "'"};
    value = *number;
    return Done{};
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

void add_time_option(CLI::App& command, std::string& time)
{
    command
        .add_option("--time", time, "Simulated time in seconds; default: the duration of the scene")
        ->type_name("T");
}

void add_step_options(CLI::App& command, RunOptions& options)
{
    command
        .add_option("--dt", options.dt,
                    "Time step in seconds, as a number or a fraction such as 1/60")
        ->type_name("H");
    command.add_option("--scheme", options.scheme, "Time integration ('taut list schemes')")
        ->type_name("S");
    command
        .add_option("--stabilisation", options.stabilisation,
                    "Treatment of the geometric stiffness ('taut list stabilisations')")
        ->type_name("K");
    command.add_option("--solver", options.solver, "Linear solver ('taut list solvers')")
        ->type_name("L");
    command
        .add_option("--laws", options.laws,
                    "Solver of inequality rows: limits, contacts, force limits of drives ('taut "
                    "list laws')")
        ->type_name("C");
    command.add_option("--friction", options.friction, "Friction model ('taut list frictions')")
        ->type_name("F");
    command
        .add_option("--alpha", options.alpha,
                    "alpha_beta: weight of the forces at the end of the step, in (0, 1]")
        ->type_name("A");
    command
        .add_option("--beta", options.beta,
                    "alpha_beta: weight of the velocity at the end of the step, in (0, 1]")
        ->type_name("B");
    command
        .add_option("--max-solves", options.max_solves,
                    "Maximum number of linear solves per step; 0: until convergence (guarded "
                    "schemes), one (others)")
        ->type_name("N")
        ->check(whole_number(0));
    command
        .add_option(
            "--tolerance", options.tolerance,
            "Convergence tolerance of the guarded schemes ('taut list schemes'): work of the "
            "residuals per second over the energy in motion, the largest kinetic energy of late")
        ->type_name("E");
    command
        .add_option("--threads", options.threads,
                    "Number of threads; 0 uses every core. The results are identical "
                    "for any number")
        ->type_name("N")
        ->check(whole_number(0));
    add_set_option(command, options.set);
}

void add_run_options(CLI::App& command, RunOptions& options)
{
    const char* const recording = "Recording";
    add_time_option(command, options.time);
    add_step_options(command, options);
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
    StepSettings& settings = scene.settings;
    TAUT_TRY(choose("scheme", options.scheme, schemes(), settings.scheme));
    TAUT_TRY(
        choose("stabilisation", options.stabilisation, stabilisations(), settings.stabilisation));
    TAUT_TRY(choose("solver", options.solver, solvers(), settings.solver));
    TAUT_TRY(choose("laws", options.laws, law_methods(), settings.laws));
    TAUT_TRY(choose("friction", options.friction, friction_shapes(), settings.friction));
    TAUT_TRY(set_positive("--dt", options.dt, settings.dt));
    TAUT_TRY(set_positive("--time", options.time, scene.duration));
    TAUT_TRY(set_positive("--tolerance", options.tolerance, settings.tolerance));
    if (options.max_solves >= 0) settings.max_solves = options.max_solves;
    if (options.threads >= 0) settings.threads = options.threads;
    if (options.threads > 256)
        return Error{"--threads must be at most 256, not " + std::to_string(options.threads)};
    TAUT_TRY(set_weight("--alpha", options.alpha, scene, settings.alpha));
    TAUT_TRY(set_weight("--beta", options.beta, scene, settings.beta));
    return Done{};
}

std::vector<std::string> parse_columns(const std::string& list, const World& world)
{
    if (list == "usual") return usual_columns(world);
    if (list == "all") return column_names(world);
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
