#include "collision/shape.h"

#include <cmath>
#include <limits>

#include "collision/core_shape.h"

namespace taut::collision {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

Aabb symmetric(const Vec3& half) { return {-half, half}; }

// In the frame of the shape, as all of the core.
Aabb local_box(const Core& core)
{
    if (core.kind == Core::Kind::Hull) return core.hull->box;
    return symmetric(core.half + Vec3::Constant(core.radius));
}

struct LocalBox {
    template <class Kind>
    Aabb operator()(const Kind& convex) const
    {
        return local_box(make_core(convex));
    }
    Aabb operator()(const MeshShape& s) const { return s->box; }
    Aabb operator()(const HeightFieldShape& s) const { return s->box; }
    Aabb operator()(const Shape::Plane&) const { return symmetric(Vec3::Constant(kInfinity)); }
};

// Lengths are finite and above zero. The first that is not says so.
struct LengthCheck {
    std::string why;

    template <class Field>
    void operator()(const Field& field, Real value)
    {
        const bool zero_allowed = field.fewest < 0;
        if (!why.empty() || (std::isfinite(value) && (value > 0 || (zero_allowed && value == 0))))
            return;
        why = std::string(field.name) + " is " + std::to_string(value) + " m; it must be " +
              (zero_allowed ? "0 or above" : "above 0");
    }
    template <class Field>
    void operator()(const Field& field, const Vec3& value)
    {
        for (const Real component : value) (*this)(field, component);
    }
    // Lists are checked where they are prepared.
    template <class Field, class Other>
    void operator()(const Field&, const Other&)
    {}
};

struct WhyInvalid {
    template <class Kind>
    std::string operator()(const Kind& kind) const
    {
        LengthCheck check;
        visit_shape_fields(kind, [&](const auto& field) { check(field, kind.*(field.member)); });
        return check.why;
    }
    template <class T>
    std::string operator()(const std::shared_ptr<T>& s) const
    {
        return s ? std::string() : "it has no points";
    }
};

Aabb box_at(const Core& core, const Transform& X) noexcept
{
    const Vec3 rounding = Vec3::Constant(core.radius);
    Vec3 half = rounding;
    switch (core.kind) {
        case Core::Kind::Point: break;
        case Core::Kind::Segment: half = X.R.col(2).cwiseAbs() * core.half.z() + rounding; break;
        case Core::Kind::Cylinder: {
            // a disc with normal z reaches r √(1 − z_k²) along axis k
            const Vec3 z = X.R.col(2);
            const Vec3 disc = (Vec3::Ones() - z.cwiseProduct(z)).cwiseMax(0).cwiseSqrt();
            half = z.cwiseAbs() * core.half.z() + disc * core.half.x();
            break;
        }
        case Core::Kind::Hull: {
            Aabb box;
            for (const Vec3& v : core.hull->vertices) box.add(X.point(v));
            return box;
        }
        case Core::Kind::Box:
        case Core::Kind::Triangle: return moved(local_box(core), X);
    }
    return {X.p - half, X.p + half};
}

}  // namespace

std::string why_invalid(const ColliderShape& shape) { return std::visit(WhyInvalid{}, shape); }

Aabb local_box(const ColliderShape& shape) noexcept { return std::visit(LocalBox{}, shape); }

Aabb box_at(const ColliderShape& shape, const Transform& X) noexcept
{
    if (is_convex(kind(shape))) return box_at(make_core(shape, Transform{}), X);
    if (kind(shape) == kKindOf<Shape::Plane>) return symmetric(Vec3::Constant(kInfinity));
    return moved(local_box(shape), X);
}

Real reach_from_origin(const ColliderShape& shape) noexcept
{
    if (is_convex(kind(shape))) {
        const Core core = make_core(shape, Transform{});
        if (core.kind == Core::Kind::Point || core.kind == Core::Kind::Segment)
            return core.radius + core.half.z();
        if (core.kind == Core::Kind::Cylinder) return std::hypot(core.half.x(), core.half.z());
    }
    const Aabb box = local_box(shape);
    return box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
}

Vec3 support(const ColliderShape& shape, const Vec3& d) noexcept
{
    if (!is_convex(kind(shape))) return Vec3::Zero();
    const Core core = make_core(shape, Transform{});
    return support(core, d) + core.radius * direction_or(d, Vec3::UnitZ());
}

}  // namespace taut::collision
