// A text table with aligned columns. Widths count characters, not bytes.
#pragma once

#include <string>
#include <vector>

namespace taut::cli {

class TextTable {
public:
    // A column whose heading starts with '>' is right-aligned.
    explicit TextTable(const std::vector<std::string>& headings);

    void add(std::vector<std::string> row);
    std::string text() const;

private:
    std::vector<bool> right_;
    std::vector<std::vector<std::string>> rows_;
};

// "0.012", "1.2e-5", "0", "–" for NaN.
std::string brief(double value);
// A fraction with two decimals, "0.98"; "–" for NaN.
std::string brief_share(double value);
// Three significant digits, or all digits before the decimal point: "13.4", "1042"; "–" for NaN.
std::string brief_number(double value);

}  // namespace taut::cli
