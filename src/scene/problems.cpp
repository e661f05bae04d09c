#include "scene/problems.h"

namespace taut::scene {
namespace {

// Beyond this many, the next ones are mostly echoes of the first.
constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kMostWarnings = 100;

// One problem is one line, whatever stood in the file.
std::string on_one_line(std::string text)
{
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

}  // namespace

std::string Where::text() const
{
    const std::string name = file ? *file : std::string("scene");
    if (line == 0) return name;
    return name + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void Problems::error(const Where& where, const std::string& message)
{
    if (errors_.size() < kMostErrors)
        errors_.push_back(where.text() + ": " + on_one_line(message));
    else
        ++left_out_;
}

void Problems::warning(const Where& where, const std::string& message)
{
    if (warnings_.size() < kMostWarnings)
        warnings_.push_back(where.text() + ": " + on_one_line(message));
}

std::string Problems::report() const
{
    std::string all;
    for (const auto& line : errors_) all += (all.empty() ? "" : "\n") + line;
    if (left_out_ > 0) all += "\n… and " + std::to_string(left_out_) + " more";
    return all;
}

}  // namespace taut::scene
