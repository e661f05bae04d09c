// Thresholds of ray casts, shape casts, closest points and tunnelling: value, unit, source.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::collision {

struct QuerySettings {
    // [-] of the size of both shapes: how near a cast shape is brought before its time of contact is extrapolated. GJK knows
    // distances to 1e-16 of the size, and so directions to the root of that over the distance: 2e-5 rad here; the extrapolation
    // is off by 1e-12 of the size. Must be above the 1e-8 below which gjk.h gives no direction.
    Real cast_gap = 4e-7;
    // [-] The same for rounded shapes, whose cores keep their radius apart and so their direction: near round-off.
    Real cast_round_gap = 1e-12;
    // [-] Error of the direction between nearest points, as a slope: 3e-6 for cylinders (gjk.cpp), less for others. A cast
    // shape is taken to approach faster by this much, so that it does not go too far.
    Real cast_slope = 1e-5;
    // Supporting planes of one cast. The gap along a translation is convex, so the search is Newton's method from one side:
    // ten are many, and a cast that grazes a round surface halves its error in each.
    int cast_planes = 64;
    // [-] of the distances from the origin of a frame: boxes of trees are taken for larger by this much, so that round-off
    // does not lose a ray that runs along their faces.
    Real box_margin = 1e-12;
    // The inverse of a direction's component that is zero: products with lengths stay finite.
    Real largest_inverse = 1e200;
    // Moments of a step at which bodies that touch all the way are looked at for tunnelling: between two of them the direction between
    // the bodies is not reversed by a motion around each other, where they turn by less than 50 rad in the step.
    int tunnelling_samples = 128;
    // Rotation between two poses below which its axis is rounding, not motion [rad]: square root of the precision of quaternions
    Real whole_turn = 1e-7;
};

inline constexpr QuerySettings kQuery;

}  // namespace taut::collision
