// taut compare: runs one scene with several methods and draws their curves in common diagrams.
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>

#include "commands.h"
#include "compare_output.h"
#include "interrupt.h"
#include "progress_bar.h"
#include "record/columns.h"
#include "study_options.h"

namespace taut::cli {

namespace {

struct CompareOptions : StudyOptions {
    std::string reading;
    std::string dt;
};

std::vector<Vec3> centres_of(const World& world)
{
    std::vector<Vec3> centres;
    for (std::int32_t i = 0; i < world.body_count(); ++i)
        centres.push_back(world.centre_of_mass(world.body_at(i)));
    return centres;
}

Real distance_between(const MethodRun& a, const MethodRun& b)
{
    if (a.result.status != RunStatus::Ok || b.result.status != RunStatus::Ok)
        return std::numeric_limits<Real>::quiet_NaN();
    Real largest = 0;
    for (std::size_t i = 0; i < a.centres.size(); ++i)
        largest = std::max(largest, (a.centres[i] - b.centres[i]).norm());
    return largest;
}

Result<MethodRun> run_method(const CellRequest& request, const std::string& reading,
                             const std::function<bool(double share)>& progress)
{
    auto scene = load_cell(request);
    if (!scene.ok()) return scene.error();
    const World& world = scene->world;
    std::optional<Column> column;
    if (!reading.empty()) {
        auto found = find_column(*scene, reading);
        if (!found.ok()) return Error{"--reading: " + found.error().message};
        column = std::move(*found);
    }

    const std::uint64_t planned = planned_steps(scene->duration, scene->settings.dt);
    Trace energy(planned), gap(planned), chosen(planned);
    CellHooks hooks;
    hooks.watch = [&](const Moment& moment) {
        const Real size = world.size();
        energy.add(world.time(), world.energy().total());
        gap.add(world.time(), size > 0 ? world.joint_gap() / size : 0);
        if (column) chosen.add(world.time(), column->read(moment));
    };
    hooks.progress = [&](std::uint64_t done, std::uint64_t of) {
        return progress(static_cast<double>(done) / static_cast<double>(of));
    };
    const auto result = run_cell(*scene, hooks);
    if (!result.ok()) return result.error();
    return MethodRun{*request.method,   *result, energy.samples(), gap.samples(), chosen.samples(),
                     centres_of(world), 0};
}

Status run_methods(const CompareOptions& options, CellRequest request,
                   const std::vector<Method>& methods, Comparison& comparison)
{
    constexpr double kProgressUnits = 1e6;
    ProgressBar bar(!options.json);
    catch_interrupts();
    for (std::size_t i = 0; i < methods.size(); ++i) {
        request.method = methods[i];
        auto run = run_method(request, options.reading, [&](double share) {
            const double all =
                (static_cast<double>(i) + share) / static_cast<double>(methods.size());
            bar.show(static_cast<std::uint64_t>(all * kProgressUnits),
                     static_cast<std::uint64_t>(kProgressUnits));
            return !interrupted();
        });
        if (!run.ok()) return run.error();
        comparison.runs.push_back(std::move(*run));
        if (interrupted()) return Done{};
    }
    for (MethodRun& run : comparison.runs)
        run.distance = distance_between(comparison.runs.front(), run);
    return Done{};
}

// Checks methods and reading before the first step, so that no run is started in vain.
Result<std::vector<Method>> check_methods(const CompareOptions& options, Scene& scene)
{
    auto methods = read_methods(options, scene);
    if (!methods.ok()) return methods.error();
    for (const Method& method : *methods) {
        StepSettings settings = scene.settings;
        method.apply(settings);
        if (const auto ready = scene.world.prepare(settings); !ready.ok())
            return Error{"method '" + method.name() + "': " + ready.error().message};
    }
    if (!options.reading.empty())
        if (const auto column = find_column(scene, options.reading); !column.ok())
            return Error{"--reading: " + column.error().message};
    return methods;
}

Status write_comparison(const Comparison& comparison, const std::string& folder)
{
    const auto file = [&](const char* name) {
        return (std::filesystem::path(folder) / name).string();
    };
    TAUT_TRY(replace_file(file("compare.csv"), comparison_csv(comparison)));
    TAUT_TRY(replace_file(file("compare.json"), json_text(comparison_json(comparison))));
    const plot::Picture picture = comparison_picture(comparison);
    TAUT_TRY(plot::write_svg(picture, file("compare.svg")));
    return plot::write_png(picture, file("compare.png"));
}

Result<int> compare(const CompareOptions& options)
{
    const auto base = read_base(options);
    if (!base.ok()) return base.error();
    std::optional<Real> dt;
    if (!options.dt.empty()) {
        const auto number = read_positive("--dt", options.dt);
        if (!number.ok()) return number.error();
        dt = *number;
    }
    const CellRequest request{base->file, base->overrides, {}, dt, base->time};
    auto scene = load_cell(request);
    if (!scene.ok()) return scene.error();
    const auto methods = check_methods(options, *scene);
    if (!methods.ok()) return methods.error();
    if (!options.out.empty()) {
        std::error_code error;
        std::filesystem::create_directories(options.out, error);
        if (error)
            return Error{"cannot create the folder '" + options.out + "': " + error.message()};
    }

    Comparison comparison;
    comparison.scene = scene->name;
    comparison.title = scene->title;
    comparison.file = base->file;
    comparison.overrides = base->overrides;
    comparison.time = scene->duration;
    comparison.dt = scene->settings.dt;
    comparison.limits = base->limits;
    comparison.reading = options.reading;
    if (!options.reading.empty())
        comparison.reading_unit = find_column(*scene, options.reading)->unit;
    TAUT_TRY(run_methods(options, request, *methods, comparison));
    if (interrupted()) {
        fail("interrupted", options.json);
        return kCheckFailed;
    }

    if (!options.out.empty()) TAUT_TRY(write_comparison(comparison, options.out));
    if (options.json) {
        std::cout << json_text(comparison_json(comparison)) << std::flush;
        return kOk;
    }
    print_comparison(comparison);
    if (!options.out.empty())
        std::printf("results in %s: compare.csv, compare.json, compare.svg, compare.png\n",
                    options.out.c_str());
    return kOk;
}

}  // namespace

void add_compare_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command =
        app.add_subcommand("compare", "Run a scene with several methods and plot their results");
    command
        ->add_option(
            "--methods", options->methods,
            "scheme, scheme/stabilisation, scheme/stabilisation/solver, or a stabilisation "
            "with the scene's scheme ('taut list'); the first is the reference for the others")
        ->type_name("LIST")
        ->required();
    command
        ->add_option("--reading", options->reading,
                     "Plot an additional reading of 'taut list columns', such as body.NAME.z")
        ->type_name("NAME");
    command
        ->add_option("--dt", options->dt,
                     "Time step in seconds, as a number or a fraction such as 1/60")
        ->type_name("H");
    add_study_options(*command, *options);
    command
        ->add_option("--out", options->out,
                     "Write compare.csv, compare.json, compare.svg and compare.png to this folder")
        ->type_name("DIR");
    command->footer(
        "Reported per method: stability, with the reason if unstable; largest joint gap relative "
        "to "
        "the\n"
        "size of the scene; spurious energy gain relative to the largest kinetic energy; "
        "numerical\n"
        "dissipation relative to the energy throughput, negative if energy was added; kinetic "
        "energy\n"
        "of the last swing relative to the first; linear solves per step (mean, maximum); time per "
        "step;\n"
        "largest distance of a body's final position from that of the first method. A cross marks "
        "the\n"
        "end of a curve whose run was aborted.\n"
        "\nExamples:\n"
        "  taut compare heavy_chain --methods none,exact,tension --time 3\n"
        "  taut compare pendulum --methods alpha_beta,backward_euler --reading body.bob.x --out "
        "out/compare\n"
        "\nExit codes: 0 completed, 1 interrupted, 2 bad usage or bad scene.");
    command->callback([options, &action] {
        action = [options] {
            const auto code = compare(*options);
            return code.ok() ? *code : fail(code.error().message, options->json);
        };
    });
}

}  // namespace taut::cli
