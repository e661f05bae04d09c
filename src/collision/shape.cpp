#include "collision/shape.h"

#include <array>
#include <cmath>

#include "collision/core_shape.h"

namespace taut::collision {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

Aabb symmetric(const Vec3& half) { return {-half, half}; }

struct LocalBox {
    Aabb operator()(const PlaneShape&) const { return symmetric(Vec3::Constant(kInfinity)); }
    Aabb operator()(const SphereShape& s) const { return symmetric(Vec3::Constant(s.radius)); }
    Aabb operator()(const CapsuleShape& s) const
    {
        return symmetric({s.radius, s.radius, s.radius + s.half_length});
    }
    Aabb operator()(const BoxShape& s) const { return symmetric(s.half); }
    Aabb operator()(const CylinderShape& s) const
    {
        return symmetric({s.radius, s.radius, s.half_length});
    }
    Aabb operator()(const HullShape& s) const { return s->box; }
    Aabb operator()(const MeshShape& s) const { return s->box; }
    Aabb operator()(const HeightFieldShape& s) const { return s->box; }
};

std::string positive(std::string_view what, Real value)
{
    if (value > 0 && std::isfinite(value)) return {};
    return std::string(what) + " is " + std::to_string(value) + " m; it must be above 0";
}

struct WhyInvalid {
    std::string operator()(const PlaneShape&) const { return {}; }
    std::string operator()(const SphereShape& s) const { return positive("radius", s.radius); }
    std::string operator()(const CapsuleShape& s) const
    {
        return s.half_length == 0
                   ? positive("radius", s.radius)
                   : either(positive("radius", s.radius), positive("half length", s.half_length));
    }
    std::string operator()(const BoxShape& s) const
    {
        return either(positive("half edge", s.half.minCoeff()),
                      positive("half edge", s.half.maxCoeff()));
    }
    std::string operator()(const CylinderShape& s) const
    {
        return either(positive("radius", s.radius), positive("half length", s.half_length));
    }
    template <class T>
    std::string operator()(const std::shared_ptr<T>& s) const
    {
        return s ? std::string() : "it has no points";
    }

private:
    static std::string either(std::string first, std::string second)
    {
        return first.empty() ? second : first;
    }
};

}  // namespace

std::string why_invalid(const ColliderShape& shape) { return std::visit(WhyInvalid{}, shape); }

std::string_view name(ColliderShapeKind kind) noexcept
{
    static constexpr std::array<std::string_view, kShapeKinds> kNames{
        "plane", "sphere", "capsule", "box", "cylinder", "hull", "mesh", "height_field"};
    return kNames[static_cast<std::size_t>(kind)];
}

Aabb local_box(const ColliderShape& shape) noexcept { return std::visit(LocalBox{}, shape); }

Aabb box_at(const ColliderShape& shape, const Transform& X) noexcept
{
    Vec3 half;
    if (const auto* s = std::get_if<SphereShape>(&shape)) {
        half = Vec3::Constant(s->radius);
    } else if (const auto* c = std::get_if<CapsuleShape>(&shape)) {
        half = X.R.col(2).cwiseAbs() * c->half_length + Vec3::Constant(c->radius);
    } else if (const auto* y = std::get_if<CylinderShape>(&shape)) {
        // a disc with normal z reaches r √(1 − z_k²) along axis k
        const Vec3 z = X.R.col(2);
        const Vec3 disc = (Vec3::Ones() - z.cwiseProduct(z)).cwiseMax(0).cwiseSqrt();
        half = z.cwiseAbs() * y->half_length + disc * y->radius;
    } else if (const auto* h = std::get_if<HullShape>(&shape)) {
        Aabb box;
        for (const Vec3& v : (*h)->vertices) box.add(X.point(v));
        return box;
    } else if (std::holds_alternative<PlaneShape>(shape)) {
        return symmetric(Vec3::Constant(kInfinity));
    } else {
        return moved(local_box(shape), X);
    }
    return {X.p - half, X.p + half};
}

Real reach_from_origin(const ColliderShape& shape) noexcept
{
    if (const auto* s = std::get_if<SphereShape>(&shape)) return s->radius;
    if (const auto* c = std::get_if<CapsuleShape>(&shape)) return c->radius + c->half_length;
    if (const auto* y = std::get_if<CylinderShape>(&shape))
        return std::hypot(y->radius, y->half_length);
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
