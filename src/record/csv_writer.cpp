#include "record/csv_writer.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "record/csv_line.h"

namespace taut::record {

std::string shortest(Real value)
{
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char text[32];
    for (int digits = 15; digits <= 17; ++digits) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value) break;
    }
    return text;
}

CsvWriter::CsvWriter(std::ostream& out, std::vector<Column> columns)
    : out_(out), columns_(std::move(columns))
{
    for (std::size_t i = 0; i < columns_.size(); ++i)
        out_ << (i ? "," : "") << csv_field(columns_[i].name + " [" + columns_[i].unit + "]");
    out_ << '\n';
}

void CsvWriter::write(const Moment& moment)
{
    for (std::size_t i = 0; i < columns_.size(); ++i)
        out_ << (i ? "," : "") << shortest(columns_[i].read(moment));
    out_ << '\n';
}

}  // namespace taut::record
