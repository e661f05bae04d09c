// The polytope grows inside M = { a − b } by support points; see gjk.h. Outward normals n, offsets d:
// n·m ≤ d within M. The origin is inside if all d > 0; the smallest d is the depth, its n the way
// through which a leaves b backwards, so the contact normal is −n and the distance −d.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "collision/gjk.h"
#include "collision/thresholds.h"

namespace taut::collision {
namespace {

constexpr int kMaxVertices = 160;
constexpr int kMaxFaces = 2 * kMaxVertices;
constexpr Real kNever = std::numeric_limits<Real>::max();

struct Face {
    std::array<int, 3> corner;
    Vec3 normal;
    Real offset;
};

class Polytope {
public:
    Polytope(const Core& a, const Core& b, Real size) noexcept : a_(a), b_(b), size_(size)
    {
        const bool curved = a.kind == Core::Kind::Cylinder || b.kind == Core::Kind::Cylinder;
        tolerance_ = (curved ? PolytopeThresholds::kCurved : PolytopeThresholds::kFlat) * size;
    }

    // Four support points that span M. False if M is flat; then `flat_normal` is across it.
    bool start(Vec3& flat_normal) noexcept
    {
        // the longest of three extents
        int best = 0;
        Real longest = -1;
        for (int k = 0; k < 3; ++k) {
            add_vertex(Vec3::Unit(k));
            add_vertex(-Vec3::Unit(k));
            const Real length = (w_[2 * k] - w_[2 * k + 1]).squaredNorm();
            if (length > longest) longest = length, best = k;
        }
        keep(0, 2 * best), keep(1, 2 * best + 1);
        count_ = 2;

        // furthest from the line, furthest from the plane; both ways
        const Vec3 line = direction_or(w_[1] - w_[0], Vec3::UnitX());
        const Vec3 u = any_across(line);
        const Vec3 v = line.cross(u);
        const std::array<Vec3, 4> around{u, v, Vec3(-u), Vec3(-v)};
        furthest(around, [&](const Vec3& x) { return line.cross(x - w_[0]).squaredNorm(); });
        const Vec3 n = direction_or((w_[1] - w_[0]).cross(w_[2] - w_[0]), u);
        const std::array<Vec3, 2> off{n, Vec3(-n)};
        furthest(off, [&](const Vec3& x) { return std::abs(n.dot(x - w_[0])); });
        const Real height = n.dot(w_[3] - w_[0]);
        flat_normal = n;
        if (std::abs(height) <= PolytopeThresholds::kNoHeight * size_) return false;

        const int s = height > 0 ? 2 : 1, t = 3 - s;
        add_face(0, s, t), add_face(0, t, 3), add_face(t, s, 3), add_face(s, 0, 3);
        return true;
    }

    // Grows until the face nearest to the origin lies on the surface of M; returns that face.
    Face grow() noexcept
    {
        for (;;) {
            const Face f = nearest_face();
            if (count_ == kMaxVertices || f.offset == kNever) return f;
            const int p = add_vertex(f.normal);
            const Real advance = f.normal.dot(w_[p]) - f.offset;
            if (advance <= tolerance_ || !insert(p)) return f;
        }
    }

    // Nearest points for a face, taken from the triangle of its plane that holds the foot of the
    // origin: flat faces of M are several triangles here.
    void witness(const Face& face, Separation& out) const noexcept
    {
        std::array<Real, 3> best{};
        const Face* chosen = nullptr;
        Real deepest = -kNever;
        for (int i = 0; i < face_count_; ++i) {
            const Face& other = faces_[i];
            if (other.offset == kNever ||
                std::abs(other.offset - face.offset) > PolytopeThresholds::kSamePlane * size_ ||
                other.normal.dot(face.normal) < 1 - PolytopeThresholds::kSameNormal)
                continue;
            const Vec3 foot = face.normal * face.offset;
            const Vec3 A = w_[other.corner[0]] - foot, B = w_[other.corner[1]] - foot,
                       C = w_[other.corner[2]] - foot;
            std::array<Real, 3> weight{face.normal.dot(B.cross(C)), face.normal.dot(C.cross(A)),
                                       face.normal.dot(A.cross(B))};
            const Real sum = weight[0] + weight[1] + weight[2];
            if (!(sum > 0)) continue;
            for (Real& w : weight) w /= sum;
            const Real inner = std::min({weight[0], weight[1], weight[2]});
            if (inner > deepest) deepest = inner, best = weight, chosen = &other;
        }
        if (!chosen) chosen = &face, best = {1, 0, 0};
        if (deepest < 0) {  // outside by rounding: the nearest point of the triangle
            Real sum = 0;
            for (Real& w : best) sum += w = std::max(w, Real(0));
            for (Real& w : best) w /= sum;
        }
        out.on_a.setZero(), out.on_b.setZero();
        for (int k = 0; k < 3; ++k) {
            out.on_a += best[k] * point_a_[chosen->corner[k]];
            out.on_b += best[k] * point_b_[chosen->corner[k]];
        }
    }

