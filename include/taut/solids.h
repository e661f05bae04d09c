// Bodies from shapes and densities: mass, centre of mass and inertia are computed.
//
//     taut::BodyDef brick = taut::solid(taut::Shape::box({0.2, 0.1, 0.06}), 1800).value();
//     brick.name = "brick";
//     brick.pose.p = {0, 0, 1};
//     const auto id = world.add_body(brick);
#pragma once

#include <span>

#include <taut/defs.h>
#include <taut/result.h>
#include <taut/shapes.h>

namespace taut {

// A part of a solid: a shape in body axes, with its density.
struct SolidPart {
    Shape shape{};
    Pose pose{};          // of the shape, in body axes from the body's origin
    Real density = 1000;  // [kg/m³]
};

// A rigid body of homogeneous solids, with its origin at that of the shape. An error where a density or a size is not above 0, or
// where a shape has no volume: an open mesh, a height field, a plane.
Result<BodyDef> solid(const Shape& shape, Real density);
// Parts count as they are where they overlap.
Result<BodyDef> solid(std::span<const SolidPart> parts);

}  // namespace taut
