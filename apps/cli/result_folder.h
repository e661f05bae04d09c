// The folder of --out: run.csv, summary.json and a copy of the scene with the parameters of the run.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "output.h"
#include "run_options.h"

namespace taut::cli {

class ResultFolder {
public:
    // Creates the folder and opens run.csv in it before the run, so that a bad path fails early.
    static Result<std::unique_ptr<ResultFolder>> open(const std::string& folder);

    std::ostream& csv() { return csv_; }

    // Writes the files that are known at the end only. Returns an error if run.csv is incomplete (disk full).
    Status finish(const Json& summary, const Scene& scene, const std::string& scene_file,
                  const RunOptions& options);

    void print() const;

private:
    std::string folder_;
    std::ofstream csv_;
};

}  // namespace taut::cli
