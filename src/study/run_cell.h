// One cell of a study: a scene, its parameters, a method and a step, run and put into figures.
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
    std::optional<Method> method;  // the scene's own if empty
    std::optional<Real> dt;        // [s]
    std::optional<Real> time;      // to simulate [s]
};

struct CellResult {
    RunStatus status = RunStatus::Ok;  // Ok, Diverged, Refused or Interrupted
    std::string reason;                // why, when the status is not Ok
    std::uint64_t steps = 0;
    Real simulated_seconds = 0;

    Real gap = 0;   // largest gap of a joint over the size of the scene [-]
    Real rise = 0;  // most energy gained from nothing over the largest kinetic energy [-]
    Real kept = 0;  // kinetic energy of the last swing over the first [-]; may be not a number
    Real solves_mean = 0;
    int solves_max = 0;
    std::uint64_t halvings = 0;  // times a step, or a part of one, was cut in two
    std::string state_hash;

    Real step_seconds = 0;  // wall clock per step: the one figure that differs from run to run
};

// How far a run may be from the truth and still be called stable.
struct StabilityLimits {
    Real rise = 0.05;  // of the largest kinetic energy
    Real gap = 0.05;   // of the size of the scene
};

enum class Verdict { Stable, Diverged, Refused, GainsEnergy, JointsOpen };

// A figure that is not a number is not within its limit.
Verdict judge(const CellResult& result, const StabilityLimits& limits) noexcept;
std::string_view verdict_name(Verdict verdict) noexcept;  // "stable", "gains_energy"…

// The scene as the cell has it.
Result<Scene> load_cell(const CellRequest& request);

struct CellHooks {
    // Told after each step how many of how many are done; returns false to stop.
    std::function<bool(std::uint64_t done, std::uint64_t planned)> progress;
    // Shown the world before the first step and after each.
    std::function<void(const Moment& moment)> watch;
};

// Runs a loaded scene. What the scene expects of its own run is left out: limits are up to the study.
// Settings that the world refuses are a result, not an error, so that one bad cell does not end a study.
Result<CellResult> run_cell(Scene& scene, const CellHooks& hooks = {});
Result<CellResult> run_cell(const CellRequest& request, const CellHooks& hooks = {});

}  // namespace taut::study
