// The routines of the narrow phase, one for each kind of pair. All take `reach` [m] and append points
// with gap ≤ reach; the normal points from b to a.
#pragma once

#include <vector>

#include "collision/manifold.h"

namespace taut::collision {

// Closed forms for points and segments, that is spheres and capsules (round_pairs.cpp). Normals of
// coinciding points or crossing segments are chosen: across the segments, or upward.
void point_point(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;
void point_segment(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;
void segment_segment(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;
void point_box(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;
void point_cylinder(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;

// Fifteen axes, then faces (box_box.cpp).
void box_box(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;

// Any two cores: nearest points if apart, the shortest way out if not; then faces.
void core_core(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;
// The table of the above, by kind of core.
void convex_convex(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept;

// A core over the half space z ≤ 0 of X_WB.
void core_plane(const Core& a, const Transform& X_WB, Real reach, SurfacePoints& out) noexcept;
// Corners of a surface over a half space.
void mesh_plane(const TriangleMesh& a, const Transform& X_WA, const Transform& X_WB, Real reach,
                SurfacePoints& out) noexcept;

// A core over a surface of triangles (surface_pairs.cpp). Poses: of the core in the frame of the surface;
// points come out in that frame as well.
struct SurfaceScratch {
    std::vector<int> triangles;
    SurfacePoints points, cluster;
    std::vector<char> taken;
};
void core_mesh(const Core& a, const Aabb& box, const TriangleMesh& b, Real reach,
               SurfaceScratch& scratch, SurfacePoints& out) noexcept;
void core_height_field(const Core& a, const Aabb& box, const HeightField& b, Real reach,
                       SurfaceScratch& scratch, SurfacePoints& out) noexcept;

}  // namespace taut::collision
