#include "collision/narrow_phase.h"

#include <utility>

namespace taut::collision {
namespace {

// a is convex or a mesh, b comes later in the list of shapes or is a plane.
void collide_ordered(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
                     const Transform& X_WB, Real reach, SurfaceScratch& scratch,
                     SurfacePoints& out) noexcept
{
    const auto first = out.size();
    if (kind(b) == ColliderShapeKind::Mesh || kind(b) == ColliderShapeKind::HeightField) {
        // in the frame of the surface, which has more points to carry than the other
        const Transform X_BA = inverse(X_WB) * X_WA;
        const Core core = make_core(a, X_BA);
        const Aabb box = box_at(a, X_BA);
        if (kind(b) == ColliderShapeKind::Mesh)
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
    if (kind(b) == ColliderShapeKind::Plane) {
        if (kind(a) == ColliderShapeKind::Mesh)
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

// Where a shape stands in a pair: round ones first, then solids, surfaces, planes last.
int rank(ColliderShapeKind k) noexcept
{
    return k == ColliderShapeKind::Plane ? kShapeKinds : static_cast<int>(k);
}

}  // namespace

bool can_collide(ColliderShapeKind a, ColliderShapeKind b) noexcept
{
    if (rank(a) > rank(b)) std::swap(a, b);
    return is_convex(a) || (a == ColliderShapeKind::Mesh && b == ColliderShapeKind::Plane);
}

void collide(const ColliderShape& a, const Transform& X_WA, const ColliderShape& b,
             const Transform& X_WB, Real reach, SurfaceScratch& scratch,
             SurfacePoints& out) noexcept
{
    if (!can_collide(kind(a), kind(b))) return;
    if (rank(kind(a)) <= rank(kind(b)))
        return collide_ordered(a, X_WA, b, X_WB, reach, scratch, out);
    const auto first = out.size();
    collide_ordered(b, X_WB, a, X_WA, reach, scratch, out);
    for (auto i = first; i < out.size(); ++i) {
        std::swap(out[i].on_a, out[i].on_b);
        out[i].normal = -out[i].normal;
        out[i].normal_on_a = !out[i].normal_on_a;
    }
}

}  // namespace taut::collision
