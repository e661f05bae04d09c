// Two shapes and their poses in; contact points with exact gaps out.
#pragma once

#include "collision/pair_routines.h"

namespace taut::collision {

// Appends the points of a and b that are at most `reach` [m] apart. World frame; the normal points from b
// to a. reach = 0 asks for touching and overlapping points only; a positive one also for those that may
// meet within a step. Pairs of two planes, meshes or fields give nothing, but a mesh meets a plane.
void collide(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
             const Transform& X_WB, Real reach, SurfaceScratch& scratch,
             SurfacePoints& out) noexcept;

// Whether `collide` knows the pair at all.
bool can_collide(ColliderShapeKind a, ColliderShapeKind b) noexcept;

}  // namespace taut::collision
