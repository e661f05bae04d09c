// Any two cores, the table of pairs, and half spaces.
#include "collision/pair_routines.h"

namespace taut::collision {

void core_core(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    Separation s = distance(a, b, reach + a.radius + b.radius);
    if (!s.known && s.distance > 0) return;
    if (!s.known) s = deepest_plane(a, b);
    append_manifold(a, b, s, reach, out);
}

void convex_convex(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    using K = Core::Kind;
    if (a.kind == K::Point) {
        if (b.kind == K::Point) return point_point(a, b, reach, out);
        if (b.kind == K::Segment) return point_segment(a, b, reach, out);
        if (b.kind == K::Box) return point_box(a, b, reach, out);
        if (b.kind == K::Cylinder) return point_cylinder(a, b, reach, out);
    }
    if (a.kind == K::Segment && b.kind == K::Segment) return segment_segment(a, b, reach, out);
    if (a.kind == K::Box && b.kind == K::Box) return box_box(a, b, reach, out);
    core_core(a, b, reach, out);
}

void core_plane(const Core& a, const Transform& X_WB, Real reach, SurfacePoints& out) noexcept
{
    const Vec3 n = X_WB.R.col(2);
    Feature f;
    facing_feature(a, -n, f);
    const auto first = out.size();
    for (int k = 0; k < f.count; ++k) {
        const Real apart = n.dot(f.corner[k] - X_WB.p);
        if (apart - a.radius > reach) continue;
        append_point(f.corner[k], n, apart, a.radius, 0,
                     feature_key(PairFeature::FaceOfB, f.id, f.tag[k], 0), false, out);
    }
    keep_four(out, first, a.size());
}

void mesh_plane(const TriangleMesh& a, const Transform& X_WA, const Transform& X_WB, Real reach,
                SurfacePoints& out) noexcept
{
    const Vec3 n = X_WB.R.col(2);
    const auto first = out.size();
    for (std::size_t i = 0; i < a.vertices.size(); ++i) {
        const Vec3 x = X_WA.point(a.vertices[i]);
        const Real apart = n.dot(x - X_WB.p);
        if (apart > reach) continue;
        append_point(x, n, apart, 0, 0, static_cast<std::uint64_t>(i) << 32, false, out);
    }
    keep_four(out, first, a.box.half().maxCoeff());
}

}  // namespace taut::collision
