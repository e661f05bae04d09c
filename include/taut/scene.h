// Scene files (YAML; JSON is valid YAML) read into a World. Links taut::scene, which needs yaml-cpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <taut/world.h>

namespace taut {

// What a body looks like; also where its mass came from if the scene gave a density, and what it
// touches others with if the scene says so.
struct Shape {
    enum class Kind { Box, Sphere, Capsule, Cylinder, Hull, Mesh, HeightField, Plane };
    Kind kind = Kind::Box;
    Vec3 size = Vec3::
        Zero();  // box: full edges; sphere: x = radius; capsule, cylinder: x = radius, z = length
    Pose pose;   // in the body
    std::string colour;                         // "#rrggbb"
    std::vector<Vec3> points;                   // hull: its corners; mesh
    std::vector<std::array<int, 3>> triangles;  // hull, mesh: counter-clockwise from outside
    int columns = 0, rows = 0;  // height field: heights row by row, the first at the origin
    Real spacing = 1;           // [m]
    std::vector<Real> heights;  // [m]
};

// What must hold when the scene has run: a named reading (see record/columns.h) against bounds.
struct Expectation {
    std::string reading;
    Real lowest;
    Real highest;
    std::string where;  // file:line:column
};

// A number or a choice that the scene leaves open; --set NAME=VALUE changes it.
struct SceneParameter {
    std::string name;
    std::string value;  // in use, as text
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
    StepSettings settings;
    Real duration = 10;  // [s]
    std::vector<Expectation> expectations;
    std::vector<std::pair<BodyId, Shape>> shapes;
    std::vector<std::string> columns;  // readings to record; empty: the usual ones
    std::vector<SceneParameter> parameters;
    std::vector<std::string> warnings;  // suspicious physics, each with file:line:column
    std::vector<std::string> files;  // that it was read from: its own first, then what it includes
};

using Overrides = std::vector<std::pair<std::string, std::string>>;  // --set path=value

// An error lists what is wrong, one line each, as file:line:column: found; allowed. Nothing is thrown.
Result<Scene> load_scene(const std::string& file, const Overrides& overrides = {});
// The same from memory; file_name is for messages and for relative includes.
Result<Scene> read_scene(std::string_view text, const std::string& file_name,
                         const Overrides& overrides = {});

// The vocabulary as JSON Schema (draft 7), for editors.
std::string scene_schema();

}  // namespace taut
