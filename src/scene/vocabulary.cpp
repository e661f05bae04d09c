// The top level of a scene and the small sections that others share.
#include "scene/vocabulary.h"

#include <taut/catalogue.h>

namespace taut::scene {
namespace {

template <class Enum>
std::vector<std::string> names_of(std::span<const Choice<Enum>> list)
{
    std::vector<std::string> names;
    for (const auto& choice : list) names.emplace_back(choice.name);
    return names;
}

const Section& step_section()
{
    static const Section section{
        .name = "step",
        .summary = "how the scene is stepped",
        .keys =
            {
                {.name = "dt",
                 .summary = "time step, default 1/60",
                 .unit = "s",
                 .above = 0,
                 .most = 10},
                {.name = "scheme",
                 .form = Form::Choice,
                 .summary = "time integration",
                 .choices = names_of(schemes())},
                {.name = "stabilisation",
                 .form = Form::Choice,
                 .summary = "what the geometric stiffness becomes",
                 .choices = names_of(stabilisations())},
                {.name = "solver",
                 .form = Form::Choice,
                 .summary = "linear solver",
                 .choices = names_of(solvers())},
                {.name = "laws",
                 .form = Form::Choice,
                 .summary = "how limits, contacts and capped drives are solved",
                 .choices = names_of(law_methods())},
                {.name = "friction",
                 .form = Form::Choice,
                 .summary = "what bounds friction",
                 .choices = names_of(friction_shapes())},
                {.name = "alpha",
                 .summary = "alpha_beta: weight of the new forces",
                 .above = 0,
                 .most = 1},
                {.name = "beta",
                 .summary = "alpha_beta: weight of the new velocity",
                 .above = 0,
                 .most = 1},
                {.name = "max_solves",
                 .form = Form::Integer,
                 .summary = "most linear solves in one step; 0: as many as it takes",
                 .least = 0,
                 .most = 1e6},
                {.name = "tolerance",
                 .summary = "bdf2: work of the residuals over the energy in motion",
                 .unit = "1/s",
                 .above = 0,
                 .most = 1},
                {.name = "penalty_stiffness",
                 .summary = "penalty, implicit_penalty: of rigid rows of length; 0 takes it from "
                            "masses and dt",
                 .unit = "N/m",
                 .least = 0},
                {.name = "baumgarte_rate",
                 .summary = "baumgarte: how fast errors fade; 0 is 1/(5 dt)",
                 .unit = "1/s",
                 .least = 0},
                {.name = "damping_alpha",
                 .summary = "adaptive damping: 1 on the edge of stability, less is inside",
                 .above = 0,
                 .most = 100},
                {.name = "threads",
                 .form = Form::Integer,
                 .summary = "islands are solved side by side on so many; 0: all that there are",
                 .least = 0,
                 .most = 256},
                {.name = "sleep",
                 .form = Form::Flag,
                 .summary = "true: what has come to rest is not solved until it is touched"},
            },
    };
    return section;
}

const Section& material_section()
{
    static const Section section = with_surface_keys({
        .name = "material",
        .summary = "what bodies are made of",
        .keys =
            {
                {.name = "density",
                 .summary = "mass per volume",
                 .unit = "kg/m³",
                 .required = true,
                 .above = 0},
                {.name = "colour", .form = Form::Colour, .summary = "\"#rrggbb\" or a name"},
            },
    });
    return section;
}

const Section& sine_section()
{
    static const Section section{
        .name = "sine",
        .summary = "mean + amplitude sin(2π frequency t + phase)",
        .keys =
            {
                {.name = "mean", .summary = "default 0"},
                {.name = "amplitude", .required = true},
                {.name = "frequency", .unit = "Hz", .required = true},
                {.name = "phase", .summary = "default 0", .unit = "rad"},
            },
    };
    return section;
}

const Section& expectation_section()
{
    static const Section section{
        .name = "expectation",
        .summary = "what must hold when the scene has run",
        .keys =
            {
                {.name = "reading",
                 .form = Form::Text,
                 .summary = "name of a column",
                 .required = true},
                {.name = "above", .summary = "at least"},
                {.name = "below", .summary = "at most"},
                {.name = "near", .summary = "around this value"},
                {.name = "within", .summary = "tolerance of near", .least = 0},
            },
        .groups =
            {
                {Group::Rule::AtLeastOne, {"above", "below", "near"}},
                {Group::Rule::Together, {"near", "within"}},
                {Group::Rule::AtMostOne, {"near", "above"}},
                {Group::Rule::AtMostOne, {"near", "below"}},
            },
    };
    return section;
}

}  // namespace

const Key* Section::find(std::string_view key) const noexcept
{
    for (const Key& candidate : keys)
        if (candidate.name == key) return &candidate;
    return nullptr;
}

std::vector<std::string> key_names(const Section& section)
{
    std::vector<std::string> names;
    for (const Key& key : section.keys) names.push_back(key.name);
    return names;
}

bool is_name(std::string_view text) noexcept
{
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (text.empty() || text.size() > 200 || !letter(text.front())) return false;
    for (const char c : text)
        if (!letter(c) && !(c >= '0' && c <= '9') && c != '-' && c != '.') return false;
    return true;
}

const Section& rotation_section()
{
    static const Section section{
        .name = "rotation",
        .summary = "axis and angle, roll-pitch-yaw, or quaternion",
        .keys =
            {
                {.name = "axis", .form = Form::Vector, .summary = "turned about"},
                {.name = "angle", .unit = "rad"},
                {.name = "angle_deg", .unit = "degrees"},
                {.name = "rpy",
                 .form = Form::Vector,
                 .summary = "about fixed x, then y, then z",
                 .unit = "rad"},
                {.name = "rpy_deg",
                 .form = Form::Vector,
                 .summary = "about fixed x, then y, then z",
                 .unit = "degrees"},
                {.name = "quaternion",
                 .form = Form::Numbers,
                 .summary = "[w, x, y, z]",
                 .fewest_items = 4,
                 .most_items = 4},
            },
        .groups =
            {
                {Group::Rule::ExactlyOne, {"axis", "rpy", "rpy_deg", "quaternion"}},
                {Group::Rule::AtMostOne, {"angle", "angle_deg"}},
            },
    };
    return section;
}

const Section& schedule_section()
{
    static const Section section{
        .name = "schedule",
        .summary = "a number that follows time",
        .keys =
            {
                {.name = "keys",
                 .form = Form::Keyframes,
                 .summary = "[[time, value], …], times ascending",
                 .fewest_items = 1},
                {.name = "interpolation",
                 .form = Form::Choice,
                 .summary = "between keys, default linear",
                 .choices = {"linear", "smooth", "steps"}},
                {.name = "sine",
                 .form = Form::Map,
                 .summary = "a sine wave",
                 .section = &sine_section()},
            },
        .groups = {{Group::Rule::ExactlyOne, {"keys", "sine"}}},
    };
    return section;
}

const Section& parameter_section()
{
    static const Section section{
        .name = "parameter",
        .summary = "a number or a choice that --set NAME=VALUE changes",
        .keys =
            {
                {.name = "value",
                 .form = Form::Scalar,
                 .summary = "default: number, formula or choice",
                 .required = true},
                {.name = "min", .summary = "lowest value allowed"},
                {.name = "max", .summary = "highest value allowed"},
                {.name = "choices",
                 .form = Form::Scalars,
                 .summary = "values allowed",
                 .fewest_items = 1},
                {.name = "unit", .form = Form::Text, .summary = "for people"},
                {.name = "doc", .form = Form::Text, .summary = "what it is"},
                {.name = "adjustable",
                 .form = Form::Flag,
                 .summary = "a viewer may offer a slider"},
            },
    };
    return section;
}

const Section& scene_section()
{
    static const Section section{
        .name = "scene",
        .summary =
            "A Taut scene: SI units, radians, z up. Numbers may be formulas over the parameters.",
        .keys =
            {
                {.name = "name", .form = Form::Text, .summary = "short name of the scene"},
                {.name = "title", .form = Form::Text, .summary = "one line about it"},
                {.name = "include",
                 .form = Form::Texts,
                 .summary = "files to read first, relative to this one"},
                {.name = "parameters",
                 .form = Form::Named,
                 .summary = "what --set NAME=VALUE changes",
                 .section = &parameter_section()},
                {.name = "gravity",
                 .form = Form::Vector,
                 .summary = "default [0, 0, -9.81]",
                 .unit = "m/s²"},
                {.name = "materials",
                 .form = Form::Named,
                 .summary = "densities, surfaces and colours by name",
                 .section = &material_section()},
                {.name = "contacts",
                 .form = Form::Map,
                 .summary = "who touches, and how",
                 .section = &contacts_section()},
                {.name = "ground",
                 .form = Form::Map,
                 .summary = "a plane that bodies fall on",
                 .section = &ground_section()},
                {.name = "bodies",
                 .form = Form::Named,
                 .summary = "rigid bodies, particles, ground",
                 .section = &body_section()},
                {.name = "generate",
                 .form = Form::Maps,
                 .summary = "chains, grids and copies made by rule",
                 .section = &generator_section()},
                {.name = "joints",
                 .form = Form::Named,
                 .summary = "what holds bodies together",
                 .section = &joint_section()},
                {.name = "springs",
                 .form = Form::Named,
                 .summary = "spring-dampers as forces",
                 .section = &spring_section()},
                {.name = "loads",
                 .form = Form::Named,
                 .summary = "applied forces and torques",
                 .section = &load_section()},
                {.name = "step",
                 .form = Form::Map,
                 .summary = "how the scene is stepped",
                 .section = &step_section()},
                {.name = "duration",
                 .summary = "how long to run, default 10",
                 .unit = "s",
                 .above = 0},
                {.name = "record", .form = Form::Texts, .summary = "readings to write as columns"},
                {.name = "expect",
                 .form = Form::Maps,
                 .summary = "what must hold at the end",
                 .section = &expectation_section()},
            },
    };
    return section;
}

}  // namespace taut::scene
