// The vocabulary of scene files: one table per section defines its keys with form, unit, range and description.
// Validation, lists of allowed keys, suggestions for misspelt keys and the JSON Schema are derived from these
// tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::scene {

struct Section;

// Form of the value of a key.
enum class Form {
    Text,    // ${…} is replaced
    Name,    // name of an object: letters, digits, _ - .
    Number,  // or a formula
    Integer,
    Flag,       // true or false
    Choice,     // one of `choices`
    Colour,     // "#rrggbb" or a name
    Vector,     // [x, y, z]
    Vectors,    // list of [x, y, z]
    Triples,    // list of [i, j, k], whole numbers
    Numbers,    // list of numbers
    Texts,      // list of texts
    Inertia,    // three numbers, or three lists of three
    Keyframes,  // list of [time, value]
    Schedule,   // a number, or a map of `section`
    Scalar,     // number or text: parameters
    Scalars,    // list of the same
    Map,        // a map of `section`
    Maps,       // a list of maps of `section`
    Formula,    // a number, or a formula that is evaluated at every step: its reader compiles it
    Formulas,   // list of them
    Named,      // a map from names to maps of `section`, or a list of such maps with `name`
};

struct Key {
    std::string name;
    Form form = Form::Number;
    std::string summary = {};
    std::string unit = {};
    bool required = false;
    std::optional<Real> above = {};  // exclusive bound
    std::optional<Real> least = {};
    std::optional<Real> most = {};
    std::size_t fewest_items = 0;  // lists
    std::size_t most_items = 0;    // 0: any number
    std::vector<std::string> choices = {};
    const Section* section = nullptr;
    // resolved by its reader with additional names, such as the number of a copy
    bool later = false;
};

// A rule about the presence of several keys of one map.
struct Group {
    enum class Rule { ExactlyOne, AtMostOne, AtLeastOne, Together };
    Rule rule;
    std::vector<std::string> keys;
};

// Keys that are allowed for one value of the selector of the section only: the pitch of a screw.
struct Variant {
    std::string value;
    std::vector<Key> keys;
};

struct Section {
    std::string name;  // name of one entry in messages: "body"
    std::string summary;
    std::vector<Key> keys;
    std::vector<Group> groups = {};
    std::string selector = {};
    std::vector<Variant> variants = {};

    const Key* find(std::string_view key) const noexcept;
};

// Names of a section's keys, in its order.
std::vector<std::string> key_names(const Section& section);

// Name of the top level in messages.
inline constexpr std::string_view kSceneLabel = "the scene";

// Whether a text is allowed as the name of an object.
bool is_name(std::string_view text) noexcept;
inline constexpr const char* kNameRule =
    "a name has letters, digits, '_', '-' and '.', and starts with a letter or '_'";

const Section& scene_section();      // the top level
const Section& parameter_section();  // the long form of a parameter

// Keys common to bodies, shapes and the ground: surface properties and collision groups.
Section with_surface_keys(Section section);  // appends the keys of surface properties
std::vector<Key> group_keys();
Group group_key_rule();

// Sections shared by several tables.
const Section& rotation_section();
const Section& schedule_section();
const Section& target_section();  // a schedule, or a formula of controls and readings
const Section& shape_section();
const Section& body_section();
const Section& contacts_section();
const Section& ground_section();
const Section& joint_section();
const Section& spring_section();
const Section& load_section();
const Section& generator_section();
const Section& control_section();
const Section& logic_section();
const Section& command_section();
const Section& stop_section();

}  // namespace taut::scene
