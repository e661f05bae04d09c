#include "model/removal.h"

#include "core/assert.h"

namespace taut::model {
namespace {

bool any_marked(const std::vector<char>& marks, std::span<const BodyIndex> bodies) noexcept
{
    for (const BodyIndex b : bodies)
        if (marks[b] != 0) return true;
    return false;
}

void renumber_names(NameMap& names, const std::vector<int>& now)
{
    for (auto& [name, index] : names) index = now[index];
    std::erase_if(names, [](const auto& entry) { return entry.second < 0; });
}

// --- what goes, per row and per remembered angle ---

std::vector<char> find_rows(const Model& model, const Removal& removal)
{
    std::vector<char> gone(model.rows.count, 0);
    for (int j = 0; j < model.rows.joints; ++j) {
        const ConstraintRows& joint = model.rows.groups[j];
        for (int r = 0; r < joint.rows; ++r) gone[joint.first_row + r] = removal.joints[j];
    }
    return gone;
}

std::vector<char> find_memories(const Model& model, const Removal& removal)
{
    std::vector<char> gone(model.memories, 0);
    for (int j = 0; j < model.rows.joints; ++j) {
        const ConstraintRows& joint = model.rows.groups[j];
        for (int k = 0; k < joint.memories; ++k) gone[joint.first_memory + k] = removal.joints[j];
    }
    for (std::size_t k = 0; k < model.springs.size(); ++k)
        if (model.springs[k].kind == SpringDef::Kind::Torsional)
            gone[model.springs[k].first_memory] = removal.springs[k];
    return gone;
}

// --- the model ---

template <class T>
void remove_from_pool(const std::vector<char>& gone, const std::vector<int>& now,
                      const std::vector<int>& bodies, Pool<T>& pool)
{
    std::vector<char> marks;
    for (const int group : pool.groups) marks.push_back(gone[group]);
    erase_marked(pool.items, marks);
    erase_marked(pool.bodies, marks);
    erase_marked(pool.groups, marks);
    for (int& group : pool.groups) group = now[group];
    for (auto& of : pool.bodies)
        for (BodyIndex& b : of) b = BodyIndex(bodies[b]);
}

// The table of the joints that stay; their slots are those of the pools, which were renumbered before.
void remove_rows(Model& model, const Removal& removal, const Renumbering& now,
                 const std::vector<int>& memories)
{
    const RowTable before = std::move(model.rows);
    model.rows.clear();
    std::vector<BodyIndex> bodies;
    for (int j = 0; j < before.joints; ++j) {
        if (removal.joints[j] != 0) continue;
        ConstraintRows joint = before.groups[j];
        bodies.clear();
        for (const BodyIndex b : before.bodies(joint)) bodies.emplace_back(now.bodies[b]);
        const std::size_t first = joint.first_row, rows = joint.rows;
        if (joint.memories > 0) joint.first_memory = memories[joint.first_memory];
        model.rows.append_joint(joint, bodies, std::span(before.softness).subspan(first, rows),
                                std::span(before.units).subspan(first, rows));
    }
    for_each_joint_type([&](auto tag) {
        const auto& pool = model.pool<typename decltype(tag)::type>();
        for (std::size_t k = 0; k < pool.groups.size(); ++k)
            model.rows.groups[pool.groups[k]].slot = static_cast<int>(k);
    });
}

void remove_springs(Model& model, const Removal& removal, const Renumbering& now,
                    const std::vector<int>& memories)
{
    remove_from_pool(removal.springs, now.springs, now.bodies, model.linear_springs);
    remove_from_pool(removal.springs, now.springs, now.bodies, model.torsional_springs);
    erase_marked(model.springs, removal.springs);
    for (SpringModel& spring : model.springs) {
        for (BodyIndex& b : spring.bodies) b = BodyIndex(now.bodies[b]);
        if (spring.kind == SpringDef::Kind::Torsional)
            spring.first_memory = memories[spring.first_memory];
    }
    const auto set_slots = [&](const auto& pool) {
        for (std::size_t k = 0; k < pool.groups.size(); ++k)
            model.springs[pool.groups[k]].slot = static_cast<int>(k);
    };
    set_slots(model.linear_springs);
    set_slots(model.torsional_springs);
}

// --- the state ---

// Another energy from one step to the next: the ledger is opened anew. Poses and velocities go on as they are, so that the
// two-step memory holds.
void open_ledgers(const Model& model, const Removal& removal, State& state)
{
    state.last_step.ledger_invalid = 1;
    const auto open = [&](BodyIndex b) {
        const int island = state.division.find(b);
        if (island < 0) return;
        state.division.islands[island].wake();
        state.division.islands[island].ledger_invalid = 1;
    };
    for (const BodyIndex b : BodyRange(model.bodies.size()))
        if (removal.bodies[b] != 0) open(b);
    for (int j = 0; j < model.rows.joints; ++j)
        if (removal.joints[j] != 0)
            for (const BodyIndex b : model.rows.bodies(model.rows.groups[j])) open(b);
    for (std::size_t k = 0; k < model.springs.size(); ++k)
        if (removal.springs[k] != 0)
            for (const BodyIndex b : model.springs[k].bodies) open(b);
    for (std::size_t k = 0; k < model.loads.size(); ++k)
        if (removal.loads[k] != 0) open(model.loads[k].body);
}

void remove_from_state(const Model& model, const Removal& removal, const std::vector<char>& rows,
                       const std::vector<char>& memories, State& state)
{
    for_each_body_array([&](auto& array) { erase_marked(array, removal.bodies); }, state);
    for_each_row_array([&](auto& array) { erase_marked(array, rows); }, state);
    erase_marked(state.memory, memories);
    erase_marked(state.broken, removal.joints);
    if (!state.division.island_of.empty()) erase_marked(state.division.island_of, removal.bodies);
    std::vector<char> motions(state.commands.motions.size(), 0);
    for (const BodyIndex b : BodyRange(model.bodies.size()))
        if (const int motion = model.body_details[b].motion_command; motion >= 0)
            motions[motion] = removal.bodies[b];
    erase_marked(state.commands.motions, motions);
    erase_marked(state.commands.bodies, removal.bodies);
    erase_marked(state.commands.joints, removal.joints);
    erase_marked(state.commands.springs, removal.springs);
}

}  // namespace

Removal::Removal(const Model& model)
    : bodies(model.bodies.size(), 0),
      joints(model.joints.size(), 0),
      springs(model.springs.size(), 0),
      loads(model.loads.size(), 0)
{}

void Removal::add_attached(const Model& model)
{
    for (int j = 0; j < model.rows.joints; ++j)
        if (any_marked(bodies, model.rows.bodies(model.rows.groups[j]))) joints[j] = 1;
    for (std::size_t k = 0; k < model.springs.size(); ++k)
        if (any_marked(bodies, model.springs[k].bodies)) springs[k] = 1;
    for (std::size_t k = 0; k < model.loads.size(); ++k)
        if (bodies[model.loads[k].body] != 0) loads[k] = 1;
}

std::vector<int> renumber(const std::vector<char>& gone)
{
    std::vector<int> now(gone.size());
    int next = 0;
    for (std::size_t k = 0; k < gone.size(); ++k) now[k] = gone[k] != 0 ? -1 : next++;
    return now;
}

Renumbering remove(Model& model, State& state, const Removal& removal)
{
    TAUT_ASSERT(removal.bodies.size() == model.bodies.size() &&
                removal.joints.size() == model.joints.size());
    TAUT_ASSERT(removal.bodies[kGround] == 0);
    TAUT_ASSERT(state.p.size() == model.bodies.size() &&
                state.broken.size() == model.joints.size());
    const Renumbering now{renumber(removal.bodies), renumber(removal.joints),
                          renumber(removal.springs), renumber(removal.loads)};
    const std::vector<char> rows = find_rows(model, removal);
    const std::vector<char> gone_memories = find_memories(model, removal);
    const std::vector<int> memories = renumber(gone_memories);
    open_ledgers(model, removal, state);
    remove_from_state(model, removal, rows, gone_memories, state);

    for_each_joint_type([&](auto tag) {
        remove_from_pool(removal.joints, now.joints, now.bodies,
                         model.pool<typename decltype(tag)::type>());
    });
    remove_rows(model, removal, now, memories);
    remove_springs(model, removal, now, memories);
    erase_marked(model.joints, removal.joints);
    erase_marked(model.loads, removal.loads);
    for (LoadModel& load : model.loads) load.body = BodyIndex(now.bodies[load.body]);
    erase_marked(model.bodies, removal.bodies);
    erase_marked(model.body_details, removal.bodies);
    int motions = 0;
    for (BodyDetails& body : model.body_details)
        if (body.motion_command >= 0) body.motion_command = motions++;
    renumber_names(model.body_names, now.bodies);
    renumber_names(model.joint_names, now.joints);
    model.memories = static_cast<int>(state.memory.size());
    read_summary(model);
    ++model.topology;
    return now;
}

void read_summary(Model& model)
{
    model.extent = {};
    model.any_disabled = model.breakable = false;
    for (const BodyDetails& body : model.body_details)
        if (!body.extent.isEmpty()) model.extent.extend(body.extent);
    for (const BodyModel& body : model.bodies) model.any_disabled |= body.disabled;
    for (const JointModel& joint : model.joints) {
        model.any_disabled |= joint.disabled;
        model.breakable |= joint.breakable();
    }
}

}  // namespace taut::model
