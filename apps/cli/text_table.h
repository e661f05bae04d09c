// Words in aligned columns, for people. Widths count characters, not bytes.
#pragma once

#include <string>
#include <vector>

namespace taut::cli {

class TextTable {
public:
    // A heading that starts with '>' is set flush right, and its column with it.
    explicit TextTable(const std::vector<std::string>& headings);

    void add(std::vector<std::string> row);
    std::string text() const;

private:
    std::vector<bool> right_;
    std::vector<std::vector<std::string>> rows_;
};

// "0.012", "1.2e-5", "0", "–" for what is not a number.
std::string brief(double value);
// A share with two decimals, "0.98"; "–" for what is not a number.
std::string brief_share(double value);
// Three digits, or all before the point: "13.4", "1042"; "–" for what is not a number.
std::string brief_number(double value);

}  // namespace taut::cli
