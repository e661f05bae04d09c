#include "islands/islands.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>

#include "core/assert.h"
#include "islands/division.h"
#include "islands/island_settings.h"
#include "islands/report_sum.h"
#include "islands/rest.h"
#include "model/apply_commands.h"
#include "model/kinematic.h"
#include "model/springs.h"
#include "stepper/classical/classical.h"

namespace taut::islands {
namespace {

int count_broken(const Model& model, const State& state) noexcept
{
    if (!model.breakable) return 0;
    int broken = 0;
    for (const Real x : state.broken) broken += x != 0;
    return broken;
}

// All kinematic bodies to the end of the step, whether or not they are in an island.
void move_kinematic_bodies(const Model& model, Real dt, State& state) noexcept
{
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        if (model.bodies[k].kind != BodyKind::Kinematic) continue;
        const BodyIndex b = static_cast<BodyIndex>(k);
        state.history.p[b] = state.p[b];
        state.history.q[b] = state.q[b];
        state.history.v[b] = state.v[b];
        state.history.w[b] = state.w[b];
        const Twist velocity = kinematic_velocity(model, b, state.p[b], state.time, dt);
        apply_kinematic_motion(model, b, state.time + dt, state);
        state.v[b] = velocity.linear;
        state.w[b] = velocity.angular;
    }
}

// Whether a single island is the same computation as the world as one, to the last bit: it has been one from the start,
// no joint of it is broken, and no body stands or moves beside it.
bool is_one_mechanism(const StepModel& model, const State& state) noexcept
{
    const auto is_dynamic = [](const BodyModel& body) { return body.dynamic(); };
    return state.division.islands.empty() && count_broken(model, state) == 0 &&
           !model.model.any_disabled &&
           std::all_of(model.bodies.begin() + 1, model.bodies.end(), is_dynamic);
}

}  // namespace

// --- dividing ---

void Islands::collect_parts(const StepModel& model, const State& state)
{
    for (IslandParts& parts : parts_) parts.clear();
    broken_joints_.clear();
    for (IslandParts& parts : parts_) parts.bodies.push_back(kGround);
    for (std::size_t b = 0; b < island_of_.size(); ++b)
        if (island_of_[b] >= 0) parts_[island_of_[b]].bodies.push_back(static_cast<BodyIndex>(b));

    // the island of any body that moves is that of all of them; the others are copied into it
    const auto enter = [&](std::span<const BodyIndex> bodies) -> IslandParts& {
        int island = -1;
        for (const BodyIndex b : bodies) island = std::max(island, island_of_[b]);
        TAUT_ASSERT(island >= 0);
        for (const BodyIndex b : bodies)
            if (island_of_[b] < 0) parts_[island].bodies.push_back(b);
        return parts_[island];
    };
    for (std::size_t k = 0; k < model.rows.groups.size(); ++k) {
        const ConstraintRows& group = model.rows.groups[k];
        const std::span<const BodyIndex> bodies = model.rows.bodies(group);
        const int index = static_cast<int>(k);
        if (model.rows.is_contact(index)) {
            IslandParts& parts = enter(bodies);
            parts.contacts.push_back({group.type, bodies[0], bodies[1]});
            parts.contact_groups.push_back(index);
        } else if (!joint_acts(model, state, index)) {
            broken_joints_.push_back(index);
        } else {
            enter(bodies).joints.push_back(index);
        }
    }
    for (std::size_t k = 0; k < model.springs.size(); ++k)
        if (spring_acts(model, model.springs[k]))
            enter(model.springs[k].bodies).springs.push_back(static_cast<int>(k));
    for (std::size_t k = 0; k < model.loads.size(); ++k)
        if (const int island = island_of_[model.loads[k].body]; island >= 0)
            parts_[island].loads.push_back(static_cast<int>(k));
    for (IslandParts& parts : parts_) {
        std::sort(parts.bodies.begin(), parts.bodies.end());
        parts.bodies.erase(std::unique(parts.bodies.begin(), parts.bodies.end()),
                           parts.bodies.end());
    }
}

