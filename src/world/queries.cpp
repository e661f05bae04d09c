#include "world/queries.h"

#include <algorithm>
#include <cmath>

#include "collision/cast_ray.h"
#include "collision/closest.h"
#include "contacts/contact_settings.h"
#include "contacts/make_shape.h"
#include "core/text.h"

namespace taut {

static std::string convex_kinds()
{
    std::string names;
    visit_shape_kinds([&]<class Kind>(const Kind&) {
        if (!collision::is_convex(collision::kKindOf<Kind>)) return;
        if (!names.empty()) names += ", ";
        names += Kind::kName;
    });
    return names;
}

Result<QueryShape> QueryShape::make(const Shape& shape, const Pose& pose)
{
    if (!pose.p.allFinite() || !(pose.q.norm() > contacts::kContacts.shortest_quaternion))
        return Error{"query shape: its pose must be finite, with a rotation"};
    auto made = contacts::make_shape(shape);
    if (!made) return Error{core::text("query shape: ", made.error().message)};
    if (!collision::is_convex(collision::kind(*made)))
        return Error{core::text("query shape: it is of kind '", shape.kind_name(),
                                "'; allowed are ", convex_kinds())};
    return QueryShape(
        std::make_shared<const Impl>(Impl{std::move(*made), {pose.p, pose.q.normalized()}}));
}

namespace world {
namespace {

using collision::Aabb;
using collision::Transform;

bool is_finite(const Pose& pose) noexcept
{
    return pose.p.allFinite() && pose.q.coeffs().allFinite() &&
           pose.q.norm() > contacts::kContacts.shortest_quaternion;
}

// Nearer first; of equals the collider that was added first.
bool is_nearer(const CastHit& a, const CastHit& b) noexcept
{
    return a.fraction != b.fraction ? a.fraction < b.fraction : a.collider.index < b.collider.index;
}

// The nearest hits in order, as many as there is room for.
class HitList {
public:
    explicit HitList(std::span<CastHit> room) noexcept : room_(room) {}

    void add(const CastHit& hit) noexcept
    {
        ++total_;
        std::size_t at = std::min(total_ - 1, room_.size());
        while (at > 0 && is_nearer(hit, room_[at - 1])) {
            if (at < room_.size()) room_[at] = room_[at - 1];
            --at;
        }
        if (at < room_.size()) room_[at] = hit;
    }
    std::size_t total() const noexcept { return total_; }

private:
    std::span<CastHit> room_;
    std::size_t total_ = 0;
};

// A shape as a query places it.
struct PlacedShape {
    const collision::ColliderShape& shape;
    Transform X;
    Aabb box;

