// Tables of shapes and contact: sizes, friction, restitution, collision groups, the ground.
#include <taut/shapes.h>

#include "scene/surface.h"
#include "scene/vocabulary.h"

namespace taut::scene {
namespace {

// --- keys of shapes, from the fields of their kinds ---

Form form_of(Real) { return Form::Number; }
Form form_of(int) { return Form::Integer; }
Form form_of(const Vec3&) { return Form::Vector; }
Form form_of(const std::vector<Real>&) { return Form::Numbers; }
Form form_of(const std::vector<Vec3>&) { return Form::Vectors; }
Form form_of(const std::vector<Shape::Triangle>&) { return Form::Triples; }

template <class Kind, class Value>
Key key_of(const ShapeField<Kind, Value>& field)
{
    Key key{.name = std::string(field.name),
            .form = form_of(Value{}),
            .summary = std::string(field.summary),
            .unit = std::string(field.unit)};
    if (key.form == Form::Number || key.form == Form::Vector) {
        if (field.fewest < 0)
            key.least = 0;
        else
            key.above = 0;
    } else if (key.form == Form::Integer) {
        key.least = field.fewest;
        key.most = field.most;
    } else if (key.form == Form::Triples) {
        key.least = 0;
    } else {
        key.fewest_items = static_cast<std::size_t>(field.fewest);
    }
    return key;
}

template <class Kind>
Section make_kind_section()
{
    Section section{
        .name = std::string(Kind::kName), .summary = std::string(Kind::kSummary), .keys = {}};
    visit_shape_fields(Kind{}, [&](const auto& field) {
        section.keys.push_back(key_of(field));
        section.keys.back().required = true;
    });
    if constexpr (std::is_same_v<Kind, Shape::HeightField>) {
        section.keys.back().required = false;
        section.keys.push_back({.name = "formula",
                                .summary = "of the height, over x and y",
                                .unit = "m",
                                .later = true});
        section.groups = {{Group::Rule::ExactlyOne, {"heights", "formula"}}};
    }
    return section;
}

// A kind without fields is a flag, one with a single field has its value, others have a map.
template <class Kind>
Key kind_key()
{
    constexpr auto kFields = std::tuple_size_v<decltype(Kind::fields())>;
    Key key{.name = std::string(Kind::kName), .summary = std::string(Kind::kSummary)};
    if constexpr (kFields == 0) {
        key.form = Form::Flag;
        key.summary = "true: " + key.summary;
    } else if constexpr (kFields == 1) {
        key = key_of(std::get<0>(Kind::fields()));
        key.name = Kind::kName;
    } else {
        static const Section section = make_kind_section<Kind>();
        key.form = Form::Map;
        key.section = &section;
    }
    return key;
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

static Section make_shape_section()
{
    Section section{
        .name = "shape", .summary = "a shape for mass properties, contact and drawing", .keys = {}};
    Group kinds{Group::Rule::ExactlyOne, {}};
    visit_shape_kinds([&]<class Kind>(const Kind&) {
        section.keys.push_back(kind_key<Kind>());
        kinds.keys.emplace_back(Kind::kName);
    });
    for (Key& key : std::vector<Key>{
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
         })
        section.keys.push_back(std::move(key));
    section.groups = {std::move(kinds), {Group::Rule::AtMostOne, {"material", "density"}}};
    return with_surface_keys(std::move(section));
}

const Section& shape_section()
{
    static const Section section = make_shape_section();
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
