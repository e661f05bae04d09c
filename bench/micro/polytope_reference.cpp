#include "polytope_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace taut::collision {
namespace {

using Wide = long double;
using Wide3 = Eigen::Matrix<Wide, 3, 1>;
using Wide33 = Eigen::Matrix<Wide, 3, 3>;

constexpr int kRim = 24;   // corners of a rim before it is refined
constexpr int kFiner = 6;  // by which each level divides the spacing
constexpr int kLevels = 6;  // 2π/24 · 6⁻⁶ = 5.6e-6 rad; the chord is off by 4e-12 of the radius

struct Polytope {
    std::vector<Wide3> corners;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::array<int, 3>> triangles;
    std::vector<Wide3> normals;     // of the faces, either sign
    std::vector<Wide3> directions;  // of the edges, each once
    Wide radius = 0;

    void add_face(const std::vector<int>& loop)
    {
        for (std::size_t k = 2; k < loop.size(); ++k)
            triangles.push_back({loop[0], loop[k - 1], loop[k]});
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const int i = loop[k], j = loop[(k + 1) % loop.size()];
            if (i < j) add_edge(i, j);  // the neighbour sees it the other way round
        }
        const Wide3& o = corners[loop[0]];
        Wide3 area = Wide3::Zero();  // of the whole face: single triangles of a rim are slivers
        for (std::size_t k = 2; k < loop.size(); ++k)
            area += (corners[loop[k - 1]] - o).cross(corners[loop[k]] - o);
        normals.push_back(area.normalized());
    }

    void add_edge(int i, int j)
    {
        edges.push_back({i, j});
        const Wide3 d = (corners[j] - corners[i]).normalized();
        for (const Wide3& known : directions)
            if (known.cross(d).squaredNorm() < 1e-30L) return;
        directions.push_back(d);
    }
};

// The prism about z with corners at these angles.
void add_prism(Polytope& p, const std::vector<Wide>& angles, Wide r, Wide h)
{
    const int n = static_cast<int>(angles.size());
    std::vector<int> top, bottom;
    for (Wide t : angles)
        for (Wide z : {-h, h}) p.corners.push_back({r * std::cos(t), r * std::sin(t), z});
    for (int k = 0; k < n; ++k) top.push_back(2 * k + 1), bottom.push_back(2 * (n - 1 - k));
    p.add_face(top);
    p.add_face(bottom);
    for (int k = 0; k < n; ++k) {
        const int next = (k + 1) % n;
        p.add_face({2 * k, 2 * next, 2 * next + 1, 2 * k + 1});
    }
}

Polytope polytope(const ColliderShape& shape, const Transform& X, const std::vector<Wide>& rim)
{
    Polytope p;
    if (const auto* box = std::get_if<Shape::Box>(&shape)) {
        const Vec3 half = box->size / 2;
        for (int k = 0; k < 8; ++k)
            p.corners.push_back({k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
                                 k & 4 ? half.z() : -half.z()});
        for (const auto& loop : {std::vector<int>{0, 4, 6, 2},
                                 {1, 3, 7, 5},
                                 {0, 1, 5, 4},
                                 {2, 6, 7, 3},
                                 {0, 2, 3, 1},
                                 {4, 5, 7, 6}})
            p.add_face(loop);
    } else if (const auto* hull = std::get_if<HullShape>(&shape)) {
        for (const Vec3& v : (*hull)->vertices) p.corners.push_back(v.cast<Wide>());
        for (const auto& face : (*hull)->faces) {
            const auto first = (*hull)->loops.begin() + face.first;
            p.add_face({first, first + face.count});
        }
    } else if (const auto* capsule = std::get_if<Shape::Capsule>(&shape)) {
        p.corners = {{0, 0, -capsule->length / 2}, {0, 0, capsule->length / 2}};
        p.add_edge(0, 1);
        p.radius = capsule->radius;
    } else if (const auto* cylinder = std::get_if<Shape::Cylinder>(&shape)) {
        add_prism(p, rim, cylinder->radius, cylinder->length / 2);
    }
    const Wide33 R = X.R.cast<Wide>();
    const Wide3 o = X.p.cast<Wide>();
    for (Wide3& v : p.corners) v = (R * v + o).eval();
    for (auto* list : {&p.normals, &p.directions})
        for (Wide3& v : *list) v = (R * v).eval();
    return p;
}

struct Best {
    Wide gap = 0;
    Wide3 normal = Wide3::UnitZ();
};

std::array<Wide, 2> extent(const Polytope& p, const Wide3& n)
{
    std::array<Wide, 2> e{1e300L, -1e300L};
    for (const Wide3& v : p.corners) {
        const Wide s = n.dot(v);
        e = {std::min(e[0], s), std::max(e[1], s)};
    }
    return e;
}

