#include "view/mouse_spring.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "view/bodies.h"

namespace taut::view {

namespace {

constexpr Real kRate =
    10;  // ω of the spring with its mass [rad/s]: a hand that follows in a tenth of a second
constexpr Real kProbe = 0.01;    // push that measures the response, over the weight in hand
constexpr int kTrials = 5;       // of one step, at most
constexpr int kPatience = 60;    // solves of one step, after which no further trial is made
constexpr Real kAgreed = 0.05;   // how well force and spring must agree, over the force
constexpr Real kBearable = 0.5;  // … where no trial is left

// Mass of all that hangs together with the body by joints [kg]: what the hand would carry in free space.
Real connected_mass(const World& world, BodyId body)
{
    std::vector<char> seen(world.body_count(), 0);
    seen[body.index] = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (int j = 0; j < world.joint_count(); ++j) {
            if (world.broken(JointId{j})) continue;
            bool any = false;
            const auto bodies = world.bodies(JointId{j});
            for (const BodyId b : bodies) any |= b.valid() && seen[b.index] != 0;
            for (const BodyId b : bodies)
                if (any && b.valid() && seen[b.index] == 0 && moves(world.kind(b)))
                    seen[b.index] = 1, grew = true;
        }
    }
    Real mass = 0;
    for (int i = 0; i < world.body_count(); ++i) mass += seen[i] ? world.mass(BodyId{i}) : 0;
    return mass;
}

// The mass that the hand must be up to: the body's own, or what its joints carry now. A link of one kilogram
// that holds up ten tonnes is as hard to move as they are. Where nothing weighs anything: all that is connected.
Real mass_in_hand(const World& world, BodyId body)
{
    const Real own = world.mass(body), all = connected_mass(world, body);
    const Real g = world.gravity().norm();
    if (!(g > 1e-3)) return all;
    Real carried = 0;
    for (int j = 0; j < world.joint_count(); ++j) {
        const auto bodies = world.bodies(JointId{j});
        if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) continue;
        carried = std::max(carried, world.joint(JointId{j}).force.norm() / g);
    }
    return std::clamp(std::isfinite(carried) ? carried : all, own, std::max(own, all));
}

}  // namespace

Result<MouseSpring> MouseSpring::fasten(const World& world, BodyId body, const Vec3& point,
                                        const Vec3& target, Real strength)
{
    if (!body.valid() || body.index >= world.body_count()) return Error{"there is no such body"};
    if (!moves(world.kind(body)))
        return Error{"'" + std::string(world.name(body)) + "' is fixed or moves as told"};
    if (!point.allFinite() || !target.allFinite()) return Error{"point and target must be finite"};
    if (!(strength > 0 && strength <= 1000)) return Error{"strength must be in (0, 1000]"};

    MouseSpring spring;
    spring.body_ = body;
    const Pose X_WB = world.pose(body);
    // a particle is a point: it can be pulled at its centre only
    spring.point_ = world.kind(body) == BodyKind::Particle
                        ? Vec3(X_WB.q.conjugate() * (world.centre_of_mass(body) - X_WB.p))
                        : point;
    spring.target_ = target;
    const Real mass = mass_in_hand(world, body);
    spring.stiffness_ = strength * mass * kRate * kRate;
    spring.damping_ = 2 * std::sqrt(strength) * mass * kRate;
    spring.reach_ = std::max(world.size(), Real(1));
    spring.probe_ = kProbe * mass * std::max(world.gravity().norm(), Real(1));
    return spring;
}

MouseSpring::Point MouseSpring::look(const World& world) const noexcept
{
    const Pose X_WB = world.pose(body_);
    const Twist twist = world.velocity(body_);
    Point at;
    at.x = X_WB.p + X_WB.q * point_;
    at.lever = at.x - world.centre_of_mass(body_);
    at.v = twist.linear + twist.angular.cross(at.lever);
    return at;
}

