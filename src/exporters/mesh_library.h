// Meshes and materials of a glTF file; equal shapes share one.
#pragma once

#include <map>
#include <string>

#include <taut/scene.h>
#include "exporters/glb_buffer.h"

namespace taut::exporters {

class MeshLibrary {
public:
    MeshLibrary(GlbBuffer& buffer, Real plane_edge) : buffer_(buffer), plane_edge_(plane_edge) {}

    // Index of the mesh of a shape; −1 if the shape has no surface.
    int mesh(const DrawnShape& drawn);

    void write(GlbBuffer::Json& document) const;

private:
    int material(const DrawnShape& drawn);

    GlbBuffer& buffer_;
    Real plane_edge_;
    std::map<std::string, GlbBuffer::Json> geometries_;  // attributes and indices of a primitive
    std::map<std::string, int> mesh_of_, material_of_;
    GlbBuffer::Json meshes_ = GlbBuffer::Json::array();
    GlbBuffer::Json materials_ = GlbBuffer::Json::array();
};

}  // namespace taut::exporters