// The axis along which they are furthest apart, or overlap least.
Best separating_axis(const Polytope& a, const Polytope& b)
{
    Best best{-1e300L, Wide3::UnitZ()};
    const auto look = [&](const Wide3& n) {
        const auto of_a = extent(a, n), of_b = extent(b, n);
        if (of_a[0] - of_b[1] > best.gap) best = {of_a[0] - of_b[1], n};
        if (of_b[0] - of_a[1] > best.gap) best = {of_b[0] - of_a[1], -n};
    };
    for (const Wide3& n : a.normals) look(n);
    for (const Wide3& n : b.normals) look(n);
    for (const Wide3& u : a.directions)
        for (const Wide3& v : b.directions) {
            const Wide3 n = u.cross(v);
            if (n.norm() > 1e-12L) look(n.normalized());
        }
    return best;
}

// From the segment q + [0, 1] v to the segment p + [0, 1] u, at its shortest.
Wide3 between_segments(const Wide3& p, const Wide3& u, const Wide3& q, const Wide3& v)
{
    const Wide3 r = p - q;
    const Wide uu = u.dot(u), vv = v.dot(v), uv = u.dot(v), ur = u.dot(r), vr = v.dot(r);
    const Wide determinant = uu * vv - uv * uv;
    const auto clamp = [](Wide x) { return std::clamp(x, Wide(0), Wide(1)); };
    Wide s = determinant > 0 ? clamp((uv * vr - ur * vv) / determinant) : 0;
    Wide t = (uv * s + vr) / vv;
    if (t < 0 || t > 1) {
        t = clamp(t);
        s = clamp((t * uv - ur) / uu);
    }
    return r + s * u - t * v;
}

void corners_over_faces(const Polytope& corners, const Polytope& faces, Wide sign, Wide3& shortest)
{
    for (const auto& [i, j, k] : faces.triangles) {
        const Wide3 o = faces.corners[i], u = faces.corners[j] - o, v = faces.corners[k] - o;
        const Wide3 n = u.cross(v);
        const Wide nn = n.squaredNorm();
        for (const Wide3& x : corners.corners) {
            const Wide3 d = x - o;
            const Wide s = d.cross(v).dot(n) / nn, t = u.cross(d).dot(n) / nn;
            if (s < -1e-15L || t < -1e-15L || s + t > 1 + 1e-15L) continue;
            const Wide3 height = n * (n.dot(d) / nn);
            if (height.squaredNorm() < shortest.squaredNorm()) shortest = sign * height;
        }
    }
}

Best nearest_points(const Polytope& a, const Polytope& b)
{
    Wide3 shortest = Wide3::Constant(1e100L);
    corners_over_faces(a, b, 1, shortest);
    corners_over_faces(b, a, -1, shortest);
    for (const auto& e : a.edges)
        for (const auto& f : b.edges) {
            const Wide3& p = a.corners[e[0]];
            const Wide3& q = b.corners[f[0]];
            const Wide3 d = between_segments(p, a.corners[e[1]] - p, q, b.corners[f[1]] - q);
            if (d.squaredNorm() < shortest.squaredNorm()) shortest = d;
        }
    const Wide length = shortest.norm();
    return {length, shortest / length};
}

// Angles about the one at which the normal of the cylinder points along `outward` (its own axes).
void refine(std::vector<Wide>& rim, const Wide3& outward, int level)
{
    const Wide turn = 2 * std::numbers::pi_v<Wide>;
    const Wide middle = std::atan2(outward.y(), outward.x());
    const Wide spacing = turn / kRim / std::pow(Wide(kFiner), Wide(level));
    for (int k = -kFiner; k <= kFiner; ++k) {
        const Wide angle = middle + spacing * static_cast<Wide>(k);
        rim.push_back(angle - turn * std::floor(angle / turn));
    }
    std::sort(rim.begin(), rim.end());
    const auto same = [](Wide x, Wide y) { return y - x < 1e-7L; };
    rim.erase(std::unique(rim.begin(), rim.end(), same), rim.end());
}

}  // namespace

ReferenceGap reference_gap(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
                           const Transform& X_WB)
{
    std::vector<Wide> rim[2];
    for (auto& r : rim)
        for (int k = 0; k < kRim; ++k)
            r.push_back(2 * std::numbers::pi_v<Wide> * static_cast<Wide>(k) / kRim);
    const bool round = kind(a) == kKindOf<Shape::Cylinder> || kind(b) == kKindOf<Shape::Cylinder>;
    Best best;
    for (int level = 1;; ++level) {
        const Polytope p = polytope(a, X_WA, rim[0]), q = polytope(b, X_WB, rim[1]);
        best = separating_axis(p, q);
        if (best.gap > 0) best = nearest_points(p, q);
        best.gap -= p.radius + q.radius;
        if (!round || level > kLevels) break;
        refine(rim[0], -(X_WA.R.cast<Wide>().transpose() * best.normal), level);
        refine(rim[1], X_WB.R.cast<Wide>().transpose() * best.normal, level);
    }
    return {static_cast<Real>(best.gap), best.normal.cast<Real>()};
}

}  // namespace taut::collision
