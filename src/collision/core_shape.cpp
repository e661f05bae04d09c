#include "collision/core_shape.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/thresholds.h"
#include "core/assert.h"

namespace taut::collision {
namespace {

// A cap stands for its rim by this many points, fixed in the cylinder, and by its lowest point.
constexpr int kRim = 16;

const std::array<std::array<Real, 2>, kRim>& rim()
{
    static const auto kPoints = [] {
        std::array<std::array<Real, 2>, kRim> points{};
        for (int k = 0; k < kRim; ++k) {
            const Real angle = 2 * std::numbers::pi * k / kRim;
            points[k] = {std::cos(angle), std::sin(angle)};
        }
        return points;
    }();
    return kPoints;
}

int support_vertex(const Hull& hull, const Vec3& d) noexcept
{
    int best = 0;
    Real furthest = hull.vertices[0].dot(d);
    for (int i = 1; i < static_cast<int>(hull.vertices.size()); ++i) {
        const Real along = hull.vertices[i].dot(d);
        if (along > furthest) best = i, furthest = along;
    }
    return best;
}

void add_corner(Feature& f, const Vec3& x, int tag) noexcept
{
    f.corner[f.count] = x;
    f.tag[f.count++] = static_cast<std::uint16_t>(tag);
}

//   corner k has the sign bits of its coordinates: bit 0 for x, 1 for y, 2 for z
void box_face(const Core& core, const Vec3& d, Feature& f) noexcept
{
    int axis = 0;
    const Vec3 local = core.X.vector_to_local(d);
    local.cwiseAbs().maxCoeff(&axis);
    const int up = local[axis] < 0 ? 0 : 1;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    static constexpr int kTurn[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    f.flat = true;
    f.id = 2 * axis + up;
    f.normal = core.X.R.col(axis) * (up ? 1 : -1);
    for (int k = 0; k < 4; ++k) {
        const auto* turn = kTurn[up ? k : 3 - k];
        Vec3 x;
        x[axis] = up ? core.half[axis] : -core.half[axis];
        x[u] = turn[0] ? core.half[u] : -core.half[u];
        x[v] = turn[1] ? core.half[v] : -core.half[v];
        add_corner(f, core.X.point(x), (up << axis) | (turn[0] << u) | (turn[1] << v));
    }
}

// The cap with its rim, or the straight line of the side that faces d.
void cylinder_feature(const Core& core, const Vec3& d, Feature& f) noexcept
{
    const Vec3 local = core.X.vector_to_local(d);
    const Real r = core.half.x(), h = core.half.z();
    const Real across = std::hypot(local.x(), local.y());
    const std::array<Real, 2> low{across > 0 ? local.x() / across : 1,
                                  across > 0 ? local.y() / across : 0};
    if (std::abs(local.z()) < CoreThresholds::kSide) {
        f.id = 2;
        for (int k = 0; k < 2; ++k)
            add_corner(f, core.X.point({r * low[0], r * low[1], k ? h : -h}), k);
        return;
    }
    const bool up = local.z() > 0;
    f.flat = true;
    f.id = up ? 1 : 0;
    f.normal = core.X.R.col(2) * (up ? 1 : -1);

    // the lowest point of the rim goes between its neighbours, unless one of these is as low
    const Real angle = std::atan2(low[1], low[0]) * kRim / (2 * std::numbers::pi);
    const int before = (static_cast<int>(std::floor(angle)) + kRim) % kRim;
    const auto nearness = [&](int k) { return low[0] * rim()[k][0] + low[1] * rim()[k][1]; };
    const Real nearest = std::max(nearness(before), nearness((before + 1) % kRim));
    const bool extra = across * (1 - nearest) > CoreThresholds::kLowerRim;
    for (int i = 0; i < kRim; ++i) {
        const int k = up ? i : kRim - 1 - i;
        if (extra && !up && k == before)
            add_corner(f, core.X.point({r * low[0], r * low[1], -h}), kRim);
        add_corner(f, core.X.point({r * rim()[k][0], r * rim()[k][1], up ? h : -h}), k);
        if (extra && up && k == before)
            add_corner(f, core.X.point({r * low[0], r * low[1], h}), kRim);
    }
}

// Of the faces around the support point the one most across d.
void hull_face(const Core& core, const Vec3& d, Feature& f) noexcept
{
    const Hull& hull = *core.hull;
    const Vec3 local = core.X.vector_to_local(d);
    const int vertex = support_vertex(hull, local);
    int best = -1;
    for (int i = hull.vertex_first[vertex]; i < hull.vertex_first[vertex + 1]; ++i) {
        const int face = hull.vertex_faces[i];
        if (best < 0 || hull.faces[face].normal.dot(local) >
                            hull.faces[best].normal.dot(local) + CoreThresholds::kBetterFace)
            best = face;
    }
    const auto& face = hull.faces[best];
    f.flat = true;
    f.id = best;
    f.normal = core.X.vector(face.normal);
    const auto corner = [&](int k) { return hull.loops[face.first + k % face.count]; };
    int start = 0;
    if (face.count > Feature::kMaxCorners)
        while (corner(start) != vertex) ++start;
    const int used = std::min(face.count, Feature::kMaxCorners);
    for (int k = 0; k < used; ++k) {
        const int i = corner(start + k * face.count / used);
        add_corner(f, core.X.point(hull.vertices[i]), i);
    }
}

}  // namespace

Vec3 Core::centre() const noexcept
{
    if (kind == Kind::Hull) return X.point(hull->centre);
    if (kind == Kind::Triangle) return (corner[0] + corner[1] + corner[2]) / 3;
    return X.p;
}

Real Core::size() const noexcept
{
    if (kind == Kind::Hull) return 2 * hull->box.half().maxCoeff();
    if (kind == Kind::Triangle)
        return std::max((corner[1] - corner[0]).cwiseAbs().maxCoeff(),
                        (corner[2] - corner[0]).cwiseAbs().maxCoeff());
    return 2 * std::max(half.maxCoeff(), radius);
}

bool is_convex(ColliderShapeKind kind) noexcept
{
    static constexpr auto kConvex = []<class... Kind>(std::type_identity<std::variant<Kind...>>) {
        return std::array{HasCore<Kind>...};
    }(std::type_identity<ColliderShape>{});
    return kConvex[static_cast<std::size_t>(kind)];
}

Core make_core(const Shape::Sphere& sphere) noexcept
{
    Core core;
    core.radius = sphere.radius;
    return core;
}

Core make_core(const Shape::Capsule& capsule) noexcept
{
    Core core;
    core.kind = capsule.length > 0 ? Core::Kind::Segment : Core::Kind::Point;
    core.radius = capsule.radius;
    core.half = Vec3(0, 0, capsule.length / 2);
    return core;
}

Core make_core(const Shape::Box& box) noexcept
{
    Core core;
    core.kind = Core::Kind::Box;
    core.half = box.size / 2;
    return core;
}

Core make_core(const Shape::Cylinder& cylinder) noexcept
{
    Core core;
    core.kind = Core::Kind::Cylinder;
    core.half = Vec3(cylinder.radius, cylinder.radius, cylinder.length / 2);
    return core;
}

Core make_core(const HullShape& hull) noexcept
{
    Core core;
    core.kind = Core::Kind::Hull;
    core.hull = hull.get();
    return core;
}

Core make_core(const ColliderShape& shape, const Transform& X) noexcept
{
    TAUT_ASSERT(is_convex(kind(shape)));
    Core core = std::visit(
        [](const auto& solid) {
            if constexpr (HasCore<std::decay_t<decltype(solid)>>)
                return make_core(solid);
            else
                return Core{};
        },
        shape);
    core.X = X;
    return core;
}

Core make_core(const SurfaceTriangle& triangle, const Transform& X) noexcept
{
    Core core;
    core.kind = Core::Kind::Triangle;
    core.X = X;
    for (int k = 0; k < 3; ++k) core.corner[k] = X.point(triangle.corner[k]);
    core.normal = X.vector(triangle.normal);
    return core;
}

Vec3 support(const Core& core, const Vec3& d) noexcept
{
    const auto with_sign = [](Real magnitude, Real sign) {
        return sign < 0 ? -magnitude : magnitude;
    };
    switch (core.kind) {
        case Core::Kind::Point: break;
        case Core::Kind::Segment:
            return core.X.p + core.X.R.col(2) * with_sign(core.half.z(), core.X.R.col(2).dot(d));
        case Core::Kind::Box: {
            const Vec3 local = core.X.vector_to_local(d);
            return core.X.point({with_sign(core.half.x(), local.x()),
                                 with_sign(core.half.y(), local.y()),
                                 with_sign(core.half.z(), local.z())});
        }
        case Core::Kind::Cylinder: {
            const Vec3 local = core.X.vector_to_local(d);
            const Real across = std::sqrt(local.x() * local.x() + local.y() * local.y());
            // along the axis every point of the cap will do, its centre as well
            const Real scale =
                across > CoreThresholds::kAlongAxis * std::abs(local.z()) && across > 0
                    ? core.half.x() / across
                    : 0;
            return core.X.point(
                {local.x() * scale, local.y() * scale, with_sign(core.half.z(), local.z())});
        }
        case Core::Kind::Hull:
            return core.X.point(
                core.hull->vertices[support_vertex(*core.hull, core.X.vector_to_local(d))]);
        case Core::Kind::Triangle: {
            const Real a = core.corner[0].dot(d), b = core.corner[1].dot(d),
                       c = core.corner[2].dot(d);
            return core.corner[a >= b ? (a >= c ? 0 : 2) : (b >= c ? 1 : 2)];
        }
    }
    return core.X.p;
}

void facing_feature(const Core& core, const Vec3& d, Feature& f) noexcept
{
    f.count = 0;
    f.flat = false;
    f.id = 0;
    switch (core.kind) {
        case Core::Kind::Point: add_corner(f, core.X.p, 0); break;
        case Core::Kind::Segment:
            for (int k = 0; k < 2; ++k)
                add_corner(f, core.X.point({0, 0, k ? core.half.z() : -core.half.z()}), k);
            break;
        case Core::Kind::Box: box_face(core, d, f); break;
        case Core::Kind::Cylinder: cylinder_feature(core, d, f); break;
        case Core::Kind::Hull: hull_face(core, d, f); break;
        case Core::Kind::Triangle: {
            const bool front = core.normal.dot(d) >= 0;
            f.flat = true;
            f.id = front ? 0 : 1;
            f.normal = front ? core.normal : Vec3(-core.normal);
            for (int k = 0; k < 3; ++k)
                add_corner(f, core.corner[front ? k : 2 - k], front ? k : 2 - k);
        }
    }
}

}  // namespace taut::collision
