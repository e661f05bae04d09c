#include "islands/division.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"
#include "model/apply_commands.h"
#include "model/kinematic.h"

namespace taut::islands {
namespace {

// --- which bodies are connected: union by the lowest body ---
int root_of(std::vector<int>& parent, int b) noexcept
{
    while (parent[b] != b) b = parent[b] = parent[parent[b]];
    return b;
}

void connect(std::vector<int>& parent, std::span<const BodyIndex> bodies) noexcept
{
    int root = -1;
    for (const BodyIndex b : bodies) {
        if (parent[b] < 0) continue;
        const int other = root_of(parent, b);
        if (root >= 0) parent[std::max(root, other)] = std::min(root, other);
        root = root < 0 ? other : std::min(root, other);
    }
}

// --- what is remembered ---
bool does_work(const Power& power) noexcept { return power.motors != 0 || power.prescribed != 0; }

void add(const Power& from, Power& to) noexcept
{
    to.motors += from.motors;
    to.prescribed += from.prescribed;
    to.damping += from.damping;
    to.friction += from.friction;
}

void add(const IslandMemory& from, IslandMemory& to) noexcept
{
    to.ledger += from.ledger;
    add_work(from.work, to.work);
    add_dissipation(from.dissipation, to.dissipation);
    add(from.power, to.power);
    add(from.power_before, to.power_before);
}

// An island of the previous division.
struct PreviousIsland {
    IslandMemory memory;
    Real mass = 0;
    int now = -1;  // the island that all of it is in; kSplit: it is in several
};
constexpr int kSplit = -2;

// An island of the new division.
struct NewIsland {
    int merged = 0;          // islands that went into it whole
    bool fragments = false;  // also bodies that are new, or from islands that were split
    bool begun = false;
    const IslandMemory* only = nullptr;  // one that it is made of
};

class CarryOver {
public:
    CarryOver(const Model& model, const State& state, const std::vector<int>& island_of,
              int islands)
        : model_(model), before_(state.division), island_of_(island_of), new_islands_(islands)
    {
        next_.island_of = island_of;
        next_.islands.resize(islands);
        find_previous(state);
    }
    Division run() &&
    {
        for (std::size_t b = 0; b < island_of_.size(); ++b)
            if (island_of_[b] >= 0) add_history(static_cast<BodyIndex>(b));
        join_ledgers();
        return std::move(next_);
    }

private:
    int previous_of(std::size_t b) const noexcept
    {
        return before_.islands.empty() ? 0 : before_.find(static_cast<BodyIndex>(b));
    }
    void find_previous(const State& state);
    void add_history(BodyIndex b) noexcept;
    void join_ledgers() noexcept;

