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

// `kept` is the share of a penetration that the contact may keep at the end of the step.
PlacedContact place_contact(const State& state, const collision::ContactPoint& contact,
                            const collision::Collider& a, const collision::Collider& b, Real kept);

}  // namespace taut::contacts
