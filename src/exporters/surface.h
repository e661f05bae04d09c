// Shapes as triangles with normals: round ones smooth, edges sharp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <taut/scene.h>

#include "core/namespaces.h"

namespace taut::exporters {

struct Surface {
    using Point = std::array<float, 3>;
    std::vector<Point> points;
    std::vector<Point> normals;                         // one per point, of unit length
    std::vector<std::array<std::uint32_t, 3>> corners;  // counter-clockwise from outside
};

// In the axes of the shape. A plane has no end: it becomes a square of `plane_edge` about its origin.
Surface make_surface(const Shape& shape, Real plane_edge);

// Radius of a ball about `centre` that holds the shape; zero for a plane.
struct BoundingBall {
    Vec3 centre = Vec3::Zero();
    Real radius = 0;
};
BoundingBall bounding_ball(const Shape& shape);

}  // namespace taut::exporters
