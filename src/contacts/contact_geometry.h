// From a point that the collision search found to the geometry of a Contact constraint.
#pragma once

#include <array>

#include "collision/collider.h"
#include "collision/contact.h"
#include "model/builder.h"

namespace taut::contacts {

struct PlacedContact {
    std::array<BodyIndex, 2> bodies;  // the first carries the normal
    Contact item;
};

// `rest` is the gap that the contact may keep at the end of the step [m], ≤ 0; `alone`: the two colliders have no other contact.
PlacedContact place_contact(const State& state, const collision::ContactPoint& contact,
                            const collision::Collider& a, const collision::Collider& b, Real rest,
                            bool alone);

}  // namespace taut::contacts
