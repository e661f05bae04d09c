// Every threshold of the search for contacts: value, unit, and where it comes from.
#pragma once

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::contacts {

struct ContactSettings {
    // [-] of the thinner collider's half width: penetration that is deeper than before by this much is new. The promise on
    // penetration (docs/results/contacts.md) rests on it.
    Real new_penetration = 0.02;
    // Bodies with larger numbers meet nothing: squares and products of the search fit into a double.
    Real largest_number = 1e100;
    // [-] of the size of a collider: contacts are found this far ahead even where nothing moves or falls.
    Real margin = 1e-9;
    // [-] of the size of the smaller collider: a contact whose point moved by less goes on with its force.
    Real same_point = 0.5;
    // [-] Sine of the angle below which a spin is about the normal: the tangents of rolling friction stay as they are.
    Real spin_about_normal = 1e-9;
};

inline constexpr ContactSettings kContacts;

}  // namespace taut::contacts
