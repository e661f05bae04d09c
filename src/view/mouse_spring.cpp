#include "view/mouse_spring.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "view/bodies.h"

namespace taut::view {

namespace {

constexpr Real kRate = 10;         // natural frequency of spring and effective mass [rad/s]
constexpr Real kProbe = 0.01;      // force of the response measurement, over the effective weight
constexpr int kTrials = 5;         // maximum per step
constexpr int kMostSolves = 60;    // linear solves per step after which no further trial is made
constexpr Real kTolerance = 0.05;  // relative tolerance of the force
constexpr Real kLastTolerance = 0.5;  // relative tolerance after the last trial

// Mass of all bodies connected with the body by joints [kg].
Real connected_mass(const World& world, BodyId body)
{
    std::vector<char> seen(world.body_count(), 0);
    seen[body.index] = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (int j = 0; j < world.joint_count(); ++j) {
            if (world.broken(world.joint_at(j))) continue;
            bool any = false;
            const auto bodies = world.bodies(world.joint_at(j));
            for (const BodyId b : bodies) any |= b.valid() && seen[b.index] != 0;
            for (const BodyId b : bodies)
                if (any && b.valid() && seen[b.index] == 0 && moves(world.kind(b)))
                    seen[b.index] = 1, grew = true;
        }
    }
    Real mass = 0;
    for (int i = 0; i < world.body_count(); ++i) mass += seen[i] ? world.mass(world.body_at(i)) : 0;
    return mass;
}

// Effective mass for the stiffness: that of the body or the mass carried by its joints, because a link of 1 kg that
// carries 10 t is as hard to move as the load. Without gravity: the mass of all connected bodies.
Real effective_mass(const World& world, BodyId body)
{
    const Real own = world.mass(body), all = connected_mass(world, body);
    const Real g = world.gravity().norm();
    if (!(g > 1e-3)) return all;
    Real carried = 0;
    for (int j = 0; j < world.joint_count(); ++j) {
        const auto bodies = world.bodies(world.joint_at(j));
        if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) continue;
        carried = std::max(carried, world.joint(world.joint_at(j)).force.norm() / g);
    }
    return std::clamp(std::isfinite(carried) ? carried : all, own, std::max(own, all));
}

}  // namespace

Result<MouseSpring> MouseSpring::attach(const World& world, BodyId body, const Vec3& point,
                                        const Vec3& target, Real strength)
{
    if (!body.valid() || !world.contains(body)) return Error{"the body does not exist"};
    if (!moves(world.kind(body)))
        return Error{"'" + std::string(world.name(body)) + "' is fixed or kinematic"};
    if (!point.allFinite() || !target.allFinite()) return Error{"point and target must be finite"};
    if (!(strength > 0 && strength <= 1000)) return Error{"strength must be in (0, 1000]"};

    MouseSpring spring;
    spring.body_ = body;
    const Pose X_WB = world.pose(body);
    // a particle can be pulled at its centre only
    spring.point_ = world.kind(body) == BodyKind::Particle
                        ? Vec3(X_WB.q.conjugate() * (world.centre_of_mass(body) - X_WB.p))
                        : point;
    spring.target_ = target;
    const Real mass = effective_mass(world, body);
    spring.stiffness_ = strength * mass * kRate * kRate;
    spring.damping_ = 2 * std::sqrt(strength) * mass * kRate;
    spring.max_stretch_ = std::max(world.size(), Real(1));
    spring.probe_ = kProbe * mass * std::max(world.gravity().norm(), Real(1));
    return spring;
}

MouseSpring::Point MouseSpring::grabbed_point(const World& world) const
{
    const Pose X_WB = world.pose(body_);
    const Twist twist = world.velocity(body_);
    Point at;
    at.x = X_WB.p + X_WB.q * point_;
    at.lever = at.x - world.centre_of_mass(body_);
    at.v = twist.linear + twist.angular.cross(at.lever);
    return at;
}

Vec3 MouseSpring::spring_force(const Point& point) const noexcept
{
    Vec3 stretch = target_ - point.x;
    if (const Real length = stretch.norm(); length > max_stretch_) stretch *= max_stretch_ / length;
    return stiffness_ * stretch - damping_ * point.v;
}

