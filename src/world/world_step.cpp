#include "world/world_step.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"
#include "core/stopwatch.h"
#include "islands/report_sum.h"
#include "model/energy.h"
#include "model/kinematic.h"
#include "stepper/add_reports.h"
#include "stepper/classical/classical.h"
#include "stepper/guard_settings.h"

namespace taut::world {
namespace {

constexpr RetrySettings kRetry = kGuard.retry;

// One report for two steps of the same islands, one after the other.
StepReport followed_by(const StepReport& first, StepReport next) noexcept
{
    next.solves += first.solves;
    add_sums(first, next);
    if (next.reason.empty()) {
        next.reason = first.reason;
        next.hardest_body = first.hardest_body;
    }
    return next;
}

Exchange exchange_since(const StepMemory& before, const StepMemory& now) noexcept
{
    return {model::difference(now.work, before.work),
            model::difference(now.dissipation, before.dissipation)};
}

void add_exchange(const Exchange& exchange, StepMemory& to) noexcept
{
    add_work(exchange.work, to.work);
    add_dissipation(exchange.dissipation, to.dissipation);
}

// Multipliers, remembered angles and whether it is broken.
void copy_joint(const Model& model, int joint, const State& from, State& to) noexcept
{
    const ConstraintRows& rows = model.rows.groups[joint];
    for (int r = rows.first_row; r < rows.first_row + rows.rows; ++r)
        for_each_row_array([&](const auto& source, auto& target) { target[r] = source[r]; }, from,
                           to);
    for (int k = rows.first_memory; k < rows.first_memory + rows.memories; ++k)
        to.memory[k] = from.memory[k];
    to.broken[joint] = from.broken[joint];
}

bool any_selected(const BodyMask& selected, std::span<const BodyIndex> bodies) noexcept
{
    return std::any_of(bodies.begin(), bodies.end(), [&](BodyIndex b) { return selected.has(b); });
}

}  // namespace

// --- attempts ---

StepReport WorldStep::run(const StepSettings& settings)
{
    settings_ = settings;
    times_ = {};
    begun_ = retried_ = reported_ = false;
    if (!contacts.empty() && is_classical(settings.research.scheme)) {
        StepReport report;
        report.status = StepStatus::Refused;
        report.reason = "the classical methods support equality constraints only: no contacts";
        return report;
    }
    if (is_classical(settings.research.scheme) && has_commands_of_islands()) {
        StepReport report;
        report.status = StepStatus::Refused;
        report.reason =
            "the classical methods support no disabled bodies or joints, nor kinematic bodies that "
            "are commanded";
        return report;
    }
    update_contacts(settings.dt, {});
    former_.reset();
    if (islands.will_divide(step_model(), state_, settings))
        former_.emplace(state_.division, state_.last_step);
    islands.prepare(step_model(), state_, settings);
    if (contacts.empty()) {
        const StepReport report = islands.step(step_model(), state_, settings);
        if (report.status != StepStatus::Ok) abandon();
        reported_ = report.status == StepStatus::Ok;
        return report;
    }

    before_ = state_;
    begun_ = true;
    choose_parts();
    StepReport report;
    if (select_undivided()) {
        report = islands.step(step_model(), state_, settings, whole_);
        finish_undivided(report);
    }
    if (report.status == StepStatus::Ok && any_pending()) report = retry_groups();
    if (report.status != StepStatus::Ok) abandon();
    reported_ = report.status == StepStatus::Ok;
    report.times = times_;
    add_penetration(report);
    return report;
}

// What a world that is stepped as one does not know.
bool WorldStep::has_commands_of_islands() const noexcept
{
    return model_.any_disabled ||
           std::any_of(model_.body_details.begin(), model_.body_details.end(),
                       [](const BodyDetails& body) { return body.commanded; });
}

// Islands whose contacts close fast, or between bodies that spin, take the step in parts from the start: most of them would
// penetrate in the whole step and be taken back.
void WorldStep::choose_parts()
{
    open_outcomes();
    if (!is_guarded(settings_)) return;
    motion_.assign(outcomes_.size(), {});
    const auto found = contacts.contacts();
    for (std::size_t k = 0; k < found.size(); ++k) {
        const BodyIndex a(found[k].body_a), b(found[k].body_b);
        const int island = std::max(island_of(a), island_of(b));
        if (island < 0) continue;
        Motion& motion = motion_[island];
        ++motion.contacts;
        motion.bounces |= step_model().restitution(rows.contacts.groups[k]) > 0;
        motion.most = std::max(motion.most, contacts.motion_of(k, model_, state_, settings_.dt));
    }
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        const Motion& motion = motion_[i];
        if (motion.contacts < kRetry.fewest_contacts || motion.bounces) continue;
        int& parts = outcomes_[i].parts;
        const int most = std::min(kRetry.most_first_parts, most_parts());
        while (parts < most && motion.most > kRetry.motion * parts) parts *= 2;
        outcomes_[i].pending = parts > 1;
    }
}

