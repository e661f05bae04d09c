// Runs a scene to its end: steps it, monitors it, records readings and checks its expectations.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <taut/scene.h>
#include "record/columns.h"
#include "record/run_monitor.h"

namespace taut::record {

struct RunRequest {
    // readings to record; empty: those of the scene, or the default selection
    std::vector<std::string> columns;
    std::uint64_t every = 1;      // record every n-th step
    std::ostream* csv = nullptr;  // output stream; null: no recording
    // False if the run is not as long as the duration of the scene: expectations on final values are then shown but
    // not checked; readings of the whole run (run.…) are checked.
    bool judge_end = true;
    // Called after each step with the numbers of completed and planned steps; returns false to stop the run.
    std::function<bool(std::uint64_t done, std::uint64_t planned)> progress;
    // Called before the first step and after each successful step; its time is not part of the wall time.
    std::function<void(const Moment& moment)> watch;
};

struct ExpectationResult {
    Expectation expected;
    Real value = 0;
    std::string unit;
    bool met = false;
    bool judged = true;
};

struct RunReport {
    RunSummary summary;
    std::vector<ExpectationResult> expectations;
    std::string stopped;  // why the scene ended the run before its duration; empty: it did not
    std::string controls_warning;  // see Controls::warning()
};

// Steps that cover the scene's duration; the last may end a fraction of dt later.
std::uint64_t planned_steps(Real duration, Real dt) noexcept;

// The columns that this run records.
std::vector<std::string> chosen_columns(const Scene& scene, const RunRequest& request);

// Checks that all readings of the scene and the request exist; the error gives the unknown one and its place.
Status check_readings(const Scene& scene, const RunRequest& request = {});

// Returns an error if the run could not start; later failures are part of the report.
Result<RunReport> run_scene(Scene& scene, const RunRequest& request = {});

}  // namespace taut::record
