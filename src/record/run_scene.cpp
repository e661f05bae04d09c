#include "record/run_scene.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <sstream>

#include "record/csv_writer.h"
#include "record/gauge.h"

namespace taut::record {

namespace {

class WallClock {
public:
    Real seconds() const
    {
        return std::chrono::duration<Real>(std::chrono::steady_clock::now() - begin_).count();
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

Result<std::vector<Gauge>> make_gauges(const Scene& scene)
{
    std::vector<Gauge> gauges;
    for (const Expectation& expected : scene.expectations) {
        auto gauge = Gauge::make(scene, expected.reading);
        if (!gauge.ok()) return Error{expected.where + ": expect: " + gauge.error().message};
        gauges.push_back(std::move(*gauge));
    }
    return gauges;
}

Result<std::vector<Column>> make_columns(const Scene& scene, const RunRequest& request)
{
    std::vector<Column> columns;
    for (const std::string& name : chosen_columns(scene, request)) {
        auto column = find_column(scene, name);
        if (!column.ok()) return Error{column.error().message};
        columns.push_back(std::move(*column));
    }
    return columns;
}

// NaN meets no bounds.
bool meets(Real value, const Expectation& expected) noexcept
{
    return value >= expected.lowest && value <= expected.highest;
}

void judge(const Scene& scene, const RunRequest& request, const std::vector<Gauge>& gauges,
           RunReport& report)
{
    std::size_t missed = 0;
    for (std::size_t i = 0; i < gauges.size(); ++i) {
        ExpectationResult result{scene.expectations[i], gauges[i].value(), gauges[i].unit(), false};
        result.met = meets(result.value, result.expected);
        result.judged = request.judge_end || result.expected.reading.starts_with("run.");
        missed += result.judged && !result.met ? 1 : 0;
        report.expectations.push_back(std::move(result));
    }
    if (missed > 0 && report.summary.status == RunStatus::Ok) {
        report.summary.status = RunStatus::ExpectationFailed;
        report.summary.reason = std::to_string(missed) + " of " + std::to_string(gauges.size()) +
                                " expectations of the scene are not met";
    }
}

}  // namespace

std::uint64_t planned_steps(Real duration, Real dt) noexcept
{
    // a duration of 10 s at 1/60 s is 600 steps, although 10/(1/60) is rounded up
    constexpr Real kSlack = 1e-9;
    const Real steps = duration / dt;
    if (!(steps > 0)) return 0;
    return static_cast<std::uint64_t>(std::ceil(steps * (1 - kSlack)));
}

std::vector<std::string> chosen_columns(const Scene& scene, const RunRequest& request)
{
    if (!request.columns.empty()) return request.columns;
    if (!scene.columns.empty()) return scene.columns;
    return usual_columns(scene.world);
}

Status check_readings(const Scene& scene, const RunRequest& request)
{
    TAUT_TRY(make_gauges(scene));
    TAUT_TRY(make_columns(scene, request));
    return Done{};
}

static Status check_length(const Scene& scene)
{
    // the number of steps must fit an integer
    constexpr Real kMost = 1e12;
    if (scene.duration / scene.settings.dt <= kMost) return Done{};
    std::ostringstream message;
    message << "a duration of " << scene.duration << " s at steps of " << scene.settings.dt
            << " s is more than " << kMost << " steps";
    return Error{message.str()};
}

Result<RunReport> run_scene(Scene& scene, const RunRequest& request)
{
    // validate all readings before the first step
    World& world = scene.world;
    TAUT_TRY(check_length(scene));
    auto gauges = make_gauges(scene);
    if (!gauges.ok()) return gauges.error();
    auto columns = make_columns(scene, request);
    if (!columns.ok()) return columns.error();

    const WallClock layout;
    TAUT_TRY(world.prepare(scene.settings));
    const Real layout_seconds = layout.seconds();

    // the first recorded line is the state before the first step
    const std::uint64_t planned = planned_steps(scene.duration, scene.settings.dt);
    RunMonitor monitor(world, scene.settings, planned);
    monitor.add_wall_seconds(layout_seconds);
    StepReport step;
    const Moment moment{world, step, monitor, &scene.controls};
    for (Gauge& gauge : *gauges) gauge.start(moment);
    std::optional<CsvWriter> csv;
    if (request.csv) csv.emplace(*request.csv, std::move(*columns)).write(moment);
    if (request.watch) request.watch(moment);

    RunReport report;
    for (std::uint64_t i = 1; i <= planned && report.stopped.empty(); ++i) {
        const WallClock watch;
        step = scene.step(scene.settings);
        monitor.add_wall_seconds(watch.seconds());

        monitor.observe(world, step);
        if (step.status != StepStatus::Ok) break;
        for (Gauge& gauge : *gauges) gauge.observe(moment);
        if (scene.controls.stops(world)) report.stopped = scene.controls.stop_reason();
        const bool last = i == planned || !report.stopped.empty();
        if (csv && (i % request.every == 0 || last)) csv->write(moment);
        if (request.watch) request.watch(moment);
        if (monitor.status() != RunStatus::Ok) break;
        if (request.progress && !request.progress(i, planned)) {
            monitor.interrupt();
            break;
        }
    }

    report.controls_warning = scene.controls.warning();
    report.summary = monitor.summary(world);
    judge(scene, request, *gauges, report);
    return report;
}

}  // namespace taut::record
