#include "model/energy.h"

#include "model/springs.h"

namespace taut {
namespace {

template <class T>
Real spring_energy(const Model& model, const State& state, const Pool<T>& pool) noexcept
{
    Real sum = 0;
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const SpringModel& spring = model.springs[pool.joints[k]];
        const Real stretch = spring_force(state, pool.items[k], spring).phi - spring.rest;
        sum += spring.stiffness * stretch * stretch / 2;
    }
    return sum;
}

}  // namespace

Energy read_energy(const Model& model, const State& state) noexcept
{
    Energy e;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyModel& body = model.bodies[b];
        if (!body.dynamic()) continue;
        e.translation += body.mass * state.v[b].squaredNorm() / 2;
        e.gravity -= body.mass * model.gravity.dot(state.p[b]);
        if (body.kind != BodyKind::Rigid) continue;
        const Vec3 w = state.q[b].conjugate() * state.w[b];
        e.rotation += w.dot(body.inertia * w) / 2;
    }
    for (const JointModel& joint : model.joints) {
        if (joint.kind != RowKind::Position) continue;
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r)
            if (model.softness[r].compliance > 0)
                e.joints +=
                    state.stretch[r] * state.stretch[r] / (2 * model.softness[r].compliance);
    }
    e.springs = spring_energy(model, state, model.linear_springs) +
                spring_energy(model, state, model.torsional_springs);
    return e;
}

}  // namespace taut
