#include "collision/contact_finder.h"

#include <algorithm>
#include <utility>

namespace taut::collision {
namespace {

std::uint64_t body_pair(int a, int b) noexcept
{
    const auto [low, high] = std::minmax(a, b);
    return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
}

bool is_plane(const Collider& c) noexcept { return kind(c.shape) == kKindOf<Shape::Plane>; }

bool can_meet(const Collider& c) noexcept
{
    return why_invalid(c.shape).empty() && c.body >= 0 && !c.sensor;
}

bool takes_part(const BodyState& b) noexcept
{
    return b.present && b.pose.p.allFinite() && b.pose.q.coeffs().allFinite() &&
           b.velocity.linear.allFinite() && b.velocity.angular.allFinite();
}

// Approach speed of a rotating plane towards another collider: that of the plane at the position of the collider.
Real plane_speed(const BodyState& plane, const BodyState& other, const Collider& collider) noexcept
{
    const Real w = plane.velocity.angular.norm();
    return w > 0 ? w * ((other.pose.p - plane.pose.p).norm() + collider.pose.p.norm() +
                        reach_from_origin(collider.shape))
                 : 0;
}

}  // namespace

int ContactFinder::add(Collider collider)
{
    present_.push_back(can_meet(collider) ? 1 : 0);
    colliders_.push_back(std::move(collider));
    return static_cast<int>(colliders_.size()) - 1;
}

void ContactFinder::exclude(int body, int other)
{
    excluded_.push_back(body_pair(body, other));
    excluded_sorted_ = false;
}

void ContactFinder::replace(int index, Collider collider)
{
    present_[index] = can_meet(collider) ? 1 : 0;
    colliders_[index] = std::move(collider);
}

void ContactFinder::remove(std::span<const char> gone, std::span<const int> bodies)
{
    std::size_t kept = 0;
    for (std::size_t k = 0; k < colliders_.size(); ++k) {
        if (gone[k] != 0) continue;
        if (kept != k) colliders_[kept] = std::move(colliders_[k]);
        present_[kept] = present_[k];
        colliders_[kept].body = bodies[colliders_[kept].body];
        ++kept;
    }
    colliders_.resize(kept);
    present_.resize(kept);
    clear_excluded();
}

void ContactFinder::clear() noexcept
{
    colliders_.clear();
    present_.clear();
    excluded_.clear();
    excluded_sorted_ = true;
}

std::span<const ContactPoint> ContactFinder::find(std::span<const BodyState> bodies,
                                                  const SearchSettings& settings)
{
    if (!std::exchange(excluded_sorted_, true)) std::sort(excluded_.begin(), excluded_.end());
    place(bodies, settings);

    // pairs that may collide
    tree_.find_pairs(boxes_, still_, pairs_);
    find_plane_pairs(bodies, settings.dt);
    std::erase_if(pairs_, [&](const IndexPair& p) { return !may_meet(p, bodies); });
    std::sort(pairs_.begin(), pairs_.end());
    if (filter_.accept)
        std::erase_if(pairs_, [&](const IndexPair& p) { return !filter_.accepts(p.a, p.b); });

    // contact points of each pair
    contacts_.clear();
    for (const IndexPair& pair : pairs_) find_points(pair, bodies, settings);
    return contacts_;
}

// Transforms and boxes. Planes, and colliders without a finite pose, get the empty box, which the tree ignores.
void ContactFinder::place(std::span<const BodyState> bodies, const SearchSettings& settings)
{
    body_frames_.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) body_frames_[i] = to_transform(bodies[i].pose);
    const auto count = colliders_.size();
    frames_.resize(count), boxes_.resize(count), still_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Collider& c = colliders_[i];
        boxes_[i] = Aabb{};
        still_[i] = 1;
        if (!present_[i] || c.body >= static_cast<int>(bodies.size())) continue;
        const BodyState& body = bodies[c.body];
        if (!takes_part(body)) continue;
        frames_[i] = body_frames_[c.body] * to_transform(c.pose);
        still_[i] = body.movable ? 0 : 1;
        if (!is_plane(c))
            boxes_[i] = swept_aabb(c, body, frames_[i], settings.dt, settings.margin + c.margin);
    }
}

