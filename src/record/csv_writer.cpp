#include "record/csv_writer.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace taut {

namespace {

// Names come from scene files and may hold anything: quoted where CSV asks for it.
std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string result = "\"";
    for (char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

}  // namespace

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
        out_ << (i ? "," : "") << quoted(columns_[i].name + " [" + columns_[i].unit + "]");
    out_ << '\n';
}

void CsvWriter::write(const Moment& moment)
{
    for (std::size_t i = 0; i < columns_.size(); ++i)
        out_ << (i ? "," : "") << shortest(columns_[i].read(moment));
    out_ << '\n';
}

}  // namespace taut
