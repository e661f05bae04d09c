#include "collision/cast_shape.h"

#include <algorithm>
#include <limits>

#include "collision/gjk.h"
#include "collision/walk_surface.h"

namespace taut::collision {
namespace {

constexpr Real kFar = std::numeric_limits<Real>::infinity();

bool cast_cores(Core a, const Core& b, const Vec3& translation, Real most, ShapeHit& hit) noexcept
{
    const Real radius = a.radius + b.radius, size = common_size(a, b);
    const bool rounded = radius > 2 * kQuery.cast_gap * size;
    const Real near = size * (rounded ? kQuery.cast_round_gap : kQuery.cast_gap);
    const Real length = translation.norm();
    const Vec3 start = a.X.p;
    Real t = 0;
    for (int i = 0;; ++i) {
        a.X.p = start + t * translation;
        Separation s = distance(a, b, kFar);
        if (!s.known) s = deepest_plane(a, b);
        const Vec3& n = s.normal;
        const Vec3 point = s.on_b + b.radius * n;
        if (i == 0 && s.distance - radius <= 0) {
            hit = {0, n, point};
            return true;
        }

        // they are apart at least until the plane across n lets them touch
        const Real apart = s.distance - radius, speed = -n.dot(translation);
        if (!(speed > 0)) return false;
        const Real at_most = speed + kQuery.cast_slope * length;
        if (!(t + apart / at_most <= most)) return false;
        if (apart <= 2 * near || i == kQuery.cast_planes) {
            const Real touch = std::max(t + apart / speed, Real(0));
            if (!(touch <= most)) return false;
            hit = {touch, n, point};
            return true;
        }
        t += (apart - near) / at_most;
    }
}

bool cast_to_plane(const Core& a, const Vec3& translation, Real most, ShapeHit& hit) noexcept
{
    const Vec3 n = Vec3::UnitZ();
    const Vec3 lowest = support(a, -n) - a.radius * n;
    const Real speed = -translation.z();
    if (lowest.z() > 0 && !(speed > 0)) return false;
    const Real touch = lowest.z() > 0 ? lowest.z() / speed : 0;
    if (!(touch <= most)) return false;
    const Vec3 there = lowest + touch * translation;
    hit = {touch, n, {there.x(), there.y(), 0}};
    return true;
}

template <class Surface>
bool cast_to_surface(const Core& a, const Aabb& box, const Vec3& translation,
                     const Surface& surface, Real most, ShapeHit& hit) noexcept
{
    bool met = false;
    int first = 0;
    const Sweep sweep(box.centre(), translation, box.half());
    visit_swept(surface, sweep, most, [&](int triangle, Real& so_far) {
        ShapeHit one;
        const Core b = make_core(surface.triangle(triangle), Transform{});
        if (!cast_cores(a, b, translation, so_far, one)) return;
        if (met && one.fraction == so_far && triangle > first) return;
        hit = one;
        met = true;
        first = triangle;
        so_far = one.fraction;
    });
    return met;
}

}  // namespace

bool cast_shape(const ColliderShape& a, const Transform& X_WA, const Vec3& translation,
                const ColliderShape& b, const Transform& X_WB, Real most, ShapeHit& hit) noexcept
{
    const Transform X_BA = inverse(X_WB) * X_WA;
    const Vec3 way = X_WB.vector_to_local(translation);
    const Core core = make_core(a, X_BA);
    bool met = false;
    if (kind(b) == kKindOf<Shape::Plane>)
        met = cast_to_plane(core, way, most, hit);
    else if (kind(b) == kKindOf<Shape::Mesh>)
        met = cast_to_surface(core, box_at(a, X_BA), way, *std::get<MeshShape>(b), most, hit);
    else if (kind(b) == kKindOf<Shape::HeightField>)
        met =
            cast_to_surface(core, box_at(a, X_BA), way, *std::get<HeightFieldShape>(b), most, hit);
    else
        met = cast_cores(core, make_core(b, Transform{}), way, most, hit);
    if (!met) return false;
    hit.normal = X_WB.vector(hit.normal);
    hit.point = X_WB.point(hit.point);
    return true;
}

}  // namespace taut::collision
