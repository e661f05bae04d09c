#include "scene/vocabulary.h"

namespace taut::scene {
namespace {

const Section& shift_section()
{
    static const Section section{
        .name = "shift",
        .summary = "along world axes",
        .keys =
            {
                {.name = "x", .form = Form::Schedule, .unit = "m", .section = &schedule_section()},
                {.name = "y", .form = Form::Schedule, .unit = "m", .section = &schedule_section()},
                {.name = "z", .form = Form::Schedule, .unit = "m", .section = &schedule_section()},
            },
    };
    return section;
}

const Section& motion_section()
{
    static const Section section{
        .name = "motion",
        .summary = "prescribed motion relative to the initial pose",
        .keys =
            {
                {.name = "shift",
                 .form = Form::Map,
                 .summary = "translation of the origin",
                 .section = &shift_section()},
                {.name = "axis",
                 .form = Form::Vector,
                 .summary = "axis of rotation in world axes, default z"},
                {.name = "angle",
                 .form = Form::Schedule,
                 .summary = "rotation about axis through the origin",
                 .unit = "rad",
                 .section = &schedule_section()},
            },
    };
    return section;
}

Section make_body_section()
{
    Section section{
        .name = "body",
        .summary = "a rigid, fixed or kinematic body, or a particle",
        .keys =
            {
                {.name = "type",
                 .form = Form::Choice,
                 .summary = "default rigid",
                 .choices = {"rigid", "particle", "fixed", "kinematic"}},
                {.name = "mass",
                 .summary = "total mass; the inertia of the shapes is scaled to it",
                 .unit = "kg",
                 .above = 0},
                {.name = "density",
                 .summary = "of the shapes, instead of mass",
                 .unit = "kg/m³",
                 .above = 0},
                {.name = "material",
                 .form = Form::Name,
                 .summary = "of the shapes, instead of mass"},
                {.name = "shapes",
                 .form = Form::Maps,
                 .summary = "shapes for mass properties, contact and drawing",
                 .section = &shape_section()},
                {.name = "inertia",
                 .form = Form::Inertia,
                 .summary = "about the centre of mass: three principal moments or a 3×3 tensor",
                 .unit = "kg m²"},
                {.name = "inertia_frame",
                 .form = Form::Map,
                 .summary = "of the principal axes in the body",
                 .section = &rotation_section()},
                {.name = "centre_of_mass",
                 .form = Form::Vector,
                 .summary = "from the body's origin",
                 .unit = "m"},
                {.name = "position",
                 .form = Form::Vector,
                 .summary = "of the origin, in the world",
                 .unit = "m"},
                {.name = "rotation",
                 .form = Form::Map,
                 .summary = "in the world",
                 .section = &rotation_section()},
                {.name = "velocity",
                 .form = Form::Vector,
                 .summary = "of the centre of mass",
                 .unit = "m/s"},
                {.name = "angular_velocity",
                 .form = Form::Vector,
                 .summary = "world axes",
                 .unit = "rad/s"},
                {.name = "motion",
                 .form = Form::Map,
                 .summary = "kinematic bodies only",
                 .section = &motion_section()},
                {.name = "colour",
                 .form = Form::Colour,
                 .summary = "of shapes without their own colour"},
                {.name = "contact",
                 .form = Form::Flag,
                 .summary = "whether its shapes collide; default contacts.all"},
            },
        .groups = {{Group::Rule::AtMostOne, {"mass", "density"}},
                   {Group::Rule::AtMostOne, {"material", "density"}},
                   group_key_rule()},
    };
    for (Key& key : group_keys()) section.keys.push_back(std::move(key));
    return with_surface_keys(std::move(section));
}

}  // namespace

const Section& body_section()
{
    static const Section section = make_body_section();
    return section;
}

}  // namespace taut::scene
