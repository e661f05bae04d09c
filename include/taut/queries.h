// Questions about where colliders are: rays, moved shapes, overlaps and nearest points. See World::cast_ray and its
// neighbours; docs/queries-and-events.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <taut/colliders.h>
#include <taut/ids.h>
#include <taut/result.h>

namespace taut {

// Kinds of body; the world itself counts as fixed.
struct BodyKinds {
    bool rigid = true;
    bool particle = true;
    bool fixed = true;
    bool kinematic = true;
};

// Which colliders a query sees.
struct QueryFilter {
    std::uint32_t groups = ~0u;      // those that belong to one of these collision groups
    BodyKinds kinds{};               // those of bodies of these kinds
    std::optional<BodyId> ignore{};  // but not those of this body
    bool sensors = false;            // sensors as well
};

// A convex shape to ask with: sphere, capsule, box, cylinder or hull. Made once and used often: queries do not allocate.
class QueryShape {
public:
    // The pose is that of the shape in the frame in which a query places it.
    static Result<QueryShape> make(const Shape& shape, const Pose& pose = {});

    struct Impl;
    const Impl& impl() const noexcept { return *impl_; }

private:
    explicit QueryShape(std::shared_ptr<const Impl> impl) noexcept : impl_(std::move(impl)) {}
    std::shared_ptr<const Impl> impl_;
};

// Where a ray or a moved shape meets a collider.
struct CastHit {
    BodyId body;
    ColliderId collider;
    Vec3 point = Vec3::Zero();  // on the collider, in the world [m]
    Vec3 normal = Vec3::
        UnitZ();  // of unit length, out of the collider; against the ray where that begins inside
    Real distance = 0;  // along the way [m]
    Real fraction = 0;  // of the way [-]
};

// The point of a collider nearest to a point or shape.
struct NearestHit {
    BodyId body;
    ColliderId collider;
    Vec3 point = Vec3::Zero();     // on the collider [m]
    Vec3 on_query = Vec3::Zero();  // on the shape that asks, or the point itself [m]
    Vec3 normal = Vec3::UnitZ();   // of unit length, out of the collider
    Real distance = 0;             // [m]; negative: how deep the two are in each other
};

// A collider that a shape overlaps.
struct OverlapHit {
    BodyId body;
    ColliderId collider;
};

}  // namespace taut