// Islands whose parts are the same stay; the others are assembled in the memory of such as are no more.
void Islands::match(const StepModel& model)
{
    std::vector<std::unique_ptr<Island>> before = std::move(islands_);
    islands_.clear();
    islands_.resize(parts_.size());
    const auto lowest_body = [&](const IslandParts& parts) {
        const auto first = std::find_if(parts.bodies.begin(), parts.bodies.end(),
                                        [&](BodyIndex b) { return model.bodies[b].dynamic(); });
        return first != parts.bodies.end() ? *first : kGround;
    };
    std::vector<int> previous(model.bodies.size(), -1);  // per lowest body: the island before
    std::erase(before, nullptr);                         // where memory ran out the last time
    for (std::size_t k = 0; k < before.size(); ++k)
        previous[lowest_body(before[k]->parts())] = static_cast<int>(k);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const int k = previous[lowest_body(parts_[i])];
        if (k < 0 || !before[k]->parts().same_layout(parts_[i])) continue;
        islands_[i] = std::move(before[k]);
        islands_[i]->refresh(model, parts_[i]);
    }
    for (auto& island : before)
        if (island) spare_.push_back(std::move(island));
    local_.resize(model.bodies.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (islands_[i]) continue;
        if (spare_.empty()) spare_.push_back(std::make_unique<Island>());
        spare_.back()->assemble(model, parts_[i], local_);
        islands_[i] = std::move(spare_.back());
        spare_.pop_back();
    }
}