void ContactFinder::find_plane_pairs(std::span<const BodyState> bodies, Real dt)
{
    for (int k = 0; k < static_cast<int>(colliders_.size()); ++k) {
        if (!is_plane(colliders_[k]) || !present_[k]) continue;
        const int body = colliders_[k].body;
        if (body >= static_cast<int>(bodies.size()) || !takes_part(bodies[body])) continue;
        const Vec3 n = frames_[k].R.col(2);
        const Vec3 p = frames_[k].p;
        const bool turns = !bodies[body].velocity.angular.isZero(0);
        const Vec3& v = bodies[body].velocity.linear;
        for (int i = 0; i < static_cast<int>(colliders_.size()); ++i) {
            const Aabb& box = boxes_[i];
            if (box.empty() || (still_[i] && still_[k])) continue;
            // a rotating plane may meet everything; a translating one is tested at its end position
            const Real lowest = n.dot(box.centre() - p) - n.cwiseAbs().dot(box.half());
            if (!turns && lowest > std::max(Real(0), n.dot(v)) * dt) continue;
            pairs_.push_back({std::min(i, k), std::max(i, k)});
        }
    }
}

bool ContactFinder::may_meet(const IndexPair& pair,
                             std::span<const BodyState> bodies) const noexcept
{
    const Collider &a = colliders_[pair.a], &b = colliders_[pair.b];
    if (a.body == b.body) return false;
    if (!(a.groups & b.collides_with) || !(b.groups & a.collides_with)) return false;
    if (!bodies[a.body].movable && !bodies[b.body].movable) return false;
    if (!can_collide(kind(a.shape), kind(b.shape))) return false;
    return !std::binary_search(excluded_.begin(), excluded_.end(), body_pair(a.body, b.body));
}

bool ContactFinder::may_touch(const IndexPair& pair,
                              std::span<const BodyState> bodies) const noexcept
{
    const auto takes_part_now = [&](int k) {
        return present_[k] && takes_part(bodies[colliders_[k].body]);
    };
    return takes_part_now(pair.a) && takes_part_now(pair.b) && may_meet(pair, bodies) &&
           filter_.accepts(pair.a, pair.b);
}

void ContactFinder::find_points(const IndexPair& pair, std::span<const BodyState> bodies,
                                const SearchSettings& settings)
{
    const Collider &a = colliders_[pair.a], &b = colliders_[pair.b];
    const BodyState &A = bodies[a.body], &B = bodies[b.body];

    // how far the two can come together within the step
    Real speed = (A.velocity.linear - B.velocity.linear).norm();
    speed += is_plane(a) ? plane_speed(A, B, b) : turning_speed(a, A.velocity);
    speed += is_plane(b) ? plane_speed(B, A, a) : turning_speed(b, B.velocity);
    const Real reach = settings.margin + a.margin + b.margin + settings.dt * speed;
    points_.clear();
    collide(a.shape, frames_[pair.a], b.shape, frames_[pair.b], reach, scratch_, points_);

    const Transform &X_WA = body_frames_[a.body], &X_WB = body_frames_[b.body];
    const auto first = contacts_.size();
    for (const SurfacePoint& p : points_) {
        ContactPoint c;
        c.collider_a = pair.a, c.collider_b = pair.b;
        c.body_a = a.body, c.body_b = b.body;
        c.material_a = a.material, c.material_b = b.material;
        c.feature = p.feature;
        c.p_a = X_WA.point_to_local(p.on_a);
        c.p_b = X_WB.point_to_local(p.on_b);
        c.normal = p.normal;
        c.carried_by_a = p.normal_on_a;
        c.carried = (p.normal_on_a ? X_WA : X_WB).vector_to_local(p.normal);
        c.gap = p.gap;
        contacts_.push_back(c);
    }
    std::sort(contacts_.begin() + static_cast<std::ptrdiff_t>(first), contacts_.end(),
              in_order<ContactPoint>);
}

}  // namespace taut::collision
