// Exports a recorded run as one binary glTF 2.0 file (.glb).
#pragma once

#include <string>

#include <taut/scene.h>
#include "exporters/recording.h"

namespace taut::exporters {

// Whether this number of frames and bodies fits into one file; checked before a long run.
Status gltf_fits(std::size_t frames, std::size_t bodies);

// Contains a node per body under a root node that converts z up to y up, meshes and materials shared by equal shapes,
// an animation track per moving body, and a camera. Bodies without shapes are small spheres.
Result<std::string> gltf_file(const Scene& scene, const Recording& recording);

}  // namespace taut::exporters