Vec3 MouseSpring::pull_at(const Point& point) const noexcept
{
    Vec3 stretch = target_ - point.x;
    if (const Real length = stretch.norm(); length > reach_) stretch *= reach_ / length;
    return stiffness_ * stretch - damping_ * point.v;
}

// More force df makes the spring pull less by (kh + c)·response·df: the two meet where the miss is made up.
Vec3 MouseSpring::correction(const Vec3& miss, Real dt) const noexcept
{
    const Mat3 meets = Mat3::Identity() + (stiffness_ * dt + damping_) * response_;
    return meets.inverse() * miss;
}

void MouseSpring::keep_response(const Mat3& response) noexcept
{
    // no force slows what it pulls
    if (!response.allFinite()) return;
    const Eigen::SelfAdjointEigenSolver<Mat3> axes((response + response.transpose()) / 2);
    const Vec3 along = axes.eigenvalues().cwiseMax(0);
    response_ = axes.eigenvectors() * along.asDiagonal() * axes.eigenvectors().transpose();
}

// Broyden's update, from forces that are felt.
void MouseSpring::learn(const Vec3& force, const Vec3& velocity) noexcept
{
    if (force.norm() < probe_ / 10) return;
    keep_response(response_ +
                  (velocity - response_ * force) * force.transpose() / force.squaredNorm());
}

// What a small push in each direction does within one step; `before` is the world as it is and as it is left.
void MouseSpring::measure(World& world, const StepSettings& settings,
                          std::span<const std::byte> before)
{
    const auto pushed = [&](const Vec3& force) {
        const bool taken =
            apply(world, force).ok() && world.step(settings).status == StepStatus::Ok;
        const Vec3 v = taken ? look(world).v : Vec3(Vec3::Zero());
        (void)world.restore(before);
        return v;
    };
    const Vec3 free = pushed(Vec3::Zero());
    Mat3 response;
    for (int i = 0; i < 3; ++i) response.col(i) = (pushed(probe_ * Vec3::Unit(i)) - free) / probe_;
    response_.setZero();
    keep_response(response);
    measured_dt_ = settings.dt;
}

Status MouseSpring::apply(World& world, const Vec3& force) const
{
    const Vec3 torque = world.kind(body_) == BodyKind::Particle
                            ? Vec3(Vec3::Zero())
                            : Vec3(look(world).lever.cross(force));
    return world.set_wrench(body_, {force, torque});
}

StepReport MouseSpring::step(World& world, const StepSettings& settings)
{
    const Real dt = settings.dt;
    const std::vector<std::byte> before = world.snapshot();
    if (measured_dt_ != dt) measure(world, settings, before);

    // as if the velocity stayed as it is
    Point now = look(world);
    now.x += dt * now.v;
    Vec3 force = force_ + correction(pull_at(now) - force_, dt);
    Vec3 last_force = Vec3::Zero(), last_v = Vec3::Zero();
    int solves = 0;
    for (int trial = 1; apply(world, force).ok(); ++trial) {
        const StepReport report = world.step(settings);
        if (report.status != StepStatus::Ok) break;
        const Point then = look(world);
        if (trial > 1) learn(force - last_force, then.v - last_v);

        const Vec3 pull = pull_at(then), miss = pull - force;
        solves += report.solves;
        const bool last = trial == kTrials || solves > kPatience;
        const Real allowed = last ? kBearable : kAgreed;
        if (miss.norm() <= allowed * std::max(force.norm(), pull.norm())) {
            force_ = force;
            (void)world.set_wrench(body_, {});
            return report;
        }
        (void)world.restore(before);
        if (last) break;
        last_force = force;
        last_v = then.v;
        force += correction(miss, dt);
    }
    // a hand that cannot find its force lets go for a step rather than feed the motion
    force_.setZero();
    measured_dt_ = 0;
    (void)world.set_wrench(body_, {});
    return world.step(settings);
}

}  // namespace taut::view
