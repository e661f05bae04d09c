// Named readings of a world, each with a unit. CSV columns, expectations and summaries consist of them.
//
//     auto column = find_column(world, "joint.hook.force.z@body1");
//     Real newton = column->read(moment);
//
// time · energy.* · work.* · momentum.* · body.NAME.* · joint.NAME.* · gap.* · solve.* · step.* · run.*
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <taut/world.h>
#include "record/run_monitor.h"

namespace taut::record {

// Input of a reading: the world after a step, the report of the step, and the summary of the run so far.
struct Moment {
    const World& world;
    const StepReport& step;
    const RunMonitor& run;
};

struct Column {
    std::string name;
    std::string unit;  // "-" if dimensionless
    std::function<Real(const Moment&)> read;
};

// An entry of the catalogue; NAME stands for the name of any body or joint.
struct ColumnInfo {
    std::string name;
    std::string unit;
    std::string summary;
};

// Finds a reading. The error states which part of the name is unknown and suggests similar names.
Result<Column> find_column(const World& world, std::string_view name);

std::vector<ColumnInfo> column_catalogue();
// All readings of this world, or only those of its first `most` bodies and joints, because long chains have millions.
std::vector<ColumnInfo> column_list(const World& world, int most = std::numeric_limits<int>::max());
std::vector<std::string> column_names(const World& world);   // names of column_list()
std::vector<std::string> usual_columns(const World& world);  // the default selection

}  // namespace taut::record
