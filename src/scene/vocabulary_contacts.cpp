// Tables of shapes and contact: sizes, friction, restitution, collision groups, the ground.
#include "scene/surface.h"
#include "scene/vocabulary.h"

namespace taut::scene {
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

const Section& mesh_section()
{
    static const Section section{
        .name = "mesh",
        .summary = "triangles, counter-clockwise seen from outside",
        .keys =
            {
                {.name = "points", .form = Form::Vectors, .unit = "m", .required = true},
                {.name = "triangles",
                 .form = Form::Triples,
                 .summary = "indices into points, starting at 0",
                 .required = true,
                 .least = 0},
            },
    };
    return section;
}

const Section& height_field_section()
{
    static const Section section{
        .name = "height_field",
        .summary =
            "heights over a grid of points in x and y; the first point is the origin of the shape",
        .keys =
            {
                {.name = "columns",
                 .form = Form::Integer,
                 .summary = "points along x",
                 .required = true,
                 .least = 2,
                 .most = 1000},
                {.name = "rows",
                 .form = Form::Integer,
                 .summary = "points along y",
                 .required = true,
                 .least = 2,
                 .most = 1000},
                {.name = "spacing", .unit = "m", .required = true, .above = 0},
                {.name = "heights",
                 .form = Form::Numbers,
                 .summary = "of all points, row by row",
                 .unit = "m",
                 .fewest_items = 4},
                {.name = "formula",
                 .summary = "of the height, over x and y",
                 .unit = "m",
                 .later = true},
            },
        .groups = {{Group::Rule::ExactlyOne, {"heights", "formula"}}},
    };
    return section;
}

Key surface_velocity_key()
{
    return {.name = kSurfaceVelocity,
            .form = Form::Vector,
            .summary =
                "of the surface against its body, as of a conveyor belt, in the axes of the "
                "shape; default 0",
            .unit = "m/s"};
}

Section make_ground_section()
{
    Section section{
        .name = "ground",
        .summary = "an infinite plane, fixed in the world",
        .keys =
            {
                {.name = "height",
                 .summary = "height of the plane on the z axis, default 0",
                 .unit = "m"},
                {.name = "tilt", .summary = "rotation about tilt_axis, default 0", .unit = "rad"},
                {.name = "tilt_axis",
                 .form = Form::Vector,
                 .summary = "default y: the plane then descends toward x"},
                {.name = "material", .form = Form::Name, .summary = "of its surface"},
                {.name = "colour", .form = Form::Colour, .summary = "\"#rrggbb\" or a name"},
                surface_velocity_key(),
            },
        .groups = {group_key_rule()},
    };
    for (Key& key : group_keys()) section.keys.push_back(std::move(key));
    return with_surface_keys(std::move(section));
}

}  // namespace

Section with_surface_keys(Section section)
{
    for (const SurfaceKey& key : surface_keys())
        section.keys.push_back({.name = key.name,
                                .summary = key.summary,
                                .unit = key.unit,
                                .least = 0,
                                .most = key.most});
    return section;
}

std::vector<Key> group_keys()
{
    return {
        {.name = "groups",
         .form = Form::Texts,
         .summary = "collision groups it belongs to; default: the group default",
         .fewest_items = 1,
         .most_items = 32},
        {.name = "collides_with",
         .form = Form::Texts,
         .summary = "collides with these groups only",
         .most_items = 32},
        {.name = "ignores",
         .form = Form::Texts,
         .summary = "does not collide with these groups",
         .most_items = 32},
    };
}

Group group_key_rule() { return {Group::Rule::AtMostOne, {"collides_with", "ignores"}}; }

const Section& shape_section()
{
    static const Section section = with_surface_keys({
        .name = "shape",
        .summary = "a shape for mass properties, contact and drawing",
        .keys =
            {
                {.name = "box",
                 .form = Form::Vector,
                 .summary = "full edge lengths",
                 .unit = "m",
                 .above = 0},
                {.name = "sphere", .summary = "radius", .unit = "m", .above = 0},
                {.name = "capsule",
                 .form = Form::Map,
                 .summary = "cylinder with hemispherical ends",
                 .section = &round_section()},
                {.name = "cylinder", .form = Form::Map, .section = &round_section()},
                {.name = "hull",
                 .form = Form::Vectors,
                 .summary = "points whose convex hull is the shape; interior points are ignored",
                 .unit = "m",
                 .fewest_items = 4},
                {.name = "mesh",
                 .form = Form::Map,
                 .summary = "triangle mesh; it has a mass if it is closed",
                 .section = &mesh_section()},
                {.name = "height_field",
                 .form = Form::Map,
                 .summary = "height field; no mass",
                 .section = &height_field_section()},
                {.name = "plane",
                 .form = Form::Flag,
                 .summary =
                     "true: half space below z = 0 of the shape; fixed and kinematic bodies only"},
                {.name = "position", .form = Form::Vector, .summary = "in the body", .unit = "m"},
                {.name = "rotation",
                 .form = Form::Map,
                 .summary = "in the body",
                 .section = &rotation_section()},
                {.name = "colour", .form = Form::Colour, .summary = "\"#rrggbb\" or a name"},
                {.name = "material", .form = Form::Name, .summary = "of this shape only"},
                {.name = "density",
                 .summary = "of this shape only; 0: visual shape without mass",
                 .unit = "kg/m³",
                 .least = 0},
                {.name = "contact",
                 .form = Form::Flag,
                 .summary = "whether it collides; default: that of its body"},
                surface_velocity_key(),
            },
        .groups = {{Group::Rule::ExactlyOne,
                    {"box", "sphere", "capsule", "cylinder", "hull", "mesh", "height_field",
                     "plane"}},
                   {Group::Rule::AtMostOne, {"material", "density"}}},
    });
    return section;
}

const Section& contacts_section()
{
    static const Section section = with_surface_keys({
        .name = "contacts",
        .summary = "default contact properties",
        .keys =
            {
                {.name = "all",
                 .form = Form::Flag,
                 .summary =
                     "true: all bodies collide except those with contact: false; default false"},
            },
    });
    return section;
}

const Section& ground_section()
{
    static const Section section = make_ground_section();
    return section;
}

}  // namespace taut::scene