void Islands::divide(const StepModel& model, State& state, const Key& key)
{
    divided_for_.valid = false;  // until all below has worked
    const int count = find_islands(model, state, island_of_);
    if (key.mode == Mode::AsOne || count == 0 ||
        (key.mode == Mode::WhereApart && count == 1 && is_one_mechanism(model, state))) {
        merge_all(model, state);
        for (auto& island : islands_) spare_.push_back(std::move(island));
        islands_.clear();
    } else {
        parts_.resize(count);
        collect_parts(model, state);
        match(model);
        carry_over(model, state, island_of_, count);
        const auto size = [&](int i) { return islands_[i]->unknowns(); };
        by_size_.resize(count);
        std::iota(by_size_.begin(), by_size_.end(), 0);
        std::sort(by_size_.begin(), by_size_.end(),
                  [&](int a, int b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
        jobs_.reserve(count);
        awake_.reserve(count);
    }
    divided_for_ = key;
}

// Orders and factorisations of all islands that have none, side by side.
void Islands::prepare_islands(const StepModel& model, const State& state,
                              const StepSettings& settings, const BodyMask& active)
{
    jobs_.clear();
    for (const int i : by_size_) {
        Island& island = *islands_[i];
        if (!active.has(island.first_body())) continue;
        if (is_prepared(island.step_model(), settings, island.workspace)) {
            // what is laid out for convex steps alone may have to be laid out for more
            if (island.workspace.convex_only)
                island.gather(model, state, state.division.islands[i]);
            stepper::prepare(island.step_model(), island.state, settings, island.workspace);
        } else {
            jobs_.push_back(i);
        }
    }
    std::atomic<bool> done = true;
    pool_.run(settings.threads, static_cast<int>(jobs_.size()), [&](int k) {
        Island& island = *islands_[jobs_[k]];
        try {
            island.gather(model, state, state.division.islands[jobs_[k]]);
            stepper::prepare(island.step_model(), island.state, settings, island.workspace);
        } catch (const std::exception&) {
            done = false;
        }
    });
    if (!done) throw std::bad_alloc();
}

Islands::Key Islands::make_key(const StepModel& model, const State& state,
                               const StepSettings& settings) noexcept
{
    const Mode mode = is_classical(settings.research.scheme) ? Mode::AsOne
                      : settings.sleep                       ? Mode::Always
                                                             : Mode::WhereApart;
    return {true, mode, model.topology(), model.loads.size(), count_broken(model, state)};
}

void Islands::prepare(const StepModel& model, State& state, const StepSettings& settings,
                      const BodyMask& active)
{
    const Key key = make_key(model, state, settings);
    if (!(key == divided_for_)) divide(model, state, key);
    if (islands_.empty())
        stepper::prepare(model, state, settings, whole_);
    else
        prepare_islands(model, state, settings, active);
}

// --- what changes from outside ---

template <class Stays>
void Islands::keep(Stays&& stays)
{
    for (auto& island : islands_)
        if (island && !stays(*island)) spare_.push_back(std::move(island));
    std::erase(islands_, nullptr);
    by_size_.clear();
    jobs_.clear();
    awake_.clear();
    forget();
}

void Islands::renumber(const Renumbering& now)
{
    keep([&](Island& island) { return island.renumber(now); });
}

void Islands::drop(BodyIndex body)
{
    keep([&](const Island& island) { return island.local_body(body) == kNoBody; });
}

// The island that has it: where the state says, or any other after a step that renumbered them.
template <class Load>
void Islands::load_where(const State& state, std::span<const BodyIndex> bodies, Load&& load)
{
    for (const BodyIndex b : bodies) {
        const int island = state.division.find(b);
        const bool exists = island >= 0 && island < static_cast<int>(islands_.size());
        if (exists && islands_[island] && load(*islands_[island])) return;
    }
    for (const auto& island : islands_)
        if (island && load(*island)) return;
}

void Islands::load_joint(const Model& model, const State& state, int joint) noexcept
{
    load_where(state, model.rows.bodies(model.rows.groups[joint]),
               [&](Island& island) { return island.load_joint(model, joint); });
}

void Islands::load_spring(const Model& model, const State& state, int spring) noexcept
{
    load_where(state, model.springs[spring].bodies,
               [&](Island& island) { return island.load_spring(model, spring); });
}

void Islands::load_motion(const Model& model, BodyIndex body) noexcept
{
    for (const auto& island : islands_)
        if (island) island->load_motion(model, body);
}

// --- stepping ---

void Islands::choose_jobs(State& state, const StepSettings& settings,
                          const BodyMask& active) noexcept
{
    jobs_.clear();
    for (const int i : by_size_) {
        IslandMemory& memory = state.division.islands[i];
        const Island& island = *islands_[i];
        if (memory.frozen != 0 || !active.has(island.first_body())) continue;
        if (memory.asleep != 0 &&
            (!settings.sleep || schedules_change(island.model, state.time, settings.dt)))
            memory.disturb();
        if (memory.asleep == 0) jobs_.push_back(i);
    }
    awake_ = jobs_;
    std::sort(awake_.begin(), awake_.end());
}

// Whether the largest island is better solved by all threads before the others than by one beside them: it must be so
// large that help with it pays, and so much larger than all others together that they would wait for it.
bool Islands::outweighs_the_others() const noexcept
{
    if (jobs_.empty()) return false;
    int others = 0;
    for (std::size_t k = 1; k < jobs_.size(); ++k) others += islands_[jobs_[k]]->unknowns();
    const int own = islands_[jobs_[0]]->unknowns();
    return others == 0 || (own >= kSharing.large && own > kSharing.ratio * others);
}

bool Islands::freeze_diverged(State& state) noexcept
{
    const auto diverged = [&](int i) { return islands_[i]->report.status == StepStatus::Diverged; };
    if (std::none_of(awake_.begin(), awake_.end(), diverged)) return true;
    std::size_t others = awake_.size();  // that are frozen already, or diverge now
    for (const IslandMemory& memory : state.division.islands) others += memory.frozen != 0;
    const bool all = std::all_of(awake_.begin(), awake_.end(), diverged);
    if (all && others == islands_.size()) return false;
    for (const int i : awake_)
        if (diverged(i)) state.division.islands[i].freeze();
    std::erase_if(awake_, diverged);
    std::erase_if(jobs_, diverged);
    return true;
}

void Islands::commit(const StepModel& model, State& state, const StepSettings& settings,
                     const BodyMask& active) noexcept
{
    move_kinematic_bodies(model, settings.dt, state);
    pool_.run(settings.threads, static_cast<int>(jobs_.size()), [&](int k) {
        const Island& island = *islands_[jobs_[k]];
        if (settings.sleep)
            update_rest(island, state, settings.dt, state.division.islands[jobs_[k]]);
        island.scatter(model, state);
    });
    for (const int i : awake_) {
        IslandMemory& memory = state.division.islands[i];
        islands_[i]->scatter_shared(state, memory);
        if (memory.asleep == 0) continue;
        const Real lost = put_to_sleep(*islands_[i], state, memory);
        islands_[i]->report.energy_change -= lost;
        for (Dissipation* sum :
             {&islands_[i]->report.dissipation, &memory.dissipation, &state.last_step.dissipation})
            sum->numerical += lost;
    }
    for (const int index : broken_joints_) {
        const ConstraintRows& joint = model.rows.groups[index];
        const std::span<const BodyIndex> bodies = model.rows.bodies(joint);
        if (std::none_of(bodies.begin(), bodies.end(), [&](BodyIndex b) { return active.has(b); }))
            continue;
        visit_joint(model, joint, [&](const auto& item) {
            using T = std::decay_t<decltype(item)>;
            if constexpr (T::kMemory > 0)
                refresh_memory(state, item, model.pool<T>().bodies[joint.slot],
                               &state.memory[joint.first_memory]);
        });
    }
    state.time += settings.dt;
    ++state.steps;
}

StepReport Islands::report_of(int island) const noexcept
{
    TAUT_ASSERT(island >= 0 && static_cast<std::size_t>(island) < islands_.size());
    StepReport report = islands_[island]->report;
    if (report.hardest_body.valid())
        report.hardest_body = id_of(islands_[island]->world_body(index_of(report.hardest_body)));
    return report;
}

int Islands::reported_island(const State& state, BodyIndex body) const noexcept
{
    if (!divided_for_.valid) return -1;
    if (islands_.empty()) return 0;
    const int island = state.division.find(body);
    return std::binary_search(awake_.begin(), awake_.end(), island) ? island : -1;
}

IslandReport Islands::summary_of(int island) const noexcept
{
    if (islands_.empty()) return whole_report_;
    if (!std::binary_search(awake_.begin(), awake_.end(), island)) return {};
    const Island& one = *islands_[island];
    return {one.report.settled, one.work, one.report.dissipation};
}

// In the order of the islands, whichever thread was done first.
StepReport Islands::combine(const StepModel& model, const State& state) const noexcept
{
    ReportSum sum;
    for (const int i : awake_) sum.add(report_of(i));
    return sum.finish(model, state);
}

StepReport Islands::step(const StepModel& model, State& state, const StepSettings& settings,
                         const BodyMask& active) noexcept
{
    TAUT_ASSERT(model.up_to_date());
    TAUT_ASSERT(divided_for_.valid && divided_for_.topology == model.topology());
    TAUT_ASSERT(active.all() || active.of_body.size() == model.bodies.size());
    if (islands_.empty()) {
        whole_.set_threads(Team(pool_, settings.threads));
        const Work before = state.last_step.work;
        const StepReport report = stepper::step(model, state, whole_, settings);
        whole_report_ = {report.settled, difference(state.last_step.work, before).total(),
                         report.dissipation};
        return report;
    }
    choose_jobs(state, settings, active);
    const auto step_job = [&](int k, const Team& team) {
        Island& island = *islands_[jobs_[k]];
        island.gather(model, state, state.division.islands[jobs_[k]]);
        island.workspace.set_threads(team);
        island.report =
            stepper::step(island.step_model(), island.state, island.workspace, settings);
        const Work& before = state.division.islands[jobs_[k]].work;
        island.work = difference(island.state.last_step.work, before).total();
    };
    // one that outweighs the others has the help of all threads, then those are shared out
    const int shared = outweighs_the_others() ? 1 : 0, count = static_cast<int>(jobs_.size());
    if (shared > 0) step_job(0, Team(pool_, settings.threads));
    pool_.run(settings.threads, count - shared, [&](int k) { step_job(k + shared, Team()); });
    const bool refused = std::any_of(awake_.begin(), awake_.end(), [&](int i) {
        return islands_[i]->report.status == StepStatus::Refused;
    });
    if (!refused && freeze_diverged(state)) commit(model, state, settings, active);
    return combine(model, state);
}

// --- where things are ---

Islands::Place Islands::find_body(const StepModel& model, const State& state,
                                  BodyIndex body) const noexcept
{
    if (!divided_for_.valid) return {};
    if (islands_.empty())
        return model.up_to_date() ? Place{&model.model, &whole_, body, model.topology()} : Place{};
    const std::vector<int>& island_of = state.division.island_of;
    if (body >= static_cast<int>(island_of.size()) || island_of[body] < 0) return {};
    const Island& island = *islands_[island_of[body]];
    return {&island.model, &island.workspace, island.local_body(body), island.rows.topology};
}

Islands::Place Islands::find_joint(const StepModel& model, const State& state,
                                   int joint) const noexcept
{
    if (!divided_for_.valid) return {};
    if (islands_.empty())
        return model.up_to_date() ? Place{&model.model, &whole_, joint, model.topology()} : Place{};
    for (const BodyIndex b : model.model.rows.bodies(model.model.rows.groups[joint])) {
        const Place place = find_body(model, state, b);
        if (!place.workspace) continue;
        const Island& island = *islands_[state.division.island_of[b]];
        const int local = island.local_joint(joint);
        if (local < 0) return {};
        return {&island.model, &island.workspace, local, island.rows.topology};
    }
    return {};
}

}  // namespace taut::islands
