// Every threshold of the search for contacts: value, unit, and where it comes from.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::contacts {

struct ContactSettings {
    // [-] of the thinner collider's half width: penetration that is deeper than before by this much is new. The promise on
    // penetration (docs/results/contacts.md) rests on it.
    Real new_penetration = 0.03;
    // Bodies with larger numbers meet nothing: squares and products of the search fit into a double.
    Real largest_number = 1e100;
    // [-] of the size of a collider: contacts are found this far ahead even where nothing moves or falls.
    Real margin = 1e-9;
    // [-] of the size of the smaller collider: a contact whose point moved by less goes on with its force.
    Real same_point = 0.5;
    // [rad/s] Relative angular velocity across the normal: below it bodies do not roll on each other, and the tangents of rolling
    // friction stay as they are: assumed.
    Real least_rolling = 1e-9;
    // [-] Sine of the angle between a cylinder's axis and the plane across the normal: below it the lateral surface is touched,
    // which is round: assumed.
    Real lateral_normal = 1e-3;
    // [-] Sine of the angle between a cylinder's axis and the normal: below it the cylinder stands on an end face: assumed.
    Real end_face = 0.05;
    // [-] of a cylinder's radius: points this close to the lateral surface are on it or on a rim. Far above round-off.
    Real rim = 1e-6;
    // [-] of half the length of an axis: points this close to its end are at the end. Far above round-off.
    Real end = 1e-6;
    // Smallest length of the quaternion of a collider's pose.
    Real shortest_quaternion = 1e-12;
};

inline constexpr ContactSettings kContacts;

}  // namespace taut::contacts