bool WorldStep::any_pending() const noexcept
{
    return std::any_of(outcomes_.begin(), outcomes_.end(),
                       [](const Outcome& outcome) { return outcome.pending; });
}

bool WorldStep::select_undivided()
{
    whole_.of_body.clear();
    if (!any_pending()) return true;
    if (before_.division.islands.empty()) {
        state_.time += settings_.dt;
        return false;
    }
    whole_.of_body.assign(model_.bodies.size(), 0);
    for (const BodyIndex b : BodyRange(model_.bodies.size()))
        if (island_of(b) >= 0 && !outcomes_[island_of(b)].pending) whole_.of_body[b] = 1;
    return true;
}

void WorldStep::finish_undivided(const StepReport& report)
{
    add_times(report.times, times_);
    if (report.status != StepStatus::Ok) return;
    const bool divides = any_pending();
    const SearchScope scope =
        divides ? SearchScope{&whole_, &before_, 1, settings_.dt} : SearchScope{};
    if (divides || is_limited()) read_outcomes(report);
    const std::span<const BodyPair> pairs = find_new_penetration(scope, [&](BodyIndex b) {
        return island_of(b) >= 0 && may_retry(outcomes_[island_of(b)].report.solves);
    });
    if (!pairs.empty()) read_outcomes(report);
    join(pairs);
    contacts.remember(rows, state_, scope);
}

void WorldStep::update_contacts(Real dt, const SearchScope& scope,
                                std::span<const collision::ContactPoint> late)
{
    const Stopwatch watch(settings_.profile, times_.collision);
    contacts.update(model_, dt, state_, rows, scope, late);
}

template <class MayRetry>
std::span<const BodyPair> WorldStep::find_new_penetration(const SearchScope& scope,
                                                          MayRetry&& may_retry)
{
    const Stopwatch watch(settings_.profile, times_.collision);
    again_.clear();
    for (const contacts::Penetration& one : contacts.find_penetration(model_, state_, scope)) {
        bool retried = false;
        for (const BodyIndex b : one.bodies) {
            if (island_of(b) < 0) continue;
            Outcome& outcome = outcomes_[lowest_of(island_of(b))];
            if (is_limited() && one.is_new()) outcome.left = std::max(outcome.left, one.depth);
            retried = retried || may_retry(b);
        }
        const bool passes = one.passed || (one.share > kGuard.acceptance.tunnelling_depth &&
                                           one.grown > kRetry.held_growth);
        if (retried ? one.is_new() : passes) again_.push_back(one.bodies);
    }
    return again_;
}

// What penetrates at the end of the step.
void WorldStep::add_penetration(StepReport& report) const noexcept
{
    for (const Outcome& outcome : outcomes_) {
        if (outcome.left == 0) continue;
        report.residual_gap = std::max(report.residual_gap, outcome.left);
        report.settled = false;
        if (report.reason.empty())
            report.reason =
                "the maximum number of solves was reached: bodies were left in each other";
    }
}

void WorldStep::abandon()
{
    if (begun_) std::swap(state_, before_);
    begun_ = false;
    if (former_) {
        state_.division = std::move(former_->first);
        state_.last_step = former_->second;
    }
    former_.reset();
    forget();
}

void WorldStep::forget()
{
    reported_ = false;
    rows.drop_contacts();
    state_.lambda.resize(model_.rows.count);
    state_.stretch.resize(model_.rows.count);
    contacts.forget();
    islands.forget();
}

