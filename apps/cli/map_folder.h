// The folder of `taut stability --out`: cells as they finish, so that a map that was interrupted goes on
// where it was, and the map itself once all are there.
//
//     request.json   what was asked: another request in the folder is refused
//     map.csv        one line per cell; in the order in which they finish, sorted at the end
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
    // Makes the folder, or finds in it what is already done. `fresh` forgets what is there.
    static Result<std::unique_ptr<MapFolder>> open(const std::string& folder, const Json& request,
                                                   const Grid& grid, bool fresh);

    const std::map<std::size_t, CellResult>& found() const noexcept { return found_; }

    // Puts a finished cell on disk at once.
    Status add(std::size_t cell, const CellResult& result, const StabilityLimits& limits);

    // The sorted table, with every cell judged by these limits.
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
