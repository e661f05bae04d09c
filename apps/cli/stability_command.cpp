// taut stability: maps the stability of a scene over parameters, time steps and methods.
#include <algorithm>
#include <iostream>
#include <memory>
#include <thread>

#include <taut/version.h>

#include "commands.h"
#include "core/suggestion.h"
#include "interrupt.h"
#include "map_folder.h"
#include "map_output.h"
#include "output.h"
#include "progress_bar.h"
#include "run_options.h"
#include "study/run_cells.h"
#include "study/value_list.h"
#include "study_options.h"

namespace taut::cli {

namespace {

struct StabilityOptions : StudyOptions {
    std::vector<std::string> vary;  // name=list
    std::string dt;                 // list
    std::string colour;
    int jobs = 0;  // 0: one per core
    bool fresh = false;
    bool check = false;
};

Result<std::vector<GridAxis>> read_axes(const StabilityOptions& options, const StudyBase& base)
{
    std::vector<GridAxis> axes;
    for (const std::string& entry : options.vary) {
        const auto equals = entry.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{"--vary must be name=list, such as --vary ratio=1,100,1e4, not '" + entry +
                         "'"};
        GridAxis axis{entry.substr(0, equals), {}};
        for (const GridAxis& other : axes)
            if (other.name == axis.name) return Error{"--vary " + axis.name + " is given twice"};
        for (const auto& [path, value] : base.overrides)
            if (path == axis.name) return Error{"--vary and --set both change '" + axis.name + "'"};
        auto values = parse_values("--vary " + axis.name, entry.substr(equals + 1));
        if (!values.ok()) return values.error();
        axis.values = std::move(*values);
        axes.push_back(std::move(axis));
    }
    return axes;
}

Result<std::vector<GridStep>> read_steps(const std::string& list)
{
    const auto texts = parse_values("--dt", list);
    if (!texts.ok()) return texts.error();
    std::vector<GridStep> steps;
    for (const std::string& text : *texts) {
        const auto dt = read_positive("--dt", text);
        if (!dt.ok()) return dt.error();
        for (const GridStep& other : steps)
            if (other.dt == *dt)
                return Error{"--dt contains the same time step twice: " + other.label + " and " +
                             text};
        steps.push_back({text.size() <= 8 ? text : plain(*dt), *dt});
    }
    return steps;
}

CellRequest cell_request(const StudyBase& base, const Grid& grid, const Grid::Place& place)
{
    CellRequest request{base.file, base.overrides, grid.methods[place.method],
                        grid.steps[place.step].dt, base.time};
    for (auto& entry : grid.overrides(place.values)) request.overrides.push_back(std::move(entry));
    return request;
}

// Loads the scene with every combination of values before the first run, and returns a hash of the scenes:
// an edited scene is a different request.
Result<std::string> check_scenes(const StudyBase& base, const Grid& grid)
{
    std::uint64_t mixed = 14695981039346656037ull;  // FNV-1a
    const auto mix = [&](std::uint64_t number) { mixed = (mixed ^ number) * 1099511628211ull; };
    for (std::size_t i = 0; i < grid.combinations(); ++i) {
        for (std::size_t method = 0; method < (i == 0 ? grid.methods.size() : 1); ++method) {
            auto scene = load_cell(cell_request(base, grid, {method, grid.values_of(i), 0}));
            if (!scene.ok()) return scene.error();
            if (const auto ready = scene->world.prepare(scene->settings); !ready.ok())
                return Error{"method '" + grid.methods[method].name() +
                             "': " + ready.error().message};
            if (method > 0) continue;
            mix(scene->world.hash());
            mix(std::hash<Real>{}(scene->world.energy().total()));
            mix(static_cast<std::uint64_t>(scene->world.row_count()));
            mix(std::hash<Real>{}(scene->duration));
        }
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(mixed));
    return std::string(text);
}

// The options on which the figures depend; limits, threads and output options are not among them.
Json request_json(const StudyBase& base, const Grid& grid, const std::string& scene,
                  const std::string& fingerprint)
{
    Json json = {{"taut", version()}, {"scene", scene}};
    json["set"] = Json::array();
    for (const auto& entry : base.overrides) json["set"].push_back({entry.first, entry.second});
    put_grid(grid, json);
    json["time"] = base.time ? Json(*base.time) : Json(nullptr);
    json["scene contents"] = fingerprint;
    return json;
}

// Runs the missing cells; returns false if it was interrupted.
Result<bool> run_missing(const StabilityOptions& options, const StudyBase& base, MapFolder* folder,
                         StabilityMap& map)
{
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < map.grid.size(); ++i)
        if (!map.cells.contains(i)) missing.push_back(i);
    if (!missing.empty() && missing.size() < map.grid.size() && !options.json)
        std::fprintf(stderr, "taut: %zu of %zu cells are already complete\n", map.cells.size(),
                     map.grid.size());

