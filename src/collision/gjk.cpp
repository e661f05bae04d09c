#include "collision/gjk.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/thresholds.h"

namespace taut::collision {
namespace {

struct Vertex {
    Vec3 w, a, b;  // w = a − b
};

using SimplexPoints = std::array<Vertex, 4>;

// The point nearest to the origin of the hull of some of the points: which, and with what weights.
struct Nearest {
    std::array<int, 4> of{};
    std::array<Real, 4> weight{};
    int count = 0;
    Vec3 x = Vec3::Zero();
};

Nearest on_point(const SimplexPoints& p, int i) noexcept
{
    return {{i, 0, 0, 0}, {1, 0, 0, 0}, 1, p[i].w};
}

Nearest on_segment(const SimplexPoints& p, int i, int j) noexcept
{
    const Vec3 edge = p[j].w - p[i].w;
    const Real length2 = edge.squaredNorm();
    const Real t = length2 > 0 ? -p[i].w.dot(edge) / length2 : 0;
    if (t <= 0) return on_point(p, i);
    if (t >= 1) return on_point(p, j);
    return {{i, j, 0, 0}, {1 - t, t, 0, 0}, 2, (1 - t) * p[i].w + t * p[j].w};
}

Nearest nearer(const Nearest& a, const Nearest& b) noexcept
{
    return b.x.squaredNorm() < a.x.squaredNorm() ? b : a;
}

// Inside the triangle by areas; otherwise on its nearest side. Slivers fall to their sides, which
// have no cross product to lose digits in.
Nearest on_triangle(const SimplexPoints& p, int i, int j, int k) noexcept
{
    const Vec3 &A = p[i].w, &B = p[j].w, &C = p[k].w;
    const Vec3 n = (B - A).cross(C - A);
    const Real n2 = n.squaredNorm();
    const Real longest2 =
        std::max({(B - A).squaredNorm(), (C - A).squaredNorm(), (C - B).squaredNorm()});
    if (n2 > GjkThresholds::kNoArea * longest2 * longest2) {
        // seen from the foot of the origin: a small triangle far away keeps its digits
        const Vec3 foot = n * (n.dot(A) / n2);
        const Vec3 a = A - foot, b = B - foot, c = C - foot;
        const Real wa = n.dot(b.cross(c)), wb = n.dot(c.cross(a)), wc = n.dot(a.cross(b));
        if (wa > 0 && wb > 0 && wc > 0) {
            const Real sum = wa + wb + wc;
            const Real u = wa / sum, v = wb / sum, w = wc / sum;
            return {{i, j, k, 0}, {u, v, w, 0}, 3, u * A + v * B + w * C};
        }
    }
    return nearer(nearer(on_segment(p, i, j), on_segment(p, j, k)), on_segment(p, i, k));
}

// Sets `inside` if the tetrahedron holds the origin.
Nearest on_tetrahedron(const SimplexPoints& p, bool& inside) noexcept
{
    static constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    Nearest best;
    Real least = std::numeric_limits<Real>::infinity();
    inside = true;
    for (const auto& f : kFaces) {
        const Vec3& A = p[f[0]].w;
        const Vec3 n = (p[f[1]].w - A).cross(p[f[2]].w - A);
        const Real to_origin = -n.dot(A), to_other = n.dot(p[f[3]].w - A);
        // same side as the fourth point: this face cannot be the nearest. A flat tetrahedron, as curved
        // shapes make them near the end, has no sides that could be trusted, and no inside.
        const Real flat2 =
            GjkThresholds::kFlatTetrahedron * n.squaredNorm() * (p[f[3]].w - A).squaredNorm();
        if (to_origin * to_other > 0 && to_other * to_other > flat2) continue;
        inside = false;
        const Nearest r = on_triangle(p, f[0], f[1], f[2]);
        const Real d2 = r.x.squaredNorm();
        if (d2 < least) least = d2, best = r;
    }
    return best;
}

Vertex support_of_difference(const Core& a, const Core& b, const Vec3& d) noexcept
{
    Vertex v;
    v.a = support(a, d);
    v.b = support(b, -d);
    v.w = v.a - v.b;
    return v;
}

}  // namespace

Real common_size(const Core& a, const Core& b) noexcept { return a.size() + b.size(); }

Separation distance(const Core& a, const Core& b, Real reach) noexcept
{
    Separation result;
    const Real size = common_size(a, b);
    // only curved shapes converge to their nearest points without reaching them
    const bool curved = a.kind == Core::Kind::Cylinder || b.kind == Core::Kind::Cylinder;
    const Real tolerance = curved ? GjkThresholds::kCurved : GjkThresholds::kFlat;
    SimplexPoints points;
    points[0] = support_of_difference(a, b, -direction_or(a.centre() - b.centre(), Vec3::UnitX()));
    Nearest nearest = on_point(points, 0);

    for (int i = 0; i < GjkThresholds::kMaxIterations; ++i) {
        const Vec3 v = nearest.x;
        const Real v2 = v.squaredNorm();
        if (v2 <= GjkThresholds::kApart * GjkThresholds::kApart * size * size) return result;

        // the plane across v through the next support point bounds the distance from below
        const Vertex next = support_of_difference(a, b, -v);
        const Real along = v.dot(next.w);
        if (along > 0 && along * along > reach * reach * v2) {
            result.distance = std::numeric_limits<Real>::infinity();
            return result;
        }
        if (v2 - along <= tolerance * v2) break;

        SimplexPoints grown;
        for (int k = 0; k < nearest.count; ++k) grown[k] = points[nearest.of[k]];
        grown[nearest.count] = next;
        bool inside = false;
        const Nearest better = nearest.count == 1   ? on_segment(grown, 0, 1)
                               : nearest.count == 2 ? on_triangle(grown, 0, 1, 2)
                                                    : on_tetrahedron(grown, inside);
        if (inside) return result;
        if (!(better.x.squaredNorm() < v2))
            break;  // round-off: no nearer point can be distinguished
        points = grown;
        nearest = better;
    }

    result.distance = nearest.x.norm();
    result.normal = nearest.x / result.distance;
    for (int k = 0; k < nearest.count; ++k) {
        result.on_a += nearest.weight[k] * points[nearest.of[k]].a;
        result.on_b += nearest.weight[k] * points[nearest.of[k]].b;
    }
    result.known = true;
    return result;
}

}  // namespace taut::collision