// --- what came of it ---

int WorldStep::reported_island(BodyIndex b) const noexcept
{
    if (!reported_ || !step_model().up_to_date() || !model_.bodies[b].dynamic()) return -1;
    const int island = islands.reported_island(state_, b);
    if (!retried_ || !islands.divided()) return island;
    const int before = island_of(b);
    if (before < 0) return -1;
    return outcomes_[lowest_of(before)].stepped ? lowest_of(before) : -1;
}

IslandReport WorldStep::summary_of(int island) const noexcept
{
    if (!reported_ || !step_model().up_to_date() || island < 0) return {};
    if (begun_ && island >= static_cast<int>(outcomes_.size())) return {};
    if (!retried_) {
        IslandReport report = islands.summary_of(island);
        if (begun_) report.settled = report.settled && outcomes_[island].left == 0;
        return report;
    }
    const Outcome& outcome = outcomes_[lowest_of(island)];
    return {outcome.report.settled && outcome.left == 0, outcome.exchange.work.total(),
            outcome.report.dissipation};
}

// --- groups ---

void WorldStep::open_outcomes()
{
    const bool whole = before_.division.islands.empty();
    outcomes_.assign(whole ? 1 : before_.division.islands.size(), {});
    for (std::size_t i = 0; i < outcomes_.size(); ++i) outcomes_[i].group = static_cast<int>(i);
}

// What came of the islands that were stepped.
void WorldStep::read_outcomes(const StepReport& whole_world)
{
    if (before_.division.islands.empty()) {
        outcomes_[0].report = whole_world;
        outcomes_[0].stepped = true;
        return;
    }
    for (const int i : islands.stepped()) {
        Outcome& outcome = outcomes_[i];
        outcome.report = islands.report_of(i);
        outcome.exchange = exchange_since(before_.division.islands[i], state_.division.islands[i]);
        outcome.stepped = true;
    }
}

int WorldStep::island_of(BodyIndex b) const noexcept
{
    TAUT_ASSERT(b >= 0 && static_cast<std::size_t>(b) < model_.bodies.size());
    if (!model_.bodies[b].dynamic()) return -1;
    return before_.division.islands.empty() ? 0 : before_.division.find(b);
}

int WorldStep::lowest_of(int island) const noexcept
{
    TAUT_ASSERT(island >= 0 && static_cast<std::size_t>(island) < outcomes_.size());
    while (outcomes_[island].group != island) island = outcomes_[island].group;
    return island;
}

bool WorldStep::join(std::span<const BodyPair> pairs)
{
    bool merged = false;
    for (const BodyPair& pair : pairs) {
        int group = -1;
        for (const BodyIndex b : pair) {
            if (island_of(b) < 0) continue;
            const int other = lowest_of(island_of(b));
            merged = merged || (group >= 0 && other != group);
            const int lowest = group < 0 ? other : std::min(group, other);
            if (group >= 0) {
                Outcome& absorbed = outcomes_[std::max(group, other)];
                outcomes_[lowest].parts = std::max(outcomes_[lowest].parts, absorbed.parts);
                outcomes_[lowest].pending = outcomes_[lowest].pending || absorbed.pending;
                absorbed.group = lowest;
            }
            group = lowest;
        }
        if (group >= 0) outcomes_[group].pending = true;
    }
    return merged;
}

void WorldStep::select(int lowest)
{
    selected_.of_body.assign(model_.bodies.size(), 0);
    for (const BodyIndex b : BodyRange(model_.bodies.size()))
        if (island_of(b) >= 0 && lowest_of(island_of(b)) == lowest) selected_.of_body[b] = 1;
}

// --- retries ---

// Groups one after the other, in the order of their lowest islands; one that absorbs another is retried again.
StepReport WorldStep::retry_groups()
{
    retried_ = true;
    end_ = state_;
    const Real end = state_.time;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        Outcome& outcome = outcomes_[i];
        if (outcome.group != static_cast<int>(i) || !outcome.pending) continue;
        const StepStatus status = retry(static_cast<int>(i));
        if (status == StepStatus::Ok) continue;
        StepReport report = outcomes_[lowest_of(static_cast<int>(i))].report;
        report.status = status;
        return report;
    }
    finish_kinematic_bodies();
    state_.time = end;
    state_.steps = before_.steps + 1;
    if (before_.division.islands.empty()) return outcomes_[0].report;
    ReportSum sum;
    for (const Outcome& outcome : outcomes_)
        if (outcome.stepped) sum.add(outcome.report);
    return sum.finish(step_model(), state_);
}

