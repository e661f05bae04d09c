// Bodies from shapes and densities: mass, centre of mass and inertia are computed.
//
//     const taut::Shape shape = taut::Shape::box({0.2, 0.1, 0.06});  // [m]
//     taut::BodyDef brick = taut::solid(shape, 1800).value();         // [kg/m³]
//     brick.name = "brick";
//     brick.pose.p = {0, 0, 1};
//     taut::World world;
//     const taut::BodyId id = world.add_body(brick).value();
//     world.add_collider(id, {.shape = shape, .friction = 0.6}).value();
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