    CellsJob job;
    job.cells = missing.size();
    job.threads = options.jobs > 0
                      ? options.jobs
                      : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    job.request = [&](std::size_t i) {
        return cell_request(base, map.grid, map.grid.place(missing[i]));
    };
    job.done = [&](std::size_t i, const CellResult& result) -> Status {
        map.cells[missing[i]] = result;
        return folder ? folder->add(missing[i], result, map.limits) : Status(Done{});
    };
    constexpr double kFine = 1e6;
    ProgressBar bar(!options.json);
    job.progress = [&](double share) {
        bar.show(static_cast<std::uint64_t>(share * kFine), static_cast<std::uint64_t>(kFine));
        return !interrupted();
    };
    catch_interrupts();
    return run_cells(job);
}

Status write_map(const StabilityMap& map, MapColour colour, MapFolder& folder)
{
    TAUT_TRY(folder.finish(map.cells, map.limits));
    TAUT_TRY(replace_file(folder.file("map.json"), json_text(map_json(map))));
    const plot::Picture picture = map_picture(map, colour);
    TAUT_TRY(plot::write_svg(picture, folder.file("map.svg")));
    return plot::write_png(picture, folder.file("map.png"));
}

Result<MapColour> read_colour(const std::string& word)
{
    if (word.empty() || word == "kept") return MapColour::Kept;
    if (word == "gap") return MapColour::Gap;
    return Error{"--colour '" + word + "' is not one of kept, gap" +
                 did_you_mean(word, {"kept", "gap"})};
}

Status make_grid(const StabilityOptions& options, const StudyBase& base, const Scene& scene,
                 Grid& grid)
{
    auto axes = read_axes(options, base);
    if (!axes.ok()) return axes.error();
    auto steps = read_steps(options.dt);
    if (!steps.ok()) return steps.error();
    auto methods = read_methods(options, scene);
    if (!methods.ok()) return methods.error();
    grid = {std::move(*axes), std::move(*steps), std::move(*methods)};

    constexpr std::size_t kMost = 1000000;
    if (grid.size() > kMost)
        return Error{"the map has " + std::to_string(grid.size()) + " cells; at most " +
                     std::to_string(kMost)};
    return Done{};
}

Result<int> make_map(const StabilityOptions& options)
{
    // validate the whole request before the first cell is run
    const auto base = read_base(options);
    if (!base.ok()) return base.error();
    const auto colour = read_colour(options.colour);
    if (!colour.ok()) return colour.error();
    const auto scene = load_cell({base->file, base->overrides, {}, {}, {}});
    if (!scene.ok()) return scene.error();
    StabilityMap map;
    TAUT_TRY(make_grid(options, *base, *scene, map.grid));
    map.scene = scene->name;
    map.file = base->file;
    map.overrides = base->overrides;
    map.time = base->time.value_or(0);
    map.limits = base->limits;
    const auto fingerprint = check_scenes(*base, map.grid);
    if (!fingerprint.ok()) return fingerprint.error();

    std::unique_ptr<MapFolder> folder;
    if (!options.out.empty()) {
        auto opened =
            MapFolder::open(options.out, request_json(*base, map.grid, map.scene, *fingerprint),
                            map.grid, options.fresh);
        if (!opened.ok()) return opened.error();
        folder = std::move(*opened);
        map.cells = folder->found();
    }

    const auto all = run_missing(options, *base, folder.get(), map);
    if (!all.ok()) return all.error();
    if (*all && folder) {
        const bool kept = *colour == MapColour::Kept && (has_kept(map) || !options.colour.empty());
        TAUT_TRY(write_map(map, kept ? MapColour::Kept : MapColour::Gap, *folder));
    }
    if (options.json)
        std::cout << json_text(map_json(map)) << std::flush;
    else
        print_map(map);
    if (!*all) {
        std::cerr << "taut: interrupted with " << map.cells.size() << " of " << map.grid.size()
                  << " cells complete" << (folder ? "; the same command resumes the map\n" : "\n");
        return kCheckFailed;
    }
    if (folder && !options.json)
        std::printf("results in %s: map.csv, map.json, map.svg, map.png\n", options.out.c_str());
    return options.check && !map.first_method_stable() ? kCheckFailed : kOk;
}

}  // namespace

