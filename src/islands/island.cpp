#include "islands/island.h"

#include <algorithm>
#include <cmath>

#include "model/builder.h"

namespace taut::islands {
namespace {

template <class T>
void clear(Pool<T>& pool) noexcept
{
    pool.items.clear();
    pool.bodies.clear();
    pool.joints.clear();
}

template <class T>
void add_spring(const Pool<T>& from, int slot, const SpringModel& spring, int index, Pool<T>& to)
{
    to.items.push_back(from.items[slot]);
    to.bodies.push_back(spring.bodies);
    to.joints.push_back(index);
}

// All that a state has per body, in either direction.
void copy_body(const State& from, BodyIndex b, State& to, BodyIndex at) noexcept
{
    to.p[at] = from.p[b];
    to.q[at] = from.q[b];
    to.v[at] = from.v[b];
    to.w[at] = from.w[b];
    to.spin_up[at] = from.spin_up[b];
    to.history.p[at] = from.history.p[b];
    to.history.q[at] = from.history.q[b];
    to.history.v[at] = from.history.v[b];
    to.history.w[at] = from.history.w[b];
}

void resize(const Model& model, State& state)
{
    const std::size_t bodies = model.bodies.size();
    state.p.resize(bodies);
    state.q.resize(bodies);
    state.v.resize(bodies);
    state.w.resize(bodies);
    state.spin_up.resize(bodies);
    state.wrench.resize(bodies);
    state.history.p.resize(bodies);
    state.history.q.resize(bodies);
    state.history.v.resize(bodies);
    state.history.w.resize(bodies);
    state.lambda.resize(model.rows);
    state.stretch.resize(model.rows);
    state.memory.resize(model.memories);
    state.broken.resize(model.joints.size());
}

}  // namespace

void IslandParts::clear() noexcept
{
    bodies.clear();
    joints.clear();
    contacts.clear();
    contact_joints.clear();
    springs.clear();
    loads.clear();
}

bool IslandParts::same_layout(const IslandParts& other) const noexcept
{
    return bodies == other.bodies && joints == other.joints && contacts == other.contacts &&
           springs == other.springs && loads == other.loads;
}

void Island::add_joint(const Model& world, int index, const std::vector<BodyIndex>& local)
{
    const JointModel& from = world.joints[index];
    JointModel& joint = model.joints.emplace_back(from);
    joint.name.clear();
    joint.first_row = model.rows;
    joint.first_memory = model.memories;
    for (int s = 0; s < joint.body_count; ++s) joint.bodies[s] = local[from.bodies[s]];
    // the resistance of a contact to rolling comes right after it
    if (from.normal_row >= 0) joint.normal_row = model.rows - Contact::kRows;
    const int at = static_cast<int>(model.joints.size()) - 1;
    visit_joint(world, from, [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        auto& pool = std::get<Pool<T>>(model.pools);
        joint.slot = static_cast<int>(pool.items.size());
        pool.items.push_back(item);
        auto& bodies = pool.bodies.emplace_back();
        for (int s = 0; s < T::kBodies; ++s) bodies[s] = joint.bodies[s];
        pool.joints.push_back(at);
    });
    for (int r = from.first_row; r < from.first_row + from.rows; ++r) {
        model.softness.push_back(world.softness[r]);
        model.units.push_back(world.units[r]);
    }
    if (joint.law != RowLaw::Equal) model.lawful.push_back(at);
    model.breakable |= std::isfinite(joint.break_force) || std::isfinite(joint.break_torque);
    model.rows += joint.rows;
    model.memories += joint.memories;
}

void Island::assemble(const Model& world, const IslandParts& parts, std::vector<BodyIndex>& local)
{
    ++model.topology;
    parts_ = {};  // until all below has worked
    model.bodies.clear();
    model.joints.clear();
    for_each_type(ConstraintTypes{}, [&](auto tag) {
        clear(std::get<Pool<typename decltype(tag)::type>>(model.pools));
    });
    model.softness.clear();
    model.units.clear();
    model.lawful.clear();
    model.breakable = false;
    model.springs.clear();
    clear(model.linear_springs);
    clear(model.torsional_springs);
    model.loads.clear();
    model.rows = model.memories = 0;

    for (const BodyIndex b : parts.bodies) {
        local[b] = static_cast<BodyIndex>(model.bodies.size());
        model.bodies.push_back(world.bodies[b]);
    }
    for (const int j : parts.joints) add_joint(world, j, local);
    model.lasting_joints = static_cast<int>(model.joints.size());
    model.lasting_rows = model.rows;
    for (const int j : parts.contact_joints) add_joint(world, j, local);
    for (const int k : parts.springs) {
        SpringModel spring = world.springs[k];
        const int index = static_cast<int>(model.springs.size());
        for (BodyIndex& b : spring.bodies) b = local[b];
        spring.first_memory = model.memories;
        if (spring.kind == SpringDef::Kind::Linear) {
            const int slot = spring.slot;
            spring.slot = static_cast<int>(model.linear_springs.items.size());
            add_spring(world.linear_springs, slot, spring, index, model.linear_springs);
        } else {
            const int slot = spring.slot;
            spring.slot = static_cast<int>(model.torsional_springs.items.size());
            add_spring(world.torsional_springs, slot, spring, index, model.torsional_springs);
            model.memories += TwistAngle::kMemory;
        }
        model.springs.push_back(std::move(spring));
    }
    for (const int k : parts.loads) {
        model.loads.push_back(world.loads[k]);
        model.loads.back().body = local[world.loads[k].body];
    }
    parts_ = parts;
    renumber_contacts(parts);
}

void Island::renumber_contacts(const IslandParts& parts)
{
    joint_of_.assign(parts.joints.begin(), parts.joints.end());
    joint_of_.insert(joint_of_.end(), parts.contact_joints.begin(), parts.contact_joints.end());
}

// Contacts are placed anew for every step: surfaces, friction; what the layout knows of them stays.
void Island::refresh_contacts(const Model& world) noexcept
{
    for (std::size_t k = parts_.joints.size(); k < joint_of_.size(); ++k) {
        const JointModel& from = world.joints[joint_of_[k]];
        JointModel& joint = model.joints[k];
        JointModel fresh = from;  // neither name nor keys of a schedule: nothing is allocated
        fresh.slot = joint.slot;
        fresh.first_row = joint.first_row;
        fresh.first_memory = joint.first_memory;
        fresh.bodies = joint.bodies;
        fresh.normal_row = joint.normal_row;
        joint = std::move(fresh);
        visit_joint(world, from, [&](const auto& item) {
            using T = std::decay_t<decltype(item)>;
            std::get<Pool<T>>(model.pools).items[joint.slot] = item;
        });
    }
}

// copy(row of the world, row of the island)
template <class Copy>
void Island::for_each_row(const Model& world, Copy&& copy) const noexcept
{
    for (std::size_t j = 0; j < joint_of_.size(); ++j) {
        const int from = world.joints[joint_of_[j]].first_row, to = model.joints[j].first_row;
        for (int r = 0; r < model.joints[j].rows; ++r) copy(from + r, to + r);
    }
}

template <class Copy>
void Island::for_each_memory(const Model& world, Copy&& copy) const noexcept
{
    for (std::size_t j = 0; j < parts_.joints.size(); ++j) {
        const int from = world.joints[joint_of_[j]].first_memory, to = model.joints[j].first_memory;
        for (int k = 0; k < model.joints[j].memories; ++k) copy(from + k, to + k);
    }
    for (std::size_t s = 0; s < parts_.springs.size(); ++s) {
        if (model.springs[s].kind == SpringDef::Kind::Linear) continue;
        const int from = world.springs[parts_.springs[s]].first_memory;
        for (int k = 0; k < TwistAngle::kMemory; ++k)
            copy(from + k, model.springs[s].first_memory + k);
    }
}

void Island::gather(const Model& world, const State& from, const IslandMemory& memory)
{
    model.gravity = world.gravity;
    model.extent = world.extent;  // tolerances are those of the whole scene
    refresh_contacts(world);

    resize(model, state);
    state.time = from.time;
    state.steps = from.steps;
    state.work = memory.work;
    state.power = memory.power;
    state.turnover = memory.turnover;
    state.history.h = memory.h;
    state.history.time = memory.since;
    state.history.ledger = memory.ledger;
    state.history.ledger_open = memory.ledger_open;
    state.history.apart = memory.apart;
    state.history.jammed = memory.jammed;
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
        const BodyIndex b = parts_.bodies[k];
        copy_body(from, b, state, static_cast<BodyIndex>(k));
        state.wrench[k] = from.wrench[b];
        if (model.bodies[k].kind != BodyKind::Kinematic || memory.h == 0) continue;
        // its past as this island counts it
        const Pose at = prescribed_pose(model.bodies[k], memory.since);
        state.history.p[k] = at.p + at.q * model.bodies[k].com;
        state.history.q[k] = at.q;
    }
    for_each_row(world, [&](int of_world, int r) {
        state.lambda[r] = from.lambda[of_world];
        state.stretch[r] = from.stretch[of_world];
    });
    for_each_memory(world, [&](int of_world, int k) { state.memory[k] = from.memory[of_world]; });
    for (std::size_t j = 0; j < joint_of_.size(); ++j) state.broken[j] = from.broken[joint_of_[j]];
}

