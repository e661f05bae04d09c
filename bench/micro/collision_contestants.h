// Who is compared by collision_peers: one function for each way of asking for the gap of two shapes.
//
//   ours          as the engine calls it, manifold and all; or the direction and the gap alone
//   libccd        expanding polytope (GJK + EPA) or portal refinement (MPR). It knows no distance: apart it
//                 can only say so, and gives no answer here
//   Bullet        its pair detector (GJK + EPA) without margins; or as its dispatcher comes, with the
//                 algorithm that it takes for the pair and its margins (0.04 m, inside boxes and
//                 cylinders, around hulls)
// All in double. libccd is given our support points.
#pragma once

#include <functional>

#include <ccd/ccd.h>

#include "collision/shape.h"

namespace taut::collision {

inline constexpr Real kReach = 0.15;  // [m], how far apart contacts are asked for

struct Poses {
    Transform X_WA, X_WB;
};

struct Answer {
    bool found = false;
    Real gap = 0;
    Vec3 normal = Vec3::UnitZ();  // from b to a
    int points = 1;
    int continued = 0;           // of them, known to continue one of the query before
    Vec3 middle = Vec3::Zero();  // of the points
};

using Ask = std::function<Answer(const Poses&)>;

// The shapes must outlive what is returned. With `remember` each query is the frame after the one before.
Ask ours(const ColliderShape& a, const ColliderShape& b, bool remember);
Ask our_direction(const ColliderShape& a, const ColliderShape& b);

Ask libccd(const ColliderShape& a, const ColliderShape& b, decltype(&ccdGJKPenetration) penetration,
           Real tolerance);

enum class BulletShape { Exact, AsItComes, Polyhedral };  // polyhedral: hulls know their faces
Ask bullet_detector(const ColliderShape& a, const ColliderShape& b);
Ask bullet_world(const ColliderShape& a, const ColliderShape& b, BulletShape how, bool remember);

}  // namespace taut::collision
