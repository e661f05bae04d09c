// Reads shapes: sizes, vertices, triangles, heights.
#include <map>

#include "collision/hull.h"
#include "scene/locals.h"
#include "scene/readers.h"
#include "scene/resolve.h"
#include "scene/text_format.h"
#include "scene/values.h"

namespace taut::scene {
namespace {

std::vector<Vec3> vectors(const Node& list)
{
    std::vector<Vec3> out;
    for (const NodePtr& item : list.items)
        out.emplace_back(item->items[0]->number, item->items[1]->number, item->items[2]->number);
    return out;
}

// Vertices and faces of the convex hull; faces are split into triangle fans.
void read_hull(const Node& corners, const std::string& label, Shape& shape, Problems& problems)
{
    shape.kind = Shape::Kind::Hull;
    const auto made = collision::make_hull(vectors(corners));
    if (!made.hull) {
        problems.error(corners.where, "'hull' of " + label + ": " + made.why);
        return;
    }
    shape.points = made.hull->vertices;
    for (const auto& face : made.hull->faces) {
        const int* corner = &made.hull->loops[static_cast<std::size_t>(face.first)];
        for (int k = 2; k < face.count; ++k)
            shape.triangles.push_back({corner[0], corner[k - 1], corner[k]});
    }
}

void read_mesh(const Node& mesh, const std::string& label, Shape& shape, Problems& problems)
{
    shape.kind = Shape::Kind::Mesh;
    shape.points = vectors(*mesh.find("points"));
    const auto count = static_cast<Real>(shape.points.size());
    for (const NodePtr& item : mesh.find("triangles")->items) {
        std::array<int, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Node& place = *item->items[k];
            if (!(place.number < count)) {
                problems.error(place.where, "a triangle of " + label + " refers to point " +
                                                to_short_text(place.number) + "; the last of " +
                                                std::to_string(shape.points.size()) + " is " +
                                                to_short_text(count - 1));
                return;
            }
            corners[k] = static_cast<int>(place.number);
        }
        shape.triangles.push_back(corners);
    }
}

// Whether every edge belongs to two triangles, once in each direction.
bool is_closed(const std::vector<std::array<int, 3>>& triangles)
{
    std::map<std::pair<int, int>, int> sides;
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    for (const auto& [side, times] : sides) {
        const auto back = sides.find({side.second, side.first});
        if (times != 1 || back == sides.end()) return false;
    }
    return !sides.empty();
}

void read_height_field(const Node& field, const std::string& label, Shape& shape, SceneDraft& draft,
                       Problems& problems)
{
    shape.kind = Shape::Kind::HeightField;
    shape.columns = static_cast<int>(number_or(field, "columns", 2));
    shape.rows = static_cast<int>(number_or(field, "rows", 2));
    shape.spacing = number_or(field, "spacing", 1);
    const auto wanted = static_cast<std::size_t>(shape.columns) * shape.rows;
    if (const Node* formula = field.find("formula")) {
        const std::string subject = "'formula' of " + label;
        if (!formula->is_scalar()) {
            problems.error(formula->where,
                           subject + " is " + formula->description() + "; a formula is required");
            return;
        }
        Locals names(*draft.names);
        for (int j = 0; j < shape.rows; ++j)
            for (int i = 0; i < shape.columns; ++i) {
                names.set("x", i * shape.spacing);
                names.set("y", j * shape.spacing);
                const auto value = resolve_scalar(*formula, subject, names, problems);
                const Real* height = value ? std::get_if<Real>(&*value) : nullptr;
                if (!height) return;
                shape.heights.push_back(*height);
            }
        return;
    }
    shape.heights = numbers(field, "heights");
    if (shape.heights.size() != wanted)
        problems.error(field.find("heights")->where,
                       "'heights' of " + label + " are " + std::to_string(shape.heights.size()) +
                           " values; columns × rows is " + std::to_string(wanted));
}

}  // namespace

Shape read_shape(const Node& item, const std::string& label, SceneDraft& draft, Problems& problems)
{
    Shape shape;
    if (const auto edges = vector(item, "box")) {
        shape.kind = Shape::Kind::Box;
        shape.size = *edges;
    } else if (const auto radius = number(item, "sphere")) {
        shape.kind = Shape::Kind::Sphere;
        shape.size = Vec3(*radius, 0, 0);
    } else if (const Node* corners = item.find("hull")) {
        read_hull(*corners, label, shape, problems);
    } else if (const Node* mesh = item.find("mesh")) {
        read_mesh(*mesh, label, shape, problems);
    } else if (const Node* field = item.find("height_field")) {
        read_height_field(*field, label, shape, draft, problems);
    } else if (const Node* plane = item.find("plane")) {
        shape.kind = Shape::Kind::Plane;
        if (plane->number == 0)
            problems.error(plane->where,
                           "'plane' of " + label + " is false; only 'true' is allowed");
    } else {
        const bool capsule = item.has("capsule");
        const Node& round = *item.find(capsule ? "capsule" : "cylinder");
        shape.kind = capsule ? Shape::Kind::Capsule : Shape::Kind::Cylinder;
        shape.size = Vec3(number_or(round, "radius", 0), 0, number_or(round, "length", 0));
    }
    shape.pose.p = vector_or(item, "position", Vec3::Zero());
    shape.pose.q = rotation_or_identity(item, "rotation", label, problems);
    if (shape.kind == Shape::Kind::Mesh && shape_properties(shape).mass < 0)
        problems.error(item.find("mesh")->where,
                       "the triangles of " + label +
                           " face inward; they must be counter-clockwise seen from outside");
    return shape;
}

MassProperties shape_properties(const Shape& shape)
{
    switch (shape.kind) {
        case Shape::Kind::Box: return box_properties(shape.size);
        case Shape::Kind::Sphere: return sphere_properties(shape.size.x());
        case Shape::Kind::Capsule: return capsule_properties(shape.size.x(), shape.size.z());
        case Shape::Kind::Cylinder: return cylinder_properties(shape.size.x(), shape.size.z());
        case Shape::Kind::Hull: return polyhedron_properties(shape.points, shape.triangles);
        case Shape::Kind::Mesh:
            if (!is_closed(shape.triangles)) return {};
            return polyhedron_properties(shape.points, shape.triangles);
        case Shape::Kind::HeightField:
        case Shape::Kind::Plane: return {};
    }
    return {};
}

}  // namespace taut::scene
