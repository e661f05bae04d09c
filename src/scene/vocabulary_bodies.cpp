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
        .summary = "prescribed motion from the start pose",
        .keys =
            {
                {.name = "shift",
                 .form = Form::Map,
                 .summary = "of the origin",
                 .section = &shift_section()},
                {.name = "axis",
                 .form = Form::Vector,
                 .summary = "turned about, world axes, default z"},
                {.name = "angle",
                 .form = Form::Schedule,
                 .summary = "about axis, through the origin",
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
        .summary = "a rigid body, a particle, or a piece of ground",
        .keys =
            {
                {.name = "type",
                 .form = Form::Choice,
                 .summary = "default rigid",
                 .choices = {"rigid", "particle", "fixed", "kinematic"}},
                {.name = "mass", .summary = "shapes are scaled to it", .unit = "kg", .above = 0},
                {.name = "density",
                 .summary = "of the shapes, instead of mass",
                 .unit = "kg/m³",
                 .above = 0},
                {.name = "material",
                 .form = Form::Name,
                 .summary = "of the shapes, instead of mass"},
                {.name = "shapes",
                 .form = Form::Maps,
                 .summary = "solids it is made of",
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
                {.name = "colour", .form = Form::Colour, .summary = "of shapes without their own"},
                {.name = "contact",
                 .form = Form::Flag,
                 .summary = "its shapes touch others; default contacts.all"},
            },
        .groups = {{Group::Rule::AtMostOne, {"mass", "density"}},
                   {Group::Rule::AtMostOne, {"material", "density"}},
                   one_way_to_choose_groups()},
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
