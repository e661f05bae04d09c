// Bounds of a recorded motion, and a camera that contains them.
#pragma once

#include <Eigen/Geometry>

#include <taut/scene.h>
#include "exporters/recording.h"

namespace taut::exporters {

using Bounds = Eigen::AlignedBox<Real, 3>;

// World bounds of all shapes except planes over all frames. Positions further away than a hundred times the size of the
// first frame are ignored, because nothing else would be visible.
Bounds bounds_of(const Scene& scene, const Recording& recording);

struct Camera {
    Pose pose;              // looks along −z, y is up
    Real height_angle = 0;  // [rad]
    Real nearest = 0, furthest = 0;
};

// A camera in front of the bounds, slightly above and to the right.
Camera frame(const Bounds& bounds);

}  // namespace taut::exporters
