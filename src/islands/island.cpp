#include "islands/island.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "model/kinematic.h"

namespace taut::islands {
namespace {

void resize(const StepModel& model, State& state)
{
    for_each_body_array([&](auto& array) { array.resize(model.bodies.size()); }, state);
    for_each_row_array([&](auto& array) { array.resize(model.rows.count); }, state);
    state.memory.resize(model.model.memories);
    state.broken.resize(model.joints.size());
}

}  // namespace

void IslandParts::clear() noexcept
{
    bodies.clear();
    joints.clear();
    contacts.clear();
    contact_groups.clear();
    springs.clear();
    loads.clear();
}

bool IslandParts::same_layout(const IslandParts& other) const noexcept
{
    return bodies == other.bodies && joints == other.joints && contacts == other.contacts &&
           springs == other.springs && loads == other.loads;
}

void Island::clear() noexcept
{
    ++model.topology;
    parts_ = {};
    model.bodies.clear();
    model.body_details.clear();
    model.joints.clear();
    model.rows.clear();
    for_each_joint_type([&](auto tag) { model.pool<typename decltype(tag)::type>().clear(); });
    model.breakable = false;
    model.springs.clear();
    model.linear_springs.clear();
    model.torsional_springs.clear();
    model.loads.clear();
    model.memories = 0;
}

void Island::add_joint(const Model& world, int index, const std::vector<BodyIndex>& local)
{
    const RowTable& table = world.rows;
    const ConstraintRows& from = table.groups[index];
    ConstraintRows group = from;
    group.first_memory = model.memories;
    const int at = static_cast<int>(model.joints.size());
    visit_joint(world, from, [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        Pool<T>& pool = model.pool<T>();
        group.slot = static_cast<int>(pool.items.size());
        pool.items.push_back(item);
        auto& bodies = pool.bodies.emplace_back();
        for (int s = 0; s < T::kBodies; ++s) bodies[s] = local[table.bodies(from)[s]];
        pool.groups.push_back(at);
        const std::size_t rows_of = T::kRows;
        model.rows.append_joint(group, bodies,
                                std::span(table.softness).subspan(from.first_row, rows_of),
                                std::span(table.units).subspan(from.first_row, rows_of));
    });
    JointModel& joint = model.joints.emplace_back(world.joints[index]);
    joint.name.clear();
    model.breakable |= joint.breakable();
    model.memories += from.memories;
}

void Island::add_contact(const StepModel& world, int group, const std::vector<BodyIndex>& local)
{
    // the resistance of a contact to rolling comes right after it
    const bool resists = world.contacts.coefficients_of(group).normal_row >= 0;
    const int at =
        resists ? rows.append_resistance(rows.table.count - Contact::kRows) : rows.append_contact();
    const std::span<const BodyIndex> from = world.rows.bodies(world.rows.groups[group]);
    const std::span<BodyIndex> bodies = rows.table.bodies(rows.table.groups[at]);
    for (std::size_t s = 0; s < from.size(); ++s) bodies[s] = local[from[s]];
    auto& in_pool = resists ? rows.resistances.bodies.back() : rows.contacts.bodies.back();
    std::copy(bodies.begin(), bodies.end(), in_pool.begin());
}

void Island::add_spring(const Model& world, int index, const std::vector<BodyIndex>& local)
{
    SpringModel spring = world.springs[index];
    for (BodyIndex& b : spring.bodies) b = local[b];
    spring.first_memory = model.memories;
    const auto append = [&](const auto& from, auto& to) {
        to.items.push_back(from.items[spring.slot]);
        to.bodies.push_back(spring.bodies);
        to.groups.push_back(static_cast<int>(model.springs.size()));
        spring.slot = static_cast<int>(to.items.size()) - 1;
    };
    if (spring.kind == SpringDef::Kind::Linear) {
        append(world.linear_springs, model.linear_springs);
    } else {
        append(world.torsional_springs, model.torsional_springs);
        model.memories += TwistAngle::kMemory;
    }
    model.springs.push_back(std::move(spring));
}

void Island::assemble(const StepModel& world, const IslandParts& parts,
                      std::vector<BodyIndex>& local)
{
    TAUT_ASSERT(local.size() == world.bodies.size());
    TAUT_ASSERT(!parts.bodies.empty() && parts.bodies.front() == kGround);
    TAUT_ASSERT(std::is_sorted(parts.bodies.begin(), parts.bodies.end()));
    clear();
    for (const BodyIndex b : parts.bodies) {
        local[b] = static_cast<BodyIndex>(model.bodies.size());
        model.bodies.push_back(world.bodies[b]);
        model.body_details.push_back(world.model.body_details[b]);
    }
    for (const int j : parts.joints) add_joint(world, j, local);
    for (const int k : parts.springs) add_spring(world, k, local);
    for (const int k : parts.loads) {
        model.loads.push_back(world.loads[k]);
        model.loads.back().body = local[world.loads[k].body];
    }
    rows.load_joints(model);
    for (const int group : parts.contact_groups) add_contact(world, group, local);
    commands_ = world.model.commands;
    parts_ = parts;
    number_groups(parts);
}

void Island::refresh(const StepModel& world, const IslandParts& parts)
{
    TAUT_ASSERT(parts_.same_layout(parts));
    for (std::size_t k = 0; k < parts.bodies.size(); ++k)
        model.body_details[k].extent = world.body_details[parts.bodies[k]].extent;
    rows.read_size(model);
    number_groups(parts);
    if (commands_ == world.model.commands) return;
    for (const int j : parts.joints) load_joint(world, j);
    for (const int k : parts.springs) load_spring(world, k);
    for (const BodyIndex b : parts.bodies) load_motion(world, b);
    commands_ = world.model.commands;
}

bool Island::renumber(const Renumbering& now)
{
    bool whole = true;
    const auto move = [&](auto& index, const std::vector<int>& to) {
        index = std::decay_t<decltype(index)>(to[index]);
        whole = whole && index >= 0;
    };
    for (BodyIndex& b : parts_.bodies) move(b, now.bodies);
    for (int& j : parts_.joints) move(j, now.joints);
    for (int& k : parts_.springs) move(k, now.springs);
    for (int& k : parts_.loads) move(k, now.loads);
    for (auto& [type, a, b] : parts_.contacts) {
        move(a, now.bodies);
        move(b, now.bodies);
    }
    return whole;
}

bool Island::load_joint(const Model& world, int of_world) noexcept
{
    const int local = local_joint(of_world);
    if (local < 0) return false;
    JointModel& to = model.joints[local];
    const JointModel& from = world.joints[of_world];
    to.commanded = from.commanded;
    to.command = from.command;
    to.max_force = from.max_force;
    to.stiffness = from.stiffness;
    to.damping = from.damping;
    visit_joint(world, world.rows.groups[of_world], [&](const auto& item) {
        using T = std::decay_t<decltype(item)>;
        model.pool<T>().items[model.rows.groups[local].slot] = item;
    });
    return true;
}

bool Island::load_spring(const Model& world, int of_world) noexcept
{
    const auto at = std::lower_bound(parts_.springs.begin(), parts_.springs.end(), of_world);
    if (at == parts_.springs.end() || *at != of_world) return false;
    SpringModel& to = model.springs[at - parts_.springs.begin()];
    const SpringModel& from = world.springs[of_world];
    to.stiffness = from.stiffness;
    to.damping = from.damping;
    to.rest = from.rest;
    return true;
}

bool Island::load_motion(const Model& world, BodyIndex of_world) noexcept
{
    const BodyIndex local = local_body(of_world);
    if (local == kNoBody) return false;
    model.body_details[local].commanded = world.body_details[of_world].commanded;
    model.body_details[local].knots = world.body_details[of_world].knots;
    return true;
}

void Island::number_groups(const IslandParts& parts)
{
    group_of_.assign(parts.joints.begin(), parts.joints.end());
    group_of_.insert(group_of_.end(), parts.contact_groups.begin(), parts.contact_groups.end());
}

// Contacts are found anew for every step: geometry and coefficients change, the layout does not.
void Island::load_contacts(const StepModel& world) noexcept
{
    for (std::size_t k = parts_.joints.size(); k < group_of_.size(); ++k) {
        const int index = static_cast<int>(k);
        const ConstraintRows &from = world.rows.groups[group_of_[k]], &to = rows.table.groups[k];
        TAUT_ASSERT(from.type == to.type && from.rows == to.rows);
        ContactCoefficients& coefficients = rows.coefficients_of(index);
        const int normal_row = coefficients.normal_row;
        coefficients = world.contacts.coefficients_of(group_of_[k]);
        coefficients.normal_row = normal_row;
        if (normal_row < 0)
            rows.contacts.items[to.slot] = world.contacts.contacts.items[from.slot];
        else
            rows.resistances.items[to.slot] = world.contacts.resistances.items[from.slot];
    }
}

// copy(row of the world, row of the island)
template <class Copy>
void Island::for_each_row(const StepModel& world, Copy&& copy) const noexcept
{
    for (std::size_t k = 0; k < group_of_.size(); ++k) {
        const ConstraintRows& to = rows.table.groups[k];
        const int from = world.rows.groups[group_of_[k]].first_row;
        for (int r = 0; r < to.rows; ++r) copy(from + r, to.first_row + r);
    }
}

template <class Copy>
void Island::for_each_memory(const StepModel& world, Copy&& copy) const noexcept
{
    for (std::size_t j = 0; j < parts_.joints.size(); ++j) {
        const ConstraintRows& to = rows.table.groups[j];
        const int from = world.rows.groups[group_of_[j]].first_memory;
        for (int k = 0; k < to.memories; ++k) copy(from + k, to.first_memory + k);
    }
    for (std::size_t s = 0; s < parts_.springs.size(); ++s) {
        if (model.springs[s].kind == SpringDef::Kind::Linear) continue;
        const int from = world.springs[parts_.springs[s]].first_memory;
        for (int k = 0; k < TwistAngle::kMemory; ++k)
            copy(from + k, model.springs[s].first_memory + k);
    }
}

void Island::gather(const StepModel& world, const State& from, const IslandMemory& memory)
{
    TAUT_ASSERT(group_of_.size() == rows.table.groups.size());
    TAUT_ASSERT(rows.model_topology == model.topology);
    TAUT_ASSERT(from.lambda.size() == static_cast<std::size_t>(world.rows.count));
    model.gravity = world.gravity;
    load_contacts(world);

    resize(step_model(), state);
    state.time = from.time;
    state.steps = from.steps;
    state.last_step = memory;
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k) {
        const BodyIndex b = parts_.bodies[k];
        copy_body(from, b, state, static_cast<BodyIndex>(k));
        // where a kinematic body was when the last step of this island began
        if (memory.h != 0)
            apply_kinematic_motion(model, static_cast<BodyIndex>(k), memory.time, state.history);
    }
    for_each_row(world, [&](int of_world, int r) {
        for_each_row_array([&](const auto& source, auto& target) { target[r] = source[of_world]; },
                           from, state);
    });
    for_each_memory(world, [&](int of_world, int k) { state.memory[k] = from.memory[of_world]; });
    for (std::size_t j = 0; j < parts_.joints.size(); ++j)
        state.broken[j] = from.broken[parts_.joints[j]];
}

