#include "scene/text_format.h"

#include <cmath>
#include <locale>
#include <sstream>

namespace taut::scene {
namespace {

std::string printed(Real value, int digits)
{
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(digits);
    out << value;
    return out.str();
}

}  // namespace

std::optional<Real> parse_real(std::string_view text)
{
    // the stream would also accept "inf", hexadecimal numbers and blanks, which are not
    // allowed
    if (text.empty() || text.size() > 400) return std::nullopt;
    if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    Real value = 0;
    in >> value;
    if (in.fail() || in.peek() != std::istringstream::traits_type::eof() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::string to_text(Real value)
{
    for (int digits = 6; digits < 17; ++digits) {
        const std::string text = printed(value, digits);
        if (parse_real(text) == value) return text;
    }
    return printed(value, 17);
}

std::string to_short_text(Real value) { return printed(value, 6); }

std::string quote(std::string_view text)
{
    constexpr std::size_t kMost = 60;
    if (text.size() <= kMost) return "'" + std::string(text) + "'";
    // do not cut inside a UTF-8 character
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return "'" + std::string(text.substr(0, end)) + "…'";
}

std::string listed(const std::vector<std::string>& words, std::size_t most)
{
    if (words.empty()) return "none";
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i == most) return all + ", … (" + std::to_string(words.size()) + " in all)";
        all += (i == 0 ? "" : ", ") + words[i];
    }
    return all;
}

}  // namespace taut::scene
