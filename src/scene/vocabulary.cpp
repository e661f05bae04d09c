// The top level of a scene and the small sections that others share.
#include "scene/vocabulary.h"

#include <cmath>
#include <type_traits>

#include <taut/step_settings.h>

namespace taut::scene {
namespace {

// The key of a step option: its form follows from the type of its member.
Key step_key(const StepOption& option)
{
    Key key{.name = std::string(option.name),
            .summary = std::string(option.summary),
            .unit = std::string(option.unit)};
    const StepSettings defaults;
    visit_option(defaults, option, [&](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) {
            key.form = Form::Flag;
        } else if constexpr (std::is_enum_v<Value>) {
            key.form = Form::Choice;
            for (const auto& choice : choices_of(value)) key.choices.emplace_back(choice.name);
        } else {
            if constexpr (std::is_same_v<Value, int>) key.form = Form::Integer;
            const OptionRange& range = option.range;
            (range.above_lowest ? key.above : key.least) = range.lowest;
            if (std::isfinite(range.highest)) key.most = range.highest;
        }
    });
    return key;
}

Section make_step_section()
{
    Section section{.name = "step", .summary = "how the scene is stepped", .keys = {}};
    for (const StepOption& option : kStepOptions)
        if (option.places & kInScenes) section.keys.push_back(step_key(option));
    return section;
}

const Section& step_section()
{
    static const Section section = make_step_section();
    return section;
}

const Section& material_section()
{
    static const Section section = with_surface_keys({
        .name = "material",
        .summary = "density, surface properties and colour",
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
        .summary = "condition on the result of the run",
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
                {.name = "axis", .form = Form::Vector, .summary = "axis of rotation"},
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
        .summary = "a function of time",
        .keys =
            {
                {.name = "keys",
                 .form = Form::Keyframes,
                 .summary = "[[time, value], …], times ascending",
                 .fewest_items = 1},
                {.name = "interpolation",
                 .form = Form::Choice,
                 .summary = "interpolation between keys, default linear",
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

const Section& target_section()
{
    static const Section section = [] {
        Section with_formula = schedule_section();
        with_formula.name = "target";
        with_formula.summary = "a function of time, or of controls and readings";
        with_formula.keys.push_back({.name = "formula",
                                     .form = Form::Formula,
                                     .summary = "of controls, logic and readings, at every step"});
        with_formula.groups = {{Group::Rule::ExactlyOne, {"keys", "sine", "formula"}}};
        return with_formula;
    }();
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
                {.name = "unit", .form = Form::Text, .summary = "unit, for display only"},
                {.name = "doc", .form = Form::Text, .summary = "description"},
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
                 .summary = "values that --set NAME=VALUE changes",
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
                 .summary = "which bodies collide, and default surface properties",
                 .section = &contacts_section()},
                {.name = "ground",
                 .form = Form::Map,
                 .summary = "an infinite ground plane",
                 .section = &ground_section()},
                {.name = "bodies",
                 .form = Form::Named,
                 .summary = "rigid, fixed and kinematic bodies, particles",
                 .section = &body_section()},
                {.name = "generate",
                 .form = Form::Maps,
                 .summary = "generated chains, grids and copies",
                 .section = &generator_section()},
                {.name = "joints",
                 .form = Form::Named,
                 .summary = "constraints between bodies",
                 .section = &joint_section()},
                {.name = "springs",
                 .form = Form::Named,
                 .summary = "spring-dampers as forces",
                 .section = &spring_section()},
                {.name = "loads",
                 .form = Form::Named,
                 .summary = "applied forces and torques",
                 .section = &load_section()},
                {.name = "controls",
                 .form = Form::Named,
                 .summary = "inputs while the scene runs: keys, gamepads, sliders, --control",
                 .section = &control_section()},
                {.name = "logic",
                 .form = Form::Named,
                 .summary = "values, latches and PID controllers, evaluated in order before a step",
                 .section = &logic_section()},
                {.name = "commands",
                 .form = Form::Named,
                 .summary = "what formulas of controls, logic and readings command",
                 .section = &command_section()},
                {.name = "stop",
                 .form = Form::Map,
                 .summary = "ends the run when a condition is met",
                 .section = &stop_section()},
                {.name = "step",
                 .form = Form::Map,
                 .summary = "how the scene is stepped",
                 .section = &step_section()},
                {.name = "duration",
                 .summary = "simulated time, default 10",
                 .unit = "s",
                 .above = 0},
                {.name = "record", .form = Form::Texts, .summary = "readings to write as columns"},
                {.name = "expect",
                 .form = Form::Maps,
                 .summary = "conditions on the result of the run",
                 .section = &expectation_section()},
            },
    };
    return section;
}

}  // namespace taut::scene
