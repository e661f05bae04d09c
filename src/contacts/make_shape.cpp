#include "contacts/make_shape.h"

#include "core/text.h"

namespace taut::contacts {
namespace {

// What stands for each kind, and what is wrong with it.
struct Prepare {
    std::string& why;

    template <class Kind>
    collision::ColliderShape operator()(const Kind& kind) const
    {
        return kind;
    }
    collision::ColliderShape operator()(const Shape::Hull& hull) const
    {
        auto made = collision::make_hull(hull.points);
        why = made.why;
        return made.hull;
    }
    collision::ColliderShape operator()(const Shape::Mesh& mesh) const
    {
        auto made = collision::make_mesh(mesh.points, mesh.triangles);
        why = made.why;
        return made.mesh;
    }
    collision::ColliderShape operator()(const Shape::HeightField& field) const
    {
        auto made = collision::make_height_field(field.columns, field.rows, field.spacing,
                                                 field.spacing, field.heights);
        why = made.why;
        return made.field;
    }
};

}  // namespace

Result<collision::ColliderShape> make_shape(const Shape& shape)
{
    std::string why;
    const collision::ColliderShape made = shape.visit(Prepare{why});
    if (why.empty()) why = collision::why_invalid(made);
    if (!why.empty()) return Error{text(shape.kind_name(), ": ", why)};
    return made;
}

}  // namespace taut::contacts