void Island::scatter(const StepModel& world, State& to) const noexcept
{
    TAUT_ASSERT(state.lambda.size() == static_cast<std::size_t>(rows.table.count));
    TAUT_ASSERT(to.lambda.size() == static_cast<std::size_t>(world.rows.count));
    TAUT_ASSERT(to.broken.size() == world.joints.size());
    for (std::size_t k = 0; k < parts_.bodies.size(); ++k)
        if (model.bodies[k].dynamic())
            copy_body(state, static_cast<BodyIndex>(k), to, parts_.bodies[k]);
    for_each_row(world, [&](int of_world, int r) {
        for_each_row_array([&](const auto& source, auto& target) { target[of_world] = source[r]; },
                           state, to);
    });
    for_each_memory(world, [&](int of_world, int k) { to.memory[of_world] = state.memory[k]; });
    for (std::size_t j = 0; j < parts_.joints.size(); ++j)
        to.broken[parts_.joints[j]] = state.broken[j];
}

void Island::scatter_shared(State& to, IslandMemory& memory) const noexcept
{
    add_work(difference(state.last_step.work, memory.work), to.last_step.work);
    add_dissipation(difference(state.last_step.dissipation, memory.dissipation),
                    to.last_step.dissipation);
    static_cast<StepMemory&>(memory) = state.last_step;
}

BodyIndex Island::first_body() const noexcept
{
    for (std::size_t k = 0; k < model.bodies.size(); ++k)
        if (model.bodies[k].dynamic()) return parts_.bodies[k];
    return kGround;
}

BodyIndex Island::local_body(BodyIndex of_world) const noexcept
{
    const auto at = std::lower_bound(parts_.bodies.begin(), parts_.bodies.end(), of_world);
    return at != parts_.bodies.end() && *at == of_world
               ? static_cast<BodyIndex>(at - parts_.bodies.begin())
               : kNoBody;
}

int Island::local_joint(int of_world) const noexcept
{
    const auto at = std::lower_bound(parts_.joints.begin(), parts_.joints.end(), of_world);
    return at != parts_.joints.end() && *at == of_world
               ? static_cast<int>(at - parts_.joints.begin())
               : -1;
}

}  // namespace taut::islands
