// Runs one cell of a study (scene, parameters, method, time step) and returns its figures.
//
//     auto result = run_cell({.file = "heavy_chain.yaml", .overrides = {{"ratio", "1e6"}},
//                             .method = method, .dt = 1.0 / 60});
//     if (result.ok() && judge(*result, {}) == Verdict::Stable) …
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <taut/scene.h>

#include "record/run_scene.h"
#include "study/method.h"

namespace taut::study {

struct CellRequest {
    std::string file;
    Overrides overrides;
    std::optional<Method> method;  // empty: that of the scene
    std::optional<Real> dt;        // [s]
    std::optional<Real> time;      // to simulate [s]
};

struct CellResult {
    RunStatus status = RunStatus::Ok;  // Ok, Diverged, Refused or Interrupted
    std::string reason;                // reason if the status is not Ok
    std::uint64_t steps = 0;
    Real simulated_seconds = 0;

    Real gap = 0;        // largest gap of a joint over the size of the scene [-]
    Real rise = 0;       // largest spurious energy gain over the largest kinetic energy [-]
    Real numerical = 0;  // numerical dissipation over the energy throughput [-]; negative: a gain
    Real kept = 0;       // kinetic energy of the last swing over the first [-]; may be NaN
    Real solves_mean = 0;
    int solves_max = 0;
    std::uint64_t halvings = 0;  // number of halvings of a step or sub-step
    std::string state_hash;

    Real step_seconds = 0;  // wall-clock time per step; the only figure that is not reproducible
};

// Limits within which a run counts as stable.
struct StabilityLimits {
    Real rise = 0.05;  // of the largest kinetic energy
    Real gap = 0.05;   // of the size of the scene
};

enum class Verdict { Stable, Diverged, Refused, GainsEnergy, JointsOpen };

// NaN exceeds every limit.
Verdict judge(const CellResult& result, const StabilityLimits& limits) noexcept;
std::string_view verdict_name(Verdict verdict) noexcept;  // "stable", "gains_energy"…

// Loads the scene with parameters, method and time step of the cell.
Result<Scene> load_cell(const CellRequest& request);

struct CellHooks {
    // Called after each step with the numbers of completed and planned steps; returns false to stop.
    std::function<bool(std::uint64_t done, std::uint64_t planned)> progress;
    // Called before the first step and after each step.
    std::function<void(const Moment& moment)> watch;
};

// Runs a loaded scene. The expectations of the scene are ignored, because the study has its own limits. Settings that
// the world refuses are a result, not an error, so that one bad cell does not abort a study.
Result<CellResult> run_cell(Scene& scene, const CellHooks& hooks = {});
Result<CellResult> run_cell(const CellRequest& request, const CellHooks& hooks = {});

}  // namespace taut::study