// Not Ok: the whole step fails.
StepStatus WorldStep::retry(int lowest)
{
    StepReport report;
    Ending ending = Ending::Merged;
    for (int starts = 0; ending == Ending::Merged; ++starts) {
        start_group(lowest, report);
        if (starts >= kRetry.restarts_before_search && meets_others()) {
            lowest = lowest_of(lowest);
            continue;
        }
        ending = may_retry(report.solves)
                     ? step_in_parts(std::max(2, outcomes_[lowest].parts), report)
                     : step_part({0, kRetry.most_parts, false}, Treatment::Hold, report);
        lowest = lowest_of(lowest);
    }
    Outcome& outcome = outcomes_[lowest];
    outcome.exchange = exchange_since(others_, state_.last_step);
    outcome.pending = false;
    outcome.stepped = true;
    outcome.report = report;
    if (ending == Ending::Done) return StepStatus::Ok;
    if (report.status == StepStatus::Refused) return StepStatus::Refused;
    if (is_all_that_moves(lowest)) return StepStatus::Diverged;
    // the group is frozen where it was
    select(lowest);
    rewind_selected(lowest);
    outcome.stepped = false;
    outcome.exchange = {};
    for (const BodyIndex b : BodyRange(model_.bodies.size()))
        if (selected_.has(b)) state_.division.islands[state_.division.find(b)].freeze();
    const SearchScope scope{&selected_, &before_, 1, settings_.dt};
    update_contacts(settings_.dt, scope);  // it has none any more
    contacts.remember(rows, state_, scope);
    return StepStatus::Ok;
}

bool WorldStep::meets_others()
{
    update_contacts(settings_.dt, {&selected_, &before_, 0, settings_.dt});
    return join(contacts.encounters());
}

// Back to the start of the step; `report` keeps the number of solves of all attempts.
void WorldStep::start_group(int lowest, StepReport& report)
{
    int spent = report.solves;
    for (Outcome& outcome : outcomes_) {
        if (!outcome.stepped || lowest_of(static_cast<int>(&outcome - outcomes_.data())) != lowest)
            continue;
        // each of them has had a budget of its own
        const int before = is_limited() ? 0 : report.solves;
        spent = std::max(spent, before + outcome.report.solves);
        outcome.stepped = false;
    }
    select(lowest);
    forget_penetration();
    late_.clear();
    rewind_selected(lowest);
    others_ = state_.last_step;
    report = {};
    report.solves = spent;
}

void WorldStep::forget_penetration() noexcept
{
    for (const BodyIndex b : BodyRange(model_.bodies.size())) {
        if (island_of(b) < 0 || !selected_.has(b)) continue;
        outcomes_[lowest_of(island_of(b))].left = 0;
    }
}

WorldStep::Ending WorldStep::step_in_parts(int parts, StepReport& report)
{
    Ending ending = Ending::Done;
    const int longest = kRetry.most_parts / parts;
    const int shortest = std::min(longest, kRetry.most_parts / most_parts());
    int length = longest;
    for (int at = 0; at < kRetry.most_parts && ending == Ending::Done;) {
        const bool may_halve = length > shortest;
        part_start_ = state_;
        ending = step_part({at, length, may_halve}, Treatment::Solve, report);
        if (ending == Ending::Penetrates) {
            state_ = part_start_;
            ContactSet::resize_multipliers(rows, state_);
            if (may_halve && may_retry(report.solves)) {
                const bool knew_them = !late_.empty() || contacts.late().empty();
                late_.clear();
                if (knew_them)
                    length /= 2;
                else  // at the same length, with the contacts that it ended with
                    late_.assign(contacts.late().begin(), contacts.late().end());
                ending = Ending::Done;
                continue;
            }
            late_.clear();
            ending = step_part({at, length, false}, Treatment::Hold, report);
        }
        late_.clear();
        at += length;
        while (length < longest && at % (2 * length) == 0) length *= 2;
    }
    return ending;
}