void Island::scatter(const Model& world, State& to) const noexcept
{
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k)
        if (model.bodies[k].dynamic())
            copy_body(state, static_cast<BodyIndex>(k), to, parts_.bodies[k]);
    for_each_row(world, [&](int of_world, int r) {
        to.lambda[of_world] = state.lambda[r];
        to.stretch[of_world] = state.stretch[r];
    });
    for_each_memory(world, [&](int of_world, int k) { to.memory[of_world] = state.memory[k]; });
    for (std::size_t j = 0; j < joint_of_.size(); ++j) to.broken[joint_of_[j]] = state.broken[j];
}

void Island::scatter_shared(State& to, IslandMemory& memory) const noexcept
{
    to.work.motors += state.work.motors - memory.work.motors;
    to.work.prescribed += state.work.prescribed - memory.work.prescribed;
    to.work.loads += state.work.loads - memory.work.loads;
    memory.work = state.work;
    memory.power = state.power;
    memory.turnover = state.turnover;
    memory.h = state.history.h;
    memory.since = state.history.time;
    memory.ledger = state.history.ledger;
    memory.ledger_open = state.history.ledger_open;
    memory.apart = state.history.apart;
    memory.jammed = state.history.jammed;
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
        if (model.bodies[k].kind != BodyKind::Kinematic) continue;
        const BodyIndex b = parts_.bodies[k];
        to.v[b] = state.v[k];  // as the scheme reckons it; where it is, the world knows
        to.w[b] = state.w[k];
    }
}

BodyIndex Island::local_body(BodyIndex of_world) const noexcept
{
    const auto at = std::lower_bound(parts_.bodies.begin(), parts_.bodies.end(), of_world);
    return at != parts_.bodies.end() && *at == of_world
               ? static_cast<BodyIndex>(at - parts_.bodies.begin())
               : -1;
}

int Island::local_joint(int of_world) const noexcept
{
    const auto at = std::lower_bound(parts_.joints.begin(), parts_.joints.end(), of_world);
    return at != parts_.joints.end() && *at == of_world
               ? static_cast<int>(at - parts_.joints.begin())
               : -1;
}

}  // namespace taut::islands
