// Convex polyhedra: from a handful of points to flat faces, which manifolds are clipped against.
//
// Points closer to a face than 1e-9 of the size belong to it, so that a box given by its eight
// corners has six faces and not twelve triangles.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/aabb.h"

namespace taut::collision {

struct Hull {
    static constexpr int kMaxVertices = 255;  // a feature key has eight bits for a vertex

    struct Face {
        Vec3 normal;    // outward
        Real offset;    // normal·x ≤ offset inside
        int first = 0;  // into `loops`
        int count = 0;  // corners, counter-clockwise seen from outside
    };

    std::vector<Vec3> vertices;
    std::vector<Face> faces;
    std::vector<int> loops;  // corners of all faces, one face after the other
    std::vector<int>
        vertex_first;  // faces around vertex i: vertex_faces[vertex_first[i]] … [i + 1]
    std::vector<int> vertex_faces;
    Vec3 centre = Vec3::Zero();  // mean of the vertices, inside
    Aabb box;
};

struct HullResult {
    std::shared_ptr<const Hull> hull;  // empty if there is none
    std::string why;                   // what was wrong with the points
};

// The convex hull of points in the frame of the shape. Points inside it are dropped.
HullResult make_hull(std::span<const Vec3> points);

}  // namespace taut::collision