// The selected bodies from `at` on, in units of the shortest part.
WorldStep::Ending WorldStep::step_part(const Part& of_step, Treatment treatment, StepReport& report)
{
    constexpr Real kUnits = kRetry.most_parts;
    TAUT_ASSERT(of_step.at >= 0 && of_step.length > 0 &&
                of_step.at + of_step.length <= kRetry.most_parts);
    const int end = of_step.at + of_step.length;
    StepSettings part = settings_;
    part.dt = settings_.dt * (of_step.length / kUnits);
    if (is_guarded(settings_))
        part.max_solves =
            solves_per_part(report.solves, (kRetry.most_parts - of_step.at) / of_step.length);
    SearchScope scope{&selected_, &before_, of_step.at / kUnits, settings_.dt};
    update_contacts(part.dt, scope, late_);
    if (join(contacts.encounters())) return Ending::Merged;
    islands.prepare(step_model(), state_, part, selected_);
    const StepReport one = treatment == Treatment::Hold
                               ? hold(part.dt)
                               : islands.step(step_model(), state_, part, selected_);
    add_times(one.times, times_);
    const bool done = one.status == StepStatus::Ok && !any_frozen();
    if (done && (treatment == Treatment::Solve || is_limited())) {
        scope.fraction = end / kUnits;
        forget_penetration();
        const bool may_retry_part = of_step.may_halve && may_retry(report.solves + one.solves);
        const std::span<const BodyPair> pairs =
            find_new_penetration(scope, [&](BodyIndex) { return may_retry_part; });
        if (treatment == Treatment::Solve && join(pairs)) return Ending::Merged;
        if (treatment == Treatment::Solve && !pairs.empty() &&
            !is_accepted(scope, report.solves + one.solves)) {
            report.solves += one.solves;
            return Ending::Penetrates;
        }
    }
    report = followed_by(report, one);
    contacts.remember(rows, state_, scope);
    return done ? Ending::Done : Ending::Failed;
}

bool WorldStep::is_accepted(const SearchScope& scope, int spent) const noexcept
{
    if (is_limited()) return false;
    int anew = 0, all = 0;
    for (const contacts::Penetration& one : contacts.penetration()) {
        if (one.passed ||
            (one.share > kGuard.acceptance.tunnelling_depth && one.grown > kRetry.held_growth))
            return false;
        if (!one.is_new()) continue;
        if (one.share > kRetry.accepted_depth) return false;
        ++anew;
    }
    if (spent > kRetry.usual_solves) return true;
    if (late_.empty()) return false;
    for (const collision::ContactPoint& c : contacts.contacts()) all += scope.is_active(c) ? 1 : 0;
    return anew <= kRetry.accepted_share * all;
}

// The selected bodies stay where they are, at half their velocities; kinematic bodies go on.
StepReport WorldStep::hold(Real dt)
{
    StepReport report;
    report.settled = false;
    report.reason = is_limited()
                        ? "the maximum number of solves was reached: bodies that would have passed "
                          "into each other were held where they were"
                        : "bodies would have passed through each other in the shortest part of the "
                          "step: they were held where they were";
    const Real before = read_energy(model_, state_).total();
    for (const BodyIndex b : BodyRange(model_.bodies.size())) {
        if (model_.bodies[b].kind == BodyKind::Kinematic)
            apply_kinematic_motion(model_, b, state_.time + dt, state_);
        if (!model_.bodies[b].dynamic() || !selected_.has(b)) continue;
        state_.v[b] /= 2;
        state_.w[b] /= 2;
        StepMemory& memory = state_.division.islands.empty()
                                 ? state_.last_step
                                 : state_.division.islands[state_.division.find(b)];
        memory.h = 0;  // a two-step scheme has no history across a jump of velocities
        memory.power = {};
    }
    state_.time += dt;
    ++state_.steps;
    report.energy_change = read_energy(model_, state_).total() - before;
    report.dissipation.numerical = -report.energy_change;
    state_.last_step.dissipation.numerical -= report.energy_change;
    return report;
}

