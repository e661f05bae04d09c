// Where a ray meets a shape, worked out in another way than in the engine: in the world, in long double, by the surfaces
// that bound the shape (quadrics, discs, rectangles, triangles) instead of by the half spaces that it is the intersection of.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "samples.h"

namespace taut::collision::test {

using Long = long double;
using LongVec = Eigen::Matrix<Long, 3, 1>;

struct OracleRay {
    LongVec from, way;
};

inline constexpr Long kNoHit = std::numeric_limits<Long>::infinity();

inline void take(Long t, Long& best)
{
    if (t >= 0 && t < best) best = t;
}

// Both roots of |x − c − u (u·(x − c))|² = r², the quadric of a cylinder about the axis u; a ball where u is zero.
inline std::vector<Long> quadric_roots(const OracleRay& ray, const LongVec& c, const LongVec& u,
                                       Long r)
{
    const LongVec o0 = ray.from - c;
    const LongVec o = o0 - u * u.dot(o0), d = ray.way - u * u.dot(ray.way);
    const Long a = d.dot(d), b = 2 * o.dot(d), k = o.dot(o) - r * r;
    const Long left = b * b - 4 * a * k;
    if (a == 0 || left < 0) return {};
    const Long root = std::sqrt(left);
    return {(-b - root) / (2 * a), (-b + root) / (2 * a)};
}

// Möller and Trumbore: barycentric coordinates by Cramer's rule.
inline Long triangle_hit(const OracleRay& ray, const std::array<LongVec, 3>& c)
{
    const LongVec e1 = c[1] - c[0], e2 = c[2] - c[0], p = ray.way.cross(e2);
    const Long det = e1.dot(p);
    if (det == 0) return kNoHit;
    const LongVec s = ray.from - c[0];
    const Long u = s.dot(p) / det;
    const LongVec q = s.cross(e1);
    const Long v = ray.way.dot(q) / det, t = e2.dot(q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : kNoHit;
}

// A disc or rectangle through c, across n, of half extents along its own axes.
inline Long flat_hit(const OracleRay& ray, const LongVec& c, const LongVec& n)
{
    const Long along = n.dot(ray.way);
    return along == 0 ? kNoHit : n.dot(c - ray.from) / along;
}

// The triangles of a hull, mesh or field in the frame of the shape.
inline std::vector<std::array<Vec3, 3>> triangles_of(const ColliderShape& shape)
{
    std::vector<std::array<Vec3, 3>> out;
    if (const auto* h = std::get_if<HullShape>(&shape)) {
        for (const auto& f : (*h)->faces)
            for (int k = 1; k + 1 < f.count; ++k) {
                const auto at = [&](int i) { return (*h)->vertices[(*h)->loops[f.first + i]]; };
                out.push_back({at(0), at(k), at(k + 1)});
            }
    } else if (const auto* m = std::get_if<MeshShape>(&shape)) {
        for (const auto& [a, b, c] : (*m)->triangles)
            out.push_back({(*m)->vertices[a], (*m)->vertices[b], (*m)->vertices[c]});
    } else if (const auto* g = std::get_if<HeightFieldShape>(&shape)) {
        for (int j = 0; j + 1 < (*g)->ny; ++j)
            for (int i = 0; i + 1 < (*g)->nx; ++i) {
                const auto at = [&](int k, int l) { return (*g)->vertex(i + k, j + l); };
                out.push_back({at(0, 0), at(1, 0), at(1, 1)});
                out.push_back({at(0, 0), at(1, 1), at(0, 1)});
            }
    }
    return out;
}

// First fraction at which the ray crosses a surface of the shape; kNoHit where it crosses none. `triangles`: of the shape.
inline Long ray_oracle(const ColliderShape& shape,
                       const std::vector<std::array<Vec3, 3>>& triangles, const Transform& X,
                       const Vec3& from, const Vec3& way)
{
    const OracleRay ray{from.cast<Long>(), way.cast<Long>()};
    const LongVec p = X.p.cast<Long>();
    const Eigen::Matrix<Long, 3, 3> R = X.R.cast<Long>();
    const LongVec z = R.col(2);
    const auto at = [&](Long t) -> LongVec { return ray.from + t * ray.way - p; };
    Long best = kNoHit;
    if (kind(shape) == kKindOf<Shape::Plane>) take(flat_hit(ray, p, z), best);
    if (const auto* s = std::get_if<Shape::Sphere>(&shape))
        for (const Long t : quadric_roots(ray, p, LongVec::Zero(), s->radius)) take(t, best);
    if (const auto* s = std::get_if<Shape::Capsule>(&shape)) {
        for (const Long t : quadric_roots(ray, p, z, s->radius))
            if (std::abs(z.dot(at(t))) <= s->length / 2) take(t, best);
        // only the outer half of each ball is part of the surface
        for (const int end : {-1, 1})
            for (const Long t :
                 quadric_roots(ray, p + end * s->length / 2 * z, LongVec::Zero(), s->radius))
                if (end * z.dot(at(t)) >= s->length / 2) take(t, best);
    }
    if (const auto* s = std::get_if<Shape::Cylinder>(&shape)) {
        for (const Long t : quadric_roots(ray, p, z, s->radius))
            if (std::abs(z.dot(at(t))) <= s->length / 2) take(t, best);
        for (const int end : {-1, 1}) {
            const Long t = flat_hit(ray, p + end * s->length / 2 * z, z);
            if (t < kNoHit && (at(t) - z * z.dot(at(t))).norm() <= s->radius) take(t, best);
        }
    }
    if (const auto* s = std::get_if<Shape::Box>(&shape)) {
        const Vec3 half = s->size / 2;
        for (int k = 0; k < 3; ++k)
            for (const int end : {-1, 1}) {
                const Long t = flat_hit(ray, p + end * half[k] * R.col(k), R.col(k));
                if (!(t < kNoHit)) continue;
                const int u = (k + 1) % 3, v = (k + 2) % 3;
                if (std::abs(R.col(u).dot(at(t))) <= half[u] &&
                    std::abs(R.col(v).dot(at(t))) <= half[v])
                    take(t, best);
            }
    }
    for (const auto& c : triangles) {
        std::array<LongVec, 3> corners;
        for (int k = 0; k < 3; ++k) corners[k] = R * c[k].cast<Long>() + p;
        take(triangle_hit(ray, corners), best);
    }
    return best;
}

// Hills of random heights, in the middle of its frame.
inline HeightFieldShape hilly_field(Random& random, int n, Real spacing)
{
    std::vector<Real> heights;
    for (int i = 0; i < n * n; ++i) heights.push_back(uniform(random, -0.4, 0.4));
    return make_height_field(n, n, spacing, spacing, heights).field;
}

}  // namespace taut::collision::test
