#include "scene/problems.h"

namespace taut::scene {
namespace {

// Further errors are mostly consequences of the first ones.
constexpr std::size_t kMostErrors = 20;
constexpr std::size_t kMostWarnings = 100;

// Removes line breaks, because each problem is reported on one line.
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
        ++omitted_;
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
    if (omitted_ > 0) all += "\n… and " + std::to_string(omitted_) + " more";
    return all;
}

}  // namespace taut::scene
