// Shapes and what they touch with: sizes, friction, restitution, groups, the ground.
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
                 .summary = "places in points, the first is 0",
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
            "ground over a grid of points in x and y; the first stands at the shape's origin",
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

Section make_ground_section()
{
    Section section{
        .name = "ground",
        .summary = "a plane without end, carried by the world",
        .keys =
            {
                {.name = "height", .summary = "where it cuts the z axis, default 0", .unit = "m"},
                {.name = "tilt",
                 .summary = "turned about tilt_axis by so much, default 0",
                 .unit = "rad"},
                {.name = "tilt_axis",
                 .form = Form::Vector,
                 .summary = "default y: it then falls toward x"},
                {.name = "material", .form = Form::Name, .summary = "of its surface"},
                {.name = "colour", .form = Form::Colour, .summary = "\"#rrggbb\" or a name"},
            },
        .groups = {one_way_to_choose_groups()},
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
         .summary = "that it belongs to, by name; none: default",
         .fewest_items = 1,
         .most_items = 32},
        {.name = "collides_with",
         .form = Form::Texts,
         .summary = "groups that it meets, and no other",
         .most_items = 32},
        {.name = "ignores",
         .form = Form::Texts,
         .summary = "groups that it does not meet",
         .most_items = 32},
    };
}

Group one_way_to_choose_groups() { return {Group::Rule::AtMostOne, {"collides_with", "ignores"}}; }

const Section& shape_section()
{
    static const Section section = with_surface_keys({
        .name = "shape",
        .summary = "a solid, for mass, for contact and for drawing",
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
                {.name = "hull",
                 .form = Form::Vectors,
                 .summary = "corners of a convex solid; points inside do not count",
                 .unit = "m",
                 .fewest_items = 4},
                {.name = "mesh",
                 .form = Form::Map,
                 .summary = "a surface of triangles; it has a mass where it is closed",
                 .section = &mesh_section()},
                {.name = "height_field",
                 .form = Form::Map,
                 .summary = "ground with hills; no mass",
                 .section = &height_field_section()},
                {.name = "plane",
                 .form = Form::Flag,
                 .summary = "true: all below z = 0 of the shape; fixed and kinematic bodies only"},
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
                {.name = "contact",
                 .form = Form::Flag,
                 .summary = "it touches others; default that of its body"},
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
        .summary = "what holds for all surfaces that do not say otherwise",
        .keys =
            {
                {.name = "all",
                 .form = Form::Flag,
                 .summary = "all bodies touch unless they say contact: false; default false"},
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
