// Results of `taut compare` as JSON, CSV, a text table and a picture.
#pragma once

#include <string>
#include <vector>

#include "plot/canvas.h"
#include "study/trace.h"
#include "study_options.h"

namespace taut::cli {

// The run of one method.
struct MethodRun {
    Method method;
    CellResult result;
    std::vector<Trace::Sample> energy;   // total [J]
    std::vector<Trace::Sample> gap;      // largest joint gap over the size of the scene [-]
    std::vector<Trace::Sample> reading;  // empty if none was requested
    std::vector<Vec3> centres;           // centre of mass of each body at the end [m]
    // Largest distance of a centre of mass from its position in the run of the first method [m]; NaN if one
    // of the two runs did not complete.
    Real distance = 0;
};

struct Comparison {
    std::string scene;  // its name
    std::string title;
    std::string file;
    Overrides overrides;  // of --set
    Real time = 0;        // [s]
    Real dt = 0;          // [s]
    std::string reading;  // empty if none
    std::string reading_unit;
    StabilityLimits limits;
    std::vector<MethodRun> runs;
};

Json comparison_json(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);
void print_comparison(const Comparison& comparison);
plot::Picture comparison_picture(const Comparison& comparison);

}  // namespace taut::cli
