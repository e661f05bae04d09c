// DART 6: articulated skeletons in reduced coordinates, semi-implicit Euler; loops by ball constraints, contacts by FCL and
// the default (Dantzig) solver. --damping is joint damping [N m s/rad], which DART treats implicitly.
// one by one: the header of all headers misses a file of another package
#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CapsuleShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "engine.h"

namespace taut::peers {
namespace {

namespace dyn = dart::dynamics;

Eigen::Isometry3d transform(const Pose& pose)
{
    Eigen::Isometry3d x = Eigen::Isometry3d::Identity();
    x.translation() = pose.p;
    x.linear() = pose.q.toRotationMatrix();
    return x;
}

dyn::ShapePtr make_shape(const Shape& s)
{
    switch (s.kind) {
        case Shape::Kind::Box: return std::make_shared<dyn::BoxShape>(s.size);
        case Shape::Kind::Capsule: return std::make_shared<dyn::CapsuleShape>(s.radius, s.length);
        default: return std::make_shared<dyn::SphereShape>(s.radius);
    }
}

class Dart final : public LocalEngine {
public:
    Dart(const Scene& scene, const Options& options) : nodes_(scene.bodies.size())
    {
        std::vector<const Joint*> holds(scene.bodies.size());
        for (const Joint& joint : scene.joints)
            if (!joint.closes_loop) holds[joint.b] = &joint;
        for (std::size_t i = 0; i < holds.size(); ++i) {
            // what hangs on nothing, or on the ground, is the root of a skeleton
            const Joint* joint = holds[i];
            const bool root = !joint || joint->a < 0;
            const dyn::SkeletonPtr skeleton =
                root ? dyn::Skeleton::create() : nodes_[joint->a]->getSkeleton();
            add(scene, static_cast<int>(i), joint, skeleton, options);
            if (!root) continue;
            skeleton->enableSelfCollisionCheck();
            skeleton->disableAdjacentBodyCheck();
            world_->addSkeleton(skeleton);
        }
        for (const Joint& joint : scene.joints)
            if (joint.closes_loop) close(joint);
        if (scene.floor) add_floor();
    }

    void set_gravity(const Vec3& g) override
    {
        if (world_->getGravity() != g) world_->setGravity(g);
    }

    void read(std::vector<Body>& bodies) override
    {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const Eigen::Isometry3d& x = nodes_[i]->getWorldTransform();
            bodies[i].pose = {x.translation(), Quat(x.linear())};
            bodies[i].velocity = {nodes_[i]->getLinearVelocity(), nodes_[i]->getAngularVelocity()};
        }
    }

protected:
    void step(Real h) override
    {
        if (world_->getTimeStep() != h) world_->setTimeStep(h);
        world_->step();
    }

private:
    void add(const Scene& scene, int index, const Joint* joint, const dyn::SkeletonPtr& skeleton,
             const Options& options)
    {
        const Body& body = scene.bodies[index];
        dyn::BodyNode::Properties about;
        about.mInertia = dyn::Inertia(body.mass, Vec3::Zero(), body.inertia.asDiagonal());
        about.mName = "b" + std::to_string(index);
        const Eigen::Isometry3d x_b = transform(body.pose);
        if (!joint) {
            const auto [free, node] =
                skeleton->createJointAndBodyNodePair<dyn::FreeJoint>(nullptr, {}, about);
            nodes_[index] = node;
            free->setTransform(x_b);
            free->setSpatialVelocity(
                (Eigen::Vector6d() << body.velocity.angular, body.velocity.linear).finished(),
                dyn::Frame::World(), dyn::Frame::World());
        } else {
            // the joint's frame has the axes of the child
            dyn::BodyNode* above = joint->a < 0 ? nullptr : nodes_[joint->a];
            const Eigen::Isometry3d x_a = joint->a < 0 ? Eigen::Isometry3d::Identity()
                                                       : transform(scene.bodies[joint->a].pose);
            const Eigen::Isometry3d x_j = transform({joint->point, body.pose.q});
            const Vec3 w_a =
                joint->a < 0 ? Vec3(Vec3::Zero()) : scene.bodies[joint->a].velocity.angular;
            const Vec3 turning = body.velocity.angular - w_a;
            const auto fill = [&](auto& properties) {
                properties.mName = "j" + std::to_string(index);
                properties.mT_ParentBodyToJoint = x_a.inverse() * x_j;
                properties.mT_ChildBodyToJoint = x_b.inverse() * x_j;
            };
            dyn::Joint* made = nullptr;
            if (joint->kind == Joint::Kind::Ball) {
                dyn::BallJoint::Properties properties;
                fill(properties);
                const auto pair =
                    skeleton->createJointAndBodyNodePair<dyn::BallJoint>(above, properties, about);
                pair.first->setVelocities(body.pose.q.conjugate() * turning);
                nodes_[index] = pair.second;
                made = pair.first;
            } else {
                dyn::RevoluteJoint::Properties properties;
                fill(properties);
                properties.mAxis = body.pose.q.conjugate() * joint->axis;
                const auto pair = skeleton->createJointAndBodyNodePair<dyn::RevoluteJoint>(
                    above, properties, about);
                pair.first->setVelocity(0, turning.dot(joint->axis));
                nodes_[index] = pair.second;
                made = pair.first;
            }
            for (std::size_t k = 0; k < made->getNumDofs(); ++k)
                made->setDampingCoefficient(k, options.damping);
        }
        if (body.shape) {
            auto* node =
                nodes_[index]->createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(
                    make_shape(*body.shape));
            node->getDynamicsAspect()->setFrictionCoeff(0.5);
        }
    }

    void close(const Joint& joint)
    {
        using dart::constraint::BallJointConstraint;
        const auto loop = joint.a < 0
                              ? std::make_shared<BallJointConstraint>(nodes_[joint.b], joint.point)
                              : std::make_shared<BallJointConstraint>(nodes_[joint.a],
                                                                      nodes_[joint.b], joint.point);
        world_->getConstraintSolver()->addConstraint(loop);
    }

    void add_floor()
    {
        const dyn::SkeletonPtr ground = dyn::Skeleton::create("ground");
        const auto pair = ground->createJointAndBodyNodePair<dyn::WeldJoint>();
        auto* node = pair.second->createShapeNodeWith<dyn::CollisionAspect, dyn::DynamicsAspect>(
            std::make_shared<dyn::BoxShape>(Vec3(100, 100, 1)));
        node->setRelativeTranslation({0, 0, -0.5});
        node->getDynamicsAspect()->setFrictionCoeff(0.5);
        world_->addSkeleton(ground);
    }

    dart::simulation::WorldPtr world_ = dart::simulation::World::create();
    std::vector<dyn::BodyNode*> nodes_;
};

std::unique_ptr<Engine> make(const Scene& scene, const Options& options)
{
    return std::make_unique<Dart>(scene, options);
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = {
        {.name = "dart", .setting = "DART 6.12 tree", .make = make}};
    return list;
}

}  // namespace taut::peers
