#include "world/event_log.h"

#include <algorithm>
#include <utility>

namespace taut::world {
namespace {

auto order_of(const TouchingPair& pair) noexcept { return std::pair(pair.place_a, pair.place_b); }

template <class IdType>
int order_of(const Observed<IdType>& item) noexcept
{
    return item.place;
}

template <class Item>
bool comes_before(const Item& x, const Item& y) noexcept
{
    return order_of(x) < order_of(y);
}

bool same_colliders(const ContactReading& point, const TouchingPair& pair) noexcept
{
    return point.collider_a == pair.collider_a && point.collider_b == pair.collider_b;
}

Event event_of(EventType type, const TouchingPair& pair) noexcept
{
    return {type,      pair.a,           pair.b,          pair.collider_a, pair.collider_b,
            JointId{}, pair.first_point, pair.point_count};
}

Event event_of(EventType type, const Observed<JointId>& joint) noexcept
{
    Event event;
    event.type = type;
    event.joint = joint.id;
    return event;
}

Event event_of(EventType type, const Observed<BodyId>& body) noexcept
{
    Event event;
    event.type = type;
    event.a = body.id;
    return event;
}

// Takes out what is gone; end(item) is called for it.
template <class IdType, class End>
void renumber_items(std::vector<Observed<IdType>>& items, const std::vector<int>& now, End&& end)
{
    std::erase_if(items, [&](Observed<IdType>& item) {
        item.place = now[item.place];
        if (item.place < 0) end(item);
        return item.place < 0;
    });
}

template <class End>
void renumber_pairs(std::vector<TouchingPair>& pairs, const std::vector<int>& now, End&& end)
{
    std::erase_if(pairs, [&](TouchingPair& pair) {
        pair.place_a = now[pair.place_a], pair.place_b = now[pair.place_b];
        const bool gone = pair.place_a < 0 || pair.place_b < 0;
        if (gone) end(pair);
        return gone;
    });
}

// Two lists in order, side by side: begin(now), persist(now) or end(before).
template <class Item, class Begin, class Persist, class End>
void compare(std::span<const Item> before, std::span<const Item> now, Begin&& begin,
             Persist&& persist, End&& end)
{
    std::size_t i = 0, j = 0;
    while (i < before.size() || j < now.size()) {
        if (j == now.size() || (i < before.size() && comes_before(before[i], now[j])))
            end(before[i++]);
        else if (i == before.size() || comes_before(now[j], before[i]))
            begin(now[j++]);
        else
            ++i, persist(now[j++]);
    }
}

EventType next(EventType type, int by) noexcept
{
    return static_cast<EventType>(static_cast<int>(type) + by);
}

bool groups_agree(const collision::Collider& a, const collision::Collider& b) noexcept
{
    return (a.groups & b.collides_with) != 0 && (b.groups & a.collides_with) != 0;
}

}  // namespace

void Observation::clear() noexcept
{
    contacts.clear();
    sensors.clear();
    broken.clear();
    at_limit.clear();
    asleep.clear();
}

bool EventLog::accept(const void* log, int a, int b) noexcept
{
    const EventLog& self = *static_cast<const EventLog*>(log);
    return self.filter_(self.user_, self.ids_.colliders.id_at(a), self.body_of(a),
                        self.ids_.colliders.id_at(b), self.body_of(b));
}

bool EventLog::has_sensors() const noexcept
{
    const auto colliders = contacts_.colliders();
    return std::any_of(colliders.begin(), colliders.end(),
                       [](const collision::Collider& c) { return c.sensor; });
}

TouchingPair EventLog::pair_of(int collider_a, int collider_b) const noexcept
{
    return {collider_a,
            collider_b,
            ids_.colliders.id_at(collider_a),
            ids_.colliders.id_at(collider_b),
            body_of(collider_a),
            body_of(collider_b)};
}

void EventLog::read_contacts(const State& state)
{
    points_.clear();
    const auto colliders = contacts_.colliders();
    for (const ContactMemory& c : state.contacts) {
        const TouchingPair pair = pair_of(c.collider_a, c.collider_b);
        const BodyIndex b(colliders[c.collider_b].body);
        points_.push_back({pair.a, pair.b, state.p[b] + state.q[b] * c.p_b, c.normal, c.force,
                           c.torque, c.gap, pair.collider_a, pair.collider_b,
                           state.clock.dt * c.force});
    }
}

void EventLog::renumber(const std::vector<int>& bodies, const std::vector<int>& joints,
                        const std::vector<int>& colliders)
{
    events_.clear();
    const auto end_as = [&](EventType type) {
        return [this, type](const auto& item) {
            Event event = event_of(type, item);
            event.first_point = event.point_count = 0;
            removed_.push_back(event);
        };
    };
    renumber_pairs(last_.contacts, colliders, end_as(EventType::ContactEnd));
    renumber_pairs(last_.sensors, colliders, end_as(EventType::SensorEnd));
    renumber_items(last_.broken, joints, [](const auto&) {});
    renumber_items(last_.at_limit, joints, end_as(EventType::LimitLeft));
    renumber_items(last_.asleep, bodies, end_as(EventType::BodyAwake));
    std::erase_if(points_, [&](const ContactReading& point) {
        return ids_.colliders.find(point.collider_a) < 0 ||
               ids_.colliders.find(point.collider_b) < 0;
    });
}

void EventLog::observe(const Model& model, const State& state, const Queries& queries)
{
    events_.clear();
    now_.clear();
    observe_contacts(state);
    observe_sensors(model, queries);
    observe_joints(model, state);
    observe_bodies(model, state);
    compare_all();
    std::swap(last_, now_);
}

// Of kinds from `first` to `last`.
void EventLog::append_removed(EventType first, EventType last)
{
    for (const Event& event : removed_)
        if (event.type >= first && event.type <= last) events_.push_back(event);
}

void EventLog::compare_all()
{
    const auto add = [&](EventType type) {
        return [this, type](const auto& item) { events_.push_back(event_of(type, item)); };
    };
    const auto nothing = [](const auto&) {};
    append_removed(EventType::ContactBegin, EventType::ContactEnd);
    compare_pairs(last_.contacts, now_.contacts, EventType::ContactBegin);
    append_removed(EventType::SensorBegin, EventType::SensorEnd);
    compare_pairs(last_.sensors, now_.sensors, EventType::SensorBegin);
    compare<Observed<JointId>>(last_.broken, now_.broken, add(EventType::JointBroke), nothing,
                               nothing);
    append_removed(EventType::LimitReached, EventType::LimitLeft);
    compare<Observed<JointId>>(last_.at_limit, now_.at_limit, add(EventType::LimitReached), nothing,
                               add(EventType::LimitLeft));
    append_removed(EventType::BodyAsleep, EventType::BodyAwake);
    compare<Observed<BodyId>>(last_.asleep, now_.asleep, add(EventType::BodyAsleep), nothing,
                              add(EventType::BodyAwake));
    removed_.clear();
}

// Pairs that press on each other, and where their points are, which are in the order of the state's contacts.
void EventLog::observe_contacts(const State& state)
{
    for (std::size_t k = 0; k < points_.size();) {
        const ContactMemory& c = state.contacts[k];
        TouchingPair pair = pair_of(c.collider_a, c.collider_b);
        pair.first_point = static_cast<int>(k);
        bool carries_force = false;
        for (; k < points_.size() && same_colliders(points_[k], pair); ++k) {
            carries_force = carries_force || !points_[k].force.isZero(0);
            ++pair.point_count;
        }
        if (carries_force) now_.contacts.push_back(pair);
    }
}

void EventLog::observe_sensors(const Model& model, const Queries& queries)
{
    const auto colliders = contacts_.colliders();
    const collision::PairFilter filter = pair_filter();
    for (int sensor = 0; sensor < static_cast<int>(colliders.size()); ++sensor) {
        const collision::Collider& own = colliders[sensor];
        if (!own.sensor) continue;
        queries.visit_overlap_candidates(sensor, [&](int other) {
            const collision::Collider& c = colliders[other];
            const bool both_fixed = model.bodies[own.body].kind == BodyKind::Fixed &&
                                    model.bodies[c.body].kind == BodyKind::Fixed;
            if (c.sensor || c.body == own.body || both_fixed || !groups_agree(own, c)) return;
            if (!filter.accepts(std::min(sensor, other), std::max(sensor, other))) return;
            if (!queries.overlaps(sensor, other)) return;
            now_.sensors.push_back(pair_of(sensor, other));
        });
    }
    std::sort(now_.sensors.begin(), now_.sensors.end(), comes_before<TouchingPair>);
}

void EventLog::observe_joints(const Model& model, const State& state)
{
    for (int j = 0; j < model.rows.joints; ++j) {
        if (state.broken[j] != 0) now_.broken.push_back({j, ids_.joints.id_at(j)});
        const ConstraintRows& rows = model.rows.groups[j];
        if (rows.law != RowLaw::NonNegative || state.broken[j] != 0) continue;
        const auto first = state.lambda.begin() + rows.first_row;
        if (std::any_of(first, first + rows.rows, [](Real lambda) { return lambda > 0; }))
            now_.at_limit.push_back({j, ids_.joints.id_at(j)});
    }
}

void EventLog::observe_bodies(const Model& model, const State& state)
{
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        const int island = state.division.find(b);
        if (island >= 0 && state.division.islands[island].asleep != 0)
            now_.asleep.push_back({b - 1, ids_.of_body(b)});
    }
}

void EventLog::compare_pairs(std::span<const TouchingPair> before,
                             std::span<const TouchingPair> now, EventType begin)
{
    const auto add = [&](EventType type) {
        return [this, type](const TouchingPair& pair) { events_.push_back(event_of(type, pair)); };
    };
    const auto end = [&](TouchingPair pair) {
        pair.first_point = pair.point_count = 0;
        events_.push_back(event_of(next(begin, 2), pair));
    };
    compare(before, now, add(begin), add(next(begin, 1)), end);
}

}  // namespace taut::world

namespace taut {

std::string_view name(EventType type) noexcept
{
    switch (type) {
        case EventType::ContactBegin: return "contact_begin";
        case EventType::ContactPersist: return "contact_persist";
        case EventType::ContactEnd: return "contact_end";
        case EventType::SensorBegin: return "sensor_begin";
        case EventType::SensorPersist: return "sensor_persist";
        case EventType::SensorEnd: return "sensor_end";
        case EventType::JointBroke: return "joint_broke";
        case EventType::LimitReached: return "limit_reached";
        case EventType::LimitLeft: return "limit_left";
        case EventType::BodyAsleep: return "body_asleep";
        case EventType::BodyAwake: return "body_awake";
    }
    return {};
}

}  // namespace taut
