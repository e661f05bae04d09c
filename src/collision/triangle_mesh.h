// Surfaces of triangles: meshes with a tree of boxes, and height fields on a regular grid.
//
// Both are one-sided: the normal of a triangle, counter-clockwise seen from outside, points out of
// the solid. A triangle knows the far corner of its neighbour across each side, which is all that
// is needed to tell a ridge, where a contact may lean over, from the inside of a flat floor, where
// it may not.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/aabb.h"

namespace taut::collision {

// One triangle as the narrow phase sees it.
struct SurfaceTriangle {
    std::array<Vec3, 3> corner;
    Vec3 normal;
    std::array<Vec3, 3> beyond;      // far corner of the neighbour across side k → k + 1
    std::array<bool, 3> has_beyond;  // false at the rim of the surface
    std::uint32_t index = 0;
};

struct TriangleMesh {
    struct Node {
        Aabb box;
        int skip = 0;       // next node if this box is missed
        int triangle = -1;  // of a leaf
    };

    std::vector<Vec3> vertices;
    std::vector<std::array<int, 3>> triangles;
    std::vector<Vec3> normals;
    std::vector<std::array<int, 3>> beyond;  // vertex across each side, −1 at the rim
    std::vector<Node> nodes;                 // depth first: a child follows its parent
    Aabb box;

    SurfaceTriangle triangle(int index) const noexcept;
};

// Heights over a grid of nx × ny points, spacing (dx, dy), first point at the origin of the frame,
// x fastest. The solid is below, as deep as the field is wide: `box` says so.
struct HeightField {
    int nx = 0, ny = 0;
    Real dx = 1, dy = 1;
    std::vector<Real> heights;
    Aabb box;

    Vec3 vertex(int i, int j) const noexcept
    {
        return {dx * i, dy * j, heights[static_cast<std::size_t>(j) * nx + i]};
    }
    // Cells are cut along the diagonal from (i, j) to (i + 1, j + 1); triangle 2c lies below it in
    // y, 2c + 1 above.
    SurfaceTriangle triangle(int index) const noexcept;
};

struct MeshResult {
    std::shared_ptr<const TriangleMesh> mesh;
    std::string why;
};
struct HeightFieldResult {
    std::shared_ptr<const HeightField> field;
    std::string why;
};

// Triangles without area are dropped.
MeshResult make_mesh(std::span<const Vec3> vertices, std::span<const std::array<int, 3>> triangles);
HeightFieldResult make_height_field(int nx, int ny, Real dx, Real dy,
                                    std::span<const Real> heights);

// Indices of triangles whose box meets `box` (frame of the surface), ascending; `out` is cleared.
void find_triangles(const TriangleMesh& mesh, const Aabb& box, std::vector<int>& out);
void find_triangles(const HeightField& field, const Aabb& box, std::vector<int>& out);

}  // namespace taut::collision
