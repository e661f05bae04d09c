// From one direction to several points: the two features that face each other are clipped, and of what
// is left at most four points are kept that span it.
//
//        incident face  ____                 gap of a point: its height over the reference face,
//      ________________/____\______          less the rounding radii; exact along the normal
//      | reference face            |
#pragma once

#include <cstdint>
#include <vector>

#include "collision/gjk.h"

namespace taut::collision {

// A contact point in world axes, before it is handed to the bodies.
struct SurfacePoint {
    Vec3 on_a, on_b;  // on the two surfaces; on_a − on_b = gap · normal
    Vec3 normal;      // unit, from b to a
    Real gap = 0;     // positive apart [m]
    std::uint64_t feature = 0;
    bool normal_on_a = false;  // the face that gives the normal belongs to a
};
using SurfacePoints = std::vector<SurfacePoint>;

// Kind of feature pair, in the top bits of the lower half of a key; the upper half names a triangle.
enum class PairFeature : std::uint32_t { Points, FaceOfA, FaceOfB, Edges };
std::uint64_t feature_key(PairFeature kind, int face, int first, int second) noexcept;

// One point: core_a lies on the core of a, `apart` [m] from that of b along n, radii not yet taken off.
void append_point(const Vec3& core_a, const Vec3& n, Real apart, Real ra, Real rb,
                  std::uint64_t key, bool on_a, SurfacePoints& out) noexcept;

// Points of two cores whose nearest direction is known, up to `reach` [m] apart, appended to `out`.
// Faces are preferred to edges where both explain the distance, so that a box that stands on another keeps
// its four points when it tilts by a hair.
void append_manifold(const Core& a, const Core& b, const Separation& s, Real reach,
                     SurfacePoints& out) noexcept;

// The part of it that faces explain: false, and nothing appended, where the nearest points are on
// edges or corners.
bool append_face_manifold(const Core& a, const Core& b, const Separation& s, Real reach,
                          SurfacePoints& out) noexcept;

// Points of `incident` over the face `reference` of the other one, with the
// face's own normal. Returns false and appends nothing if no such point is nearer than `reach`, or if
// the smallest distance of the cores found is not `expected` within `slack` (when slack is finite).
struct FaceClip {
    const Feature* reference = nullptr;
    const Feature* incident = nullptr;
    bool reference_on_a = false;
    Real radius_a = 0, radius_b = 0;
    Real size = 1;  // [m], for the tolerance of the sides
    Real expected = 0, slack = 0;
};
bool append_face_points(const FaceClip& clip, Real reach, SurfacePoints& out) noexcept;

// Keeps of the points from `first` on the lowest and up to three more that span the largest area.
void keep_four(SurfacePoints& points, std::size_t first, Real size) noexcept;

}  // namespace taut::collision
