#include "islands/division.h"

#include <algorithm>
#include <utility>

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
bool feeds(const Power& power) noexcept { return power.motors != 0 || power.prescribed != 0; }

void add(const IslandMemory& from, IslandMemory& to) noexcept
{
    to.ledger += from.ledger;
    to.work.motors += from.work.motors;
    to.work.prescribed += from.work.prescribed;
    to.work.loads += from.work.loads;
    to.power.motors += from.power.motors;
    to.power.prescribed += from.power.prescribed;
}

// An island of the former division.
struct Former {
    IslandMemory memory;
    Real mass = 0;
    int now = -1;  // the island that all of it is in; kSplit: it is in several
};
constexpr int kSplit = -2;

// An island of the new division.
struct Joining {
    int formers = 0;         // islands that went into it whole
    bool fragments = false;  // also bodies that are new, or from islands that were split
    bool begun = false;
    const IslandMemory* only = nullptr;  // one that it is made of
};

class CarryOver {
public:
    CarryOver(const Model& model, const State& state, const std::vector<int>& island_of,
              int islands)
        : model_(model), was_(state.division), island_of_(island_of), joining_(islands)
    {
        next_.island_of = island_of;
        next_.islands.resize(islands);
        find_formers(state);
    }
    Division run() &&
    {
        for (std::size_t b = 0; b < island_of_.size(); ++b)
            if (island_of_[b] >= 0) add_past(static_cast<BodyIndex>(b));
        join_ledgers();
        return std::move(next_);
    }

private:
    int former_of(std::size_t b) const noexcept
    {
        return was_.islands.empty() ? 0 : was_.find(static_cast<BodyIndex>(b));
    }
    void find_formers(const State& state);
    void add_past(BodyIndex b) noexcept;
    void join_ledgers() noexcept;

    const Model& model_;
    const Division& was_;
    const std::vector<int>& island_of_;
    std::vector<Former> formers_;
    std::vector<Joining> joining_;
    Division next_;
};

// Where the former islands went.
void CarryOver::find_formers(const State& state)
{
    const bool whole = was_.islands.empty();
    formers_.resize(whole ? 1 : was_.islands.size());
    if (whole) static_cast<StepMemory&>(formers_[0].memory) = state.last_step;
    for (std::size_t k = 0; k < was_.islands.size(); ++k) formers_[k].memory = was_.islands[k];
    for (std::size_t b = 0; b < island_of_.size(); ++b) {
        if (island_of_[b] < 0 || former_of(b) < 0) continue;
        Former& former = formers_[former_of(b)];
        former.mass += model_.bodies[b].mass;
        former.now = former.now == -1 || former.now == island_of_[b] ? island_of_[b] : kSplit;
    }
}

// The past of a new island is that of its bodies, as far as they agree.
void CarryOver::add_past(BodyIndex b) noexcept
{
    IslandMemory& m = next_.islands[island_of_[b]];
    Joining& j = joining_[island_of_[b]];
    const Former fresh{};
    const Former& former = former_of(b) < 0 ? fresh : formers_[former_of(b)];
    const IslandMemory& past = former.memory;
    const bool torn = former.now == kSplit && feeds(past.power);
    if (!j.begun) {
        m.h = torn ? 0 : past.h;
        m.time = past.time;
    } else if (torn || m.h != past.h || m.time != past.time) {
        m.h = 0;
    }
    j.begun = true;
    m.joints_open = std::max(m.joints_open, past.joints_open);
    m.recovery_blocked = std::max(m.recovery_blocked, past.recovery_blocked);
    m.frozen = std::max(m.frozen, past.frozen);
    if (former.mass > 0)
        m.kinetic_scale += past.kinetic_scale * (model_.bodies[b].mass / former.mass);
    if (former.now < 0) j.fragments = true;
}

// Ledgers of those that went in whole add up.
void CarryOver::join_ledgers() noexcept
{
    for (const Former& former : formers_) {
        if (former.now < 0) continue;
        Joining& j = joining_[former.now];
        IslandMemory& m = next_.islands[former.now];
        if (j.formers++ == 0) m.ledger_invalid = 0;
        m.ledger_invalid = std::max(m.ledger_invalid, former.memory.ledger_invalid);
        add(former.memory, m);
        j.only = &former.memory;
    }
    for (std::size_t i = 0; i < joining_.size(); ++i) {
        if (joining_[i].fragments) next_.islands[i].ledger_invalid = 1;
        if (!joining_[i].fragments && joining_[i].formers == 1)
            next_.islands[i] = *joining_[i].only;
    }
}

}  // namespace

int find_islands(const StepModel& model, const State& state, std::vector<int>& island_of)
{
    std::vector<int>& parent = island_of;
    parent.resize(model.bodies.size());
    for (std::size_t b = 0; b < parent.size(); ++b)
        parent[b] = model.bodies[b].dynamic() ? static_cast<int>(b) : -1;
    for (std::size_t k = 0; k < model.rows.groups.size(); ++k) {
        const bool broken = !model.rows.is_contact(static_cast<int>(k)) && state.broken[k] != 0;
        if (!broken) connect(parent, model.rows.bodies(model.rows.groups[k]));
    }
    for (const SpringModel& spring : model.springs) connect(parent, spring.bodies);

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
    state.division = CarryOver(model, state, island_of, islands).run();
    // the state's own memory is idle from now on
    StepMemory& own = state.last_step;
    own.forget();
    own.ledger = own.joints_open = own.recovery_blocked = own.kinetic_scale = 0;
    own.power = {};
}

void make_whole(const Model& model, State& state)
{
    if (state.division.islands.empty()) return;
    std::vector<int> one(model.bodies.size());
    for (std::size_t b = 0; b < one.size(); ++b) one[b] = model.bodies[b].dynamic() ? 0 : -1;
    carry_over(model, state, one, 1);
    const IslandMemory m = state.division.islands[0];
    state.division = {};
    // Work and ledger remain those of the state: work is the sum over all islands, and the ledger is opened anew, because
    // its balance counts that sum again.
    StepMemory& own = state.last_step;
    const Work work = own.work;
    const Real ledger = own.ledger;
    own = m;
    own.work = work;
    own.ledger = ledger;
    own.ledger_invalid = 1;
    for (std::size_t b = 0; m.h > 0 && b < model.bodies.size(); ++b)
        apply_kinematic_motion(model, static_cast<BodyIndex>(b), m.time, state.history);
}

}  // namespace taut::islands
