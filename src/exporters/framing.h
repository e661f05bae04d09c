// Where the motion takes place, and a camera that sees all of it.
#pragma once

#include <Eigen/Geometry>

#include <taut/scene.h>
#include "exporters/recording.h"

namespace taut::exporters {

using Bounds = Eigen::AlignedBox<Real, 3>;

// Around all shapes but planes, in all frames, in the world. What flies further than a hundred times the size
// of the first frame is not waited for: to show it would be to show nothing else.
Bounds bounds_of(const Scene& scene, const Recording& recording);

struct Camera {
    Pose pose;              // looks along −z, y is up
    Real height_angle = 0;  // [rad]
    Real nearest = 0, furthest = 0;
};

// Looks down at the bounds from the front and a little from the right.
Camera frame(const Bounds& bounds);

}  // namespace taut::exporters
