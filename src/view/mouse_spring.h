// An implicit spring between a point of a body and the mouse: its force is k(target − x) − c v.
//
// The force is evaluated at the end of the step. The step is repeated with corrected forces until applied force and
// spring force agree, usually after one or two trials. The spring is therefore stable at time steps of 0.1 s and on a
// link of 1 kg that carries 10 t. An explicit spring would have to be weak enough for the lightest body.
//
// No force remains in the world between steps, so snapshots do not contain the spring.
#pragma once

#include <taut/world.h>

#include "core/namespaces.h"

namespace taut::view {

class MouseSpring {
public:
    // `point` in body axes from the origin of the body, `target` in the world. Fails for fixed and kinematic bodies.
    static Result<MouseSpring> attach(const World& world, BodyId body, const Vec3& point,
                                      const Vec3& target, Real strength);

    BodyId body() const noexcept { return body_; }
    const Vec3& target() const noexcept { return target_; }
    const Vec3& force() const noexcept { return force_; }  // of the last step [N]
    Real stiffness() const noexcept { return stiffness_; }
    void move(const Vec3& target) noexcept { target_ = target; }

    // Steps the world with the spring.
    StepReport step(World& world, const StepSettings& chosen);

private:
    MouseSpring() = default;

    struct Point {
        Vec3 x, v, lever;  // in world axes; lever from the centre of mass
    };
    Point grabbed_point(const World& world) const;
    Vec3 spring_force(const Point& point) const noexcept;
    Vec3 correction(const Vec3& mismatch, Real dt) const noexcept;
    void set_response(const Mat3& response) noexcept;
    void update_response(const Vec3& force, const Vec3& velocity) noexcept;
    void measure(World& world, const StepSettings& settings, std::span<const std::byte> before);
    Status apply(World& world, const Vec3& force) const;

    BodyId body_;
    Vec3 point_ = Vec3::Zero();
    Vec3 target_ = Vec3::Zero();
    Vec3 force_ = Vec3::Zero();
    Real stiffness_ = 0;            // [N/m]
    Real damping_ = 0;              // [N s/m]
    Real max_stretch_ = 0;          // the stretch is limited to this length [m]
    Real probe_ = 0;                // force of the response measurement [N]
    Mat3 response_ = Mat3::Zero();  // velocity at the end of a step per force [m/(N s)]
    Real measured_dt_ = 0;          // time step of the measurement; 0: not measured
};

}  // namespace taut::view
