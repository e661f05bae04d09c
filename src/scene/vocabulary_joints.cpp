// Tables of joints, springs and loads. The parameters of joint types are those of joint_types().
#include "scene/vocabulary.h"

#include <cmath>

#include <taut/catalogue.h>

namespace taut::scene {
namespace {

Key max_force()
{
    return {.name = "max_force",
            .summary = "force or torque limit, beyond which the drive stalls; default: none",
            .unit = "N m or N",
            .above = 0};
}

const Section& motor_section()
{
    static const Section section{
        .name = "motor",
        .summary = "drives the joint at a given speed with at most max_force",
        .keys = {{.name = "speed",
                  .form = Form::Schedule,
                  .unit = "rad/s or m/s",
                  .required = true,
                  .section = &target_section()},
                 max_force()},
    };
    return section;
}

const Section& servo_section()
{
    static const Section section{
        .name = "servo",
        .summary = "implicit PD control of the angle or the displacement",
        .keys =
            {
                {.name = "target",
                 .form = Form::Schedule,
                 .unit = "rad or m",
                 .required = true,
                 .section = &target_section()},
                {.name = "stiffness", .unit = "N m/rad or N/m", .required = true, .above = 0},
                {.name = "damping",
                 .summary = "default 0",
                 .unit = "N m s/rad or N s/m",
                 .least = 0},
                max_force(),
            },
    };
    return section;
}

// at, axis, toward, and the same for sides 1 … `sides`.
void add_frames(std::vector<Key>& keys, int sides)
{
    const auto add = [&](const std::string& suffix, const std::string& whose) {
        keys.push_back(
            {.name = "at" + suffix, .form = Form::Vector, .summary = "point" + whose, .unit = "m"});
        keys.push_back(
            {.name = "axis" + suffix, .form = Form::Vector, .summary = "axis n" + whose});
        keys.push_back(
            {.name = "toward" + suffix, .form = Form::Vector, .summary = "direction of u" + whose});
    };
    add("", "");
    for (int side = 1; side <= sides; ++side)
        add("_" + std::to_string(side), " of body " + std::to_string(side));
    keys.push_back({.name = "coordinates",
                    .form = Form::Choice,
                    .summary = "world (default): at the initial poses of the bodies",
                    .choices = {"world", "body"}});
}

std::vector<Key> keys_of(const JointTypeInfo& type)
{
    std::vector<Key> keys;
    for (const ParameterInfo& parameter : type.parameters) {
        Key key{.name = std::string(parameter.name),
                .summary = std::string(parameter.summary),
                .unit = std::string(parameter.unit)};
        if (std::isfinite(parameter.lowest)) key.least = parameter.lowest;
        if (std::isfinite(parameter.highest)) key.most = parameter.highest;
        key.required = !parameter.fallback;
        keys.push_back(std::move(key));
    }
    if (type.family == JointFamily::Motor || type.family == JointFamily::Servo) {
        keys.push_back(max_force());
        keys.push_back({.name = "target",
                        .form = Form::Schedule,
                        .summary = "speed, or angle or displacement",
                        .required = true,
                        .section = &target_section()});
    }
    return keys;
}

Section make_joint_section()
{
    Section section{
        .name = "joint",
        .summary = "constraint rows between two or three bodies",
        .keys =
            {
                {.name = "type", .form = Form::Choice, .summary = "joint type", .required = true},
                {.name = "between",
                 .form = Form::Texts,
                 .summary = "bodies by name; world is the ground",
                 .required = true,
                 .fewest_items = 2,
                 .most_items = 3},
                {.name = "compliance",
                 .summary = "of rows that measure length; 0 is rigid",
                 .unit = "m/N",
                 .least = 0},
                {.name = "angular_compliance",
                 .summary = "of rows that measure angle",
                 .unit = "rad/(N m)",
                 .least = 0},
                {.name = "damping_time",
                 .summary = "force is −(φ + τ dφ/dt)/C",
                 .unit = "s",
                 .least = 0},
                {.name = "row_compliance",
                 .form = Form::Numbers,
                 .summary = "one per row",
                 .least = 0,
                 .most_items = 64},
                {.name = "row_damping_time",
                 .form = Form::Numbers,
                 .summary = "one per row",
                 .unit = "s",
                 .least = 0,
                 .most_items = 64},
                {.name = "break_force",
                 .summary = "force above which the joint breaks permanently",
                 .unit = "N",
                 .above = 0},
                {.name = "break_torque",
                 .summary = "torque above which the joint breaks permanently",
                 .unit = "N m",
                 .above = 0},
                {.name = "angle_limits",
                 .form = Form::Numbers,
                 .summary = "smallest and largest angle about its axis",
                 .unit = "rad",
                 .fewest_items = 2,
                 .most_items = 2},
                {.name = "slide_limits",
                 .form = Form::Numbers,
                 .summary = "smallest and largest displacement along its axis",
                 .unit = "m",
                 .fewest_items = 2,
                 .most_items = 2},
                {.name = "motor",
                 .form = Form::Map,
                 .summary = "drives the joint at a speed",
                 .section = &motor_section()},
                {.name = "servo",
                 .form = Form::Map,
                 .summary = "drives the joint to a target",
                 .section = &servo_section()},
            },
        .groups = {{Group::Rule::AtMostOne, {"compliance", "row_compliance"}},
                   {Group::Rule::AtMostOne, {"angular_compliance", "row_compliance"}},
                   {Group::Rule::AtMostOne, {"damping_time", "row_damping_time"}},
                   {Group::Rule::AtMostOne, {"motor", "servo"}}},
        .selector = "type",
    };
    add_frames(section.keys, 3);
    for (const JointTypeInfo& type : joint_types()) {
        section.keys.front().choices.emplace_back(type.name);
        section.variants.push_back({std::string(type.name), keys_of(type)});
    }
    return section;
}

Section make_spring_section()
{
    Section section{
        .name = "spring",
        .summary = "a spring-damper between two bodies, as a force",
        .keys =
            {
                {.name = "type",
                 .form = Form::Choice,
                 .summary = "default linear",
                 .choices = {"linear", "torsional"}},
                {.name = "between",
                 .form = Form::Texts,
                 .summary = "bodies by name; world is the ground",
                 .required = true,
                 .fewest_items = 2,
                 .most_items = 2},
                {.name = "stiffness", .unit = "N/m or N m/rad", .required = true, .least = 0},
                {.name = "damping",
                 .summary = "default 0",
                 .unit = "N s/m or N m s/rad",
                 .least = 0},
                {.name = "rest",
                 .summary = "unloaded length (default: at time 0) or angle (default 0)",
                 .unit = "m or rad"},
            },
    };
    add_frames(section.keys, 2);
    return section;
}

}  // namespace

const Section& joint_section()
{
    static const Section section = make_joint_section();
    return section;
}

const Section& spring_section()
{
    static const Section section = make_spring_section();
    return section;
}

const Section& load_section()
{
    static const Section section{
        .name = "load",
        .summary = "a force and a torque on one body",
        .keys =
            {
                {.name = "body", .form = Form::Text, .required = true},
                {.name = "force", .form = Form::Vector, .unit = "N"},
                {.name = "torque", .form = Form::Vector, .unit = "N m"},
                {.name = "point",
                 .form = Form::Vector,
                 .summary = "where the force acts, body axes; default the centre of mass",
                 .unit = "m"},
                {.name = "coordinates",
                 .form = Form::Choice,
                 .summary = "axes of force and torque",
                 .choices = {"world", "body"}},
                {.name = "scale",
                 .form = Form::Schedule,
                 .summary = "default 1",
                 .section = &target_section()},
            },
        .groups = {{Group::Rule::AtLeastOne, {"force", "torque"}}},
    };
    return section;
}

}  // namespace taut::scene