    PlacedShape(const QueryShape& query, const Pose& pose) noexcept
        : shape(query.impl().shape),
          X(collision::to_transform(pose) * collision::to_transform(query.impl().pose)),
          box(collision::box_at(shape, X))
    {}
};

}  // namespace

void Queries::update(const Model& model, const State& state,
                     std::span<const collision::Collider> colliders)
{
    if (valid_) return;
    colliders_ = colliders;
    placed_.resize(colliders.size());
    boxes_.assign(colliders.size(), Aabb{});
    planes_.clear();
    for (std::size_t i = 0; i < colliders.size(); ++i) {
        const collision::Collider& c = colliders[i];
        const BodyIndex b(c.body);
        Placed& placed = placed_[i];
        placed = {{}, c.body, c.groups, model.bodies[b].kind, c.sensor, false};
        const bool takes_part =
            !model.bodies[b].disabled &&
            state.p[b].cwiseAbs().maxCoeff() < contacts::kContacts.largest_number &&
            state.q[b].coeffs().allFinite();
        if (!takes_part) continue;
        placed.present = true;
        placed.X =
            collision::to_transform({state.p[b], state.q[b]}) * collision::to_transform(c.pose);
        if (collision::kind(c.shape) == collision::kKindOf<Shape::Plane>)
            planes_.push_back(static_cast<int>(i));
        else
            boxes_[i] = collision::box_at(c.shape, placed.X);
    }
    tree_.build(boxes_);
    valid_ = true;
}

bool Queries::is_seen(int collider, const QueryFilter& filter) const noexcept
{
    const Placed& c = placed_[collider];
    if (!(c.groups & filter.groups) || (c.sensor && !filter.sensors)) return false;
    if (filter.ignore && index_of(*filter.ignore) == c.body) return false;
    switch (c.kind) {
        case BodyKind::Rigid: return filter.kinds.rigid;
        case BodyKind::Particle: return filter.kinds.particle;
        case BodyKind::Fixed: return filter.kinds.fixed;
        case BodyKind::Kinematic: return filter.kinds.kinematic;
    }
    return false;
}

CastHit Queries::hit_of(int collider, const Vec3& point, const Vec3& normal, Real fraction,
                        const Vec3& way) const noexcept
{
    return {id_of(BodyIndex(placed_[collider].body)),
            ColliderId{collider},
            point,
            normal,
            fraction * way.norm(),
            fraction};
}

template <class Meet>
void Queries::visit_swept(const collision::Sweep& sweep, const QueryFilter& filter, Real most,
                          Meet&& meet) const
{
    const auto visit = [&](int collider, Real& so_far) {
        if (is_seen(collider, filter)) meet(collider, so_far);
    };
    for (const int plane : planes_) visit(plane, most);
    tree_.visit_swept(sweep, most, visit);
}

std::optional<CastHit> Queries::cast_ray(const Vec3& from, const Vec3& way,
                                         const QueryFilter& filter) const noexcept
{
    if (!from.allFinite() || !way.allFinite()) return std::nullopt;
    std::optional<CastHit> best;
    const collision::Ray ray{from, way};
    visit_swept({from, way, Vec3::Zero()}, filter, 1, [&](int collider, Real& most) {
        collision::RayHit hit;
        if (!collision::cast_ray(colliders_[collider].shape, placed_[collider].X, ray, most, hit))
            return;
        if (best && hit.fraction == best->fraction && collider > best->collider.index) return;
        best = hit_of(collider, from + hit.fraction * way, hit.normal, hit.fraction, way);
        most = hit.fraction;
    });
    return best;
}

std::size_t Queries::cast_ray(const Vec3& from, const Vec3& way, const QueryFilter& filter,
                              std::span<CastHit> out) const noexcept
{
    if (!from.allFinite() || !way.allFinite()) return 0;
    HitList hits(out);
    const collision::Ray ray{from, way};
    visit_swept({from, way, Vec3::Zero()}, filter, 1, [&](int collider, Real& most) {
        collision::RayHit hit;
        if (collision::cast_ray(colliders_[collider].shape, placed_[collider].X, ray, most, hit))
            hits.add(hit_of(collider, from + hit.fraction * way, hit.normal, hit.fraction, way));
    });
    return hits.total();
}

std::optional<CastHit> Queries::cast_shape(const QueryShape& shape, const Pose& pose,
                                           const Vec3& way,
                                           const QueryFilter& filter) const noexcept
{
    if (!is_finite(pose) || !way.allFinite()) return std::nullopt;
    const PlacedShape a(shape, pose);
    std::optional<CastHit> best;
    visit_swept({a.box.centre(), way, a.box.half()}, filter, 1, [&](int collider, Real& most) {
        collision::ShapeHit hit;
        if (!collision::cast_shape(a.shape, a.X, way, colliders_[collider].shape,
                                   placed_[collider].X, most, hit))
            return;
        if (best && hit.fraction == best->fraction && collider > best->collider.index) return;
        best = hit_of(collider, hit.point, hit.normal, hit.fraction, way);
        most = hit.fraction;
    });
    return best;
}

std::size_t Queries::cast_shape(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                const QueryFilter& filter, std::span<CastHit> out) const noexcept
{
    if (!is_finite(pose) || !way.allFinite()) return 0;
    const PlacedShape a(shape, pose);
    HitList hits(out);
    visit_swept({a.box.centre(), way, a.box.half()}, filter, 1, [&](int collider, Real& most) {
        collision::ShapeHit hit;
        if (collision::cast_shape(a.shape, a.X, way, colliders_[collider].shape,
                                  placed_[collider].X, most, hit))
            hits.add(hit_of(collider, hit.point, hit.normal, hit.fraction, way));
    });
    return hits.total();
}

std::size_t Queries::overlap(const QueryShape& shape, const Pose& pose, const QueryFilter& filter,
                             std::span<OverlapHit> out) const noexcept
{
    if (!is_finite(pose)) return 0;
    const PlacedShape a(shape, pose);
    std::size_t total = 0;
    const auto visit = [&](int collider, Real&) {
        collision::Gap gap;
        if (!is_seen(collider, filter) ||
            !collision::closest(a.shape, a.X, colliders_[collider].shape, placed_[collider].X, 0,
                                gap))
            return;
        // in the order of colliders, the first ones where there is no room for all
        std::size_t at = std::min(total, out.size());
        ++total;
        while (at > 0 && collider < out[at - 1].collider.index) {
            if (at < out.size()) out[at] = out[at - 1];
            --at;
        }
        if (at < out.size())
            out[at] = {id_of(BodyIndex(placed_[collider].body)), ColliderId{collider}};
    };
    Real within = 0;
    for (const int plane : planes_) visit(plane, within);
    tree_.visit_near(a.box, within, visit);
    return total;
}

std::optional<NearestHit> Queries::nearest(const Vec3& point, Real within,
                                           const QueryFilter& filter) const noexcept
{
    return nearest(Shape::Sphere{0}, {Mat3::Identity(), point}, within, filter);
}

std::optional<NearestHit> Queries::nearest(const QueryShape& shape, const Pose& pose, Real within,
                                           const QueryFilter& filter) const noexcept
{
    if (!is_finite(pose)) return std::nullopt;
    const PlacedShape a(shape, pose);
    return nearest(a.shape, a.X, within, filter);
}

std::optional<NearestHit> Queries::nearest(const collision::ColliderShape& shape,
                                           const Transform& X, Real within,
                                           const QueryFilter& filter) const noexcept
{
    if (!X.p.allFinite() || !X.R.allFinite() || !(within >= 0)) return std::nullopt;
    const Aabb box = collision::box_at(shape, X);
    std::optional<NearestHit> best;
    const auto visit = [&](int collider, Real& limit) {
        collision::Gap gap;
        // colliders that the shape is in are all looked at: the deepest counts
        if (!is_seen(collider, filter) || !collision::closest(shape, X, colliders_[collider].shape,
                                                              placed_[collider].X, limit, gap))
            return;
        if (best && (gap.distance > best->distance ||
                     (gap.distance == best->distance && collider > best->collider.index)))
            return;
        best = NearestHit{id_of(BodyIndex(placed_[collider].body)),
                          ColliderId{collider},
                          gap.on_b,
                          gap.on_a,
                          gap.normal,
                          gap.distance};
        limit = std::max(gap.distance, Real(0));
    };
    for (const int plane : planes_) visit(plane, within);
    tree_.visit_near(box, within, visit);
    return best;
}

bool Queries::overlaps(int a, int b) const noexcept
{
    if (!placed_[a].present || !placed_[b].present) return false;
    const collision::ColliderShape *first = &colliders_[a].shape, *second = &colliders_[b].shape;
    if (!collision::is_convex(collision::kind(*first))) {
        std::swap(a, b);
        std::swap(first, second);
    }
    collision::Gap gap;
    return collision::is_convex(collision::kind(*first)) &&
           collision::closest(*first, placed_[a].X, *second, placed_[b].X, 0, gap);
}

}  // namespace world
}  // namespace taut
