#include "collision/manifold.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/thresholds.h"
#include "core/assert.h"

namespace taut::collision {
namespace {

constexpr int kSide = 256;  // tags of reference sides begin here, after those of corners
constexpr int kNone = 511;

struct ClipPoint {
    Vec3 x;
    int first, second;  // corner and none, or the two sides that cross here
    int side;           // from this point to the next
};

struct Polygon {
    std::array<ClipPoint, 2 * Feature::kMaxCorners + 2> point;
    int count = 0;
};

// Sutherland–Hodgman against one half space; a segment is a polygon without a way back. Sides
// keep their names, so points keep theirs while the bodies move. False if there was nothing to cut.
bool clip(const Polygon& in, const Vec3& normal, const Vec3& origin, Real slack, int plane,
          bool closed, Polygon& out) noexcept
{
    const Real limit = normal.dot(origin) + slack;
    bool all = true;
    for (int i = 0; i < in.count && all; ++i) all = normal.dot(in.point[i].x) <= limit;
    if (all) return false;
    out.count = 0;
    for (int i = 0; i < in.count; ++i) {
        const ClipPoint& here = in.point[i];
        const Real d = normal.dot(here.x) - limit;
        if (d <= 0) out.point[out.count++] = here;
        if (in.count == 1 || (!closed && i + 1 == in.count)) break;
        const ClipPoint& next = in.point[(i + 1) % in.count];
        const Real e = normal.dot(next.x) - limit;
        if ((d <= 0) == (e <= 0)) continue;
        const Vec3 x = here.x + (next.x - here.x) * (d / (d - e));
        out.point[out.count++] = {x, here.side, plane, d <= 0 ? plane : here.side};
    }
    return true;
}

// The corners of a feature that lie within `slack` of its lowest along n: corner, side or face.
int lowest_corners(const Feature& f, const Vec3& n, Real slack, std::array<int, 2>& ends) noexcept
{
    Real lowest = std::numeric_limits<Real>::infinity();
    for (int k = 0; k < f.count; ++k) lowest = std::min(lowest, n.dot(f.corner[k]));
    int found = 0;
    for (int k = 0; k < f.count; ++k)
        if (n.dot(f.corner[k]) <= lowest + slack) {
            if (found < 2) ends[found] = k;
            ++found;
        }
    return found;
}

}  // namespace

void append_point(const Vec3& core_a, const Vec3& n, Real apart, Real ra, Real rb,
                  std::uint64_t key, bool on_a, SurfacePoints& out) noexcept
{
    SurfacePoint p;
    p.normal = n;
    p.gap = apart - ra - rb;
    p.on_a = core_a - ra * n;
    p.on_b = core_a - (apart - rb) * n;
    p.feature = key;
    p.normal_on_a = on_a;
    out.push_back(p);
}

namespace {

// Two parallel sides touch along a line: both ends of their overlap.
bool append_parallel_sides(const Core& a, const Core& b, const Feature& fa, const Feature& fb,
                           const Separation& s, Real size, Real reach, SurfacePoints& out) noexcept
{
    std::array<int, 2> ia{}, ib{};
    const Real slack = ManifoldThresholds::kSameHeight * size;
    if (lowest_corners(fa, s.normal, slack, ia) != 2) return false;
    if (lowest_corners(fb, -s.normal, slack, ib) != 2) return false;
    const Vec3 &a0 = fa.corner[ia[0]], &a1 = fa.corner[ia[1]];
    const Vec3 &b0 = fb.corner[ib[0]], &b1 = fb.corner[ib[1]];
    const Vec3 along = direction_or(a1 - a0, Vec3::UnitX());
    const Vec3 other = direction_or(b1 - b0, Vec3::UnitX());
    if (along.cross(other).norm() > ManifoldThresholds::kParallelEdges) return false;

    const Real length = along.dot(a1 - a0);
    const Real s0 = along.dot(b0 - a0), s1 = along.dot(b1 - a0);
    const Real low = std::max(Real(0), std::min(s0, s1)), high = std::min(length, std::max(s0, s1));
    if (!(high - low > ManifoldThresholds::kShortOverlap * size)) return false;
    const auto first = out.size();
    for (int k = 0; k < 2; ++k) {
        const Vec3 x = a0 + along * (k ? high : low);
        const Vec3 y = b0 + (b1 - b0) * (((k ? high : low) - s0) / (s1 - s0));
        const Real apart = s.normal.dot(x - y);
        if (apart - a.radius - b.radius > reach) continue;
        const auto key =
            feature_key(PairFeature::Edges, fa.id, fa.tag[ia[0]] | (k << 8), fb.tag[ib[0]]);
        append_point(x, s.normal, apart, a.radius, b.radius, key, false, out);
    }
    return out.size() > first;
}

}  // namespace

std::uint64_t feature_key(PairFeature kind, int face, int first, int second) noexcept
{
    return (static_cast<std::uint64_t>(kind) << 30) |
           (static_cast<std::uint64_t>(face & 511) << 20) |
           (static_cast<std::uint64_t>(first & 1023) << 10) |
           static_cast<std::uint64_t>(second & 1023);
}

bool append_face_points(const FaceClip& c, Real reach, SurfacePoints& out) noexcept
{
    TAUT_ASSERT(c.reference != nullptr && c.incident != nullptr);
    const Feature &ref = *c.reference, &inc = *c.incident;
    Polygon one, two;
    for (int k = 0; k < inc.count; ++k)
        one.point[k] = {inc.corner[k], inc.tag[k], kNone, inc.tag[k]};
    one.count = inc.count;

    // the part of the incident feature over the reference face
    Polygon *from = &one, *to = &two;
    for (int k = 0; k < ref.count && from->count > 0; ++k) {
        const Vec3& corner = ref.corner[k];
        const Vec3 side = ref.corner[k + 1 == ref.count ? 0 : k + 1] - corner;
        const Vec3 outward = direction_or(side.cross(ref.normal), Vec3::Zero());
        if (clip(*from, outward, corner, ManifoldThresholds::kClip * c.size,
                 kSide + (ref.tag[k] & 255), inc.count > 2, *to))
            std::swap(from, to);
    }

    const Vec3 n = c.reference_on_a ? Vec3(-ref.normal) : ref.normal;  // from b to a
    const auto first = out.size();
    Real smallest = std::numeric_limits<Real>::infinity();
    for (int k = 0; k < from->count; ++k) {
        const ClipPoint& p = from->point[k];
        const Real apart = ref.normal.dot(p.x - ref.corner[0]);
        smallest = std::min(smallest, apart);
        if (apart - c.radius_a - c.radius_b > reach) continue;
        const auto kind = c.reference_on_a ? PairFeature::FaceOfA : PairFeature::FaceOfB;
        const Vec3 core_a = c.reference_on_a ? Vec3(p.x - apart * ref.normal) : p.x;
        append_point(core_a, n, apart, c.radius_a, c.radius_b,
                     feature_key(kind, ref.id, p.first, p.second), c.reference_on_a, out);
    }
    const bool explains = !(std::abs(smallest - c.expected) > c.slack);
    if (out.size() == first || !explains) {
        out.resize(first);
        return false;
    }
    keep_four(out, first, c.size);
    return true;
}

namespace {

Real smaller_size(const Core& a, const Core& b) noexcept
{
    return std::max(std::min(a.size(), b.size()),
                    ManifoldThresholds::kSmallestSize * common_size(a, b));
}

bool append_by_faces(const Core& a, const Core& b, const Feature& fa, const Feature& fb,
                     const Separation& s, Real reach, SurfacePoints& out) noexcept
{
    const Real size = smaller_size(a, b);
    // that of a unless b's is clearly nearer to the normal, so that the choice does not flicker
    const Real along_a = fa.flat ? -fa.normal.dot(s.normal) : -1;
    const Real along_b = fb.flat ? fb.normal.dot(s.normal) : -1;
    FaceClip clip;
    clip.radius_a = a.radius, clip.radius_b = b.radius;
    clip.size = size;
    clip.expected = s.distance;
    clip.slack = ManifoldThresholds::kExplained * size +
                 (s.distance < 0 ? -ManifoldThresholds::kExplainedDepth * s.distance
                                 : ManifoldThresholds::kExplainedApart * s.distance);
    const bool a_first = along_a >= along_b - ManifoldThresholds::kOtherFace;
    for (int attempt = 0; attempt < 2; ++attempt) {
        clip.reference_on_a = a_first == (attempt == 0);
        if ((clip.reference_on_a ? along_a : along_b) < ManifoldThresholds::kFaceCone) continue;
        clip.reference = clip.reference_on_a ? &fa : &fb;
        clip.incident = clip.reference_on_a ? &fb : &fa;
        if (append_face_points(clip, reach, out)) return true;
    }
    return false;
}

}  // namespace

bool append_face_manifold(const Core& a, const Core& b, const Separation& s, Real reach,
                          SurfacePoints& out) noexcept
{
    Feature fa, fb;
    facing_feature(a, -s.normal, fa);
    facing_feature(b, s.normal, fb);
    return append_by_faces(a, b, fa, fb, s, reach, out);
}

void append_manifold(const Core& a, const Core& b, const Separation& s, Real reach,
                     SurfacePoints& out) noexcept
{
    if (s.distance - a.radius - b.radius > reach) return;
    Feature fa, fb;
    facing_feature(a, -s.normal, fa);
    facing_feature(b, s.normal, fb);
    if (append_by_faces(a, b, fa, fb, s, reach, out)) return;
    const Real size = smaller_size(a, b);
    if (append_parallel_sides(a, b, fa, fb, s, size, reach, out)) return;
    const auto key = feature_key(PairFeature::Points, 0, 0, 0);
    append_point(s.on_a, s.normal, s.distance, a.radius, b.radius, key, false, out);
}

void keep_four(SurfacePoints& points, std::size_t first, Real size) noexcept
{
    TAUT_ASSERT(first <= points.size());
    const auto count = points.size() - first;
    if (count <= 4) return;
    SurfacePoint* p = points.data() + first;
    std::size_t start = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (p[i].feature < p[start].feature) start = i;

    // extremes of the spread, which does not depend on gaps; of equals (to 1e-3) the first in name, so that
    // it does not depend on where the polygon began either
    const Vec3 n = p[start].normal, origin = p[start].on_b;
    const auto best = [&](auto&& measure, Real scale) {
        Real most = -std::numeric_limits<Real>::infinity();
        for (std::size_t i = 0; i < count; ++i) most = std::max(most, measure(p[i].on_b));
        std::size_t found = count;
        for (std::size_t i = 0; i < count; ++i)
            if (measure(p[i].on_b) >= most - ManifoldThresholds::kEqualSpread * scale &&
                (found == count || p[i].feature < p[found].feature))
                found = i;
        return found;
    };
    Real extent = 0;
    for (std::size_t i = 0; i < count; ++i) extent = std::max(extent, (p[i].on_b - origin).norm());
    std::array<std::size_t, 4> chosen{};
    chosen[0] = best([&](const Vec3& x) { return (x - origin).norm(); }, extent);
    const Vec3 x0 = p[chosen[0]].on_b;
    chosen[1] = best([&](const Vec3& x) { return (x - x0).norm(); }, extent);
    const Vec3 across = n.cross(direction_or(p[chosen[1]].on_b - x0, any_across(n)));
    chosen[2] = best([&](const Vec3& x) { return across.dot(x - x0); }, extent);
    chosen[3] = best([&](const Vec3& x) { return -across.dot(x - x0); }, extent);

    // the lowest point takes the place of the nearest of the four, unless one of these is as low: then
    // the choice would follow the round-off of a body at rest
    Real low = p[chosen[0]].gap;
    for (std::size_t i : chosen) low = std::min(low, p[i].gap);
    std::size_t lowest = chosen[0];
    for (std::size_t i = 0; i < count; ++i)
        if (p[i].gap < low - ManifoldThresholds::kLower * size) low = p[i].gap, lowest = i;
    if (p[lowest].gap == low && std::find(chosen.begin(), chosen.end(), lowest) == chosen.end()) {
        const auto distance2 = [&](std::size_t i) {
            return (p[i].on_b - p[lowest].on_b).squaredNorm();
        };
        *std::min_element(chosen.begin(), chosen.end(), [&](std::size_t i, std::size_t j) {
            return distance2(i) < distance2(j);
        }) = lowest;
    }
    std::sort(chosen.begin(), chosen.end());
    const auto end = std::unique(chosen.begin(), chosen.end());
    std::size_t kept = 0;
    for (auto it = chosen.begin(); it != end; ++it) p[kept++] = p[*it];
    points.resize(first + kept);
}

}  // namespace taut::collision
