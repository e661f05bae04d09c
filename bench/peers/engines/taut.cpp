// Taut, through its public surface: no setting touched but the step.
#include <cmath>
#include <stdexcept>

#include <taut/joints.h>
#include <taut/world.h>

#include "engine.h"

namespace taut::peers {
namespace {

template <class T>
T checked(Result<T> result)
{
    if (!result.ok()) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

ColliderDef collider(const Shape& shape)
{
    ColliderDef def;
    def.shape = shape.kind == Shape::Kind::Sphere ? taut::Shape::sphere(shape.radius)
                : shape.kind == Shape::Kind::Box  ? taut::Shape::box(shape.size)
                                                 : taut::Shape::capsule(shape.radius, shape.length);
    def.friction = shape.friction;
    return def;
}

class Taut final : public LocalEngine {
public:
    Taut(const Scene& scene, const Options&)
    {
        for (const Body& body : scene.bodies) {
            BodyDef def;
            def.mass = body.mass;
            def.inertia = body.inertia.asDiagonal();
            def.pose = body.pose;
            def.velocity = body.velocity;
            ids_.push_back(checked(world_.add_body(def)));
            if (body.shape) checked(world_.add_collider(ids_.back(), collider(*body.shape)));
            if (!scene.shake.isZero()) {
                LoadDef load;
                load.body = ids_.back();
                load.force = body.mass * scene.shake;
                load.scale = Schedule::sine(0, 1, scene.shake_rate / (2 * M_PI));
                checked(world_.add_load(load));
            }
        }
        for (const Joint& j : scene.joints) {
            const BodyId a = j.a < 0 ? kWorld : ids_[j.a], b = ids_[j.b];
            JointDef def =
                j.kind == Joint::Kind::Ball ? ball(a, b, j.point) : hinge(a, b, j.point, j.axis);
            checked(world_.add_joint(def));
            if (j.limit > 0) checked(world_.add_joint(limits(def, -j.limit, j.limit)));
        }
        checked(world_.set_gravity(scene.gravity));
        if (scene.floor)
            checked(world_.add_collider(kWorld, {.shape = taut::Shape::plane(), .friction = 0.5}));
    }

    // Shaking is a load with a schedule here: gravity that is set is a jump, and the two-step scheme begins anew after it.
    void set_gravity(const Vec3&) override {}

    void read(std::vector<Body>& bodies) override
    {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            bodies[i].pose = world_.pose(ids_[i]);
            bodies[i].velocity = world_.velocity(ids_[i]);
        }
    }

    double solves_per_step() const override { return steps_ > 0 ? solves_ / steps_ : 0; }

protected:
    void step(Real h) override
    {
        settings_.dt = h;
        const StepReport report = world_.step(settings_);
        if (report.status != StepStatus::Ok) throw std::runtime_error(std::string(report.reason));
        solves_ += report.solves;
        ++steps_;
    }

private:
    World world_;
    StepSettings settings_;
    std::vector<BodyId> ids_;
    double solves_ = 0, steps_ = 0;
};

std::unique_ptr<Engine> make(const Scene& scene, const Options& options)
{
    return std::make_unique<Taut>(scene, options);
}

}  // namespace

const std::vector<EngineInfo>& engines()
{
    static const std::vector<EngineInfo> list = {
        {.name = "taut", .setting = "Taut, default settings", .make = make}};
    return list;
}

}  // namespace taut::peers
