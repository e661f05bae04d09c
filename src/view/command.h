// What a page asks for, as values: the commands of docs/viewer-protocol.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::view {

struct Play {};
struct Pause {};
struct SingleStep {};
struct Reset {};
struct SetSpeed {
    Real value;
};
struct Rewind {
    Real time;
};
struct Grab {
    int body;  // the world is 0
    Vec3 point, target;
    Real strength;
};
struct Drag {
    Vec3 target;
};
struct Release {};
struct ChangeSettings {
    std::optional<Real> dt;
    std::optional<std::string> scheme, stabilisation, solver;
    std::optional<int> max_solves;
};
struct SetParameter {
    std::string name, value;
};
struct Defaults {};
struct SwitchScene {
    std::string name;
};
struct ChoosePlots {
    std::vector<std::string> readings;
};

using Command = std::variant<Play, Pause, SingleStep, Reset, SetSpeed, Rewind, Grab, Drag, Release,
                             ChangeSettings, SetParameter, Defaults, SwitchScene, ChoosePlots>;

// Either a command, or why there is none.
struct ParsedCommand {
    std::optional<Command> command;
    bool malformed =
        false;  // no JSON object with a text `command`: whoever sends that is no page of ours
    std::string name;  // of the command, as far as it is known
    std::string reason;
};

ParsedCommand parse_command(std::string_view text);

}  // namespace taut::view
