#include "collision/closest.h"

#include <algorithm>
#include <limits>

#include "collision/gjk.h"
#include "collision/walk_surface.h"

namespace taut::collision {
namespace {

bool closest_cores(const Core& a, const Core& b, Real within, Gap& out) noexcept
{
    Separation s = distance(a, b, within + a.radius + b.radius);
    if (!s.known && s.distance > 0) return false;
    if (!s.known) {
        s = deepest_plane(a, b);
        // support points of the two along one normal need not lie opposite to each other, where axes or faces are parallel
        s.on_b = s.on_a - s.distance * s.normal;
    }
    const Real apart = s.distance - a.radius - b.radius;
    if (!(apart <= within)) return false;
    out = {apart, s.normal, s.on_a - a.radius * s.normal, s.on_b + b.radius * s.normal};
    return true;
}

bool closest_plane(const Core& a, Real within, Gap& out) noexcept
{
    const Vec3 n = Vec3::UnitZ();
    const Vec3 lowest = support(a, -n) - a.radius * n;
    if (!(lowest.z() <= within)) return false;
    out = {lowest.z(), n, lowest, {lowest.x(), lowest.y(), 0}};
    return true;
}

template <class Surface>
bool closest_surface(const Core& a, const Aabb& box, const Surface& surface, Real within,
                     Gap& out) noexcept
{
    bool found = false;
    int first = 0;
    // triangles that a is in are all looked at: the deepest counts
    Real limit = std::max(within, Real(0));
    visit_near(surface, box, limit, [&](int triangle, Real& so_far) {
        Gap one;
        if (!closest_cores(a, make_core(surface.triangle(triangle), Transform{}),
                           std::min(so_far, within), one))
            return;
        const bool nearer = !found || one.distance < out.distance ||
                            (one.distance == out.distance && triangle < first);
        if (!nearer) return;
        out = one;
        found = true;
        first = triangle;
        so_far = std::max(one.distance, Real(0));
    });
    return found;
}

}  // namespace

bool closest(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
             const Transform& X_WB, Real within, Gap& out) noexcept
{
    // in the frame of b, whose shape is then as it was described
    const Transform X_BA = inverse(X_WB) * X_WA;
    const Core core = make_core(a, X_BA);
    bool found = false;
    if (kind(b) == kKindOf<Shape::Plane>)
        found = closest_plane(core, within, out);
    else if (kind(b) == kKindOf<Shape::Mesh>)
        found = closest_surface(core, box_at(a, X_BA), *std::get<MeshShape>(b), within, out);
    else if (kind(b) == kKindOf<Shape::HeightField>)
        found = closest_surface(core, box_at(a, X_BA), *std::get<HeightFieldShape>(b), within, out);
    else
        found = closest_cores(core, make_core(b, Transform{}), within, out);
    if (!found) return false;
    out = {out.distance, X_WB.vector(out.normal), X_WB.point(out.on_a), X_WB.point(out.on_b)};
    return true;
}

}  // namespace taut::collision