// --- the budget ---

// Into how many parts max_solves allows a step to be divided.
int WorldStep::most_parts() const noexcept
{
    if (!is_limited()) return kRetry.most_parts;
    int parts = 1;
    while (parts < kRetry.most_parts &&
           2 * parts * kRetry.solves_worth_a_part <= settings_.max_solves)
        parts *= 2;
    return parts;
}

bool WorldStep::is_limited() const noexcept
{
    return settings_.max_solves > 0 && is_guarded(settings_);
}

bool WorldStep::may_retry(int spent) const noexcept
{
    return !is_limited() || (most_parts() > 1 && spent < settings_.max_solves);
}

// Where the user sets no maximum no body is to pass through another because solves are used up.
int WorldStep::solves_per_part(int spent, int parts) const noexcept
{
    if (is_limited()) return std::max(1, (settings_.max_solves - spent) / parts);
    return std::max(kRetry.fewest_solves_per_part, (kRetry.solves - spent) / parts);
}

bool WorldStep::any_frozen() const noexcept
{
    for (const BodyIndex b : BodyRange(model_.bodies.size()))
        if (selected_.has(b) && state_.division.is_frozen(b)) return true;
    return false;
}

bool WorldStep::is_all_that_moves(int lowest) noexcept
{
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        const bool frozen =
            !before_.division.islands.empty() && before_.division.islands[i].frozen != 0;
        if (!frozen && lowest_of(static_cast<int>(i)) != lowest) return false;
    }
    return true;
}

// The selected bodies, and kinematic ones, go back to the start of the step.
void WorldStep::rewind_selected(int lowest)
{
    TAUT_ASSERT(begun_ && before_.p.size() == model_.bodies.size());
    TAUT_ASSERT(selected_.of_body.size() == model_.bodies.size());
    if (before_.division.islands.empty()) {
        state_ = before_;
        ContactSet::resize_multipliers(rows, state_);
        return;
    }
    for (const BodyIndex b : BodyRange(model_.bodies.size()))
        if (selected_.has(b) || model_.bodies[b].kind == BodyKind::Kinematic)
            copy_body(before_, b, state_, b);
    for (int j = 0; j < model_.rows.joints; ++j)
        if (any_selected(selected_, model_.rows.bodies(model_.rows.groups[j])))
            copy_joint(model_, j, before_, state_);
    for (const SpringModel& spring : model_.springs)
        if (spring.kind == SpringDef::Kind::Torsional && any_selected(selected_, spring.bodies))
            state_.memory[spring.first_memory] = before_.memory[spring.first_memory];
    state_.time = before_.time;
    state_.steps = before_.steps;
    state_.last_step = before_.last_step;
    for (std::size_t i = 0; i < outcomes_.size(); ++i)
        if (lowest_of(static_cast<int>(i)) != lowest)
            add_exchange(outcomes_[i].exchange, state_.last_step);
        else
            outcomes_[i].exchange = {};
    rewind_division();
    contacts.rewind(before_, selected_, state_);
    ContactSet::resize_multipliers(rows, state_);
}

// Islands of the selected bodies as the step began, all others as they are.
void WorldStep::rewind_division()
{
    const Division &now = state_.division, &before = before_.division;
    std::vector<int> from_now(now.islands.size(), -1), from_before(before.islands.size(), -1);
    Division next;
    next.island_of.assign(model_.bodies.size(), -1);
    for (const BodyIndex b : BodyRange(model_.bodies.size())) {
        const Division& from = selected_.has(b) ? before : now;
        const int island = from.find(b);
        if (island < 0) continue;
        int& number = (selected_.has(b) ? from_before : from_now)[island];
        if (number < 0) {
            number = static_cast<int>(next.islands.size());
            next.islands.push_back(from.islands[island]);
        }
        next.island_of[b] = number;
    }
    state_.division = std::move(next);
}

// As the step without retries left them, whichever groups were retried.
void WorldStep::finish_kinematic_bodies() noexcept
{
    for (const BodyIndex b : BodyRange(model_.bodies.size()))
        if (model_.bodies[b].kind == BodyKind::Kinematic) copy_body(end_, b, state_, b);
}

}  // namespace taut::world
