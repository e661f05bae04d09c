#include "collision/tunnelling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

#include "collision/gjk.h"
#include "collision/query_settings.h"

namespace taut::collision {
namespace {

constexpr Real kAnyDistance = std::numeric_limits<Real>::infinity();

struct Side {
    Real apart = 0;  // of the surfaces [m]
    Vec3 normal = Vec3::UnitZ();
};

Transform at(const MovingCollider& m, Real t) noexcept
{
    const BodyWay& way = *m.way;
    Pose body = t < 1 ? way.from : way.to;
    if (t > 0 && t < 1) {
        body.p += t * (way.to.p - way.from.p);
        const Real angle = way.turn.norm();
        if (angle > 0) body.q = Quat(Eigen::AngleAxis<Real>(t * angle, way.turn / angle)) * body.q;
    }
    return to_transform(body) * to_transform(m.collider->pose);
}

// Near the origin of b, where coordinates have more digits than far out in the world.
Side side_at(const MovingCollider& a, const MovingCollider& b, Real t) noexcept
{
    Transform X_WA = at(a, t), X_WB = at(b, t);
    X_WA.p -= X_WB.p;
    X_WB.p.setZero();
    const Core core_a = make_core(a.collider->shape, X_WA),
               core_b = make_core(b.collider->shape, X_WB);
    Separation s = distance(core_a, core_b, kAnyDistance);
    if (!s.known) s = deepest_plane(core_a, core_b);
    return {s.distance - core_a.radius - core_b.radius, s.normal};
}

// As the body sees it: whether the direction is on the other side at the end. A ball has no sides.
bool is_reversed(const MovingCollider& m, const Vec3& first, const Vec3& last) noexcept
{
    if (std::holds_alternative<Shape::Sphere>(m.collider->shape)) return false;
    const Vec3 before = m.way->from.q.conjugate() * first, after = m.way->to.q.conjugate() * last;
    return before.dot(after) < 0;
}

}  // namespace

BodyWay way_between(const Pose& from, const Pose& to, const Vec3& w, Real dt) noexcept
{
    const Eigen::AngleAxis<Real> least((to.q * from.q.conjugate()).normalized());
    constexpr Real kTurn = 2 * std::numbers::pi;
    // whole turns leave no axis between the poses
    if (least.angle() < kQuery.whole_turn) {
        const Real turn = kTurn * std::round(dt * w.norm() / kTurn);
        return {from, to, turn > 0 ? Vec3(turn * w.normalized()) : Vec3(Vec3::Zero())};
    }
    const Real more = std::round((dt * w.dot(least.axis()) - least.angle()) / kTurn);
    return {from, to, (least.angle() + kTurn * more) * least.axis()};
}

bool pass_through(const MovingCollider& a, const MovingCollider& b, Real thickness) noexcept
{
    if (!is_convex(kind(a.collider->shape)) || !is_convex(kind(b.collider->shape))) return false;
    const auto shift = [](const MovingCollider& m) -> Vec3 { return m.way->to.p - m.way->from.p; };
    const Real way =
        (shift(a) - shift(b)).norm() + a.reach * a.way->turn.norm() + b.reach * b.way->turn.norm();
    if (!(way > thickness)) return false;
    Side before = side_at(a, b, 0);
    if (before.apart > way || before.apart < -thickness / 4) return false;
    const Side last = side_at(a, b, 1);
    if (!is_reversed(a, before.normal, last.normal) && !is_reversed(b, before.normal, last.normal))
        return false;

    // apart they cannot change sides before they have come to each other
    const Real least = std::max(thickness / (2 * way), 1 / Real(kQuery.tunnelling_samples));
    for (Real t = 0; t < 1;) {
        t = std::min(t + std::max(before.apart / (2 * way), least), Real(1));
        const Side now = t < 1 ? side_at(a, b, t) : last;
        if (now.normal.dot(before.normal) < 0) return true;
        before = now;
    }
    return false;
}

}  // namespace taut::collision
