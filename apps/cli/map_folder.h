// The folder of `taut stability --out`. Each cell is written when it completes, so that an interrupted map can
// be resumed; the pictures and the JSON file are written when all cells are complete.
//
//     request.json   the request; a folder with a different request is refused
//     map.csv        one line per cell, in order of completion; sorted at the end
//     map.json, map.svg, map.png
#pragma once

#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "study/grid.h"
#include "study_options.h"

namespace taut::cli {

class MapFolder {
public:
    // Creates the folder, or reads the completed cells from an existing one. `fresh` discards its contents.
    static Result<std::unique_ptr<MapFolder>> open(const std::string& folder, const Json& request,
                                                   const Grid& grid, bool fresh);

    const std::map<std::size_t, CellResult>& found() const noexcept { return found_; }

    // Appends a completed cell to map.csv and flushes it.
    Status add(std::size_t cell, const CellResult& result, const StabilityLimits& limits);

    // Writes the sorted table, with the verdict of every cell under these limits.
    Status finish(const std::map<std::size_t, CellResult>& cells, const StabilityLimits& limits);

    std::string file(const std::string& name) const;

private:
    std::string line(std::size_t cell, const CellResult& result,
                     const StabilityLimits& limits) const;
    std::string table(const std::map<std::size_t, CellResult>& cells,
                      const StabilityLimits& limits) const;
    void find_finished();

    std::string folder_;
    Grid grid_;
    std::map<std::size_t, CellResult> found_;
    std::ofstream csv_;
};

}  // namespace taut::cli
