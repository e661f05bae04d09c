#include "collision/collider.h"

#include <algorithm>

namespace taut::collision {

Real turning_speed(const Collider& collider, const Twist& velocity) noexcept
{
    const Real w = velocity.angular.norm();
    return w > 0 ? w * (collider.pose.p.norm() + reach_from_origin(collider.shape)) : 0;
}

Aabb swept_aabb(const Collider& collider, const BodyState& body, const Transform& X_WS, Real dt,
                Real margin) noexcept
{
    Aabb box = box_at(collider.shape, X_WS);
    const Vec3 shift = body.velocity.linear * dt;
    box.low += shift.cwiseMin(0);
    box.high += shift.cwiseMax(0);
    // the chord of a turn by θ is 2 sin(θ/2) ≤ min(θ, 2) times the radius
    const Real w = body.velocity.angular.norm();
    const Real turn = w > 0 ? std::min(w * dt, Real(2)) *
                                  (collider.pose.p.norm() + reach_from_origin(collider.shape))
                            : 0;
    return grown(box, turn + margin);
}

}  // namespace taut::collision
