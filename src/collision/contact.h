// Contacts: where two bodies touch or may touch within the step.
//
//     gap φ = n · (x_a − x_b),  x_a = p_WA + R_WA p_a,  x_b likewise      φ ≥ 0 apart
// n points from b to a, so λ ≥ 0 along n pushes a away from b. One of the bodies carries the normal: the one
// whose face it is the normal of. Fixed in that body's axes it gives the row φ = n_j · d of a contact
// plane; nothing is lost at the current poses, where both readings agree.
#pragma once

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include <taut/types.h>

#include "core/namespaces.h"

namespace taut::collision {

struct ContactPoint {
    int collider_a = 0, collider_b = 0;  // a < b
    int body_a = 0, body_b = 0;
    int material_a = 0, material_b = 0;
    std::uint64_t feature = 0;     // names the pair of features: the same while these stay the same
    Vec3 p_a = Vec3::Zero();       // on a's surface, a's body axes [m]
    Vec3 p_b = Vec3::Zero();       // on b's surface, b's body axes [m]
    Vec3 normal = Vec3::UnitZ();   // unit, world axes, from b to a
    Vec3 carried = Vec3::UnitZ();  // the same in the body axes of the body that carries it
    bool carried_by_a = false;
    Real gap = 0;  // [m]
};

// By pair of colliders, then by feature, then by the point on b. Also for what a state remembers of a contact.
template <class AnyContact>
bool in_order(const AnyContact& x, const AnyContact& y) noexcept
{
    const auto key = [](const AnyContact& c) {
        return std::tie(c.collider_a, c.collider_b, c.feature, c.p_b.x(), c.p_b.y(), c.p_b.z());
    };
    return key(x) < key(y);
}

// For each contact of `now` the index of the one of `last` it continues, or −1. Both in order. Within a pair of
// colliders features that are equal belong together; of the rest each takes the nearest free one whose
// point on b has moved by less than both colliders tolerate [m] in b's axes. An old contact is given away once.
class ContactMatcher {
public:
    std::span<const int> match(std::span<const ContactPoint> last,
                               std::span<const ContactPoint> now, std::span<const Real> tolerances);

private:
    std::vector<int> of_now_;
    std::vector<char> taken_;
};

}  // namespace taut::collision
