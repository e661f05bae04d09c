// Named readings of a world, each with a unit. CSV columns, expectations and summaries consist of them.
//
//     auto column = find_column(world, "joint.hook.force.z@body1");
//     Real newton = column->read(moment);
//
// all of readings.h · control.NAME · logic.NAME · solve.* · step.* · run.*
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <taut/scene.h>
#include "readings/readings.h"
#include "record/run_monitor.h"

namespace taut::record {
using namespace readings;  // the table core/namespaces.h has the folders below the world

// Input of a reading: the world after a step, the report of the step, the summary of the run so far, and the controls of
// the scene if it has any.
struct Moment {
    const World& world;
    const StepReport& step;
    const RunMonitor& run;
    const Controls* controls = nullptr;
};

// What has readings: a scene, or a world alone.
struct ReadingSource {
    const World& world;
    const Controls& controls;

    ReadingSource(const World& of) : world(of), controls(no_controls()) {}
    ReadingSource(const Scene& of) : world(of.world), controls(of.controls) {}

private:
    static const Controls& no_controls()
    {
        static const Controls none;
        return none;
    }
};

struct Column {
    std::string name;
    std::string unit;  // "-" if dimensionless
    std::function<Real(const Moment&)> read;
};

using ColumnInfo = readings::ReadingInfo;

// Finds a reading. The error states which part of the name is unknown and suggests similar names.
Result<Column> find_column(const ReadingSource& source, std::string_view name);

std::vector<ColumnInfo> column_catalogue();
// All readings of this world or scene, or only those of its first `most` bodies and joints, because long chains have millions.
std::vector<ColumnInfo> column_list(const ReadingSource& source,
                                    int most = std::numeric_limits<int>::max());
std::vector<std::string> column_names(const ReadingSource& source);  // names of column_list()
std::vector<std::string> usual_columns(const World& world);          // the default selection

}  // namespace taut::record
