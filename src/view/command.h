// The commands of a client, as specified in docs/viewer-protocol.md.
#pragma once

#include <map>
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
    int body;  // index in the protocol; the world is 0
    Vec3 point, target;
    Real strength;
};
struct Drag {
    Vec3 target;
};
struct Release {};
struct ChangeSettings {
    std::map<std::string, std::string> options;  // name of a step option → value as in scenes
};
struct SetParameter {
    std::string name, value;
};
struct SetControl {
    std::string name;
    Real value;
};
struct Defaults {};
struct SwitchScene {
    std::string name;
};
struct ChoosePlots {
    std::vector<std::string> readings;
};

using Command =
    std::variant<Play, Pause, SingleStep, Reset, SetSpeed, Rewind, Grab, Drag, Release,
                 ChangeSettings, SetParameter, SetControl, Defaults, SwitchScene, ChoosePlots>;

// A command, or the reason why the text is invalid.
struct ParsedCommand {
    std::optional<Command> command;
    bool malformed = false;  // not a JSON object with a text `command`: the connection is closed
    std::string name;        // name of the command, if known
    std::string reason;
};

ParsedCommand parse_command(std::string_view text);

}  // namespace taut::view
