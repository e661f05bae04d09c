// A convex core over a surface of triangles, one triangle at a time.
//
//        N may lean                      N may not lean
//           \ | /                             |
//         ___\|/___                     _______________
//        /  ridge  \                     flat | inside
//
// A normal is admitted if the neighbours of the feature it stands on lie behind it: it then points out of
// the surface as a whole. Otherwise the triangle may only push along its own normal, and only on what
// stands over it, so that a box that slides over a floor of triangles meets no side of them.
#include <algorithm>
#include <cmath>

#include "collision/pair_routines.h"
#include "collision/thresholds.h"

namespace taut::collision {
namespace {

bool admitted(const SurfaceTriangle& t, const Vec3& n, Real size) noexcept
{
    if (n.dot(t.normal) < SurfaceThresholds::kBackFace) return false;
    Real highest = n.dot(t.corner[0]);
    for (int k = 1; k < 3; ++k) highest = std::max(highest, n.dot(t.corner[k]));
    const auto touches = [&](int k) {
        return n.dot(t.corner[k]) >= highest - SurfaceThresholds::kSameHeight * size;
    };
    for (int k = 0; k < 3; ++k) {
        if (!t.has_beyond[k] || (!touches(k) && !touches((k + 1) % 3))) continue;
        const Vec3 over = t.beyond[k] - t.corner[touches(k) ? k : (k + 1) % 3];
        if (n.dot(over) > SurfaceThresholds::kOverEdge * over.norm()) return false;
    }
    return true;
}

// `solid`: the surface bounds a solid, and a core whose centre is below it is pushed out along the normal;
// otherwise it is ignored.
void core_triangle(const Core& a, const SurfaceTriangle& t, bool solid, Real reach,
                   SurfacePoints& out) noexcept
{
    const Real lowest = t.normal.dot(support(a, -t.normal) - t.corner[0]) - a.radius;
    if (lowest > reach) return;
    const bool behind = t.normal.dot(a.centre() - t.corner[0]) < 0;
    if (behind && !solid) return;

    const Core b = make_core(t, Transform{});
    const auto first = out.size();
    Feature fa, fb;
    facing_feature(a, -t.normal, fa);
    facing_feature(b, t.normal, fb);
    FaceClip clip;
    clip.reference = &fb, clip.incident = &fa;
    clip.radius_a = a.radius;
    clip.size = std::min(a.size(), b.size());
    clip.expected = lowest + a.radius;
    clip.slack =
        behind ? std::numeric_limits<Real>::infinity() : SurfaceThresholds::kExplained * clip.size;

    // the lowest point of a stands over the triangle: nearest, or a little inside, is this face. This is
    // the most frequent case on a floor, and saves the search for nearest points.
    const bool shallow = behind || lowest > -SurfaceThresholds::kShallow * a.size();
    if (!shallow || !append_face_points(clip, reach, out)) {
        if (behind) return;
        Separation s = distance(a, b, reach + a.radius);
        if (!s.known && s.distance > 0) return;
        if (!s.known) s = deepest_plane(a, b);
        clip.slack = std::numeric_limits<Real>::infinity();
        if (admitted(t, s.normal, b.size()))
            append_manifold(a, b, s, reach, out);
        else
            append_face_points(clip, reach, out);
    }
    for (auto i = first; i < out.size(); ++i)
        out[i].feature |= static_cast<std::uint64_t>(t.index) << 32;
}

// Neighbouring triangles of one plane give the same points: of each direction at most four are kept.
void merge_directions(SurfaceScratch& scratch, Real size, SurfacePoints& out) noexcept
{
    const SurfacePoints& all = scratch.points;
    scratch.taken.assign(all.size(), 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (scratch.taken[i]) continue;
        scratch.cluster.clear();
        for (std::size_t k = i; k < all.size(); ++k) {
            if (scratch.taken[k] ||
                all[k].normal.dot(all[i].normal) < SurfaceThresholds::kSameNormal)
                continue;
            scratch.taken[k] = 1;
            const bool seen = std::any_of(scratch.cluster.begin(), scratch.cluster.end(),
                                          [&](const SurfacePoint& p) {
                                              return (p.on_a - all[k].on_a).cwiseAbs().maxCoeff() <=
                                                     SurfaceThresholds::kSamePoint * size;
                                          });
            if (!seen) scratch.cluster.push_back(all[k]);
        }
        keep_four(scratch.cluster, 0, size);
        out.insert(out.end(), scratch.cluster.begin(), scratch.cluster.end());
    }
}

template <class Surface>
void core_surface(const Core& a, const Aabb& box, const Surface& b, bool solid, Real reach,
                  SurfaceScratch& scratch, SurfacePoints& out) noexcept
{
    find_triangles(b, grown(box, std::max(reach, Real(0))), scratch.triangles);
    scratch.points.clear();
    for (int i : scratch.triangles) core_triangle(a, b.triangle(i), solid, reach, scratch.points);
    merge_directions(scratch, a.size(), out);
}

}  // namespace

void core_mesh(const Core& a, const Aabb& box, const TriangleMesh& b, Real reach,
               SurfaceScratch& scratch, SurfacePoints& out) noexcept
{
    core_surface(a, box, b, false, reach, scratch, out);
}

void core_height_field(const Core& a, const Aabb& box, const HeightField& b, Real reach,
                       SurfaceScratch& scratch, SurfacePoints& out) noexcept
{
    core_surface(a, box, b, true, reach, scratch, out);
}

}  // namespace taut::collision