    const Model& model_;
    const Division& before_;
    const std::vector<int>& island_of_;
    std::vector<PreviousIsland> previous_;
    std::vector<NewIsland> new_islands_;
    Division next_;
};

// Where the previous islands went.
void CarryOver::find_previous(const State& state)
{
    const bool whole = before_.islands.empty();
    previous_.resize(whole ? 1 : before_.islands.size());
    if (whole) static_cast<StepMemory&>(previous_[0].memory) = state.last_step;
    for (std::size_t k = 0; k < before_.islands.size(); ++k)
        previous_[k].memory = before_.islands[k];
    for (std::size_t b = 0; b < island_of_.size(); ++b) {
        if (island_of_[b] < 0 || previous_of(b) < 0) continue;
        PreviousIsland& previous = previous_[previous_of(b)];
        previous.mass += model_.bodies[b].mass;
        previous.now = previous.now == -1 || previous.now == island_of_[b] ? island_of_[b] : kSplit;
    }
}

// The past of a new island is that of its bodies, as far as they agree.
void CarryOver::add_history(BodyIndex b) noexcept
{
    IslandMemory& m = next_.islands[island_of_[b]];
    NewIsland& j = new_islands_[island_of_[b]];
    const PreviousIsland fresh{};
    const PreviousIsland& previous = previous_of(b) < 0 ? fresh : previous_[previous_of(b)];
    const IslandMemory& past = previous.memory;
    const bool share_unknown = previous.now == kSplit && does_work(past.power);
    const bool midpoint = past.scheme.midpoint_steps > 0;
    m.disturbed = j.begun ? std::max(m.disturbed, past.disturbed) : past.disturbed;
    m.activity_began = std::max(m.activity_began, past.activity_began);
    if (!j.begun) {
        m.h = share_unknown ? 0 : past.h;
        m.time = past.time;
        m.scheme = past.scheme;
    } else {
        // rates of the midpoint scheme are not those of the others
        if (share_unknown || m.h != past.h || m.time != past.time ||
            midpoint != (m.scheme.midpoint_steps > 0))
            m.h = 0;
        m.scheme.join(past.scheme);
    }
    j.begun = true;
    m.joints_open = std::max(m.joints_open, past.joints_open);
    m.recovery_blocked = std::max(m.recovery_blocked, past.recovery_blocked);
    m.frozen = std::max(m.frozen, past.frozen);
    if (previous.mass > 0)
        m.kinetic_scale += past.kinetic_scale * (model_.bodies[b].mass / previous.mass);
    if (previous.now < 0) j.fragments = true;
}

// Ledgers of those that went in whole add up.
void CarryOver::join_ledgers() noexcept
{
    for (const PreviousIsland& previous : previous_) {
        if (previous.now < 0) continue;
        NewIsland& j = new_islands_[previous.now];
        IslandMemory& m = next_.islands[previous.now];
        if (j.merged++ == 0) m.ledger_invalid = 0;
        m.ledger_invalid = std::max(m.ledger_invalid, previous.memory.ledger_invalid);
        add(previous.memory, m);
        j.only = &previous.memory;
    }
    for (std::size_t i = 0; i < new_islands_.size(); ++i) {
        if (new_islands_[i].fragments) next_.islands[i].ledger_invalid = 1;
        if (!new_islands_[i].fragments && new_islands_[i].merged == 1)
            next_.islands[i] = *new_islands_[i].only;
    }
}

}  // namespace

int find_islands(const StepModel& model, const State& state, std::vector<int>& island_of)
{
    TAUT_ASSERT(model.up_to_date());
    std::vector<int>& parent = island_of;
    parent.resize(model.bodies.size());
    for (std::size_t b = 0; b < parent.size(); ++b)
        parent[b] = model.bodies[b].dynamic() ? static_cast<int>(b) : -1;
    for (std::size_t k = 0; k < model.rows.groups.size(); ++k) {
        const int group = static_cast<int>(k);
        if (model.rows.is_contact(group) || joint_acts(model, state, group))
            connect(parent, model.rows.bodies(model.rows.groups[k]));
    }
    for (const SpringModel& spring : model.springs)
        if (spring_acts(model, spring)) connect(parent, spring.bodies);

    // roots come first, so that numbers can take the place of parents on the way
    for (int& p : parent)
        if (p >= 0) p = parent[p];
    int islands = 0;
    for (std::size_t b = 0; b < parent.size(); ++b)
        if (parent[b] >= 0)
            parent[b] = parent[b] == static_cast<int>(b) ? islands++ : parent[parent[b]];
    return islands;
}

void carry_over(const Model& model, State& state, const std::vector<int>& island_of, int islands)
{
    TAUT_ASSERT(island_of.size() == model.bodies.size());
    TAUT_ASSERT(island_of.empty() ||
                *std::max_element(island_of.begin(), island_of.end()) < islands);
    state.division = CarryOver(model, state, island_of, islands).run();
    forget_all(state.last_step);  // it is idle from now on
}

void forget_all(StepMemory& memory) noexcept
{
    memory.forget();
    memory.ledger = memory.joints_open = memory.recovery_blocked = memory.kinetic_scale = 0;
    memory.power = memory.power_before = {};
    memory.scheme = {};
}

static std::vector<int> all_in_one(const Model& model, std::size_t bodies)
{
    std::vector<int> one(model.bodies.size(), -1);
    for (std::size_t b = 0; b < bodies; ++b)
        if (model.bodies[b].dynamic()) one[b] = 0;
    return one;
}

void divide_as_one(const Model& model, State& state, std::size_t bodies)
{
    if (!state.division.islands.empty()) return;
    const std::vector<int> one = all_in_one(model, bodies);
    if (std::find(one.begin(), one.end(), 0) != one.end())
        carry_over(model, state, one, 1);
    else
        forget_all(state.last_step);
}

void drop_empty_islands(Division& division)
{
    std::vector<int> now(division.islands.size(), -1);
    for (const int island : division.island_of)
        if (island >= 0) now[island] = 0;
    int count = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] < 0) continue;
        division.islands[count] = division.islands[i];
        now[i] = count++;
    }
    division.islands.resize(count);
    for (int& island : division.island_of)
        if (island >= 0) island = now[island];
    if (count == 0) division.island_of.clear();
}

void merge_all(const Model& model, State& state)
{
    if (state.division.islands.empty()) return;
    carry_over(model, state, all_in_one(model, model.bodies.size()), 1);
    const IslandMemory m = state.division.islands[0];
    state.division = {};
    // Work, dissipation and ledger remain those of the state: both are sums over all islands, and the ledger is opened anew, because
    // its balance counts that sum again.
    StepMemory& own = state.last_step;
    const Work work = own.work;
    const Dissipation dissipation = own.dissipation;
    const Real ledger = own.ledger;
    own = m;
    own.work = work;
    own.dissipation = dissipation;
    own.ledger = ledger;
    own.ledger_invalid = 1;
    for (std::size_t b = 0; m.h > 0 && b < model.bodies.size(); ++b)
        apply_kinematic_motion(model, static_cast<BodyIndex>(b), m.time, state.history);
}

}  // namespace taut::islands
