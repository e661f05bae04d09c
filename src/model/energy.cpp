#include "model/energy.h"

#include "math/turn.h"
#include "model/apply_commands.h"
#include "model/springs.h"

namespace taut::model {
namespace {

Real spin_energy(const BodyModel& body, const Quat& q, const Vec3& w) noexcept
{
    if (body.axial) {
        const Real about = turn(q, body.spin_axis).dot(w);
        return (body.across * w.squaredNorm() + (body.along - body.across) * about * about) / 2;
    }
    const Vec3 w_B = turn_back(q, w);
    return w_B.dot(body.inertia * w_B) / 2;
}

template <class T>
Real spring_energy(const Model& model, const State& state, const Pool<T>& pool) noexcept
{
    Real sum = 0;
    for (std::size_t k = 0; k < pool.items.size(); ++k) {
        const SpringModel& spring = model.springs[pool.groups[k]];
        if (!spring_acts(model, spring)) continue;
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
        if (!body.dynamic() || state.division.is_frozen(static_cast<BodyIndex>(b))) continue;
        e.translation += body.mass * state.v[b].squaredNorm() / 2;
        e.gravity -= body.mass * model.gravity.dot(state.p[b]);
        if (body.kind != BodyKind::Rigid) continue;
        e.rotation += spin_energy(body, state.q[b], state.w[b]);
    }
    add_stored_energy(model, state, e);
    return e;
}

Real kinetic_energy(const Model& model, const State& state, BodyIndex b) noexcept
{
    const BodyModel& body = model.bodies[b];
    if (!body.dynamic() || state.division.is_frozen(b)) return 0;
    const Real translation = body.mass * state.v[b].squaredNorm() / 2;
    if (body.kind != BodyKind::Rigid) return translation;
    return translation + spin_energy(body, state.q[b], state.w[b]);
}

void add_stored_energy(const Model& model, const State& state, Energy& e) noexcept
{
    const RowTable& rows = model.rows;
    for (const ConstraintRows& joint : rows.groups) {
        if (!joint.compliant) continue;
        for (int r = joint.first_row; r < joint.first_row + joint.rows; ++r)
            if (rows.softness[r].compliance > 0)
                e.joints += state.stretch[r] * state.stretch[r] / (2 * rows.softness[r].compliance);
    }
    e.springs = spring_energy(model, state, model.linear_springs) +
                spring_energy(model, state, model.torsional_springs);
}

}  // namespace taut::model
