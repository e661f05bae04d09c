// Bullet in double precision, three ways:
//
//   bullet-mb    articulated bodies (Featherstone) in reduced coordinates: trees under a fixed base. A loop within one
//                articulated body, closed by btMultiBodyPoint2Point, comes apart at steps of 0.1 ms too: no loops
//   bullet-si    rigid bodies, sequential impulses, 50 iterations
//   bullet-mlcp  the same, all rows solved at once by Dantzig's method
// No damping, no sleeping, implicit gyroscopic terms (the default of rigid bodies; asked for in articulated ones), ERP 0.2. The clamp on
// joint speeds of articulated bodies, 100 rad/s by default, is lifted to 10⁴: light links turn faster than that here.
// --damping is a rate [1/s] at which turning fades: m_angularDamping of bodies, angular damping of articulated bodies.
#include <btBulletCollisionCommon.h>
#include <btBulletDynamicsCommon.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>

#include <cmath>
#include <memory>

#include "engine.h"

namespace taut::peers {
namespace {

btVector3 to_bullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
btQuaternion to_bullet(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
btTransform to_bullet(const Pose& x) { return btTransform(to_bullet(x.q), to_bullet(x.p)); }
Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
Quat from_bullet(const btQuaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Vec3 in_body(const Pose& x, const Vec3& p) { return x.q.conjugate() * (p - x.p); }

// What both kinds of world are made of.
struct Parts {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
};

class RigidBullet final : public LocalEngine {
public:
    RigidBullet(const Scene& scene, const Options& options, bool mlcp)
    {
        if (mlcp)
            solver_ = std::make_unique<btMLCPSolver>(&dantzig_);
        else
            solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
        world_ = std::make_unique<btDiscreteDynamicsWorld>(&parts_.dispatcher, &parts_.broadphase,
                                                           solver_.get(), &parts_.configuration);
        world_->getSolverInfo().m_numIterations = 50;
        if (mlcp) world_->getSolverInfo().m_minimumSolverBatchSize = 1;  // islands one by one
        for (const Body& body : scene.bodies) add(body, options);
        for (const Joint& joint : scene.joints) add(joint, scene);
        if (scene.floor) {
            // as in its examples; on a plane a box has one point of contact more each step, and sinks
            shapes_.push_back(std::make_unique<btBoxShape>(btVector3(50, 50, 1)));
            btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shapes_.back().get());
            info.m_startWorldTransform.setOrigin(btVector3(0, 0, -1));
            add_object(info, true)->setFriction(std::sqrt(0.5));
        }
    }

    void set_gravity(const Vec3& g) override
    {
        if (from_bullet(world_->getGravity()) != g) world_->setGravity(to_bullet(g));
    }

    void read(std::vector<Body>& bodies) override
    {
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const btRigidBody& b = *objects_[i];
            bodies[i].pose = {from_bullet(b.getCenterOfMassPosition()),
                              from_bullet(b.getOrientation())};
            bodies[i].velocity = {from_bullet(b.getLinearVelocity()),
                                  from_bullet(b.getAngularVelocity())};
        }
    }

protected:
    void step(Real h) override { world_->stepSimulation(h, 0, h); }

private:
    btRigidBody* add_object(const btRigidBody::btRigidBodyConstructionInfo& info, bool touches)
    {
        objects_.push_back(std::make_unique<btRigidBody>(info));
        objects_.back()->setActivationState(DISABLE_DEACTIVATION);
        touches ? world_->addRigidBody(objects_.back().get())
                : world_->addRigidBody(objects_.back().get(), 0, 0);
        return objects_.back().get();
    }

    void add(const Body& body, const Options& options)
    {
        shapes_.push_back(make_shape(body));
        btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes_.back().get(),
                                                      to_bullet(body.inertia));
        info.m_startWorldTransform = to_bullet(body.pose);
        info.m_friction = std::sqrt(0.5);  // of two surfaces the product counts
        info.m_angularDamping = 1 - std::exp(-options.damping);
        btRigidBody* b = add_object(info, body.shape.has_value());
        b->setLinearVelocity(to_bullet(body.velocity.linear));
        b->setAngularVelocity(to_bullet(body.velocity.angular));
    }

