#include "exporters/mesh_library.h"

#include <cmath>

#include "exporters/surface.h"

namespace taut::exporters {

namespace {

using Json = GlbBuffer::Json;

template <class T>
void extend(std::string& key, const T& value)
{
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void extend(std::string& key, const Vec3& point)
{
    for (const Real x : point) extend(key, x);
}
template <class T>
void extend(std::string& key, const std::vector<T>& list)
{
    for (const T& item : list) extend(key, item);
}

// Key of the geometry of a shape, independent of pose and colour.
std::string geometry_key(const Shape& shape)
{
    std::string key(shape.kind_name());
    shape.visit([&](const auto& kind) {
        visit_shape_fields(kind, [&](const auto& field) { extend(key, kind.*(field.member)); });
    });
    return key;
}

std::string colour_of(const DrawnShape& drawn)
{
    if (!drawn.colour.empty()) return drawn.colour;
    return drawn.shape.is<Shape::Plane>() ? "#c8ccd0" : "#9aa4b0";
}

// Converts an sRGB component to the linear value required by glTF.
Real linear(const std::string& colour, std::size_t at)
{
    const Real shown = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return shown <= 0.04045 ? shown / 12.92 : std::pow((shown + 0.055) / 1.055, 2.4);
}

}  // namespace

int MeshLibrary::material(const DrawnShape& drawn)
{
    const std::string colour = colour_of(drawn);
    const auto [place, is_new] =
        material_of_.try_emplace(colour, static_cast<int>(materials_.size()));
    if (is_new)
        materials_.push_back(
            {{"name", colour},
             {"pbrMetallicRoughness",
              {{"baseColorFactor", {linear(colour, 1), linear(colour, 3), linear(colour, 5), 1}},
               {"metallicFactor", 0.1},
               {"roughnessFactor", 0.6}}},
             {"doubleSided", true}});
    return place->second;
}

int MeshLibrary::mesh(const DrawnShape& drawn)
{
    const std::string key = geometry_key(drawn.shape);
    const auto [place, is_new] = mesh_of_.try_emplace(key + colour_of(drawn), -1);
    if (!is_new) return place->second;

    auto geometry = geometries_.find(key);
    if (geometry == geometries_.end()) {
        const RenderMesh surface = make_surface(drawn.shape, plane_edge_);
        if (surface.corners.empty()) return -1;
        const int points = buffer_.add(surface.points, GlbBuffer::Use::Vertices);
        const int normals = buffer_.add(surface.normals, GlbBuffer::Use::Vertices);
        geometry =
            geometries_
                .emplace(key, Json{{"attributes", {{"POSITION", points}, {"NORMAL", normals}}},
                                   {"indices", buffer_.add(surface.corners)}})
                .first;
    }
    Json primitive = geometry->second;
    primitive["material"] = material(drawn);
    place->second = static_cast<int>(meshes_.size());
    meshes_.push_back(
        {{"name", drawn.shape.kind_name()}, {"primitives", Json::array({primitive})}});
    return place->second;
}

void MeshLibrary::write(Json& document) const
{
    if (meshes_.empty()) return;
    document["meshes"] = meshes_;
    document["materials"] = materials_;
}

}  // namespace taut::exporters
