// Bodies that a step led through each other. The search before the step knows the pairs that may have met, as long as bodies keep
// the velocities that they had; a body that was thrown off its way by more than its thickness may have met any other one.
#include <algorithm>
#include <cmath>

#include "contacts/contact_set.h"

namespace taut::contacts {

void ContactSet::find_tunnelling()
{
    ways_.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b)
        ways_[b] = collision::way_between(starts_[b].pose, bodies_[b].pose,
                                          bodies_[b].velocity.angular, searched_dt_);
    const std::span<const collision::IndexPair> known = finder_.pairs();
    for (const collision::IndexPair& pair : known) test_tunnelling(pair);
    const int count = static_cast<int>(thickness_.size());
    for (int k = 0; k < count; ++k) {
        if (!moved_unexpectedly(k)) continue;
        for (int other = 0; other < count; ++other) {
            // of two that went astray the first one has looked at the pair
            if (other == k || (other < k && moved_unexpectedly(other))) continue;
            const collision::IndexPair pair{std::min(k, other), std::max(k, other)};
            if (ways_are_near(pair.a, pair.b) && finder_.may_touch(pair, bodies_) &&
                !std::binary_search(known.begin(), known.end(), pair))
                test_tunnelling(pair);
        }
    }
}

void ContactSet::test_tunnelling(const collision::IndexPair& pair)
{
    const auto colliders = finder_.colliders();
    const auto moving = [&](int k) -> collision::MovingCollider {
        return {&colliders[k], &ways_[colliders[k].body], reach_[k]};
    };
    const Real thickness = thickness_[pair.a] + thickness_[pair.b];
    if (std::isinf(thickness)) return;
    if (!collision::pass_through(moving(pair.a), moving(pair.b), thickness)) return;
    Penetration one;
    one.bodies = {BodyIndex(colliders[pair.a].body), BodyIndex(colliders[pair.b].body)};
    one.passed = true;
    penetration_.push_back(one);
}

// Whether the body left the way that the search saw it on, by more than the thickness of the collider.
bool ContactSet::moved_unexpectedly(int k) const noexcept
{
    const int body = finder_.colliders()[k].body;
    if (!bodies_[body].movable) return false;
    const collision::BodyWay& way = ways_[body];
    const Twist& foreseen = starts_[body].velocity;
    const Real turn = way.turn.norm() - foreseen.angular.norm() * searched_dt_;
    return (way.to.p - way.from.p - searched_dt_ * foreseen.linear).norm() +
               reach_[k] * std::max(turn, Real(0)) >
           thickness_[k];
}

// Whether spheres around the two, which hold them wherever they turn, meet on the way.
bool ContactSet::ways_are_near(int a, int b) const noexcept
{
    const auto colliders = finder_.colliders();
    const collision::BodyWay &A = ways_[colliders[a].body], &B = ways_[colliders[b].body];
    const Vec3 from = A.from.p - B.from.p, way = A.to.p - B.to.p - from;
    const Real length2 = way.squaredNorm();
    const Real t = length2 > 0 ? std::clamp(-from.dot(way) / length2, Real(0), Real(1)) : 0;
    const Real radius = reach_[a] + reach_[b];
    return (from + t * way).squaredNorm() <= radius * radius;
}

}  // namespace taut::contacts
