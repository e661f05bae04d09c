// Writes a table of readings as CSV: a header line with units, then one line per recorded step.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "record/columns.h"

namespace taut::record {

// The shortest decimal that is parsed as the same number.
std::string shortest(Real value);

class CsvWriter {
public:
    // Writes the header: time [s],energy.total [J],…
    CsvWriter(std::ostream& out, std::vector<Column> columns);

    void write(const Moment& moment);

private:
    std::ostream& out_;
    std::vector<Column> columns_;
};

}  // namespace taut::record
