#include "collision_contestants.h"

#include <array>
#include <memory>
#include <set>

#include <btBulletCollisionCommon.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>

#include "collision/narrow_phase.h"

namespace taut::collision {

// ------------------------------------------------------------------ ours

// Remembers the features of the frame before; that costs time and is asked for at rest only.
Ask ours(const ColliderShape& a, const ColliderShape& b, bool remember)
{
    return [&a, &b, remember, scratch = SurfaceScratch{}, out = SurfacePoints{},
            last = std::set<std::uint64_t>{}](const Poses& q) mutable {
        out.clear();
        collide(a, q.X_WA, b, q.X_WB, kReach, scratch, out);
        Answer answer;
        answer.points = static_cast<int>(out.size());
        for (const SurfacePoint& p : out)
            if (!answer.found || p.gap < answer.gap)
                answer.found = true, answer.gap = p.gap, answer.normal = p.normal;
        if (remember) {
            std::set<std::uint64_t> now;
            for (const SurfacePoint& p : out) {
                answer.middle += p.on_b / static_cast<Real>(out.size());
                answer.continued += last.count(p.feature) ? 1 : 0;
                now.insert(p.feature);
            }
            last = now;
        }
        return answer;
    };
}

Ask our_direction(const ColliderShape& a, const ColliderShape& b)
{
    return [&a, &b](const Poses& q) {
        const Core ca = make_core(a, q.X_WA), cb = make_core(b, q.X_WB);
        Separation s = distance(ca, cb, kReach + ca.radius + cb.radius);
        if (!s.known) s = deepest_plane(ca, cb);
        Answer answer;
        answer.found = s.known;
        answer.gap = s.distance - ca.radius - cb.radius;
        answer.normal = s.normal;
        return answer;
    };
}

// ------------------------------------------------------------------ libccd

namespace {

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out)
{
    const Core& core = *static_cast<const Core*>(object);
    const Vec3 d(direction->v[0], direction->v[1], direction->v[2]);
    Vec3 p = support(core, d);
    if (core.radius > 0) p += core.radius * direction_or(d, Vec3::UnitZ());
    ccdVec3Set(out, p.x(), p.y(), p.z());
}

void ccd_centre(const void* object, ccd_vec3_t* out)
{
    const Vec3 c = static_cast<const Core*>(object)->centre();
    ccdVec3Set(out, c.x(), c.y(), c.z());
}

}  // namespace

Ask libccd(const ColliderShape& a, const ColliderShape& b, decltype(&ccdGJKPenetration) penetration,
           Real tolerance)
{
    ccd_t settings;
    CCD_INIT(&settings);
    settings.support1 = settings.support2 = ccd_support;
    settings.center1 = settings.center2 = ccd_centre;
    settings.max_iterations = 1000;
    settings.epa_tolerance = settings.mpr_tolerance = tolerance;
    return [&a, &b, penetration, settings](const Poses& q) {
        const Core ca = make_core(a, q.X_WA), cb = make_core(b, q.X_WB);
        ccd_real_t depth = 0;
        ccd_vec3_t out, at;  // `out`: the way of b out of a
        Answer answer;
        if (penetration(&ca, &cb, &settings, &depth, &out, &at) != 0) return answer;
        answer.found = true;
        answer.gap = -depth;
        answer.normal = -Vec3(out.v[0], out.v[1], out.v[2]);
        answer.middle = Vec3(at.v[0], at.v[1], at.v[2]);
        return answer;
    };
}

// ------------------------------------------------------------------ Bullet

namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform to_bullet(const Transform& X)
{
    const Mat3& R = X.R;
    return btTransform(btMatrix3x3(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0),
                                   R(2, 1), R(2, 2)),
                       to_bullet(X.p));
}

std::shared_ptr<btConvexShape> bullet_shape(const ColliderShape& shape, BulletShape how)
{
    std::shared_ptr<btConvexShape> made;
    if (const auto* box = std::get_if<Shape::Box>(&shape))
        made = std::make_shared<btBoxShape>(to_bullet(box->size / 2));
    else if (const auto* c = std::get_if<Shape::Capsule>(&shape))
        made = std::make_shared<btCapsuleShapeZ>(c->radius, c->length);
    else if (const auto* z = std::get_if<Shape::Cylinder>(&shape))
        made = std::make_shared<btCylinderShapeZ>(btVector3(z->radius, z->radius, z->length / 2));
    else {
        const auto hull = std::make_shared<btConvexHullShape>();
        for (const Vec3& v : std::get<HullShape>(shape)->vertices) hull->addPoint(to_bullet(v));
        if (how == BulletShape::Polyhedral) hull->initializePolyhedralFeatures();
        made = hull;
    }
    if (how == BulletShape::Exact) made->setMargin(0);
    return made;
}

}  // namespace

