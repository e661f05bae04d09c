// Bodies and ball joints in random poses, for tests of packs.
#pragma once

#include <random>

#include "model/builder.h"
#include "stepper/newton.h"
#include "support/mechanisms.h"

namespace taut::test {

struct Scene {
    Model model;
    State state = make_state();
    StepRows rows;
    Workspace work;

    StepModel step_model() const { return {model, rows}; }
};

struct SceneOptions {
    bool breakable = false;
    bool free_bodies = false;  // every sixth body is held by no joint
    Real compliance = 1e-4;    // of every seventh joint [m/N]
};

// Rods, boxes, balls and particles in any order, on ball joints along a random tree, with history and forces in the joints.
inline Scene make_scene(unsigned seed, int bodies, const SceneOptions& options = {})
{
    Scene scene;
    std::mt19937 engine(seed);
    std::uniform_real_distribution<Real> any(-1, 1);
    const auto vector = [&] { return Vec3(any(engine), any(engine), any(engine)); };
    for (int k = 0; k < bodies; ++k) {
        BodyDef def;
        def.mass = 1 + any(engine) / 2;
        const int kind = std::uniform_int_distribution<int>(0, 4)(engine);
        const Vec3 moments = kind == 0   ? Vec3(1, 2, 2.5)
                             : kind == 1 ? Vec3(1, 1, 1)
                                         : Vec3(0.5, 2, 2);
        const Mat3 R =
            Quat(any(engine), any(engine), any(engine), 1).normalized().toRotationMatrix();
        def.inertia = R * moments.asDiagonal() * R.transpose();
        if (kind == 4) def.kind = BodyKind::Particle;
        def.pose.p = vector();
        def.pose.q = Quat(1, any(engine), any(engine), any(engine)).normalized();
        def.velocity = {vector(), 3 * vector()};
        const int body = must(add_body(scene.model, scene.state, def));
        if (kind == 4 || (options.free_bodies && k % 6 == 5)) continue;  // falls by itself
        int parent = 0;
        do parent = std::uniform_int_distribution<int>(0, body - 1)(engine);
        while (scene.model.bodies[parent].kind == BodyKind::Particle);
        JointDef joint = ball(BodyId{parent - 1}, BodyId{body - 1}, vector());
        if (k % 7 == 0) joint.compliance = options.compliance;
        if (k % 7 == 1) joint.compliance = options.compliance * 1e-6;
        if (k % 9 == 0) joint.damping_time = 0.01;
        must(add_joint(scene.model, scene.state, joint));
    }
    scene.model.breakable = options.breakable;
    State& state = scene.state;
    for (Real& force : state.lambda) force = 10 * any(engine);
    state.last_step.h = 0.02;
    for (std::size_t b = 0; b < state.p.size(); ++b) {
        state.history.p[b] = state.p[b] - 0.02 * state.v[b] + 1e-3 * vector();
        state.history.v[b] = state.v[b] + 0.1 * vector();
        state.history.w[b] = state.w[b] + 0.1 * vector();
        const Vec3 turned = 0.02 * state.w[b];
        state.history.q[b] =
            (Quat(Eigen::AngleAxis<Real>(-turned.norm(), turned.normalized())) * state.q[b])
                .normalized();
    }
    scene.rows.load_joints(scene.model);
    prepare(scene.step_model(), state, {}, scene.work);
    return scene;
}

}  // namespace taut::test