// An increment df reduces the spring force by (kh + c)·response·df; solves for the increment that removes the mismatch.
Vec3 MouseSpring::correction(const Vec3& mismatch, Real dt) const noexcept
{
    const Mat3 coupling = Mat3::Identity() + (stiffness_ * dt + damping_) * response_;
    return coupling.inverse() * mismatch;
}

void MouseSpring::set_response(const Mat3& response) noexcept
{
    // symmetric positive semidefinite part: a force never slows the point that it pulls
    if (!response.allFinite()) return;
    const Eigen::SelfAdjointEigenSolver<Mat3> axes((response + response.transpose()) / 2);
    const Vec3 along = axes.eigenvalues().cwiseMax(0);
    response_ = axes.eigenvectors() * along.asDiagonal() * axes.eigenvectors().transpose();
}

// Broyden update, for forces above the noise level.
void MouseSpring::update_response(const Vec3& force, const Vec3& velocity) noexcept
{
    if (force.norm() < probe_ / 10) return;
    set_response(response_ +
                 (velocity - response_ * force) * force.transpose() / force.squaredNorm());
}

// Measures the response to a small force along each axis over one step; restores the state `before`.
void MouseSpring::measure(World& world, const StepSettings& settings,
                          std::span<const std::byte> before)
{
    const auto pushed = [&](const Vec3& force) {
        const bool taken =
            apply(world, force).ok() && world.step(settings).status == StepStatus::Ok;
        const Vec3 v = taken ? grabbed_point(world).v : Vec3(Vec3::Zero());
        (void)world.restore(before);
        return v;
    };
    const Vec3 free = pushed(Vec3::Zero());
    Mat3 response;
    for (int i = 0; i < 3; ++i) response.col(i) = (pushed(probe_ * Vec3::Unit(i)) - free) / probe_;
    response_.setZero();
    set_response(response);
    measured_dt_ = settings.dt;
}

Status MouseSpring::apply(World& world, const Vec3& force) const
{
    const Vec3 torque = world.kind(body_) == BodyKind::Particle
                            ? Vec3(Vec3::Zero())
                            : Vec3(grabbed_point(world).lever.cross(force));
    return world.set_wrench(body_, {force, torque});
}

StepReport MouseSpring::step(World& world, const StepSettings& chosen)
{
    // trial forces jump from step to step, and the response to them must not depend on which scheme the step would choose
    StepSettings settings = chosen;
    if (settings.research.scheme == Scheme::Automatic) settings.research.scheme = Scheme::Bdf2;
    const Real dt = settings.dt;
    const std::vector<std::byte> before = world.snapshot();
    if (measured_dt_ != dt) measure(world, settings, before);

    // prediction with constant velocity
    Point now = grabbed_point(world);
    now.x += dt * now.v;
    Vec3 force = force_ + correction(spring_force(now) - force_, dt);
    Vec3 last_force = Vec3::Zero(), last_v = Vec3::Zero();
    int solves = 0;
    for (int trial = 1; apply(world, force).ok(); ++trial) {
        const StepReport report = world.step(settings);
        if (report.status != StepStatus::Ok) break;
        const Point then = grabbed_point(world);
        if (trial > 1) update_response(force - last_force, then.v - last_v);

        const Vec3 pull = spring_force(then), mismatch = pull - force;
        solves += report.solves;
        const bool last = trial == kTrials || solves > kMostSolves;
        const Real allowed = last ? kLastTolerance : kTolerance;
        if (mismatch.norm() <= allowed * std::max(force.norm(), pull.norm())) {
            force_ = force;
            (void)world.set_wrench(body_, {});
            return report;
        }
        (void)world.restore(before);
        if (last) break;
        last_force = force;
        last_v = then.v;
        force += correction(mismatch, dt);
    }
    // not converged: no force in this step, so that the spring cannot add energy
    force_.setZero();
    measured_dt_ = 0;
    (void)world.set_wrench(body_, {});
    return world.step(settings);
}

}  // namespace taut::view
