// Reads scene files (YAML; JSON is valid YAML) into a World. Requires the library taut::scene, which depends on yaml-cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <taut/controls.h>
#include <taut/world.h>

namespace taut {

// A shape of a body as it is drawn. The points of a hull are its corners.
struct DrawnShape {
    Shape shape{};
    Pose pose{};           // in the body
    std::string colour{};  // "#rrggbb"; empty: the default
};

// A condition on the completed run: a named reading (see record/columns.h) and its bounds.
struct Expectation {
    std::string reading;
    Real lowest;
    Real highest;
    std::string where;  // file:line:column
};

// A parameter of the scene, a number or a choice; --set NAME=VALUE changes it.
struct SceneParameter {
    std::string name;
    std::string value;  // current value, as text
    std::optional<Real> lowest;
    std::optional<Real> highest;
    std::vector<std::string> choices;
    std::string unit;
    std::string doc;
    bool adjustable = false;  // a viewer may offer a slider
};

struct Scene {
    std::string name;
    std::string title;
    World world;
    Controls controls;  // inputs, logic and commands; empty in most scenes
    StepSettings settings;
    Real duration = 10;  // [s]
    std::vector<Expectation> expectations;
    std::vector<std::pair<BodyId, DrawnShape>> shapes;
    std::vector<std::string> columns;  // readings to record; empty: the default selection
    std::vector<SceneParameter> parameters;
    std::vector<std::string> warnings;  // implausible physics, each with file:line:column
    std::vector<std::string> files;     // files of the scene: its own first, then the included ones

    // Issues the commands of the controls and steps the world: what steps a scene calls this, not World::step().
    StepReport step(const StepSettings& with);
    // State of the world and of the controls; that of the world alone where the scene has no controls.
    std::vector<std::byte> snapshot() const;
    Status restore(std::span<const std::byte> image);  // fails without any change
};

inline StepReport Scene::step(const StepSettings& with)
{
    controls.apply(world, with.dt);
    return world.step(with);
}

inline std::vector<std::byte> Scene::snapshot() const
{
    std::vector<std::byte> image = world.snapshot();
    const std::vector<std::byte> more = controls.snapshot();
    image.insert(image.end(), more.begin(), more.end());
    return image;
}

inline Status Scene::restore(std::span<const std::byte> image)
{
    const std::size_t more = controls.snapshot_size();
    if (image.size() < more) return Error{"the image is too short for the controls of the scene"};
    const std::vector<std::byte> before = controls.snapshot();
    TAUT_TRY(controls.restore(image.last(more)));
    auto done = world.restore(image.first(image.size() - more));
    if (!done.ok()) (void)controls.restore(before);
    return done;
}

using Overrides = std::vector<std::pair<std::string, std::string>>;  // --set path=value

// The message of an error has one line per problem: file:line:column, the value found and the values allowed. Does not
// throw.
Result<Scene> load_scene(const std::string& file, const Overrides& overrides = {});
// The same from memory; file_name is used in messages and for relative includes.
Result<Scene> read_scene(std::string_view text, const std::string& file_name,
                         const Overrides& overrides = {});

// The scene format as JSON Schema (draft 7), for editors.
std::string scene_schema();

}  // namespace taut