void add_stability_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<StabilityOptions>();
    CLI::App* command = app.add_subcommand(
        "stability", "Map the stability of a scene over parameters, time steps and methods");
    command
        ->add_option(
            "--vary", options->vary,
            "Parameter of the scene, or a path as for --set, and its values: a list such "
            "as 1,100,1e4 or LO..HI:N for N logarithmically spaced values; may be repeated")
        ->type_name("NAME=LIST")
        ->expected(1)
        ->take_all()
        ->required();
    command->add_option("--dt", options->dt, "Time steps in seconds, such as 1/240,1/60,0.1")
        ->type_name("LIST")
        ->required();
    command
        ->add_option(
            "--methods", options->methods,
            "scheme, scheme/stabilisation, scheme/stabilisation/solver, or a stabilisation "
            "with the scene's scheme ('taut list'); the engine's default if not given")
        ->type_name("LIST");
    add_study_options(*command, *options);
    command
        ->add_option(
            "--out", options->out,
            "Write map.csv, map.json, map.svg and map.png to this folder; an interrupted map "
            "in it is resumed")
        ->type_name("DIR");
    command->add_flag("--fresh", options->fresh,
                      "Discard the contents of the folder and start again");
    command
        ->add_option("--colour", options->colour,
                     "Quantity shown as colour: kept (kinetic energy of the last swing relative to "
                     "the first) or gap")
        ->type_name("kept|gap");
    command
        ->add_option("-j,--jobs", options->jobs,
                     "Number of threads; default: one per core. The figures do not depend on it")
        ->type_name("N")
        ->check(whole_number(1));
    command->add_flag("--check", options->check,
                      "Exit code 1 if a cell of the first method is not stable");
    command->footer(
        "Reported per cell: stability, with the reason if unstable; largest joint gap relative to "
        "the\n"
        "size of the scene; spurious energy gain relative to the largest kinetic energy; kinetic "
        "energy\n"
        "of the last swing relative to the first (none if the kinetic energy has fewer than two "
        "peaks);\n"
        "linear solves per step (mean, maximum); time per step.\n"
        "After Ctrl-C the same command resumes the map from its folder. Changed limits are applied "
        "to\n"
        "completed cells without running them again.\n"
        "\nExamples:\n"
        "  taut stability heavy_chain --vary ratio=1,1e2,1e4 --dt 1/240,1/60 --methods "
        "none,tension\n"
        "  taut stability heavy_chain --vary ratio=1..1e6:7 --vary links=5,20 --dt 1/60,0.1 --out "
        "out/map\n"
        "  taut stability pendulum --vary length=0.5,1,2 --dt 1e-3..0.1:5 --time 5 --json\n"
        "\nExit codes: 0 completed, 1 interrupted or --check found an unstable cell, 2 bad usage "
        "or bad "
        "scene.");
    command->callback([options, &action] {
        action = [options] {
            const auto code = make_map(*options);
            return code.ok() ? *code : fail(code.error().message, options->json);
        };
    });
}

}  // namespace taut::cli
