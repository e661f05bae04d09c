// ODE in double precision: dWorldStep (direct) and dWorldQuickStep (50 iterations).
//
// ERP 0.2 and CFM 1e-10 (in double precision the default of ODE 0.16): hard joints, mended over five steps. Automatic disabling
// off, no damping, gyroscopic terms in their implicit form (the default). With --damping angular damping of the bodies (the world's
// counts for bodies made later only): the part of angular velocity that is taken away in a step, so the rate [1/s] times h.
#include <ode/ode.h>

#include <algorithm>

#include "engine.h"

namespace taut::peers {
namespace {

class Ode final : public LocalEngine {
public:
    Ode(const Scene& scene, const Options& options, bool quick)
        : quick_(quick), damping_(options.damping)
    {
        dInitODE2(0);
        world_ = dWorldCreate();
        dWorldSetERP(world_, 0.2);
        dWorldSetCFM(world_, 1e-10);
        dWorldSetAutoDisableFlag(world_, 0);
        dWorldSetQuickStepNumIterations(world_, 50);
        dWorldSetContactMaxCorrectingVel(world_, 1);
        dWorldSetLinearDampingThreshold(world_, 0);
        dWorldSetAngularDampingThreshold(world_, 0);
        for (const Body& body : scene.bodies) add(body);
        for (const Joint& joint : scene.joints) add(joint);
        if (!scene.floor) return;
        space_ = dHashSpaceCreate(nullptr);
        touching_ = dJointGroupCreate(0);
        dCreatePlane(space_, 0, 0, 1, 0);
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            if (scene.bodies[i].shape) dGeomSetBody(geom(*scene.bodies[i].shape), bodies_[i]);
    }

    void set_gravity(const Vec3& g) override { dWorldSetGravity(world_, g.x(), g.y(), g.z()); }

    void read(std::vector<Body>& bodies) override
    {
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const dReal* q = dBodyGetQuaternion(bodies_[i]);
            bodies[i].pose = {vector(dBodyGetPosition(bodies_[i])), Quat(q[0], q[1], q[2], q[3])};
            bodies[i].velocity = {vector(dBodyGetLinearVel(bodies_[i])),
                                  vector(dBodyGetAngularVel(bodies_[i]))};
        }
    }

protected:
    void step(Real h) override
    {
        if (damping_ > 0)
            for (const dBodyID body : bodies_)
                dBodySetAngularDamping(body, std::min(1.0, damping_ * h));
        if (space_) dSpaceCollide(space_, this, &Ode::near);
        quick_ ? dWorldQuickStep(world_, h) : dWorldStep(world_, h);
        if (space_) dJointGroupEmpty(touching_);
    }

private:
    static Vec3 vector(const dReal* v) { return {v[0], v[1], v[2]}; }

    void add(const Body& body)
    {
        const dBodyID id = dBodyCreate(world_);
        bodies_.push_back(id);
        dMass mass;
        const Vec3& inertia = body.inertia;
        dMassSetParameters(&mass, body.mass, 0, 0, 0, inertia.x(), inertia.y(), inertia.z(), 0, 0,
                           0);
        dBodySetMass(id, &mass);
        const Vec3 &p = body.pose.p, &v = body.velocity.linear, &w = body.velocity.angular;
        const Quat& q = body.pose.q;
        const dQuaternion turned = {q.w(), q.x(), q.y(), q.z()};
        dBodySetPosition(id, p.x(), p.y(), p.z());
        dBodySetQuaternion(id, turned);
        dBodySetLinearVel(id, v.x(), v.y(), v.z());
        dBodySetAngularVel(id, w.x(), w.y(), w.z());
    }

    void add(const Joint& joint)
    {
        const bool ball = joint.kind == Joint::Kind::Ball;
        const dJointID id =
            ball ? dJointCreateBall(world_, nullptr) : dJointCreateHinge(world_, nullptr);
        dJointAttach(id, joint.a < 0 ? nullptr : bodies_[joint.a], bodies_[joint.b]);
        const Vec3& p = joint.point;
        if (ball) {
            dJointSetBallAnchor(id, p.x(), p.y(), p.z());
        } else {
            dJointSetHingeAnchor(id, p.x(), p.y(), p.z());
            dJointSetHingeAxis(id, joint.axis.x(), joint.axis.y(), joint.axis.z());
            if (joint.limit > 0) {
                dJointSetHingeParam(id, dParamLoStop, -joint.limit);
                dJointSetHingeParam(id, dParamHiStop, joint.limit);
            }
        }
    }

    dGeomID geom(const Shape& shape)
    {
        switch (shape.kind) {
            case Shape::Kind::Box:
                return dCreateBox(space_, shape.size.x(), shape.size.y(), shape.size.z());
            case Shape::Kind::Capsule: return dCreateCapsule(space_, shape.radius, shape.length);
            default: return dCreateSphere(space_, shape.radius);
        }
    }

    static void near(void* self, dGeomID a, dGeomID b)
    {
        auto& ode = *static_cast<Ode*>(self);
        const dBodyID one = dGeomGetBody(a), two = dGeomGetBody(b);
        if (one && two && dAreConnectedExcluding(one, two, dJointTypeContact)) return;
        constexpr int kMost = 8;
        dContact contacts[kMost];
        const int count = dCollide(a, b, kMost, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
            contacts[i].surface = {};
            contacts[i].surface.mode = dContactApprox1;
            contacts[i].surface.mu = 0.5;
            dJointAttach(dJointCreateContact(ode.world_, ode.touching_, &contacts[i]), one, two);
        }
    }

    dWorldID world_ = nullptr;
    dSpaceID space_ = nullptr;
    dJointGroupID touching_ = nullptr;
    std::vector<dBodyID> bodies_;
    bool quick_ = false;
    Real damping_ = 0;
};

template <bool kQuick>
std::unique_ptr<Engine> make(const Scene& scene, const Options& options)
{
    return std::make_unique<Ode>(scene, options, kQuick);
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = {
        {.name = "ode-direct", .setting = "ODE 0.16 direct (dWorldStep)", .make = make<false>},
        {.name = "ode-quick", .setting = "ODE 0.16 quick, 50 iterations", .make = make<true>},
    };
    return list;
}

}  // namespace taut::peers
