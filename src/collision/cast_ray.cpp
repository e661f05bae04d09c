#include "collision/cast_ray.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/core_shape.h"
#include "collision/walk_surface.h"

namespace taut::collision {
namespace {

constexpr Real kNever = std::numeric_limits<Real>::infinity();

// Against the ray; upward for one without length.
Vec3 normal_against(const Ray& ray) noexcept
{
    return direction_or(-ray.translation, Vec3::UnitZ());
}

bool accept(Real fraction, Real most, const Vec3& normal, RayHit& hit) noexcept
{
    if (!(fraction >= 0 && fraction <= most)) return false;
    hit = {fraction, normal, -1};
    return true;
}

bool accept_inside(const Ray& ray, Real most, RayHit& hit) noexcept
{
    return accept(0, most, normal_against(ray), hit);
}

// Where the line enters a ball about `centre`; kNever where it misses it. The distance of the line from the centre is taken
// from the point of nearest approach, which keeps its digits far away.
Real enter_ball(const Ray& ray, const Vec3& centre, Real radius) noexcept
{
    const Vec3 o = ray.from - centre;
    const Real a = ray.translation.squaredNorm();
    if (!(a > 0)) return kNever;
    const Real nearest = -o.dot(ray.translation) / a;
    const Real left = radius * radius - (o + nearest * ray.translation).squaredNorm();
    return left < 0 ? kNever : nearest - std::sqrt(left / a);
}

// Part of the line within the infinite cylinder of this radius about z; empty where enter > leave.
struct LineInterval {
    Real enter = -kNever, leave = kNever;

    bool empty() const noexcept { return !(enter <= leave); }
    void cut(Real from, Real to) noexcept
    {
        enter = std::max(enter, from);
        leave = std::min(leave, to);
    }
};

LineInterval within_radius(const Ray& ray, Real radius) noexcept
{
    const Real x = ray.from.x(), y = ray.from.y();
    const Real dx = ray.translation.x(), dy = ray.translation.y();
    const Real a = dx * dx + dy * dy;
    const bool inside = x * x + y * y <= radius * radius;
    if (!(a > 0)) return inside ? LineInterval{} : LineInterval{kNever, -kNever};
    const Real across = x * dy - y * dx;  // times √a: distance of the line from the axis
    const Real left = radius * radius - across * across / a;
    if (left < 0) return {kNever, -kNever};
    const Real nearest = -(x * dx + y * dy) / a, half = std::sqrt(left / a);
    return {nearest - half, nearest + half};
}

// Cuts the interval at low ≤ x ≤ high.
void cut_slab(Real x, Real d, Real low, Real high, LineInterval& to) noexcept
{
    if (d == 0) {
        if (x < low || x > high) to = {kNever, -kNever};
        return;
    }
    const Real a = (low - x) / d, b = (high - x) / d;
    to.cut(std::min(a, b), std::max(a, b));
}

// --- shapes in their own frame ---

struct CastRay {
    const Ray& ray;
    Real most;
    RayHit& hit;

    bool operator()(const Shape::Plane&) const noexcept
    {
        if (ray.from.z() <= 0) return accept_inside(ray, most, hit);
        if (!(ray.translation.z() < 0)) return false;
        return accept(ray.from.z() / -ray.translation.z(), most, Vec3::UnitZ(), hit);
    }

    // Whatever is convex, by its core.
    template <class Kind>
    bool operator()(const Kind& convex) const noexcept
    {
        const Core core = make_core(convex);
        switch (core.kind) {
            case Core::Kind::Point: return cast_ball(core.radius);
            case Core::Kind::Segment: return cast_rounded_segment(core.radius, core.half.z());
            case Core::Kind::Box: return cast_box(core.half);
            case Core::Kind::Cylinder: return cast_cylinder(core.half.x(), core.half.z());
            case Core::Kind::Hull: return cast_hull(*core.hull);
            case Core::Kind::Triangle: break;
        }
        return false;
    }

    bool operator()(const MeshShape& s) const noexcept { return cast_surface(*s); }
    bool operator()(const HeightFieldShape& s) const noexcept { return cast_surface(*s); }

private:
    bool cast_ball(Real radius) const noexcept
    {
        if (ray.from.squaredNorm() <= radius * radius) return accept_inside(ray, most, hit);
        return accept_ball(Vec3::Zero(), radius);
    }

    // The union of a cylinder's lateral surface and two balls: entered where the first of them is.
    bool cast_rounded_segment(Real radius, Real h) const noexcept
    {
        const Vec3 on_axis(0, 0, std::clamp(ray.from.z(), -h, h));
        if ((ray.from - on_axis).squaredNorm() <= radius * radius)
            return accept_inside(ray, most, hit);
        bool met = accept_ball({0, 0, h}, radius);
        met = accept_ball({0, 0, -h}, radius, met ? hit.fraction : most) || met;
        const LineInterval side = within_radius(ray, radius);
        if (side.empty()) return met;
        const Vec3 x = ray.from + side.enter * ray.translation;
        if (!(std::abs(x.z()) <= h)) return met;
        return accept(side.enter, met ? hit.fraction : most,
                      direction_or({x.x(), x.y(), 0}, Vec3::UnitX()), hit) ||
               met;
    }

