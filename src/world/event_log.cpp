#include "world/event_log.h"

#include <algorithm>
#include <utility>

#include "world/item_ids.h"

namespace taut::world {
namespace {

auto order_of(const TouchingPair& pair) noexcept
{
    return std::pair(pair.collider_a.index, pair.collider_b.index);
}

template <class Tag>
int order_of(Id<Tag> id) noexcept
{
    return id.index;
}

template <class Item>
bool comes_before(const Item& x, const Item& y) noexcept
{
    return order_of(x) < order_of(y);
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
    return self.filter_(self.user_, collider_id(a), self.body_of(a), collider_id(b),
                        self.body_of(b));
}

bool EventLog::has_sensors() const noexcept
{
    const auto colliders = contacts_.colliders();
    return std::any_of(colliders.begin(), colliders.end(),
                       [](const collision::Collider& c) { return c.sensor; });
}

void EventLog::read_contacts(const State& state, std::span<const collision::ContactPoint> found,
                             Real dt)
{
    points_.clear();
    for (std::size_t k = 0; k < found.size() && k < state.contacts.size(); ++k) {
        const collision::ContactPoint& c = found[k];
        const Vec3& force = state.contacts[k].force;
        points_.push_back({id_of(BodyIndex(c.body_a)), id_of(BodyIndex(c.body_b)),
                           state.p[c.body_b] + state.q[c.body_b] * c.p_b, c.normal, force,
                           state.contacts[k].torque, c.gap, collider_id(c.collider_a),
                           collider_id(c.collider_b), dt * force});
    }
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

void EventLog::compare_all()
{
    compare_pairs(last_.contacts, now_.contacts, EventType::ContactBegin);
    compare_pairs(last_.sensors, now_.sensors, EventType::SensorBegin);
    const auto of_joint = [&](EventType type) {
        return [this, type](JointId id) {
            Event event;
            event.type = type;
            event.joint = id;
            events_.push_back(event);
        };
    };
    const auto of_body = [&](EventType type) {
        return [this, type](BodyId id) {
            Event event;
            event.type = type;
            event.a = id;
            events_.push_back(event);
        };
    };
    const auto nothing = [](auto) {};
    compare<JointId>(last_.broken, now_.broken, of_joint(EventType::JointBroke), nothing, nothing);
    compare<JointId>(last_.at_limit, now_.at_limit, of_joint(EventType::LimitReached), nothing,
                     of_joint(EventType::LimitLeft));
    compare<BodyId>(last_.asleep, now_.asleep, of_body(EventType::BodyAsleep), nothing,
                    of_body(EventType::BodyAwake));
}

// Pairs that press on each other, and where their points are.
void EventLog::observe_contacts(const State& state)
{
    const auto order_of_point = [](const ContactReading& point) {
        return std::pair(point.collider_a.index, point.collider_b.index);
    };
    for (const ContactMemory& c : state.contacts) {
        if (c.force.isZero(0)) continue;
        const TouchingPair pair{collider_id(c.collider_a), collider_id(c.collider_b),
                                body_of(c.collider_a), body_of(c.collider_b)};
        if (now_.contacts.empty() || order_of(now_.contacts.back()) != order_of(pair))
            now_.contacts.push_back(pair);
    }
    std::sort(now_.contacts.begin(), now_.contacts.end(), comes_before<TouchingPair>);
    std::size_t k = 0;
    for (TouchingPair& pair : now_.contacts) {
        while (k < points_.size() && order_of_point(points_[k]) < order_of(pair)) ++k;
        pair.first_point = static_cast<int>(k);
        for (; k < points_.size() && order_of_point(points_[k]) == order_of(pair); ++k)
            ++pair.point_count;
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
            now_.sensors.push_back(
                {collider_id(sensor), collider_id(other), body_of(sensor), body_of(other)});
        });
    }
    std::sort(now_.sensors.begin(), now_.sensors.end(), comes_before<TouchingPair>);
}

void EventLog::observe_joints(const Model& model, const State& state)
{
    for (int j = 0; j < model.rows.joints; ++j) {
        if (state.broken[j] != 0) now_.broken.push_back(joint_id(j));
        const ConstraintRows& rows = model.rows.groups[j];
        if (rows.law != RowLaw::NonNegative || state.broken[j] != 0) continue;
        const auto first = state.lambda.begin() + rows.first_row;
        if (std::any_of(first, first + rows.rows, [](Real lambda) { return lambda > 0; }))
            now_.at_limit.push_back(joint_id(j));
    }
}

void EventLog::observe_bodies(const Model& model, const State& state)
{
    for (const BodyIndex b : BodyRange(model.bodies.size())) {
        const int island = state.division.find(b);
        if (island >= 0 && state.division.islands[island].asleep != 0)
            now_.asleep.push_back(id_of(b));
    }
}

void EventLog::compare_pairs(std::span<const TouchingPair> before,
                             std::span<const TouchingPair> now, EventType begin)
{
    const auto add = [&](EventType type) {
        return [this, type](const TouchingPair& pair) {
            const bool ended = type == EventType::ContactEnd;
            events_.push_back({type, pair.a, pair.b, pair.collider_a, pair.collider_b, JointId{},
                               ended ? 0 : pair.first_point, ended ? 0 : pair.point_count});
        };
    };
    compare(before, now, add(begin), add(next(begin, 1)), add(next(begin, 2)));
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
