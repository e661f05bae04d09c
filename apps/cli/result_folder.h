// The folder of --out: run.csv, summary.json, and the scene with the parameters it was run with.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "output.h"
#include "run_options.h"

namespace taut::cli {

class ResultFolder {
public:
    // Makes the folder and opens run.csv in it, before any time is spent on the run.
    static Result<std::unique_ptr<ResultFolder>> open(const std::string& folder);

    std::ostream& csv() { return csv_; }

    // Writes what is only known at the end. A full disk is an error here, not a short table.
    Status finish(const Json& summary, const Scene& scene, const std::string& scene_file,
                  const RunOptions& options);

    void print() const;

private:
    std::string folder_;
    std::ofstream csv_;
};

}  // namespace taut::cli
