#include "run_command.h"

#include <iostream>
#include <memory>

#include "commands.h"
#include "interrupt.h"
#include "output.h"
#include "progress_bar.h"
#include "record/run_scene.h"
#include "result_folder.h"
#include "run_exports.h"
#include "scene_finder.h"

namespace taut::cli {

int exit_code(RunStatus status)
{
    switch (status) {
        case RunStatus::Ok: return kOk;
        case RunStatus::Refused: return kBadInput;
        default: return kCheckFailed;
    }
}

Result<Scene> load_with_options(const std::string& file, const RunOptions& options)
{
    const auto overrides = parse_overrides(options.set);
    if (!overrides.ok()) return overrides.error();
    auto scene = load_scene(file, *overrides);
    if (!scene.ok()) return scene.error();
    TAUT_TRY(apply_settings(options, *scene));
    TAUT_TRY(apply_controls(options.control, *scene));
    return scene;
}

int run_file(const std::string& file, const RunOptions& options)
{
    auto scene = load_with_options(file, options);
    if (!scene.ok()) return fail(scene.error().message, options.json);

    RunRequest request;
    request.columns = parse_columns(options.columns, *scene);
    request.every = options.every;
    request.judge_end = options.time.empty();
    if (!options.columns.empty() && options.out.empty())
        return fail("--columns selects the columns of run.csv and requires --out DIR",
                    options.json);
    if (auto readings = check_readings(*scene, request); !readings.ok())
        return fail(readings.error().message, options.json);

    std::unique_ptr<ResultFolder> results;
    if (!options.out.empty()) {
        auto folder = ResultFolder::open(options.out);
        if (!folder.ok()) return fail(folder.error().message, options.json);
        results = std::move(*folder);
        request.csv = &results->csv();
    }

    auto exports = RunExports::open(options, *scene, file);
    if (!exports.ok()) return fail(exports.error().message, options.json);
    if ((*exports)->wanted())
        request.watch = [&](const Moment& moment) { (*exports)->watch(moment); };

    // Ctrl-C stops the run, but the report is still printed
    catch_interrupts();
    auto report = [&] {
        ProgressBar bar(!options.json);
        request.progress = [&](std::uint64_t done, std::uint64_t planned) {
            bar.show(done, planned);
            return !interrupted();
        };
        return run_scene(*scene, request);
    }();
    if (!report.ok()) return fail(report.error().message, options.json);

    Json json = run_json(*scene, file, *report);
    if (auto written = (*exports)->finish(*scene, *report, json); !written.ok())
        return fail(written.error().message, options.json);
    if (results)
        if (auto written = results->finish(json, *scene, file, options); !written.ok())
            return fail(written.error().message, options.json);
    if (options.json)
        std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
    else {
        print_run(*scene, *report);
        if (results) results->print();
        (*exports)->print();
    }
    return exit_code(report->summary.status);
}

void add_run_command(CLI::App& app, Action& action)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand("run", "Run a scene and print a report");
    add_scene_option(*command, options->scene);
    add_run_options(*command, *options);
    command->footer(
        "Examples:\n"
        "  taut run scenes/pendulum.yaml --time 10\n"
        "  taut run heavy_chain --set links=40 --set ratio=1e6 --stabilisation none\n"
        "  taut run crane --dt 1/240 --out out/crane --every 4\n"
        "  taut run pendulum --out out --columns time,energy.total,joint.pivot.force\n"
        "  taut run driven_crane --control 'luff=0:0, 2:0.3, 20:0.3'\n"
        "  taut run crane --replay crane.html --gltf crane.glb\n"
        "  taut run pendulum --scheme alpha_beta --alpha 0.5 --beta 0.5 --json\n"
        "\nNumerical dissipation is what the time integration itself took. The energy "
        "throughput, which it is compared with, is the largest kinetic energy plus what damping, "
        "friction and "
        "impacts "
        "took, or the most work fed in if that is more.\n"
        "\nExit codes: 0 ok, 1 an expectation failed, or the run diverged or did not settle, 2 bad "
        "usage or bad scene.");
    command->callback([options, &action] {
        action = [options] {
            const auto file = find_scene(options->scene);
            return file.ok() ? run_file(*file, *options)
                             : fail(file.error().message, options->json);
        };
    });
}

}  // namespace taut::cli
