// Thresholds of the narrow phase: value, unit, meaning and source. Those of ray casts and shape casts are in query_settings.h.
//
// "Rounding" means that the value is some ulp of what is compared, with room for the sums before it. "Chosen" means that the value
// came with the routine and passed the random pairs of tests/collision and the study of docs/decisions/0009-collision.md; no study
// of values around it is recorded.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::collision {

// Vectors of length zero (transform.h).
struct DirectionThresholds {
    // [m] a vector whose coordinates are no larger has no direction: squares of the others do not underflow after the division
    static constexpr Real kShortest = 1e-300;
};

// Two boxes by separating axes (box_box.cpp). Of the size: that of both boxes.
struct BoxThresholds {
    static constexpr Real kNoAxisYet = -1e300;  // [m] below every separation
    // [-] of the size: a face takes the place of another one that is better by less, so that rounding does not choose. Chosen
    static constexpr Real kFaceBetter = 1e-9;
    // [-] the same for a pair of edges, whose axis is a product with fewer digits. Chosen
    static constexpr Real kEdgeBetter = 1e-8;
    // [-] square of the sine between two edges: below it they are parallel, and faces have that axis. Rounding of the product
    static constexpr Real kParallelEdges = 1e-12;
};

// Nearest points of two cores (gjk.cpp).
struct GjkThresholds {
    static constexpr int kMaxIterations = 128;  // bounds the time of a search: chosen
    // [-] of the squared distance: leaves 5e-12 of it and 3e-6 rad of the normal (decision 9)
    static constexpr Real kCurved = 1e-11;
    // [-] the same for polytopes, which reach their nearest points: 4 ulp
    static constexpr Real kFlat = 1e-15;
    static constexpr Real kApart =
        1e-8;  // [-] of the size: nearer, the direction is left to the planes. Root of the rounding
    // [-] squared area over the fourth power of the longest edge: a triangle with less is a line. Rounding, squared
    static constexpr Real kNoArea = 1e-28;
    // [-] square of the height of a tetrahedron over its edge: flatter ones have no inside. Chosen
    static constexpr Real kFlatTetrahedron = 1e-18;
};

// The way out of an overlap (expanding_polytope.cpp). Of the size: that of both shapes.
struct PolytopeThresholds {
    // [-] of the size: a face this near to the surface of the difference lies on it. Flat: rounding; curved: chosen
    static constexpr Real kFlat = 1e-11, kCurved = 1e-9;
    static constexpr Real kNoHeight =
        1e-12;  // [-] of the size: a flatter first tetrahedron has no inside. Rounding
    // [-] of the size, and 1 − cosine: two faces that differ by less are one. Chosen
    static constexpr Real kSamePlane = 1e-9, kSameNormal = 1e-12;
    // [-] a triangle with less than the product of both times the squared size is a sliver: rounding of its edges, times an
    // edge that is a millionth of the size
    static constexpr Real kEdgeRounding = 1e-13, kShortEdge = 1e-6;
};

// Faces and edges of a core (core_shape.cpp).
struct CoreThresholds {
    // [-] cosine between a direction and the axis of a cylinder: below it the side is asked for, else a cap. About 1/√2
    static constexpr Real kSide = 0.7;
    // [-] of the radius: a lowest point of the rim that is lower than its neighbours by less is left out. Rounding
    static constexpr Real kLowerRim = 1e-11;
    static constexpr Real kBetterFace =
        1e-12;  // [-] cosine: a face that is nearer to the direction by less is not nearer
    static constexpr Real kAlongAxis =
        1e-14;  // [-] part across the axis: below it every point of the cap is lowest
};

// Convex hulls (hull.cpp). Of the size: that of the cloud of points.
struct HullThresholds {
    static constexpr Real kFlat =
        1e-7;  // [-] of the size: thinner clouds lie in a plane or on a line and are refused. Chosen
    static constexpr Real kInside =
        1e-9;  // [-] of the size: points that stand out by less are no corners. Chosen
};

// Contact points between two faces, or two edges (manifold.cpp). Of the size: that of both shapes, unless another is named.
struct ManifoldThresholds {
    static constexpr Real kSameHeight =
        1e-7;  // [-] of the size: corners of one edge are as low as each other. Chosen
    static constexpr Real kParallelEdges =
        1e-4;  // [rad] edges that differ by less touch along a line: chosen
    static constexpr Real kShortOverlap =
        1e-6;  // [-] of the size: shorter stretches are one point. Chosen
    static constexpr Real kClip =
        1e-10;  // [-] of the size: a corner that is outside by less is inside. Rounding
    static constexpr Real kSmallestSize =
        1e-3;  // [-] of the size of both: the smaller one counts for at least that. Chosen
    // What a face may leave unexplained of the distance, [-] of the size, of the depth and of the distance apart: decision 9, "Faces
    // first"; rounding apart
    static constexpr Real kExplained = 1e-6, kExplainedDepth = 0.02, kExplainedApart = 1e-9;
    static constexpr Real kOtherFace =
        1e-5;  // [-] cosine: b's face is preferred if nearer to the normal by more. Chosen
    static constexpr Real kFaceCone =
        0.98;  // [-] cosine, 0.2 rad: faces that are farther from the normal are not tried (decision 9)
    static constexpr Real kEqualSpread =
        1e-3;  // [-] of the extent of the points: of equals the first in name. Chosen
    static constexpr Real kLower =
        1e-6;  // [-] of the size: deeper by less than this does not change the choice of four. Chosen
};

// Spheres and capsules (round_pairs.cpp).
struct RoundThresholds {
    static constexpr Real kNoDirection =
        1e-14;  // [-] of the coordinates: nearer points have no direction. Rounding
    static constexpr Real kParallelLines =
        1e-24;  // [-] square of the sine: lines have no crossing below it. Rounding, squared
    static constexpr Real kNoCross =
        1e-20;  // [-] square of the sine: the product has no direction. Rounding, squared
    static constexpr Real kAlong =
        0.05;  // [-] sine: capsules that differ by less touch at two points. Chosen
    static constexpr Real kShortOverlap =
        1e-6;  // [-] of the length of a: shorter stretches are one point. Chosen
    static constexpr Real kNearer =
        1e-10;  // [-] of length and radii: a crossing that is nearer by less adds no point. Rounding
};

// Convex shapes on meshes and height fields (surface_pairs.cpp).
struct SurfaceThresholds {
    static constexpr Real kBackFace =
        -1e-3;  // [-] cosine: normals farther behind a triangle are not its own. Chosen
    static constexpr Real kSameHeight = 1e-6;  // [-] of the size: corners that touch. Chosen
    static constexpr Real kOverEdge =
        1e-5;  // [-] sine: a neighbour that rises more above the normal covers the edge. Chosen
    static constexpr Real kExplained =
        1e-9;  // [-] of the smaller size, as ManifoldThresholds::kExplained. Rounding
    static constexpr Real kShallow =
        0.05;  // [-] of the size: deeper shapes may leave by another face. Chosen
    static constexpr Real kSameNormal =
        0.9998;  // [-] cosine, 0.02 rad: points of one cluster. Chosen
    static constexpr Real kSamePoint =
        1e-7;  // [-] of the size: points of neighbouring triangles that are one. Chosen
};

// Triangles of meshes (triangle_mesh.cpp).
struct MeshThresholds {
    static constexpr Real kNoArea =
        1e-12;  // [-] twice the area over the square of the longest edge: such triangles are left out
};

}  // namespace taut::collision
