#include "collision/gjk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut::collision {
namespace {

constexpr int kMaxIterations = 128;
constexpr Real kApart = 1e-8;  // of the size: nearer than this the direction is left to the planes

struct Vertex {
    Vec3 w, a, b;  // w = a − b
};

// Up to four points of M and the weights of the point of their hull nearest to the origin.
struct Simplex {
    std::array<Vertex, 4> v;
    std::array<Real, 4> weight{};
    int count = 0;

    Vec3 nearest() const noexcept
    {
        Vec3 x = Vec3::Zero();
        for (int i = 0; i < count; ++i) x += weight[i] * v[i].w;
        return x;
    }
};

Simplex keep_one(const Simplex& s, int i) noexcept
{
    Simplex r;
    r.v[0] = s.v[i], r.weight[0] = 1, r.count = 1;
    return r;
}

Simplex on_segment(const Simplex& s, int i, int j) noexcept
{
    const Vec3 edge = s.v[j].w - s.v[i].w;
    const Real length2 = edge.squaredNorm();
    const Real t = length2 > 0 ? -s.v[i].w.dot(edge) / length2 : 0;
    if (t <= 0) return keep_one(s, i);
    if (t >= 1) return keep_one(s, j);
    Simplex r;
    r.v[0] = s.v[i], r.v[1] = s.v[j];
    r.weight[0] = 1 - t, r.weight[1] = t;
    r.count = 2;
    return r;
}

Simplex nearer(const Simplex& a, const Simplex& b) noexcept
{
    return b.nearest().squaredNorm() < a.nearest().squaredNorm() ? b : a;
}

// Inside the triangle by areas; otherwise on its nearest side. Slivers fall to their sides, which
// have no cross product to lose digits in.
Simplex on_triangle(const Simplex& s, int i, int j, int k) noexcept
{
    const Vec3 &A = s.v[i].w, &B = s.v[j].w, &C = s.v[k].w;
    const Vec3 n = (B - A).cross(C - A);
    const Real n2 = n.squaredNorm();
    const Real longest2 =
        std::max({(B - A).squaredNorm(), (C - A).squaredNorm(), (C - B).squaredNorm()});
    if (n2 > 1e-28 * longest2 * longest2) {
        // seen from the foot of the origin: a small triangle far away keeps its digits
        const Vec3 foot = n * (n.dot(A) / n2);
        const Vec3 a = A - foot, b = B - foot, c = C - foot;
        const Real wa = n.dot(b.cross(c)), wb = n.dot(c.cross(a)), wc = n.dot(a.cross(b));
        if (wa > 0 && wb > 0 && wc > 0) {
            const Real sum = wa + wb + wc;
            Simplex r;
            r.v[0] = s.v[i], r.v[1] = s.v[j], r.v[2] = s.v[k];
            r.weight = {wa / sum, wb / sum, wc / sum, 0};
            r.count = 3;
            return r;
        }
    }
    return nearer(nearer(on_segment(s, i, j), on_segment(s, j, k)), on_segment(s, i, k));
}

// Sets `inside` if the tetrahedron holds the origin.
Simplex on_tetrahedron(const Simplex& s, bool& inside) noexcept
{
    static constexpr int kFaces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    Simplex best;
    Real nearest = std::numeric_limits<Real>::infinity();
    inside = true;
    for (const auto& f : kFaces) {
        const Vec3& A = s.v[f[0]].w;
        const Vec3 n = (s.v[f[1]].w - A).cross(s.v[f[2]].w - A);
        const Real to_origin = -n.dot(A), to_other = n.dot(s.v[f[3]].w - A);
        // same side as the fourth point: this face cannot be the nearest. A flat tetrahedron, as curved
        // shapes make them near the end, has no sides that could be trusted, and no inside.
        const Real flat = 1e-9 * n.norm() * (s.v[f[3]].w - A).norm();
        if (to_origin * to_other > 0 && std::abs(to_other) > flat) continue;
        inside = false;
        const Simplex r = on_triangle(s, f[0], f[1], f[2]);
        const Real d2 = r.nearest().squaredNorm();
        if (d2 < nearest) nearest = d2, best = r;
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
    Simplex simplex;
    Vec3 v = direction_or(a.centre() - b.centre(), Vec3::UnitX());
    simplex.v[0] = support_of_difference(a, b, -v);
    simplex.weight[0] = 1, simplex.count = 1;
    v = simplex.v[0].w;

    for (int i = 0; i < kMaxIterations; ++i) {
        const Real v2 = v.squaredNorm();
        if (v2 <= kApart * kApart * size * size) return result;

        // the plane across v through the next support point bounds the distance from below
        const Vertex next = support_of_difference(a, b, -v);
        const Real along = v.dot(next.w);
        if (along > 0 && along * along > reach * reach * v2) {
            result.distance = std::numeric_limits<Real>::infinity();
            return result;
        }
        if (v2 - along <= 1e-15 * v2) break;

        Simplex grown = simplex;
        grown.v[grown.count++] = next;
        bool inside = false;
        if (grown.count == 2)
            grown = on_segment(grown, 0, 1);
        else if (grown.count == 3)
            grown = on_triangle(grown, 0, 1, 2);
        else
            grown = on_tetrahedron(grown, inside);
        if (inside) return result;
        const Vec3 u = grown.nearest();
        if (!(u.squaredNorm() < v2)) break;  // rounding: no nearer point can be told
        simplex = grown;
        v = u;
    }

    result.distance = v.norm();
    result.normal = v / result.distance;
    for (int i = 0; i < simplex.count; ++i) {
        result.on_a += simplex.weight[i] * simplex.v[i].a;
        result.on_b += simplex.weight[i] * simplex.v[i].b;
    }
    result.known = true;
    return result;
}

}  // namespace taut::collision
