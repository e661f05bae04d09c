// Runs a scene to its end: steps, watches, records and holds it to what it promises.
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
    std::vector<std::string>
        columns;              // what the CSV records; empty: the scene's choice, or the usual ones
    std::uint64_t every = 1;  // record each n-th step
    std::ostream* csv = nullptr;  // where to; null records nothing
    // False for a run of another length than the scene's own: what must hold at its end is then shown
    // but not judged; readings of the whole run (run.…) still are.
    bool judge_end = true;
    // Told after each step how many of how many are done; returns false to stop the run.
    std::function<bool(std::uint64_t done, std::uint64_t planned)> progress;
    // Shown the world before the first step and after each that was taken; not part of the wall time.
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
};

// Steps that cover the scene's duration; the last may end a fraction of dt later.
std::uint64_t planned_steps(Real duration, Real dt) noexcept;

// What the CSV of this run would record.
std::vector<std::string> chosen_columns(const Scene& scene, const RunRequest& request);

// Every reading that the scene and the request name exists; the error says which does not and where.
Status check_readings(const Scene& scene, const RunRequest& request = {});

// An error means that the run could not start; everything later is in the report.
Result<RunReport> run_scene(Scene& scene, const RunRequest& request = {});

}  // namespace taut::record