    const Vec3& vertex(int i) const noexcept { return w_[i]; }

private:
    int add_vertex(const Vec3& d) noexcept
    {
        point_a_[count_] = support(a_, d);
        point_b_[count_] = support(b_, -d);
        w_[count_] = point_a_[count_] - point_b_[count_];
        return count_++;
    }

    void keep(int to, int from) noexcept
    {
        w_[to] = w_[from], point_a_[to] = point_a_[from], point_b_[to] = point_b_[from];
    }

    // Adds the support point in the given directions with the largest `far`.
    template <class Directions, class F>
    void furthest(const Directions& directions, F&& far) noexcept
    {
        const int place = count_;
        Real best = -1;
        for (const Vec3& d : directions) {
            const int p = add_vertex(d);
            const Real here = far(w_[p]);
            if (here > best) {
                best = here;
                keep(place, p);
            }
            count_ = place + 1;
        }
    }

    void add_face(int i, int j, int k) noexcept
    {
        const Vec3 cross = (w_[j] - w_[i]).cross(w_[k] - w_[i]);
        const Real area = cross.norm();
        Face& f = faces_[face_count_++];
        f.corner = {i, j, k};
        // a sliver closes the surface but has no plane of its own
        const bool sliver = !(area > PolytopeThresholds::kEdgeRounding * size_ * size_ *
                                         PolytopeThresholds::kShortEdge);
        f.normal = sliver ? Vec3::Zero() : Vec3(cross / area);
        f.offset = sliver ? kNever : f.normal.dot(w_[i]);
    }

    const Face& nearest_face() const noexcept
    {
        int best = 0;
        for (int f = 1; f < face_count_; ++f)
            if (faces_[f].offset < faces_[best].offset) best = f;
        return faces_[best];
    }

    // Faces visible from vertex p are replaced by a cone over their rim.
    bool insert(int p) noexcept
    {
        std::array<std::array<int, 2>, 3 * kMaxFaces> rim;
        int sides = 0, kept = 0;
        for (int f = 0; f < face_count_; ++f) {
            const Face& face = faces_[f];
            if (face.offset == kNever || face.normal.dot(w_[p]) - face.offset <= tolerance_ / 10) {
                if (kept != f) faces_[kept] = faces_[f];
                ++kept;
                continue;
            }
            for (int k = 0; k < 3; ++k) {
                const int from = face.corner[k], to = face.corner[(k + 1) % 3];
                int twin = 0;
                while (twin < sides && (rim[twin][0] != to || rim[twin][1] != from)) ++twin;
                if (twin < sides)
                    rim[twin] = rim[--sides];
                else
                    rim[sides++] = {from, to};
            }
        }
        face_count_ = kept;
        if (kept + sides > kMaxFaces) return false;
        for (int s = 0; s < sides; ++s) add_face(rim[s][0], rim[s][1], p);
        return true;
    }

    const Core &a_, &b_;
    Real size_, tolerance_;
    std::array<Vec3, kMaxVertices + 8> w_, point_a_, point_b_;
    std::array<Face, kMaxFaces> faces_;
    int count_ = 0, face_count_ = 0;
};

}  // namespace

Separation deepest_plane(const Core& a, const Core& b) noexcept
{
    const Real size = common_size(a, b);
    Separation result;
    result.known = true;
    Polytope polytope(a, b, size);
    Vec3 flat;
    const bool solid = polytope.start(flat);
    const Face face = solid ? polytope.grow() : Face{{0, 0, 0}, Vec3::Zero(), kNever};
    if (face.offset == kNever) {
        // towards the side on which a already is
        const Vec3 w = a.centre() - b.centre();
        result.normal = flat.dot(w) < 0 ? Vec3(-flat) : flat;
        result.distance = result.normal.dot(polytope.vertex(0));
        result.on_b = b.centre();
        result.on_a = result.on_b + result.distance * result.normal;
        return result;
    }
    result.normal = -face.normal;
    result.distance = -face.offset;
    polytope.witness(face, result);
    return result;
}

}  // namespace taut::collision
