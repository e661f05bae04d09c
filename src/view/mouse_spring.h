// A spring between a point of a body and the mouse: it pulls by k(target − x) − c v.
//
// The force is the one of the *end* of the step. It is found by taking the step, asking the spring what it
// would pull with there, and taking the step again until the two agree: one to two trials as a rule. So it
// neither rings nor explodes at steps of a tenth of a second, nor on a link of one kilogram that carries ten
// tonnes. An explicit spring would have to be as weak as the lightest body that it may ever pull.
//
// Between steps the world holds no trace of it: snapshots taken then are free of the mouse.
#pragma once

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

class MouseSpring {
public:
    // `point` in the body's axes from its origin, `target` in the world. Refused for bodies that nothing moves.
    static Result<MouseSpring> fasten(const World& world, BodyId body, const Vec3& point,
                                      const Vec3& target, Real strength);

    BodyId body() const noexcept { return body_; }
    const Vec3& target() const noexcept { return target_; }
    const Vec3& force() const noexcept { return force_; }  // of the last step [N]
    Real stiffness() const noexcept { return stiffness_; }
    void move(const Vec3& target) noexcept { target_ = target; }

    // A step of the world with the spring in it.
    StepReport step(World& world, const StepSettings& settings);

private:
    MouseSpring() = default;

    struct Point {
        Vec3 x, v, lever;  // world; lever from the centre of mass
    };
    Point look(const World& world) const noexcept;
    Vec3 pull_at(const Point& point) const noexcept;
    Vec3 correction(const Vec3& miss, Real dt) const noexcept;
    void keep_response(const Mat3& response) noexcept;
    void learn(const Vec3& force, const Vec3& velocity) noexcept;
    void measure(World& world, const StepSettings& settings, std::span<const std::byte> before);
    Status apply(World& world, const Vec3& force) const;

    BodyId body_;
    Vec3 point_ = Vec3::Zero();
    Vec3 target_ = Vec3::Zero();
    Vec3 force_ = Vec3::Zero();
    Real stiffness_ = 0;            // [N/m]
    Real damping_ = 0;              // [N s/m]
    Real reach_ = 0;                // it does not pull harder than when stretched by this [m]
    Real probe_ = 0;                // a push that is felt and does no harm [N]
    Mat3 response_ = Mat3::Zero();  // velocity at the end of a step per force [m/(N s)]
    Real measured_dt_ = 0;          // the step that it was measured with; 0: not yet
};

}  // namespace taut::view