Ask bullet_detector(const ColliderShape& a, const ColliderShape& b)
{
    const auto sa = bullet_shape(a, BulletShape::Exact), sb = bullet_shape(b, BulletShape::Exact);
    return [sa, sb](const Poses& q) {
        btVoronoiSimplexSolver simplex;
        btGjkEpaPenetrationDepthSolver deep;
        btGjkPairDetector detector(sa.get(), sb.get(), &simplex, &deep);
        btGjkPairDetector::ClosestPointInput in;
        in.m_transformA = to_bullet(q.X_WA);
        in.m_transformB = to_bullet(q.X_WB);
        btPointCollector out;
        detector.getClosestPoints(in, out, nullptr);
        Answer answer;
        answer.found = out.m_hasResult;
        answer.gap = out.m_distance;
        answer.normal = from_bullet(out.m_normalOnBInWorld);
        return answer;
    };
}

namespace {

// What one pair of a world of Bullet owns. Its algorithm makes the manifold when it is first asked.
struct BulletPair {
    BulletPair(const ColliderShape& a, const ColliderShape& b, BulletShape how)
        : dispatcher(&configuration), shape_a(bullet_shape(a, how)), shape_b(bullet_shape(b, how))
    {
        object_a.setCollisionShape(shape_a.get());
        object_b.setCollisionShape(shape_b.get());
        const auto wrapped = wrap();
        algorithm = dispatcher.findAlgorithm(&wrapped[0], &wrapped[1], nullptr,
                                             BT_CONTACT_POINT_ALGORITHMS);
        collide();
        btManifoldArray manifolds;
        algorithm->getAllContactManifolds(manifolds);
        manifold = manifolds[0];
        manifold->setContactBreakingThreshold(kReach);
        manifold->clearManifold();
    }
    ~BulletPair()
    {
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
    }
    BulletPair(const BulletPair&) = delete;
    BulletPair& operator=(const BulletPair&) = delete;

    std::array<btCollisionObjectWrapper, 2> wrap() const
    {
        const auto one = [](const btCollisionObject& o) {
            return btCollisionObjectWrapper(nullptr, o.getCollisionShape(), &o,
                                            o.getWorldTransform(), -1, -1);
        };
        return {one(object_a), one(object_b)};
    }

    void collide()
    {
        const auto wrapped = wrap();
        btManifoldResult result(&wrapped[0], &wrapped[1]);
        result.m_closestPointDistanceThreshold = kReach;
        algorithm->processCollision(&wrapped[0], &wrapped[1], btDispatcherInfo(), &result);
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    std::shared_ptr<btConvexShape> shape_a, shape_b;
    btCollisionObject object_a, object_b;
    btPersistentManifold* manifold = nullptr;
    btCollisionAlgorithm* algorithm = nullptr;
};

}  // namespace

Ask bullet_world(const ColliderShape& a, const ColliderShape& b, BulletShape how, bool remember)
{
    const auto pair = std::make_shared<BulletPair>(a, b, how);
    return [pair, remember](const Poses& q) {
        btPersistentManifold& m = *pair->manifold;
        if (!remember) m.clearManifold();
        pair->object_a.setWorldTransform(to_bullet(q.X_WA));
        pair->object_b.setWorldTransform(to_bullet(q.X_WB));
        pair->collide();
        Answer answer;
        answer.points = m.getNumContacts();
        for (int i = 0; i < answer.points; ++i) {
            const btManifoldPoint& p = m.getContactPoint(i);
            answer.middle += from_bullet(p.getPositionWorldOnB()) / answer.points;
            answer.continued += p.getLifeTime() > 1 ? 1 : 0;  // in frames
            if (answer.found && p.getDistance() >= answer.gap) continue;
            answer.found = true;
            answer.gap = p.getDistance();
            answer.normal = from_bullet(p.m_normalWorldOnB);
        }
        return answer;
    };
}

}  // namespace taut::collision
