#include "study/run_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/swings.h"

namespace taut::study {

namespace {

// Kinetic energy below this fraction of the energy of the scene is rounding error of a scene at rest.
constexpr Real kAtRest = 1e-12;

bool within(Real value, Real limit) noexcept { return value <= limit; }

CellResult figures(const RunSummary& summary, const Swings& swings)
{
    CellResult result;
    // gaps and energy decide about stability, however many steps were settled
    result.status = summary.status == RunStatus::Unsettled ? RunStatus::Ok : summary.status;
    result.reason = summary.reason;
    result.steps = summary.steps;
    result.simulated_seconds = summary.simulated_seconds;
    result.gap = summary.joint_gap_max_relative;
    result.rise = summary.energy_rise_max_relative;
    result.numerical = summary.numerical_dissipation_relative;
    const Real energy = std::max(std::abs(summary.energy_start), std::abs(summary.energy_end));
    result.kept = summary.kinetic_max > kAtRest * energy ? swings.kept()
                                                         : std::numeric_limits<Real>::quiet_NaN();
    result.solves_mean = summary.solves_mean;
    result.solves_max = summary.solves_max;
    result.halvings = summary.halvings;
    result.state_hash = summary.state_hash;
    if (summary.steps > 0)
        result.step_seconds = summary.wall_seconds / static_cast<Real>(summary.steps);
    return result;
}

}  // namespace

Verdict judge(const CellResult& result, const StabilityLimits& limits) noexcept
{
    if (result.status == RunStatus::Refused) return Verdict::Refused;
    if (result.status != RunStatus::Ok) return Verdict::Diverged;
    if (!within(result.rise, limits.rise)) return Verdict::GainsEnergy;
    if (!within(result.gap, limits.gap)) return Verdict::JointsOpen;
    return Verdict::Stable;
}

std::string_view verdict_name(Verdict verdict) noexcept
{
    switch (verdict) {
        case Verdict::Stable: return "stable";
        case Verdict::Diverged: return "diverged";
        case Verdict::Refused: return "refused";
        case Verdict::GainsEnergy: return "gains_energy";
        case Verdict::JointsOpen: return "joints_open";
    }
    return "?";
}

Result<Scene> load_cell(const CellRequest& request)
{
    auto scene = load_scene(request.file, request.overrides);
    if (!scene.ok()) return scene.error();
    if (request.method) request.method->apply(scene->settings);
    if (request.dt) scene->settings.dt = *request.dt;
    if (request.time) scene->duration = *request.time;
    return scene;
}

Result<CellResult> run_cell(Scene& scene, const CellHooks& hooks)
{
    scene.expectations.clear();

    // allocate memory before the time measurement
    if (const auto ready = scene.world.prepare(scene.settings); !ready.ok()) {
        CellResult refused;
        refused.status = RunStatus::Refused;
        refused.reason = ready.error().message;
        return refused;
    }

    Swings swings;
    RunRequest request;
    request.progress = hooks.progress;
    request.watch = [&](const Moment& moment) {
        swings.observe(moment.world.time(), moment.world.energy().kinetic());
        if (hooks.watch) hooks.watch(moment);
    };
    const auto report = run_scene(scene, request);
    if (!report.ok()) return report.error();
    return figures(report->summary, swings);
}

Result<CellResult> run_cell(const CellRequest& request, const CellHooks& hooks)
{
    auto scene = load_cell(request);
    if (!scene.ok()) return scene.error();
    return run_cell(*scene, hooks);
}

}  // namespace taut::study
