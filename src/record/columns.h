// Named readings of a world, each with a unit: what CSV columns, expectations and summaries are made of.
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

// What a reading may look at: the world after a step, what the step said, and the run so far.
struct Moment {
    const World& world;
    const StepReport& step;
    const RunMonitor& run;
};

struct Column {
    std::string name;
    std::string unit;  // "-" for a pure number
    std::function<Real(const Moment&)> read;
};

// A line of the catalogue; NAME stands for the name of any body or joint.
struct ColumnInfo {
    std::string name;
    std::string unit;
    std::string summary;
};

// Finds one reading. The error tells what part of the name is unknown and what is near to it.
Result<Column> find_column(const World& world, std::string_view name);

std::vector<ColumnInfo> column_catalogue();
// Every reading of this world, or only those of its first `most` bodies and joints: a long chain has millions.
std::vector<ColumnInfo> column_list(const World& world, int most = std::numeric_limits<int>::max());
std::vector<std::string> column_names(const World& world);   // all names of that list
std::vector<std::string> usual_columns(const World& world);  // what is recorded if nobody chooses

}  // namespace taut::record
