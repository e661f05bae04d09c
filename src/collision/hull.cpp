// Hull of points: a tetrahedron grows by one outer point at a time (triangles visible from the point
// are replaced by a cone over their rim), then triangles in one plane become one face.
#include "collision/hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collision/thresholds.h"

namespace taut::collision {
namespace {

struct Triangle {
    std::array<int, 3> corner;
    Vec3 normal;
    Real offset;
};

Triangle make_triangle(const std::vector<Vec3>& v, int a, int b, int c)
{
    const Vec3 cross = (v[b] - v[a]).cross(v[c] - v[a]);
    const Vec3 normal = direction_or(cross, Vec3::UnitZ());
    return {{a, b, c}, normal, normal.dot(v[a])};
}

// Index of the point with the largest f.
template <class F>
int best_point(const std::vector<Vec3>& v, F&& f)
{
    int best = 0;
    for (int i = 1; i < static_cast<int>(v.size()); ++i)
        if (f(v[i]) > f(v[best])) best = i;
    return best;
}

// Four points that span as much as they can, or nothing if the points are flat.
bool first_tetrahedron(const std::vector<Vec3>& v, Real size, std::array<int, 4>& t)
{
    t[0] = best_point(v, [](const Vec3& p) { return -p.x(); });
    t[1] = best_point(v, [&](const Vec3& p) { return (p - v[t[0]]).squaredNorm(); });
    const Vec3 line = direction_or(v[t[1]] - v[t[0]], Vec3::UnitX());
    t[2] = best_point(v, [&](const Vec3& p) { return line.cross(p - v[t[0]]).squaredNorm(); });
    const Vec3 across = line.cross(v[t[2]] - v[t[0]]);
    if (across.norm() < HullThresholds::kFlat * size) return false;
    const Vec3 normal = across.normalized();
    t[3] = best_point(v, [&](const Vec3& p) { return std::abs(normal.dot(p - v[t[0]])); });
    const Real height = normal.dot(v[t[3]] - v[t[0]]);
    if (std::abs(height) < HullThresholds::kFlat * size) return false;
    if (height > 0) std::swap(t[1], t[2]);
    return true;
}

// Replaces the triangles visible from the point p by a cone from p over their rim.
void add_point(const std::vector<Vec3>& v, int p, Real slack, std::vector<Triangle>& triangles)
{
    std::vector<std::pair<int, int>> rim;
    std::vector<Triangle> kept;
    for (const auto& t : triangles) {
        if (t.normal.dot(v[p]) <= t.offset + slack) {
            kept.push_back(t);
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            const std::pair edge{t.corner[k], t.corner[(k + 1) % 3]};
            const auto twin = std::find(rim.begin(), rim.end(), std::pair{edge.second, edge.first});
            if (twin != rim.end())
                rim.erase(twin);
            else
                rim.push_back(edge);
        }
    }
    for (const auto& [a, b] : rim) kept.push_back(make_triangle(v, a, b, p));
    triangles = std::move(kept);
}

// Corners of the convex polygon of those vertices that lie in a plane, counter-clockwise about its
// normal. Points on the sides are left out.
std::vector<int> polygon(const std::vector<Vec3>& v, const Triangle& plane, Real slack)
{
    const Vec3 x = any_across(plane.normal);
    const Vec3 y = plane.normal.cross(x);
    std::vector<std::array<Real, 2>> at(v.size());
    std::vector<int> in;
    for (int i = 0; i < static_cast<int>(v.size()); ++i) {
        at[i] = {x.dot(v[i]), y.dot(v[i])};
        if (std::abs(plane.normal.dot(v[i]) - plane.offset) <= slack) in.push_back(i);
    }
    std::sort(in.begin(), in.end(), [&](int a, int b) { return at[a] < at[b]; });

    // lower and upper chain [Andrew1979]
    const auto turns_left = [&](int a, int b, int c) {
        const Real bx = at[b][0] - at[a][0], by = at[b][1] - at[a][1];
        const Real cx = at[c][0] - at[a][0], cy = at[c][1] - at[a][1];
        return bx * cy - by * cx > slack * std::hypot(cx, cy);
    };
    std::vector<int> loop;
    for (int pass = 0; pass < 2; ++pass) {
        const auto start = loop.size();
        for (int i : in) {
            while (loop.size() >= start + 2 && !turns_left(loop[loop.size() - 2], loop.back(), i))
                loop.pop_back();
            loop.push_back(i);
        }
        loop.pop_back();
        std::reverse(in.begin(), in.end());
    }
    return loop;
}

// Triangles of one plane become one face, the largest triangle telling the plane best.
void merge_faces(const std::vector<Vec3>& v, std::vector<Triangle> triangles, Real slack,
                 Hull& hull)
{
    const auto area = [&](const Triangle& t) {
        return (v[t.corner[1]] - v[t.corner[0]]).cross(v[t.corner[2]] - v[t.corner[0]]).norm();
    };
    std::sort(triangles.begin(), triangles.end(), [&](const Triangle& a, const Triangle& b) {
        const Real A = area(a), B = area(b);
        return A != B ? A > B : a.corner < b.corner;
    });
    std::vector<bool> done(triangles.size(), false);
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        if (done[i]) continue;
        const std::vector<int> loop = polygon(v, triangles[i], slack);
        for (std::size_t k = i; k < triangles.size(); ++k)
            done[k] =
                done[k] ||
                std::all_of(triangles[k].corner.begin(), triangles[k].corner.end(), [&](int c) {
                    return std::abs(triangles[i].normal.dot(v[c]) - triangles[i].offset) <= slack;
                });
        if (loop.size() < 3) continue;
        hull.faces.push_back({triangles[i].normal, triangles[i].offset,
                              static_cast<int>(hull.loops.size()), static_cast<int>(loop.size())});
        hull.loops.insert(hull.loops.end(), loop.begin(), loop.end());
    }
}

// Keeps the vertices that some face has, and notes the faces around each.
void keep_used_vertices(const std::vector<Vec3>& v, Hull& hull)
{
    std::vector<int> index(v.size(), -1);
    for (int i : hull.loops) index[i] = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        if (index[i] < 0) continue;
        index[i] = static_cast<int>(hull.vertices.size());
        hull.vertices.push_back(v[i]);
        hull.box.add(v[i]);
        hull.centre += v[i];
    }
    hull.centre /= static_cast<Real>(hull.vertices.size());
    std::vector<std::vector<int>> around(hull.vertices.size());
    for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f)
        for (int k = 0; k < hull.faces[f].count; ++k) {
            int& corner = hull.loops[hull.faces[f].first + k];
            corner = index[corner];
            around[corner].push_back(f);
        }
    hull.vertex_first.push_back(0);
    for (const auto& faces : around) {
        hull.vertex_faces.insert(hull.vertex_faces.end(), faces.begin(), faces.end());
        hull.vertex_first.push_back(static_cast<int>(hull.vertex_faces.size()));
    }
}

}  // namespace

