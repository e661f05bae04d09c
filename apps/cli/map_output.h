// A stability map for programs, for people and as a picture.
#pragma once

#include <map>
#include <string>

#include "plot/canvas.h"
#include "study/grid.h"
#include "study_options.h"

namespace taut::cli {

enum class MapColour { Kept, Gap };

// All that the outputs are made of. Cells that are not there yet are left out.
struct StabilityMap {
    std::string scene;  // its name
    std::string file;
    Overrides overrides;  // of --set
    Real time = 0;  // that each cell simulates [s]; 0: the scene's own, which parameters may change
    Grid grid;
    StabilityLimits limits;
    std::map<std::size_t, CellResult> cells;

    std::size_t stable_count() const;
    bool first_method_stable() const;
};

Json map_json(const StabilityMap& map);
void print_map(const StabilityMap& map);

// The first parameter upward, steps to the right; a panel per method and per value of further parameters.
plot::Picture map_picture(const StabilityMap& map, MapColour colour);

// Whether any stable cell tells how much of the swing it kept; without, the gap is what to colour by.
bool tells_kept(const StabilityMap& map);

}  // namespace taut::cli
