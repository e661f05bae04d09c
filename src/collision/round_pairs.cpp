// Spheres and capsules by closed forms: distance of points and segments, less the radii.
#include <algorithm>
#include <cmath>

#include "collision/pair_routines.h"
#include "collision/thresholds.h"

namespace taut::collision {
namespace {

struct SegmentEnds {
    Vec3 p, q;
};

SegmentEnds ends(const Core& segment) noexcept
{
    const Vec3 half = segment.X.R.col(2) * segment.half.z();
    return {segment.X.p - half, segment.X.p + half};
}

// Parameter in [0, 1] of the point of a segment nearest to x.
Real nearest_on(const SegmentEnds& s, const Vec3& x) noexcept
{
    const Vec3 along = s.q - s.p;
    const Real length2 = along.squaredNorm();
    return length2 > 0 ? std::clamp(along.dot(x - s.p) / length2, Real(0), Real(1)) : 0;
}

Vec3 at(const SegmentEnds& s, Real t) noexcept { return s.p + t * (s.q - s.p); }

void append(const Core& a, const Core& b, const Vec3& pa, const Vec3& pb, const Vec3& otherwise,
            int code, Real reach, SurfacePoints& out) noexcept
{
    const Vec3 v = pa - pb;
    const Real apart = v.norm();
    if (apart - a.radius - b.radius > reach) return;
    // below this, rounding of the positions decides the direction
    const Real noise =
        RoundThresholds::kNoDirection * (pa.cwiseAbs().maxCoeff() + pb.cwiseAbs().maxCoeff());
    const Vec3 n = apart > noise ? Vec3(v / apart) : otherwise;
    append_point(pa, n, apart > noise ? apart : 0, a.radius, b.radius,
                 feature_key(PairFeature::Points, 0, code, 0), false, out);
}

struct NearestPair {
    Real s = 0, t = 0, distance2 = 0;
};

// Nearest points of two segments: the least of the four ends against the other segment and of the
// crossing of the lines, if that falls inside both. No case distinction to get wrong when parallel.
NearestPair nearest_pair(const SegmentEnds& a, const SegmentEnds& b) noexcept
{
    NearestPair best{0, nearest_on(b, a.p), 0};
    const auto distance2 = [&](Real s, Real t) { return (at(a, s) - at(b, t)).squaredNorm(); };
    best.distance2 = distance2(best.s, best.t);
    const auto take = [&](Real s, Real t) {
        const Real d2 = distance2(s, t);
        if (d2 < best.distance2) best = {s, t, d2};
    };
    take(1, nearest_on(b, a.q));
    take(nearest_on(a, b.p), 0);
    take(nearest_on(a, b.q), 1);

    const Vec3 da = a.q - a.p, db = b.q - b.p, r = a.p - b.p;
    const Real aa = da.squaredNorm(), bb = db.squaredNorm();
    // |da × db|² by the cross product itself: aa·bb − (da·db)² has no digits left when parallel
    const Vec3 across = da.cross(db);
    const Real determinant = across.squaredNorm();
    if (determinant > RoundThresholds::kParallelLines * aa * bb) {
        const Real s = db.cross(r).dot(across) / determinant;
        const Real t = da.cross(r).dot(across) / determinant;
        if (s > 0 && s < 1 && t > 0 && t < 1) take(s, t);
    }
    return best;
}

}  // namespace

void point_point(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    append(a, b, a.X.p, b.X.p, Vec3::UnitZ(), 0, reach, out);
}

void point_segment(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    const SegmentEnds s = ends(b);
    append(a, b, a.X.p, at(s, nearest_on(s, a.X.p)), any_across(s.q - s.p), 0, reach, out);
}

//   a  o==========o            nearly parallel: the two ends of the stretch they share, each with the
//          o==========o  b     nearest point of the other and a normal of its own
void segment_segment(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    const SegmentEnds sa = ends(a), sb = ends(b);
    const NearestPair nearest = nearest_pair(sa, sb);
    const Vec3 da = sa.q - sa.p, db = sb.q - sb.p;
    const Vec3 cross = da.cross(db);
    const Real limit = a.radius + b.radius + reach;
    if (nearest.distance2 > limit * limit) return;

    const Real parallel = cross.squaredNorm() / (da.squaredNorm() * db.squaredNorm());
    Vec3 otherwise =
        parallel > RoundThresholds::kNoCross ? Vec3(cross.normalized()) : any_across(da);
    if (otherwise.dot(a.X.p - b.X.p) < 0) otherwise = -otherwise;
    Real low = 0, high = 0;
    if (parallel < RoundThresholds::kAlong * RoundThresholds::kAlong) {
        // the shared stretch in the parameter of a
        const Real s0 = da.dot(sb.p - sa.p) / da.squaredNorm();
        const Real s1 = da.dot(sb.q - sa.p) / da.squaredNorm();
        low = std::max(Real(0), std::min(s0, s1));
        high = std::min(Real(1), std::max(s0, s1));
        if (high - low > RoundThresholds::kShortOverlap) {
            Real lowest = limit * limit;
            for (int k = 0; k < 2; ++k) {
                const Real s = k ? high : low;
                // an end of a, or that end of b which lies there
                const bool end_of_a = s <= 0 || s >= 1;
                const Real t = end_of_a ? nearest_on(sb, at(sa, s))
                                        : (std::abs(s - s0) < std::abs(s - s1) ? 0 : 1);
                const Real sn = end_of_a ? s : nearest_on(sa, at(sb, t));
                append(a, b, at(sa, sn), at(sb, t), otherwise, 1 + k, reach, out);
                lowest = std::min(lowest, (at(sa, sn) - at(sb, t)).squaredNorm());
            }
            // crossing between the ends, nearer than both
            if (std::sqrt(lowest) - std::sqrt(nearest.distance2) <=
                RoundThresholds::kNearer * (da.norm() + a.radius + b.radius))
                return;
        }
    }
    append(a, b, at(sa, nearest.s), at(sb, nearest.t), otherwise, 0, reach, out);
}

void point_box(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    const Vec3 x = b.X.point_to_local(a.X.p);
    const Vec3 inner = x.cwiseMax(-b.half).cwiseMin(b.half);
    const Vec3 v = x - inner;  // exactly zero along every axis on which the centre is within
    Vec3 n = Vec3::Zero();
    Real apart = 0;
    int axis = 0;
    if (v.isZero(0)) {
        // centre inside: out through the nearest face
        const Real depth = (b.half - x.cwiseAbs()).minCoeff(&axis);
        n[axis] = x[axis] < 0 ? -1 : 1;
        apart = -depth;
    } else {
        apart = v.norm();
        if (apart - a.radius - b.radius > reach) return;
        n = v / apart;
    }
    const int region = (v.x() != 0) | ((v.y() != 0) << 1) | ((v.z() != 0) << 2);
    const bool on_face = region == 0 || region == 1 || region == 2 || region == 4;
    const auto kind = on_face ? PairFeature::FaceOfB : PairFeature::Points;
    append_point(a.X.p, b.X.vector(n), apart, a.radius, b.radius, feature_key(kind, 0, 0, 0), false,
                 out);
}

void point_cylinder(const Core& a, const Core& b, Real reach, SurfacePoints& out) noexcept
{
    const Vec3 x = b.X.point_to_local(a.X.p);
    const Real r = b.half.x(), h = b.half.z();
    const Real rho = std::hypot(x.x(), x.y());
    const Vec3 radial = rho > 0 ? Vec3(x.x() / rho, x.y() / rho, 0) : Vec3::UnitX();
    const Vec3 axial(0, 0, x.z() < 0 ? -1 : 1);
    const Real beyond_side = rho - r, beyond_cap = std::abs(x.z()) - h;
    Vec3 n;
    Real apart = 0;
    if (beyond_side > 0 && beyond_cap > 0) {
        apart = std::hypot(beyond_side, beyond_cap);
        n = (beyond_side * radial + beyond_cap * axial) / apart;
    } else {
        apart = std::max(beyond_side, beyond_cap);
        n = beyond_side > beyond_cap ? radial : axial;
    }
    if (apart - a.radius - b.radius > reach) return;
    append_point(a.X.p, b.X.vector(n.normalized()), apart, a.radius, b.radius,
                 feature_key(PairFeature::FaceOfB, 0, 0, 0), false, out);
}

}  // namespace taut::collision
