#include "scene/vocabulary.h"

namespace taut {
namespace {

const Section& round_section()
{
    static const Section section{
        .name = "round",
        .summary = "along z of the shape",
        .keys =
            {
                {.name = "radius", .unit = "m", .required = true, .above = 0},
                {.name = "length",
                 .summary = "of the straight part",
                 .unit = "m",
                 .required = true,
                 .above = 0},
            },
    };
    return section;
}

const Section& shape_section()
{
    static const Section section{
        .name = "shape",
        .summary = "a solid, for mass and for drawing",
        .keys =
            {
                {.name = "box",
                 .form = Form::Vector,
                 .summary = "full edges",
                 .unit = "m",
                 .above = 0},
                {.name = "sphere", .summary = "radius", .unit = "m", .above = 0},
                {.name = "capsule",
                 .form = Form::Map,
                 .summary = "cylinder with half balls at its ends",
                 .section = &round_section()},
                {.name = "cylinder", .form = Form::Map, .section = &round_section()},
                {.name = "position", .form = Form::Vector, .summary = "in the body", .unit = "m"},
                {.name = "rotation",
                 .form = Form::Map,
                 .summary = "in the body",
                 .section = &rotation_section()},
                {.name = "colour", .form = Form::Colour, .summary = "\"#rrggbb\" or a name"},
                {.name = "material", .form = Form::Name, .summary = "of this shape alone"},
                {.name = "density",
                 .summary = "of this shape alone; 0: for looks only",
                 .unit = "kg/m³",
                 .least = 0},
            },
        .groups = {{Group::Rule::ExactlyOne, {"box", "sphere", "capsule", "cylinder"}},
                   {Group::Rule::AtMostOne, {"material", "density"}}},
    };
    return section;
}

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

}  // namespace

const Section& body_section()
{
    static const Section section{
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
            },
        .groups = {{Group::Rule::AtMostOne, {"mass", "density"}},
                   {Group::Rule::AtMostOne, {"material", "density"}}},
    };
    return section;
}

}  // namespace taut
