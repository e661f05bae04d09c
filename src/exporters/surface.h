// Triangle meshes of shapes with normals: round surfaces smooth, edges hard.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <taut/shapes.h>

#include "core/namespaces.h"

namespace taut::exporters {

struct RenderMesh {
    using Point = std::array<float, 3>;
    std::vector<Point> points;
    std::vector<Point> normals;                         // one per point, of unit length
    std::vector<std::array<std::uint32_t, 3>> corners;  // counter-clockwise from outside
};

// In the axes of the shape. An infinite plane is represented by a square of edge `plane_edge` about its origin.
RenderMesh make_surface(const Shape& shape, Real plane_edge);

// A sphere about `centre` that contains the shape; the radius is zero for a plane.
struct BoundingBall {
    Vec3 centre = Vec3::Zero();
    Real radius = 0;
};
BoundingBall bounding_ball(const Shape& shape);

}  // namespace taut::exporters
