// Runs many cells on several threads. Each cell has its own world, so the figures depend neither on the number of
// threads nor on the order of completion.
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

    // Called for each completed cell, one at a time, in order of completion.
    std::function<Status(std::size_t cell, const CellResult& result)> done;
    // Called about ten times per second by the thread of the caller with the completed fraction; returning false stops
    // all cells, and running cells are discarded.
    std::function<bool(double share)> progress;
};

// Returns true if all cells completed, false if it was stopped. The first error stops all cells.
Result<bool> run_cells(const CellsJob& job);

}  // namespace taut::study