HullResult make_hull(std::span<const Vec3> points)
{
    std::vector<Vec3> v(points.begin(), points.end());
    for (const auto& p : v)
        if (!p.allFinite()) return {nullptr, "a point is not finite"};

    // the same points in another order give the same hull
    std::sort(v.begin(), v.end(), [](const Vec3& a, const Vec3& b) {
        return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    v.erase(std::unique(v.begin(), v.end()), v.end());
    if (v.size() < 4) return {nullptr, "fewer than four different points"};
    Aabb box;
    for (const auto& p : v) box.add(p);
    const Real size = box.half().norm() * 2;
    std::array<int, 4> t{};
    if (!first_tetrahedron(v, size, t)) return {nullptr, "the points lie in a plane"};

    const Real slack = HullThresholds::kInside * size;
    std::vector<Triangle> triangles{
        make_triangle(v, t[0], t[1], t[2]), make_triangle(v, t[0], t[2], t[3]),
        make_triangle(v, t[2], t[1], t[3]), make_triangle(v, t[1], t[0], t[3])};
    for (int i = 0; i < static_cast<int>(v.size()); ++i) add_point(v, i, slack / 10, triangles);

    auto hull = std::make_shared<Hull>();
    merge_faces(v, std::move(triangles), slack, *hull);
    keep_used_vertices(v, *hull);
    if (hull->vertices.size() > Hull::kMaxVertices)
        return {nullptr, "its hull has " + std::to_string(hull->vertices.size()) +
                             " vertices; at most 255 are allowed"};
    if (hull->faces.size() < 4) return {nullptr, "the points lie in a plane"};
    return {std::move(hull), {}};
}

}  // namespace taut::collision
