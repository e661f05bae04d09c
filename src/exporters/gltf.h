// A run as one binary glTF 2.0 file (.glb): what Blender and every viewer of that format open.
#pragma once

#include <string>

#include <taut/scene.h>
#include "exporters/recording.h"

namespace taut::exporters {

// Whether so many frames of so many bodies fit one file; asked before a long run rather than after it.
Status gltf_fits(std::size_t frames, std::size_t bodies);

// A node per body under a root that turns z up into y up, meshes and materials shared by shapes that look alike, a
// track of positions and rotations per body that moves, and a camera. Bodies without shapes are small balls.
Result<std::string> gltf_file(const Scene& scene, const Recording& recording);

}  // namespace taut::exporters
