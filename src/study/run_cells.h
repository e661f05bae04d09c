// Many cells on several threads. Each has a world of its own, so their figures do not depend on how many
// threads there are or on who comes first.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "study/run_cell.h"

namespace taut::study {

struct CellsJob {
    std::size_t cells = 0;
    std::function<CellRequest(std::size_t cell)> request;
    int threads = 1;

    // Called for each cell that came to its end, one at a time, in the order in which they do.
    std::function<Status(std::size_t cell, const CellResult& result)> done;
    // Called some ten times a second by the caller's thread with the share that is done; false stops all.
    // Cells that are under way are then given up.
    std::function<bool(double share)> progress;
};

// True if all came to their end, false if it was stopped. The first error stops all.
Result<bool> run_cells(const CellsJob& job);

}  // namespace taut::study
