// What follows from a Shape alone: its mass properties as a solid, and the box around it.
#pragma once

#include <taut/shapes.h>

#include "geometry/mass_properties.h"

namespace taut::geometry {

// At density 1, in the frame of the shape; the mass is 0 if it has no volume: open meshes, height fields, planes. That of a mesh
// whose triangles face inward is negative.
MassProperties shape_properties(const Shape& shape);

// In the frame of the shape; empty for a plane.
Eigen::AlignedBox<Real, 3> shape_box(const Shape& shape);

}  // namespace taut::geometry
