// Simbody 3.7 in reduced coordinates; loops by ball constraints. Its contacts are springs with a material of their own, which has
// no counterpart in the scenes: it takes no part there.
//
//   simbody-fixed     semi-explicit Euler, one step per call
//   simbody-adaptive  Runge-Kutta-Merson with error control, accuracy 10⁻³ (its default): as many inner steps as it wants.
//                     What others do with --substeps k it does with accuracy 10⁻³/k. Its implicit CPODES was tried and is
//                     slower: 29 ms a frame instead of 4 on ten links under R = 1e4.
// --damping is joint damping [N m s/rad]. Written in C++17: its headers are not valid C++20.
#include <Simbody.h>

#include <stdexcept>

#include "engine.h"

namespace taut::peers {
namespace {

SimTK::Vec3 to_simbody(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
SimTK::Rotation to_simbody(const Quat& q)
{
    return SimTK::Rotation(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z()));
}
SimTK::Transform to_simbody(const Pose& x) { return {to_simbody(x.q), to_simbody(x.p)}; }
Vec3 from_simbody(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }

class Simbody final : public LocalEngine {
public:
    Simbody(const Scene& scene, const Options& options, bool adaptive)
        : adaptive_(adaptive),
          accuracy_(1e-3 / options.substeps),
          gravity_(forces_, matter_, to_simbody(scene.gravity)),
          shaken_(!scene.shake.isZero())
    {
        mobods_.resize(scene.bodies.size());
        for (const Joint& joint : scene.joints)
            if (!joint.closes_loop) add(scene, joint, options);
        for (const Joint& joint : scene.joints)
            if (joint.closes_loop) close(scene, joint);
        state_ = system_.realizeTopology();
        system_.realizeModel(state_);
        for (const Joint& joint : scene.joints)
            if (!joint.closes_loop) start(scene, joint);
    }

    void set_gravity(const Vec3& g) override
    {
        if (!shaken_) return;
        gravity_.setGravityVector(integrator_ ? integrator_->updAdvancedState() : state_,
                                  to_simbody(g));
        if (integrator_) integrator_->reinitialize(SimTK::Stage::Instance, false);
    }

    void read(std::vector<Body>& bodies) override
    {
        const SimTK::State& state = integrator_ ? integrator_->getState() : state_;
        system_.realize(state, SimTK::Stage::Velocity);
        for (std::size_t i = 0; i < mobods_.size(); ++i) {
            const SimTK::Transform& x = mobods_[i].getBodyTransform(state);
            const SimTK::SpatialVec& v = mobods_[i].getBodyVelocity(state);
            const SimTK::Quaternion q = x.R().convertRotationToQuaternion();
            bodies[i].pose = {from_simbody(x.p()), Quat(q[0], q[1], q[2], q[3])};
            bodies[i].velocity = {from_simbody(v[1]), from_simbody(v[0])};
        }
    }

protected:
    void step(Real h) override
    {
        if (!integrator_) begin(h);
        time_ += h;
        while (integrator_->stepTo(time_) != SimTK::Integrator::ReachedReportTime)
            if (integrator_->isSimulationOver()) throw std::runtime_error("the integrator ended");
    }

private:
    static Pose in_body(const Pose& body, const Pose& x)
    {
        return {body.q.conjugate() * (x.p - body.p), body.q.conjugate() * x.q};
    }

    // Axes of the joint's frames at the start: those of the child for a ball, z along the axis for a pin.
    static Pose frame(const Scene& scene, const Joint& j)
    {
        if (j.kind == Joint::Kind::Ball) return {j.point, scene.bodies[j.b].pose.q};
        return {j.point, Quat::FromTwoVectors(Vec3::UnitZ(), j.axis)};
    }

    void add(const Scene& scene, const Joint& j, const Options& options)
    {
        const Body& body = scene.bodies[j.b];
        const SimTK::Body::Rigid rigid(SimTK::MassProperties(
            body.mass, SimTK::Vec3(0), SimTK::Inertia(to_simbody(body.inertia))));
        const Pose at = frame(scene, j);
        SimTK::MobilizedBody& above =
            j.a < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.updGround()) : mobods_[j.a];
        const Pose x_a = j.a < 0 ? Pose{} : scene.bodies[j.a].pose;
        const SimTK::Transform in_a = to_simbody(in_body(x_a, at)),
                               in_b = to_simbody(in_body(body.pose, at));
        if (j.kind == Joint::Kind::Ball)
            mobods_[j.b] = SimTK::MobilizedBody::Ball(above, in_a, rigid, in_b);
        else
            mobods_[j.b] = SimTK::MobilizedBody::Pin(above, in_a, rigid, in_b);
        if (options.damping > 0)
            for (int k = 0; k < (j.kind == Joint::Kind::Ball ? 3 : 1); ++k)
                SimTK::Force::MobilityLinearDamper(forces_, mobods_[j.b], SimTK::MobilizerUIndex(k),
                                                   options.damping);
    }

    void close(const Scene& scene, const Joint& j)
    {
        const auto local = [&](int body) {
            return body < 0 ? to_simbody(j.point)
                            : to_simbody(
                                  in_body(scene.bodies[body].pose, {j.point, Quat::Identity()}).p);
        };
        SimTK::MobilizedBody& above =
            j.a < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.updGround()) : mobods_[j.a];
        SimTK::Constraint::Ball(above, local(j.a), mobods_[j.b], local(j.b));
    }

    void start(const Scene& scene, const Joint& j)
    {
        const Vec3 w_a = j.a < 0 ? Vec3(Vec3::Zero()) : scene.bodies[j.a].velocity.angular;
        const Vec3 turning = scene.bodies[j.b].velocity.angular - w_a;
        const Vec3 own = frame(scene, j).q.conjugate() * turning;  // axes of the frame on a
        mobods_[j.b].setUToFitAngularVelocity(state_, to_simbody(own));
    }

    void begin(Real h)
    {
        if (adaptive_) {
            integrator_ = std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
            integrator_->setAccuracy(accuracy_);
        } else {
            integrator_ = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(system_, h);
        }
        integrator_->setAllowInterpolation(false);
        integrator_->initialize(state_);
    }

    bool adaptive_;
    Real accuracy_;
    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_{system_};
    SimTK::GeneralForceSubsystem forces_{system_};
    SimTK::Force::Gravity gravity_;
    bool shaken_;
    std::vector<SimTK::MobilizedBody> mobods_;
    SimTK::State state_;
    std::unique_ptr<SimTK::Integrator> integrator_;
    Real time_ = 0;
};

template <bool kAdaptive>
std::unique_ptr<Engine> make(const Scene& scene, const Options& options)
{
    return std::make_unique<Simbody>(scene, options, kAdaptive);
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = [] {
        EngineInfo fixed;
        fixed.name = "simbody-fixed";
        fixed.setting = "Simbody 3.7, fixed step";
        fixed.contacts = false;
        fixed.make = make<false>;
        EngineInfo adaptive = fixed;
        adaptive.name = "simbody-adaptive";
        adaptive.setting = "Simbody 3.7, error-controlled";
        adaptive.own_substeps = true;
        adaptive.make = make<true>;
        return std::vector<EngineInfo>{fixed, adaptive};
    }();
    return list;
}

}  // namespace taut::peers
