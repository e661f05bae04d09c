// The schedules of --control: 'hoist=0.3', 'hoist=0:0, 2:0.5, 5:0', or 'hoist=FILE.csv'.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/number.h"
#include "run_options.h"

namespace taut::cli {

namespace {

using Keys = std::vector<Schedule::Key>;

std::string trimmed(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// "2:0.5" or "2,0.5"
std::optional<Schedule::Key> read_key(const std::string& text, char between)
{
    const auto middle = text.find(between);
    if (middle == std::string::npos) return std::nullopt;
    const auto time = read_number(trimmed(text.substr(0, middle)));
    const auto value = read_number(trimmed(text.substr(middle + 1)));
    if (!time || !value) return std::nullopt;
    return Schedule::Key{*time, *value};
}

// Lines time,value; the first one may be a header.
Result<Keys> read_file(const std::string& file)
{
    std::ifstream in(file);
    if (!in) return Error{"cannot be read"};
    Keys keys;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (trimmed(line).empty()) continue;
        if (const auto key = read_key(line, ','))
            keys.push_back(*key);
        else if (number > 1)
            return Error{"line " + std::to_string(number) + " is not 'time,value': '" + line + "'"};
    }
    return keys;
}

Result<Keys> read_schedule(const std::string& text)
{
    if (const auto value = read_number(trimmed(text))) return Keys{{0, *value}};
    if (text.find(':') == std::string::npos && std::filesystem::exists(text)) {
        auto keys = read_file(text);
        if (!keys.ok()) return Error{"the file '" + text + "': " + keys.error().message};
        return keys;
    }
    Keys keys;
    std::istringstream in(text);
    for (std::string item; std::getline(in, item, ',');) {
        const auto key = read_key(item, ':');
        if (!key)
            return Error{"'" + trimmed(item) +
                         "' is not time:value; a number, a schedule such as '0:0, 2:0.5', or an "
                         "existing file is required"};
        keys.push_back(*key);
    }
    return keys;
}

}  // namespace

Status apply_controls(const std::vector<std::string>& control, Scene& scene)
{
    for (const std::string& entry : control) {
        const auto equals = entry.find('=');
        if (equals == std::string::npos || equals == 0)
            return Error{"--control must be name=value, such as --control hoist=0.3, not '" +
                         entry + "'"};
        const std::string name = trimmed(entry.substr(0, equals));
        const auto keys = read_schedule(entry.substr(equals + 1));
        if (!keys.ok()) return Error{"--control " + name + ": " + keys.error().message};
        if (auto done = scene.controls.follow(name, *keys); !done.ok())
            return Error{"--control: " + done.error().message};
    }
    return Done{};
}

}  // namespace taut::cli
