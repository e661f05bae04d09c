// Shapes in many sizes, random poses, and an independent measure of how far two shapes are apart.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "collision/narrow_phase.h"

namespace taut::collision::test {

using Random = std::mt19937;

inline Real uniform(Random& random, Real low, Real high)
{
    return low + (high - low) * std::uniform_real_distribution<Real>(0, 1)(random);
}

inline Vec3 random_direction(Random& random)
{
    std::normal_distribution<Real> normal;
    return direction_or(Vec3(normal(random), normal(random), normal(random)), Vec3::UnitX());
}

inline Transform random_frame(Random& random, Real spread)
{
    std::normal_distribution<Real> normal;
    Quat q(normal(random), normal(random), normal(random), normal(random));
    return {q.normalized().toRotationMatrix(), spread * random_direction(random)};
}

inline Transform turned(const Vec3& axis, Real angle, const Vec3& p)
{
    return {Eigen::AngleAxis<Real>(angle, axis.normalized()).toRotationMatrix(), p};
}

inline HullShape random_hull(Random& random, int points, const Vec3& half)
{
    std::vector<Vec3> p;
    for (int i = 0; i < points; ++i)
        p.push_back(half.cwiseProduct(random_direction(random)) * uniform(random, 0.7, 1));
    return make_hull(p).hull;
}

inline HullShape prism(int sides, Real radius, Real half_length)
{
    std::vector<Vec3> p;
    for (int i = 0; i < sides; ++i)
        for (Real z : {-half_length, half_length}) {
            const Real angle = 2 * std::numbers::pi * i / sides;
            p.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
        }
    return make_hull(p).hull;
}

// The surface of a hull as triangles.
inline MeshShape mesh_of(const Hull& hull)
{
    std::vector<std::array<int, 3>> triangles;
    for (const auto& f : hull.faces)
        for (int k = 1; k + 1 < f.count; ++k)
            triangles.push_back(
                {hull.loops[f.first], hull.loops[f.first + k], hull.loops[f.first + k + 1]});
    return make_mesh(hull.vertices, triangles).mesh;
}

// Flat, at height 0, around (0, 0) after a shift by half its extent.
inline HeightFieldShape flat_field(int n, Real spacing)
{
    return make_height_field(n, n, spacing, spacing,
                             std::vector<Real>(static_cast<std::size_t>(n) * n, 0))
        .field;
}

inline std::string kind_name(ColliderShapeKind wanted)
{
    std::string name;
    visit_shape_kinds([&]<class Kind>(const Kind&) {
        if (kKindOf<Kind> == wanted) name = Kind::kName;
    });
    return name;
}

// A shape to collide, the convex shape or plane it fills, and how far out it may be used.
struct Sample {
    std::string name;
    ColliderShape shape;
    ColliderShape solid;  // what the oracle measures
    Real size;
};

// One family of sizes for each kind of shape; `variant` ≥ 2 are slender or flat.
inline Sample sample(ColliderShapeKind kind, int variant, Random& random)
{
    const auto u = [&](Real low, Real high) { return uniform(random, low, high); };
    const bool slender = variant % 4 == 3;
    Sample s;
    s.name = kind_name(kind) + "/" + std::to_string(variant);
    switch (kind) {
        case kKindOf<Shape::Plane>: s.shape = Shape::Plane{}, s.size = 1; break;
        case kKindOf<Shape::Sphere>: s.shape = Shape::Sphere{u(0.2, 1)}, s.size = 1; break;
        case kKindOf<Shape::Capsule>:
            s.shape =
                Shape::Capsule{slender ? 0.01 : u(0.1, 0.5), variant % 4 == 2 ? 0 : 2 * u(0.2, 1)};
            s.size = 1;
            break;
        case kKindOf<Shape::Box>:
            s.shape = Shape::Box{2 * (slender ? Vec3(u(0.5, 1), u(0.5, 1), 0.01)
                                              : Vec3(u(0.2, 1), u(0.2, 1), u(0.2, 1)))};
            s.size = 1;
            break;
        case kKindOf<Shape::Cylinder>:
            s.shape =
                slender ? Shape::Cylinder{0.5, 0.04} : Shape::Cylinder{u(0.2, 0.7), 2 * u(0.1, 1)};
            s.size = 1;
            break;
        case kKindOf<Shape::Hull>:
            s.shape = variant % 4 == 2 ? prism(7, u(0.3, 1), u(0.2, 1))
                                       : random_hull(random, slender ? 60 : 14, Vec3(1, 0.7, 0.5));
            s.size = 1;
            break;
        case kKindOf<Shape::Mesh>: {
            const HullShape hull =
                variant % 2 ? prism(6, 0.8, 0.5) : random_hull(random, 12, Vec3(1, 0.7, 0.5));
            s.shape = mesh_of(*hull);
            s.solid = hull;
            s.size = 1;
            return s;
        }
        case kKindOf<Shape::HeightField>:
            s.shape = flat_field(41, 0.5);
            s.solid = Shape::Plane{};
            s.size = 1;
            return s;
    }
    s.solid = s.shape;
    return s;
}

// Signed distance along n (from b to a) of two solids: what a plane across n could separate.
inline Real separation_along(const Vec3& n, const ColliderShape& a, const Transform& X_WA,
                             const ColliderShape& b, const Transform& X_WB)
{
    const Real low = n.dot(X_WA.point(support(a, X_WA.vector_to_local(-n))));
    return low - n.dot(X_WB.point(support(b, X_WB.vector_to_local(n))));
}

// Signed distance of two convex solids: the largest separation over all directions, by brute force. Never
// above the truth, whatever directions it is told to try besides its own; below only if stuck.
inline Real signed_distance(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
                            const Transform& X_WB, const std::vector<Vec3>& hints = {})
{
    if (kind(b) == kKindOf<Shape::Plane>) {
        const Vec3 n = X_WB.R.col(2);
        return n.dot(X_WA.point(support(a, X_WA.vector_to_local(-n))) - X_WB.p);
    }
    if (kind(a) == kKindOf<Shape::Plane>) return signed_distance(b, X_WB, a, X_WA, hints);
    Random random(12345);
    const auto f = [&](const Vec3& n) { return separation_along(n, a, X_WA, b, X_WB); };
    constexpr int kDirections = 500, kStarts = 6;
    std::vector<std::pair<Real, Vec3>> found;
    for (int i = 0; i < kDirections; ++i) {
        const Real z = 1 - (2 * i + 1.0) / kDirections,
                   angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
        const Real r = std::sqrt(1 - z * z);
        const Vec3 n(r * std::cos(angle), r * std::sin(angle), z);
        found.emplace_back(f(n), n);
    }
    for (const Vec3& n : hints) found.emplace_back(f(n), n);
    const Vec3 n0 = direction_or(X_WA.p - X_WB.p, Vec3::UnitX());
    found.emplace_back(f(n0), n0);
    for (int k = 0; k < 3; ++k)
        for (Real sign : {-1.0, 1.0})
            for (const Mat3* R : {&X_WA.R, &X_WB.R}) {
                const Vec3 n = R->col(k) * sign;
                found.emplace_back(f(n), n);
            }
    std::sort(found.begin(), found.end(),
              [](const auto& x, const auto& y) { return x.first > y.first; });
    Real best = found[0].first;
    for (int s = 0; s < kStarts; ++s) {
        auto [value, n] = found[s];
        Real step = 0.15;
        while (step > 1e-11) {
            bool better = false;
            for (int k = 0; k < 12; ++k) {
                const Vec3 m = (n + step * random_direction(random)).normalized();
                const Real there = f(m);
                if (there > value) value = there, n = m, better = true;
            }
            if (!better) step *= 0.6;
        }
        best = std::max(best, value);
    }
    return best;
}

// Signed distance of a point from the surface of a solid, its own frame.
inline Real height_over(const ColliderShape& shape, const Vec3& x)
{
    if (kind(shape) == kKindOf<Shape::Plane>) return x.z();
    if (const auto* s = std::get_if<Shape::Sphere>(&shape)) return x.norm() - s->radius;
    if (const auto* s = std::get_if<Shape::Capsule>(&shape)) {
        const Vec3 axis(0, 0, std::clamp(x.z(), -s->length / 2, s->length / 2));
        return (x - axis).norm() - s->radius;
    }
    const auto outside_or_in = [](const Vec3& d) {
        return d.maxCoeff() > 0 ? d.cwiseMax(0).norm() : d.maxCoeff();
    };
    if (const auto* s = std::get_if<Shape::Box>(&shape))
        return outside_or_in(x.cwiseAbs() - s->size / 2);
    if (const auto* s = std::get_if<Shape::Cylinder>(&shape))
        return outside_or_in(
            {std::hypot(x.x(), x.y()) - s->radius, std::abs(x.z()) - s->length / 2, -1});
    Real highest = -1e300;
    for (const auto& f : std::get<HullShape>(shape)->faces)
        highest = std::max(highest, f.normal.dot(x) - f.offset);
    return highest;
}

inline SurfacePoints points_of(const ColliderShape& a, const Transform& X_WA,
                               const ColliderShape& b, const Transform& X_WB, Real reach)
{
    SurfaceScratch scratch;
    SurfacePoints out;
    collide(a, X_WA, b, X_WB, reach, scratch, out);
    return out;
}

inline const SurfacePoint& deepest(const SurfacePoints& points)
{
    return *std::min_element(points.begin(), points.end(),
                             [](const auto& x, const auto& y) { return x.gap < y.gap; });
}

}  // namespace taut::collision::test
