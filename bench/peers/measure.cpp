#include "measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "collision/contact_finder.h"

namespace taut::peers {
namespace {

constexpr Real kTiltLength = 0.1;  // [m]
constexpr Real kEnergyAllowed = 0.05, kGapAllowed = 0.05, kOverlapAllowed = 0.2;
constexpr Real kTouching = 0.01;  // gap of a contact, of the half width
constexpr Real kBlownUp = 10;     // energy above the start, drop energies
constexpr Real kFirstClass = 1e-6, kClassesPerDecade = 100;  // of penetration, of the half width

Vec3 to_body(const Pose& pose, const Vec3& point) { return pose.q.conjugate() * (point - pose.p); }
Vec3 to_world(const Pose& pose, const Vec3& point) { return pose.p + pose.q * point; }

collision::ColliderShape shape_of(const Shape& shape)
{
    switch (shape.kind) {
        case Shape::Kind::Sphere: return taut::Shape::Sphere{shape.radius};
        case Shape::Kind::Box: return taut::Shape::Box{shape.size};
        case Shape::Kind::Capsule: return taut::Shape::Capsule{shape.radius, shape.length};
    }
    return taut::Shape::Sphere{};
}

// Half of the smallest width [m].
Real half_width(const Shape& shape)
{
    return shape.kind == Shape::Kind::Box ? shape.size.minCoeff() / 2 : shape.radius;
}

// Angle by which a hinge has turned since `start`, both as rotations from a to b; −π to π.
Real turned(const Quat& start, const Quat& now, const Vec3& axis_b)
{
    const Quat turn = start.conjugate() * now;
    return std::remainder(2 * std::atan2(turn.vec().dot(axis_b), turn.w()), 2 * M_PI);
}

}  // namespace

// Body 0 of the search is the ground.
class Surfaces {
public:
    explicit Surfaces(const Scene& scene)
        : states_(scene.bodies.size() + 1),
          half_widths_(scene.bodies.size() + 1, std::numeric_limits<Real>::infinity())
    {
        states_[0].movable = false;
        if (scene.floor) finder_.add({.body = 0, .pose = {}, .shape = taut::Shape::Plane{}});
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
            if (!scene.bodies[i].shape) continue;
            const Shape& shape = *scene.bodies[i].shape;
            finder_.add({.body = static_cast<int>(i) + 1, .pose = {}, .shape = shape_of(shape)});
            half_widths_[i + 1] = half_width(shape);
            widest_ = std::max(widest_, half_width(shape));
        }
        for (const Joint& joint : scene.joints) finder_.exclude(joint.a + 1, joint.b + 1);
        overlapping_ = pairs_that_overlap(scene.bodies);
    }

    Real deepest(const std::vector<Body>& bodies)
    {
        Real depth = 0;
        for (const collision::ContactPoint& contact : find(bodies, 0))
            depth = std::max(depth, -contact.gap);
        return depth;
    }

    // Calls `use` with the penetration of each contact as a share of the thinner half width; negative: a gap. Not with pairs that
    // overlapped at the start.
    template <class Use>
    void each_share(const std::vector<Body>& bodies, Use use)
    {
        for (const collision::ContactPoint& contact : find(bodies, kTouching * widest_)) {
            const Real width = std::min(half_widths_[contact.body_a], half_widths_[contact.body_b]);
            if (contact.gap < kTouching * width &&
                overlapping_.count({contact.body_a, contact.body_b}) == 0)
                use(-contact.gap / width);
        }
    }

private:
    std::span<const collision::ContactPoint> find(const std::vector<Body>& bodies, Real margin)
    {
        for (std::size_t i = 0; i < bodies.size(); ++i) states_[i + 1].pose = bodies[i].pose;
        return finder_.find(states_, {.dt = 0, .margin = margin});
    }

    std::set<std::pair<int, int>> pairs_that_overlap(const std::vector<Body>& bodies)
    {
        std::set<std::pair<int, int>> pairs;
        for (const collision::ContactPoint& contact : find(bodies, 0))
            if (contact.gap < 0) pairs.insert({contact.body_a, contact.body_b});
        return pairs;
    }

    collision::ContactFinder finder_;
    std::vector<collision::BodyState> states_;
    std::vector<Real> half_widths_;  // by body of the search [m]
    Real widest_ = 0;
    std::set<std::pair<int, int>> overlapping_;
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
        relative_.push_back(a.q.conjugate() * b.q);
    }
    start_ = last_ = read(scene.bodies);
    for (const Body& body : scene.bodies) places_.push_back(body.pose.p);
}

Monitor::~Monitor() = default;

Reading Monitor::read(const std::vector<Body>& bodies)
{
    Reading now = read_motion(bodies);
    if (now.finite && surfaces_) now.penetration = surfaces_->deepest(bodies);
    return now;
}

Reading Monitor::read_motion(const std::vector<Body>& bodies) const
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
        if (joint.limit > 0) {
            const Real angle = turned(relative_[j], a.q.conjugate() * b.q, axes_b_[j]);
            now.beyond_limit = std::max(now.beyond_limit, std::abs(angle) - joint.limit);
        }
    }
    now.finite =
        std::isfinite(now.energy) && std::isfinite(now.momentum_z) && std::isfinite(now.gap);
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

ContactMonitor::ContactMonitor(const Scene& scene)
    : scene_(scene), monitor_(scene, 0), surfaces_(std::make_unique<Surfaces>(scene))
{
    start_ = monitor_.read_motion(scene.bodies).energy;
}

ContactMonitor::~ContactMonitor() = default;

bool ContactMonitor::see(const std::vector<Body>& bodies)
{
    const Reading now = monitor_.read_motion(bodies);
    if (!now.finite) {
        failure_ = "not finite";
        return false;
    }
    rise_ = std::max(rise_, (now.energy - start_) / scene_.drop);
    gap_ = std::max(gap_, now.gap);
    beyond_limit_ = std::max(beyond_limit_, now.beyond_limit);
    surfaces_->each_share(bodies, [&](Real share) {
        ++contacts_;
        worst_ = std::max(worst_, share);
        const bool counted = share >= kFirstClass;
        ++classes_[counted
                       ? 1 + static_cast<int>(kClassesPerDecade * std::log10(share / kFirstClass))
                       : 0];
    });
    if (rise_ > kBlownUp) failure_ = "energy";
    return failure_.empty();
}

}  // namespace taut::peers
