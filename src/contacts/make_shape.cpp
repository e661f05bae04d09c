#include "contacts/make_shape.h"

#include "core/text.h"

namespace taut::contacts {

Result<collision::ColliderShape> make_shape(const ColliderDef& def)
{
    collision::ColliderShape shape;
    std::string why;
    switch (def.shape) {
        case ShapeKind::Plane: shape = collision::PlaneShape{}; break;
        case ShapeKind::Sphere: shape = collision::SphereShape{def.radius}; break;
        case ShapeKind::Capsule: shape = collision::CapsuleShape{def.radius, def.length / 2}; break;
        case ShapeKind::Box: shape = collision::BoxShape{def.size / 2}; break;
        case ShapeKind::Cylinder:
            shape = collision::CylinderShape{def.radius, def.length / 2};
            break;
        case ShapeKind::Hull: {
            auto made = collision::make_hull(def.points);
            why = made.why;
            shape = made.hull;
            break;
        }
        case ShapeKind::Mesh: {
            auto made = collision::make_mesh(def.points, def.triangles);
            why = made.why;
            shape = made.mesh;
            break;
        }
        case ShapeKind::HeightField: {
            auto made = collision::make_height_field(def.columns, def.rows, def.spacing,
                                                     def.spacing, def.heights);
            why = made.why;
            shape = made.field;
            break;
        }
    }
    if (why.empty()) why = collision::why_invalid(shape);
    if (!why.empty()) return Error{text("collider: ", why)};
    return shape;
}

}  // namespace taut::contacts