    static std::unique_ptr<btCollisionShape> make_shape(const Body& body)
    {
        if (!body.shape) return std::make_unique<btSphereShape>(0.01);
        const Shape& s = *body.shape;
        switch (s.kind) {
            case Shape::Kind::Box: {
                auto box = std::make_unique<btBoxShape>(to_bullet(Vec3(s.size / 2)));
                box->setMargin(0.1 * s.size.minCoeff());
                return box;
            }
            case Shape::Kind::Capsule: return std::make_unique<btCapsuleShapeZ>(s.radius, s.length);
            default: return std::make_unique<btSphereShape>(s.radius);
        }
    }

    void add(const Joint& j, const Scene& scene)
    {
        btRigidBody& b = *objects_[j.b];
        const Pose& pose_b = scene.bodies[j.b].pose;
        const btVector3 at_b = to_bullet(in_body(pose_b, j.point));
        const btVector3 axis_b = to_bullet(Vec3(pose_b.q.conjugate() * j.axis));
        const bool ball = j.kind == Joint::Kind::Ball;
        if (j.a < 0) {
            if (ball)
                constraints_.push_back(std::make_unique<btPoint2PointConstraint>(b, at_b));
            else
                constraints_.push_back(std::make_unique<btHingeConstraint>(b, at_b, axis_b));
        } else {
            const Pose& pose_a = scene.bodies[j.a].pose;
            const btVector3 at_a = to_bullet(in_body(pose_a, j.point));
            const btVector3 axis_a = to_bullet(Vec3(pose_a.q.conjugate() * j.axis));
            if (ball)
                constraints_.push_back(
                    std::make_unique<btPoint2PointConstraint>(*objects_[j.a], b, at_a, at_b));
            else
                constraints_.push_back(std::make_unique<btHingeConstraint>(*objects_[j.a], b, at_a,
                                                                           at_b, axis_a, axis_b));
        }
        if (j.limit > 0) {
            // its angle is not zero where the bodies begin
            auto& hinge = static_cast<btHingeConstraint&>(*constraints_.back());
            const btScalar start = hinge.getHingeAngle();
            hinge.setLimit(start - j.limit, start + j.limit);
        }
        world_->addConstraint(constraints_.back().get(), true);
    }

    Parts parts_;
    btDantzigSolver dantzig_;
    std::unique_ptr<btConstraintSolver> solver_;
    std::unique_ptr<btDiscreteDynamicsWorld> world_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> objects_;
    std::vector<std::unique_ptr<btTypedConstraint>> constraints_;
};

class MultiBullet final : public LocalEngine {
public:
    MultiBullet(const Scene& scene, const Options& options)
        : world_(&parts_.dispatcher, &parts_.broadphase, &solver_, &parts_.configuration),
          tree_(static_cast<int>(scene.bodies.size()), 0, btVector3(0, 0, 0), true, false)
    {
        world_.getSolverInfo().m_numIterations = 50;
        tree_.setHasSelfCollision(false);
        tree_.setLinearDamping(0);
        tree_.setAngularDamping(options.damping);
        tree_.setUseGyroTerm(true);
        tree_.setMaxCoordinateVelocity(1e4);
        // links must come parents first, one joint each: the order of the scene's tree joints
        for (const Joint& joint : scene.joints) add(joint, scene);
        tree_.finalizeMultiDof();
        for (const Joint& joint : scene.joints) start(joint, scene);
        world_.addMultiBody(&tree_);
    }

    void set_gravity(const Vec3& g) override { world_.setGravity(to_bullet(g)); }

