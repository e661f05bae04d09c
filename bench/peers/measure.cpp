#include "measure.h"

#include <algorithm>
#include <cmath>

#include "collision/contact_finder.h"

namespace taut::peers {
namespace {

constexpr Real kTiltLength = 0.1;  // [m]
constexpr Real kEnergyAllowed = 0.05, kGapAllowed = 0.05, kOverlapAllowed = 0.2;

Vec3 to_body(const Pose& pose, const Vec3& point) { return pose.q.conjugate() * (point - pose.p); }
Vec3 to_world(const Pose& pose, const Vec3& point) { return pose.p + pose.q * point; }

collision::ColliderShape shape_of(const Shape& shape)
{
    switch (shape.kind) {
        case Shape::Kind::Sphere: return collision::SphereShape{shape.radius};
        case Shape::Kind::Box: return collision::BoxShape{shape.size / 2};
        case Shape::Kind::Capsule: return collision::CapsuleShape{shape.radius, shape.length / 2};
    }
    return collision::SphereShape{};
}

}  // namespace

// Body 0 of the search is the ground.
struct Monitor::Surfaces {
    collision::ContactFinder finder;
    std::vector<collision::BodyState> states;

    explicit Surfaces(const Scene& scene) : states(scene.bodies.size() + 1)
    {
        states[0].movable = false;
        if (scene.floor) finder.add({.body = 0, .pose = {}, .shape = collision::PlaneShape{}});
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            if (scene.bodies[i].shape)
                finder.add({.body = static_cast<int>(i) + 1,
                            .pose = {},
                            .shape = shape_of(*scene.bodies[i].shape)});
        for (const Joint& joint : scene.joints) finder.exclude(joint.a + 1, joint.b + 1);
    }

    Real deepest(const std::vector<Body>& bodies)
    {
        for (std::size_t i = 0; i < bodies.size(); ++i) states[i + 1].pose = bodies[i].pose;
        Real depth = 0;
        for (const collision::ContactPoint& contact : finder.find(states, {}))
            depth = std::max(depth, -contact.gap);
        return depth;
    }
};

Monitor::Monitor(const Scene& scene, Real seconds) : scene_(scene), seconds_(seconds)
{
    if (scene.floor) surfaces_ = std::make_unique<Surfaces>(scene);
    for (const Joint& joint : scene.joints) {
        const Pose a = joint.a < 0 ? Pose{} : scene.bodies[joint.a].pose;
        const Pose b = scene.bodies[joint.b].pose;
        anchors_a_.push_back(to_body(a, joint.point));
        anchors_b_.push_back(to_body(b, joint.point));
        axes_a_.push_back(a.q.conjugate() * joint.axis);
        axes_b_.push_back(b.q.conjugate() * joint.axis);
    }
    start_ = last_ = read(scene.bodies);
    for (const Body& body : scene.bodies) places_.push_back(body.pose.p);
}

Monitor::~Monitor() = default;

Reading Monitor::read(const std::vector<Body>& bodies)
{
    Reading now;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        // mass and moments are those of the scene, whatever the engine made of them
        const Body& is = scene_.bodies[i];
        const Pose& x = bodies[i].pose;
        const Twist& v = bodies[i].velocity;
        const Vec3 spin = is.inertia.cwiseProduct(x.q.conjugate() * v.angular);  // body axes
        now.energy += is.mass * (v.linear.squaredNorm() / 2 - scene_.gravity.dot(x.p)) +
                      v.angular.dot(x.q * spin) / 2;
        now.momentum_z += (is.mass * x.p.cross(v.linear) + x.q * spin).z();
    }
    for (std::size_t j = 0; j < scene_.joints.size(); ++j) {
        const Joint& joint = scene_.joints[j];
        const Pose a = joint.a < 0 ? Pose{} : bodies[joint.a].pose;
        const Pose& b = bodies[joint.b].pose;
        now.gap =
            std::max(now.gap, (to_world(a, anchors_a_[j]) - to_world(b, anchors_b_[j])).norm());
        if (joint.kind == Joint::Kind::Hinge)
            now.gap =
                std::max(now.gap, kTiltLength * (a.q * axes_a_[j]).cross(b.q * axes_b_[j]).norm());
    }
    now.finite =
        std::isfinite(now.energy) && std::isfinite(now.momentum_z) && std::isfinite(now.gap);
    if (now.finite && surfaces_) now.penetration = surfaces_->deepest(bodies);
    return now;
}

bool Monitor::see(const std::vector<Body>& bodies, const Vec3& gravity, Real time)
{
    last_ = read(bodies);
    if (!last_.finite) {
        failure_ = "not finite";
        return false;
    }
    // the part of gravity that is not steady did work on what moved
    const Vec3 push = gravity - scene_.gravity;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        work_ += scene_.bodies[i].mass * push.dot(bodies[i].pose.p - places_[i]);
        places_[i] = bodies[i].pose.p;
    }
    rise_ = std::max(rise_, (last_.energy - start_.energy - work_) / scene_.drop);
    gap_ = std::max(gap_, last_.gap);
    penetration_ = std::max(penetration_, last_.penetration);
    if (scene_.calm || time > seconds_ - 1) sunk_ = std::max(sunk_, last_.penetration);
    drift_ = std::max(drift_, std::abs(last_.momentum_z - start_.momentum_z));
    if (rise_ > kEnergyAllowed)
        failure_ = "energy";
    else if (gap_ > kGapAllowed * scene_.size)
        failure_ = "gap";
    else if (sunk_ > kOverlapAllowed * scene_.width)
        failure_ = "sunk";
    return failure_.empty();
}

Real Monitor::kept() const { return 1 + (last_.energy - start_.energy - work_) / scene_.drop; }

Real Monitor::momentum_drift() const
{
    const Real turning = std::abs(start_.momentum_z);
    return turning > 0 ? drift_ / turning : 0;
}

}  // namespace taut::peers
