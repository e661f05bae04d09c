// A stability map as JSON, a text table and a picture.
#pragma once

#include <map>
#include <string>

#include "plot/canvas.h"
#include "study/grid.h"
#include "study_options.h"

namespace taut::cli {

enum class MapColour { Kept, Gap };

// The data of all outputs. Cells that are not complete are missing.
struct StabilityMap {
    std::string scene;  // its name
    std::string file;
    Overrides overrides;  // of --set
    // simulated per cell [s]; 0: duration of the scene, which may depend on parameters
    Real time = 0;
    Grid grid;
    StabilityLimits limits;
    std::map<std::size_t, CellResult> cells;

    std::size_t stable_count() const;
    bool first_method_stable() const;
};

// Parameters, time steps and methods of a grid, as lists.
void put_grid(const Grid& grid, Json& json);
Json map_json(const StabilityMap& map);
void print_map(const StabilityMap& map);

// The y axis is the first parameter, the x axis the time step; one panel per method and per value of the other
// parameters.
plot::Picture map_picture(const StabilityMap& map, MapColour colour);

// Whether any stable cell has a value of `kept`; otherwise the picture is coloured by the joint gap.
bool has_kept(const StabilityMap& map);

}  // namespace taut::cli
