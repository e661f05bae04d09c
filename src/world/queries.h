// Rays, shapes and points against all colliders of a world, at the poses that bodies have now.
//
// Boxes of colliders stand in a tree, which is made anew by the first query after a change. Planes, which no box holds, are
// looked at one by one. Between two changes queries change nothing and may run side by side.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <taut/queries.h>

#include "collision/cast_shape.h"
#include "collision/collider.h"
#include "collision/query_tree.h"
#include "model/model.h"
#include "model/state.h"

namespace taut {

struct QueryShape::Impl {
    collision::ColliderShape shape;
    Pose pose;  // in the frame in which a query places it
};

namespace world {

// Ids that come in and go out are numbers of the model: bodies by id_of(), colliders by their place. World translates.
class Queries {
public:
    // Bodies or colliders have changed.
    void invalidate() noexcept { valid_ = false; }
    // Reads poses and boxes, where they are not known. Allocates while buffers grow.
    void update(const Model& model, const State& state,
                std::span<const collision::Collider> colliders);

    std::optional<CastHit> cast_ray(const Vec3& from, const Vec3& way,
                                    const QueryFilter& filter) const noexcept;
    std::optional<CastHit> cast_shape(const QueryShape& shape, const Pose& pose, const Vec3& way,
                                      const QueryFilter& filter) const noexcept;
    // The nearest ones, in order, as many as there is room for. Returns how many colliders are met.
    std::size_t cast_ray(const Vec3& from, const Vec3& way, const QueryFilter& filter,
                         std::span<CastHit> out) const noexcept;
    std::size_t cast_shape(const QueryShape& shape, const Pose& pose, const Vec3& way,
                           const QueryFilter& filter, std::span<CastHit> out) const noexcept;
    std::size_t overlap(const QueryShape& shape, const Pose& pose, const QueryFilter& filter,
                        std::span<OverlapHit> out) const noexcept;
    std::optional<NearestHit> nearest(const Vec3& point, Real within,
                                      const QueryFilter& filter) const noexcept;
    std::optional<NearestHit> nearest(const QueryShape& shape, const Pose& pose, Real within,
                                      const QueryFilter& filter) const noexcept;

    // Calls visit(other) for all colliders whose box meets that of this one, for sensors.
    template <class Visit>
    void visit_overlap_candidates(int collider, Visit&& visit) const
    {
        if (!placed_[collider].present) return;
        const auto visit_other = [&](int other) {
            if (other != collider) visit(other);
        };
        for (const int plane : planes_) visit_other(plane);
        if (is_plane(collider)) {
            for (int other = 0; other < static_cast<int>(placed_.size()); ++other)
                if (!is_plane(other)) visit_other(other);
            return;
        }
        Real within = 0;
        tree_.visit_near(boxes_[collider], within, [&](int other, Real&) { visit_other(other); });
    }
    // One of the two must be convex and bounded; otherwise false.
    bool overlaps(int a, int b) const noexcept;

private:
    struct Placed {
        collision::Transform X;  // of the shape, in the world
        int body = 0;
        std::uint32_t groups = 0;
        BodyKind kind = BodyKind::Fixed;
        bool sensor = false;
        bool present = false;
    };

    std::optional<NearestHit> nearest(const collision::ColliderShape& shape,
                                      const collision::Transform& X, Real within,
                                      const QueryFilter& filter) const noexcept;
    bool is_seen(int collider, const QueryFilter& filter) const noexcept;
    bool is_plane(int collider) const noexcept
    {
        return kind(colliders_[collider].shape) == collision::kKindOf<Shape::Plane>;
    }
    // Calls meet(collider, most) for planes first, then along the sweep.
    template <class Meet>
    void visit_swept(const collision::Sweep& sweep, const QueryFilter& filter, Real most,
                     Meet&& meet) const;
    CastHit hit_of(int collider, const Vec3& point, const Vec3& normal, Real fraction,
                   const Vec3& way) const noexcept;

    bool valid_ = false;
    std::span<const collision::Collider> colliders_;
    std::vector<Placed> placed_;  // per collider
    std::vector<collision::Aabb> boxes_;
    std::vector<int> planes_;
    collision::QueryTree tree_;
};

}  // namespace world
}  // namespace taut
