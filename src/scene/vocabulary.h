// The words of a scene file: one table per section says which keys there are, what each holds, its
// unit, its range and what it is for. Reading, lists of what is allowed, suggestions for misspelt
// keys and the JSON Schema all come from these tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::scene {

struct Section;

// What a key holds.
enum class Form {
    Text,    // ${…} is filled in
    Name,    // of a thing: letters, digits, _ - .
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
    bool later =
        false;  // resolved by its reader, who has more names to offer: the number of a copy
};

// What must hold between the keys of one map.
struct Group {
    enum class Rule { ExactlyOne, AtMostOne, AtLeastOne, Together };
    Rule rule;
    std::vector<std::string> keys;
};

// Keys that are there only for one value of the section's selector: the pitch of a screw.
struct Variant {
    std::string value;
    std::vector<Key> keys;
};

struct Section {
    std::string name;  // "body", as messages call one of them
    std::string summary;
    std::vector<Key> keys;
    std::vector<Group> groups = {};
    std::string selector = {};
    std::vector<Variant> variants = {};

    const Key* find(std::string_view key) const noexcept;
};

// Names of a section's keys, in its order.
std::vector<std::string> key_names(const Section& section);

// How messages call the top level.
inline constexpr std::string_view kSceneLabel = "the scene";

// What may be the name of a thing.
bool is_name(std::string_view text) noexcept;
inline constexpr const char* kNameRule =
    "a name has letters, digits, '_', '-' and '.', and starts with a letter or '_'";

const Section& scene_section();      // the top level
const Section& parameter_section();  // the long form of a parameter

// Keys that bodies, shapes and the ground share: what their surfaces are like, and whom they meet.
Section with_surface_keys(Section section);  // what surfaces are like, after its own keys
std::vector<Key> group_keys();
Group one_way_to_choose_groups();

// Sections shared by several tables.
const Section& rotation_section();
const Section& schedule_section();
const Section& shape_section();
const Section& body_section();
const Section& contacts_section();
const Section& ground_section();
const Section& joint_section();
const Section& spring_section();
const Section& load_section();
const Section& generator_section();

}  // namespace taut::scene
