#include "islands/rest.h"

#include <algorithm>

#include "islands/island_settings.h"
#include "model/kinematic.h"

namespace taut::islands {
namespace {

bool changes(const Schedule& schedule, Real from, Real to) noexcept
{
    return schedule.kind() != Schedule::Kind::Constant &&
           schedule.value(from) != schedule.value(to);
}

// Kinetic energy of a velocity over half the mass, as the square of a speed.
Real speed_squared(const BodyModel& body, const Quat& q, const Vec3& v, const Vec3& w) noexcept
{
    if (body.kind != BodyKind::Rigid) return v.squaredNorm();
    const Vec3 w_B = q.conjugate() * w;
    return v.squaredNorm() + w_B.dot(body.inertia * w_B) / body.mass;
}

bool is_still(const Island& island, const State& before, Real dt) noexcept
{
    const Model& model = island.model;
    const State& state = island.state;
    const Real slow = kRest.speed * island.rows.size;
    const Real steady = std::max(kRest.acceleration * model.gravity.norm() * dt, slow * dt);
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        if (!body.dynamic()) continue;
        const BodyIndex b = island.world_body(static_cast<BodyIndex>(k));
        const Vec3 dv = state.v[k] - before.v[b], dw = state.w[k] - before.w[b];
        if (speed_squared(body, state.q[k], state.v[k], state.w[k]) > slow * slow) return false;
        if (speed_squared(body, state.q[k], dv, dw) > steady * steady) return false;
    }
    return true;
}

// Bodies on a belt that runs are not at rest, even where something holds them: friction goes on dissipating.
bool is_on_moving_surface(const StepRows& rows) noexcept
{
    return std::any_of(rows.contacts.items.begin(), rows.contacts.items.end(),
                       [](const Contact& contact) { return contact.surface_moves; });
}

// When it wakes there is no past to look back on.
void forget_motion(IslandMemory& memory) noexcept
{
    memory.h = 0;
    memory.ledger_invalid = 1;
    memory.power = {};
}

}  // namespace

bool schedules_change(const Model& model, Real time, Real dt) noexcept
{
    for (const LoadModel& load : model.loads)
        if (changes(load.scale, time, time + dt)) return true;
    for (const JointModel& joint : model.joints)
        if (!joint.commanded && changes(joint.target, time, time + dt)) return true;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        if (model.bodies[b].kind != BodyKind::Kinematic) continue;
        const BodyDetails& body = model.body_details[b];
        if (body.commanded) {
            const Pose now = prescribed_pose(body, time), then = prescribed_pose(body, time + dt);
            if (now.p != then.p || now.q.coeffs() != then.q.coeffs()) return true;
            continue;
        }
        const Motion& motion = body.motion;
        if (changes(motion.angle, time, time + dt)) return true;
        for (const Schedule& shift : motion.shift)
            if (changes(shift, time, time + dt)) return true;
    }
    return false;
}

void update_rest(const Island& island, const State& before, Real dt, IslandMemory& memory) noexcept
{
    const bool rests = is_still(island, before, dt) && !is_on_moving_surface(island.rows) &&
                       !schedules_change(island.model, before.time, dt);
    memory.still = rests ? memory.still + dt : 0;
    if (memory.still >= kRest.time) memory.asleep = 1;
}

Real put_to_sleep(const Model& model, State& state, int island) noexcept
{
    Real kinetic = 0;
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        if (state.division.find(b) != island) continue;
        kinetic += model.bodies[b].mass / 2 *
                   speed_squared(model.bodies[b], state.q[b], state.v[b], state.w[b]);
        state.v[b].setZero();
        state.w[b].setZero();
        state.spin_up[b].setZero();
    }
    IslandMemory& memory = state.division.islands[island];
    memory.asleep = 1;
    memory.still = kRest.time;
    forget_motion(memory);
    memory.dissipation.numerical += kinetic;
    state.last_step.dissipation.numerical += kinetic;
    return kinetic;
}

Real put_to_sleep(const Island& island, State& world, IslandMemory& memory) noexcept
{
    Real kinetic = 0;
    const Model& model = island.model;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const BodyModel& body = model.bodies[k];
        if (!body.dynamic()) continue;
        const BodyIndex b = island.world_body(static_cast<BodyIndex>(k));
        kinetic += body.mass / 2 * speed_squared(body, world.q[b], world.v[b], world.w[b]);
        world.v[b].setZero();
        world.w[b].setZero();
        world.spin_up[b].setZero();
    }
    forget_motion(memory);
    return kinetic;
}

}  // namespace taut::islands