    bool cast_box(const Vec3& half_edges) const noexcept
    {
        if ((ray.from.cwiseAbs() - half_edges).maxCoeff() <= 0)
            return accept_inside(ray, most, hit);
        LineInterval in;
        int axis = 0;
        for (int k = 0; k < 3; ++k) {
            const Real before = in.enter;
            cut_slab(ray.from[k], ray.translation[k], -half_edges[k], half_edges[k], in);
            if (in.empty()) return false;
            if (in.enter > before) axis = k;
        }
        return accept(in.enter, most, Vec3::Unit(axis) * (ray.translation[axis] > 0 ? -1 : 1), hit);
    }

    bool cast_cylinder(Real radius, Real h) const noexcept
    {
        const Real across2 = ray.from.head<2>().squaredNorm();
        if (std::abs(ray.from.z()) <= h && across2 <= radius * radius)
            return accept_inside(ray, most, hit);
        LineInterval in = within_radius(ray, radius);
        const Real side = in.enter;
        cut_slab(ray.from.z(), ray.translation.z(), -h, h, in);
        if (in.empty()) return false;
        const Vec3 x = ray.from + in.enter * ray.translation;
        const Vec3 normal = in.enter > side ? Vec3(0, 0, ray.translation.z() > 0 ? -1 : 1)
                                            : direction_or({x.x(), x.y(), 0}, Vec3::UnitX());
        return accept(in.enter, most, normal, hit);
    }

    bool cast_hull(const Hull& hull) const noexcept
    {
        LineInterval in;
        int face = -1;
        bool inside = true;
        for (int k = 0; k < static_cast<int>(hull.faces.size()); ++k) {
            const Hull::Face& f = hull.faces[k];
            const Real below = f.offset - f.normal.dot(ray.from);
            const Real along = f.normal.dot(ray.translation);
            inside = inside && below >= 0;
            if (along == 0) {
                if (below < 0) return false;
                continue;
            }
            const Real t = below / along;
            if (along > 0) {
                in.leave = std::min(in.leave, t);
            } else if (t > in.enter) {
                in.enter = t;
                face = k;
            }
        }
        if (inside) return accept_inside(ray, most, hit);
        if (in.empty() || face < 0) return false;
        return accept(in.enter, most, hull.faces[face].normal, hit);
    }

    bool accept_ball(const Vec3& centre, Real radius) const noexcept
    {
        return accept_ball(centre, radius, most);
    }
    bool accept_ball(const Vec3& centre, Real radius, Real limit) const noexcept
    {
        const Real t = enter_ball(ray, centre, radius);
        if (!(t >= 0 && t <= limit)) return false;
        return accept(t, limit,
                      direction_or(ray.from + t * ray.translation - centre, Vec3::UnitZ()), hit);
    }

    template <class Surface>
    bool cast_surface(const Surface& surface) const noexcept
    {
        bool met = false;
        Real limit = most;
        const Sweep sweep(ray.from, ray.translation, Vec3::Zero());
        visit_swept(surface, sweep, limit, [&](int triangle, Real& so_far) {
            const Real t = cast_triangle(surface, triangle);
            // of two triangles that meet where the ray does, the first in the surface
            if (!(t <= so_far) || (met && t == so_far && triangle > hit.triangle)) return;
            so_far = t;
            hit.fraction = t;
            hit.triangle = triangle;
            met = true;
        });
        if (!met) return false;
        const Vec3 n = normal_of(surface, hit.triangle);
        hit.normal = n.dot(ray.translation) > 0 ? Vec3(-n) : n;
        return true;
    }

    static std::array<Vec3, 3> corners(const TriangleMesh& mesh, int t) noexcept
    {
        const auto& [a, b, c] = mesh.triangles[t];
        return {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
    }
    static std::array<Vec3, 3> corners(const HeightField& field, int t) noexcept
    {
        return field.triangle(t).corner;
    }
    static Vec3 normal_of(const TriangleMesh& mesh, int t) noexcept { return mesh.normals[t]; }
    static Vec3 normal_of(const HeightField& field, int t) noexcept
    {
        return field.triangle(t).normal;
    }

    // By the volumes that the ray spans with the three sides. Neighbours see the same number for their common side, with
    // the other sign, so that no ray passes between them.
    template <class Surface>
    Real cast_triangle(const Surface& surface, int triangle) const noexcept
    {
        const std::array<Vec3, 3> at = corners(surface, triangle);
        const Vec3 a = at[0] - ray.from, b = at[1] - ray.from, c = at[2] - ray.from;
        const Vec3& d = ray.translation;
        const Real u = d.dot(c.cross(b)), v = d.dot(a.cross(c)), w = d.dot(b.cross(a));
        if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return kNever;
        if (u == 0 && v == 0 && w == 0) return kNever;  // along the plane of the triangle
        const Vec3 n = (at[1] - at[0]).cross(at[2] - at[0]);
        const Real along = n.dot(d);
        const Real t = along != 0 ? n.dot(a) / along : kNever;
        return t >= 0 ? t : kNever;
    }
};

}  // namespace

bool cast_ray(const ColliderShape& shape, const Transform& X, const Ray& ray, Real most,
              RayHit& hit) noexcept
{
    const Ray local{X.point_to_local(ray.from), X.vector_to_local(ray.translation)};
    if (!std::visit(CastRay{local, most, hit}, shape)) return false;
    hit.normal = X.vector(hit.normal);
    return true;
}

}  // namespace taut::collision