    void read(std::vector<Body>& bodies) override
    {
        const int n = tree_.getNumLinks();
        omega_.resize(n + 1);
        velocity_.resize(n + 1);
        to_local_.resize(n + 1);
        place_.resize(n + 1);
        tree_.compTreeLinkVelocities(omega_.data(), velocity_.data());  // in axes of each link
        to_local_[0] = btQuaternion::getIdentity();
        place_[0] = btVector3(0, 0, 0);
        for (int i = 0; i < n; ++i) {
            const int parent = tree_.getParent(i) + 1;
            to_local_[i + 1] = tree_.getParentToLocalRot(i) * to_local_[parent];
            const btQuaternion to_world = to_local_[i + 1].inverse();
            place_[i + 1] = place_[parent] + quatRotate(to_world, tree_.getRVector(i));
            bodies[i].pose = {from_bullet(place_[i + 1]), from_bullet(to_world)};
            bodies[i].velocity = {from_bullet(quatRotate(to_world, velocity_[i + 1])),
                                  from_bullet(quatRotate(to_world, omega_[i + 1]))};
        }
    }

protected:
    void step(Real h) override { world_.stepSimulation(h, 0, h); }

private:
    static Pose pose_of(const Scene& scene, int body)
    {
        return body < 0 ? Pose{} : scene.bodies[body].pose;
    }

    void add(const Joint& j, const Scene& scene)
    {
        const Pose a = pose_of(scene, j.a), b = pose_of(scene, j.b);
        const Body& body = scene.bodies[j.b];
        const btQuaternion turn =
            to_bullet(Quat(b.q.conjugate() * a.q));  // parent axes to link axes
        const btVector3 to_pivot = to_bullet(in_body(a, j.point));
        const btVector3 to_centre = -to_bullet(in_body(b, j.point));
        if (j.kind == Joint::Kind::Ball)
            tree_.setupSpherical(j.b, body.mass, to_bullet(body.inertia), j.a, turn, to_pivot,
                                 to_centre);
        else
            tree_.setupRevolute(j.b, body.mass, to_bullet(body.inertia), j.a, turn,
                                to_bullet(Vec3(b.q.conjugate() * j.axis)), to_pivot, to_centre);
    }

    void start(const Joint& j, const Scene& scene)
    {
        const Vec3 w_a = j.a < 0 ? Vec3::Zero() : scene.bodies[j.a].velocity.angular;
        const Vec3 relative = scene.bodies[j.b].velocity.angular - w_a;
        const Vec3 own = scene.bodies[j.b].pose.q.conjugate() * relative;
        const btScalar rates[3] = {own.x(), own.y(), own.z()};
        if (j.kind == Joint::Kind::Ball)
            tree_.setJointVelMultiDof(j.b, rates);
        else
            tree_.setJointVel(j.b, relative.dot(j.axis));
    }

    Parts parts_;
    btMultiBodyConstraintSolver solver_;
    btMultiBodyDynamicsWorld world_;
    btMultiBody tree_;
    std::vector<btVector3> omega_, velocity_, place_;
    std::vector<btQuaternion> to_local_;
};

std::unique_ptr<Engine> make_multi(const Scene& scene, const Options& options)
{
    return std::make_unique<MultiBullet>(scene, options);
}

template <bool kMlcp>
std::unique_ptr<Engine> make_rigid(const Scene& scene, const Options& options)
{
    return std::make_unique<RigidBullet>(scene, options, kMlcp);
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = {
        {.name = "bullet-mb",
         .setting = "Bullet 3.24 articulated",
         .loops = false,
         .contacts = false,
         .make = make_multi},
        {.name = "bullet-si",
         .setting = "Bullet 3.24 impulses, 50 iterations",
         .make = make_rigid<false>},
        {.name = "bullet-mlcp", .setting = "Bullet 3.24 MLCP (Dantzig)", .make = make_rigid<true>},
    };
    return list;
}

}  // namespace taut::peers
