#include "collision/narrow_phase.h"

#include <utility>

namespace taut::collision {
namespace {

// a is convex or a mesh, b does not come earlier in the list of kinds.
void collide_ordered(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
                     const Transform& X_WB, Real reach, SurfaceScratch& scratch,
                     SurfacePoints& out) noexcept
{
    const auto first = out.size();
    if (kind(b) == kKindOf<Shape::Mesh> || kind(b) == kKindOf<Shape::HeightField>) {
        // in the frame of the surface, which has more points to carry than the other
        const Transform X_BA = inverse(X_WB) * X_WA;
        const Core core = make_core(a, X_BA);
        const Aabb box = box_at(a, X_BA);
        if (kind(b) == kKindOf<Shape::Mesh>)
            core_mesh(core, box, *std::get<MeshShape>(b), reach, scratch, out);
        else
            core_height_field(core, box, *std::get<HeightFieldShape>(b), reach, scratch, out);
        for (auto i = first; i < out.size(); ++i) {
            out[i].on_a = X_WB.point(out[i].on_a);
            out[i].on_b = X_WB.point(out[i].on_b);
            out[i].normal = X_WB.vector(out[i].normal).normalized();
        }
        return;
    }

    // near the origin of b, where coordinates have more digits than far out in the world
    const Transform X_A{X_WA.R, X_WA.p - X_WB.p}, X_B{X_WB.R, Vec3::Zero()};
    if (kind(b) == kKindOf<Shape::Plane>) {
        if (kind(a) == kKindOf<Shape::Mesh>)
            mesh_plane(*std::get<MeshShape>(a), X_A, X_B, reach, out);
        else
            core_plane(make_core(a, X_A), X_B, reach, out);
    } else {
        convex_convex(make_core(a, X_A), make_core(b, X_B), reach, out);
    }
    for (auto i = first; i < out.size(); ++i) {
        out[i].on_a += X_WB.p;
        out[i].on_b += X_WB.p;
    }
}

}  // namespace

bool can_collide(ColliderShapeKind a, ColliderShapeKind b) noexcept
{
    if (a > b) std::swap(a, b);
    return is_convex(a) || (a == kKindOf<Shape::Mesh> && b == kKindOf<Shape::Plane>);
}

void collide(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
             const Transform& X_WB, Real reach, SurfaceScratch& scratch,
             SurfacePoints& out) noexcept
{
    if (!can_collide(kind(a), kind(b))) return;
    if (kind(a) <= kind(b)) return collide_ordered(a, X_WA, b, X_WB, reach, scratch, out);
    const auto first = out.size();
    collide_ordered(b, X_WB, a, X_WA, reach, scratch, out);
    for (auto i = first; i < out.size(); ++i) {
        std::swap(out[i].on_a, out[i].on_b);
        out[i].normal = -out[i].normal;
        out[i].normal_on_a = !out[i].normal_on_a;
    }
}

}  // namespace taut::collision
