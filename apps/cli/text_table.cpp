#include "text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace taut::cli {

namespace {

std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
}

std::string formatted(const char* format, double value)
{
    if (std::isnan(value)) return "–";
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

}  // namespace

TextTable::TextTable(const std::vector<std::string>& headings)
{
    std::vector<std::string> row;
    for (const std::string& heading : headings) {
        right_.push_back(heading.starts_with('>'));
        row.push_back(right_.back() ? heading.substr(1) : heading);
    }
    rows_.push_back(std::move(row));
}

void TextTable::add(std::vector<std::string> row)
{
    row.resize(right_.size());
    rows_.push_back(std::move(row));
}

std::string TextTable::text() const
{
    std::vector<std::size_t> widths(right_.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], characters(row[i]));

    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string blanks(widths[i] - characters(row[i]), ' ');
            line += (i ? "  " : "") + (right_[i] ? blanks + row[i] : row[i] + blanks);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string brief(double value)
{
    if (value == 0) return "0";
    if (std::abs(value) >= 0.01 && std::abs(value) < 100) return formatted("%.2g", value);
    std::string text = formatted("%.1e", value);
    // 1.2e-05 → 1.2e-5
    if (const auto e = text.find('e'); e != std::string::npos) {
        if (text[e + 1] == '+') text.erase(e + 1, 1);
        const auto digits = text.find_first_of("0123456789", e);
        while (text[digits] == '0' && digits + 1 < text.size()) text.erase(digits, 1);
    }
    return text;
}

std::string brief_share(double value)
{
    return std::abs(value) < 1000 || std::isnan(value) ? formatted("%.2f", value) : brief(value);
}

std::string brief_number(double value)
{
    const bool whole = std::abs(value) >= 100 && std::abs(value) < 1e6;
    return formatted(whole ? "%.0f" : "%.3g", value);
}

}  // namespace taut::cli
