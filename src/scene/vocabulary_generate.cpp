#include "scene/vocabulary.h"

#include <algorithm>

#include <taut/catalogue.h>
#include "scene/file_bounds.h"

namespace taut::scene {
namespace {

// Types that constrain the distance of two points have a parameter `length`; the types allowed in a chain have no
// parameters.
std::vector<std::string> joint_names(bool with_length)
{
    std::vector<std::string> names;
    for (const JointTypeInfo& type : joint_types()) {
        const auto& all = type.parameters;
        const bool drive = type.family == JointFamily::Motor || type.family == JointFamily::Servo;
        const bool length = std::any_of(all.begin(), all.end(), [](const ParameterInfo& parameter) {
            return parameter.name == "length";
        });
        const bool complete = std::all_of(
            all.begin(), all.end(),
            [](const ParameterInfo& parameter) { return parameter.fallback.has_value(); });
        if (type.bodies == 2 && !drive && complete && length == with_length)
            names.emplace_back(type.name);
    }
    return names;
}

const Section& chain_load_section()
{
    static const Section section{
        .name = "load",
        .summary = "a sphere or a box at the end of the chain",
        .keys =
            {
                {.name = "mass", .unit = "kg", .above = 0},
                {.name = "density", .unit = "kg/m³", .above = 0},
                {.name = "material", .form = Form::Name},
                {.name = "radius", .summary = "of a sphere", .unit = "m", .above = 0},
                {.name = "size",
                 .form = Form::Vector,
                 .summary = "edges of a box, z along the chain",
                 .unit = "m",
                 .above = 0},
                {.name = "arm",
                 .summary = "distance from hook to centre; default radius or half the z edge",
                 .unit = "m",
                 .least = 0},
                {.name = "colour", .form = Form::Colour},
            },
        .groups = {{Group::Rule::ExactlyOne, {"radius", "size"}},
                   {Group::Rule::ExactlyOne, {"mass", "density", "material"}}},
    };
    return section;
}

const Section& chain_section()
{
    static const std::vector<Key> of_groups = group_keys();
    static const Section section = with_surface_keys({
        .name = "chain",
        .summary = "links along a straight line, connected end to end",
        .keys =
            {
                {.name = "name",
                 .form = Form::Name,
                 .summary = "prefix of all names, default chain"},
                {.name = "links",
                 .form = Form::Integer,
                 .required = true,
                 .least = 1,
                 .most = file_bounds::kGeneratedBodies},
                {.name = "link_length", .unit = "m", .required = true, .above = 0},
                {.name = "radius",
                 .summary = "of the capsules",
                 .unit = "m",
                 .required = true,
                 .above = 0},
                {.name = "link_mass", .unit = "kg", .above = 0},
                {.name = "density", .unit = "kg/m³", .above = 0},
                {.name = "material", .form = Form::Name},
                {.name = "load", .form = Form::Map, .section = &chain_load_section()},
                {.name = "anchor",
                 .form = Form::Text,
                 .summary = "world (default), a body, or none"},
                {.name = "end", .form = Form::Text, .summary = "body connected to the last link"},
                {.name = "joint",
                 .form = Form::Choice,
                 .summary = "default ball",
                 .choices = joint_names(false)},
                {.name = "axis", .form = Form::Vector, .summary = "of the first joint"},
                {.name = "alternate",
                 .form = Form::Flag,
                 .summary =
                     "rotate every other joint by 90° about the chain; default true for hinge"},
                {.name = "from",
                 .form = Form::Vector,
                 .summary = "position of the first joint",
                 .unit = "m"},
                {.name = "release",
                 .form = Form::Choice,
                 .summary = "default hanging",
                 .choices = {"horizontal", "hanging"}},
                {.name = "direction", .form = Form::Vector, .summary = "instead of release"},
                {.name = "turn",
                 .summary = "initial rigid rotation about the vertical axis through from",
                 .unit = "rad/s"},
                {.name = "spin",
                 .summary = "bound of random initial angular velocities",
                 .unit = "rad/s",
                 .least = 0},
                {.name = "seed",
                 .form = Form::Integer,
                 .summary = "of the random spins, default 1",
                 .least = 0,
                 .most = 4294967295.0},
                {.name = "compliance", .unit = "m/N", .least = 0},
                {.name = "angular_compliance", .unit = "rad/(N m)", .least = 0},
                {.name = "damping_time", .unit = "s", .least = 0},
                {.name = "colour", .form = Form::Colour, .summary = "of the links"},
                {.name = "contact",
                 .form = Form::Flag,
                 .summary = "whether links and load collide; default contacts.all"},
                of_groups[0],
                of_groups[1],
                of_groups[2],
            },
        .groups = {{Group::Rule::ExactlyOne, {"link_mass", "density", "material"}},
                   group_key_rule(),
                   {Group::Rule::AtMostOne, {"load", "end"}},
                   {Group::Rule::AtMostOne, {"release", "direction"}}},
    });
    return section;
}

const Section& grid_section()
{
    static const Section section{
        .name = "grid",
        .summary = "particles connected by distance constraints",
        .keys =
            {
                {.name = "name",
                 .form = Form::Name,
                 .summary = "prefix of all names, default grid"},
                {.name = "nx",
                 .form = Form::Integer,
                 .required = true,
                 .least = 1,
                 .most = file_bounds::kGeneratedBodies},
                {.name = "ny",
                 .form = Form::Integer,
                 .required = true,
                 .least = 1,
                 .most = file_bounds::kGeneratedBodies},
                {.name = "spacing", .unit = "m", .required = true, .above = 0},
                {.name = "particle_mass", .unit = "kg", .above = 0},
                {.name = "mass", .summary = "of the whole grid", .unit = "kg", .above = 0},
                {.name = "from", .form = Form::Vector, .summary = "position of p1_1", .unit = "m"},
                {.name = "along", .form = Form::Vector, .summary = "direction of nx, default x"},
                {.name = "across", .form = Form::Vector, .summary = "direction of ny, default y"},
                {.name = "fixed",
                 .form = Form::Choice,
                 .summary = "default corners",
                 .choices = {"none", "corners", "edge", "rim"}},
                {.name = "diagonals",
                 .form = Form::Flag,
                 .summary = "two diagonal constraints per cell"},
                {.name = "joint",
                 .form = Form::Choice,
                 .summary = "default distance",
                 .choices = joint_names(true)},
                {.name = "compliance", .unit = "m/N", .least = 0},
                {.name = "damping_time", .unit = "s", .least = 0},
                {.name = "colour", .form = Form::Colour, .summary = "of the particles"},
            },
        .groups = {{Group::Rule::ExactlyOne, {"particle_mass", "mass"}}},
    };
    return section;
}

const Section& repeat_section()
{
    static const Section section{
        .name = "repeat",
        .summary = "copies of a body, numbered i = 1 … count in formulas and ${i} in text",
        .keys =
            {
                {.name = "name",
                 .form = Form::Name,
                 .summary = "copies are NAME1, NAME2, …; default copy"},
                {.name = "count",
                 .form = Form::Integer,
                 .required = true,
                 .least = 1,
                 .most = file_bounds::kGeneratedBodies},
                {.name = "seed",
                 .form = Form::Integer,
                 .summary = "of r1 … r6, random between 0 and 1 in each copy; default 1",
                 .least = 0,
                 .most = 4294967295.0},
                {.name = "body",
                 .form = Form::Map,
                 .summary = "as in bodies",
                 .required = true,
                 .section = &body_section(),
                 .later = true},
                {.name = "joint",
                 .form = Form::Map,
                 .summary = "as in joints, one per copy: NAME1.joint, …",
                 .section = &joint_section(),
                 .later = true},
            },
    };
    return section;
}

}  // namespace

const Section& generator_section()
{
    static const Section section{
        .name = "generator",
        .summary = "generated bodies and joints",
        .keys =
            {
                {.name = "chain", .form = Form::Map, .section = &chain_section()},
                {.name = "grid", .form = Form::Map, .section = &grid_section()},
                {.name = "repeat", .form = Form::Map, .section = &repeat_section()},
            },
        .groups = {{Group::Rule::ExactlyOne, {"chain", "grid", "repeat"}}},
    };
    return section;
}

}  // namespace taut::scene
