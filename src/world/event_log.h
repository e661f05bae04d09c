// Events: what differs between two states that steps have accepted.
//
// Nothing is recorded while a step runs, so sub-steps and retries leave no trace. What touches, what is at its limit, broken
// or asleep, is read off the state at the end of the step, and compared with what was reported last. A snapshot
// therefore needs no room for events: a restored state tells the same.
#pragma once

#include <span>
#include <vector>

#include <taut/events.h>
#include <taut/report.h>

#include "contacts/contact_set.h"
#include "world/id_table.h"
#include "world/queries.h"

namespace taut::world {

// Colliders and their bodies.
struct TouchingPair {
    int place_a = 0, place_b = 0;  // of the colliders
    ColliderId collider_a, collider_b;
    BodyId a, b;
    int first_point = 0, point_count = 0;
};

// A joint or body.
template <class IdType>
struct Observed {
    int place = 0;
    IdType id;
};

// What is so in a state, each list in the order of places. Ids outlive what they stand for.
struct Observation {
    std::vector<TouchingPair> contacts, sensors;
    std::vector<Observed<JointId>> broken, at_limit;
    std::vector<Observed<BodyId>> asleep;

    void clear() noexcept;
};

class EventLog {
public:
    // Both outlive it.
    EventLog(const ContactSet& contacts, const IdTables& ids) noexcept
        : contacts_(contacts), ids_(ids)
    {}

    // The points of the contacts that the state remembers.
    void read_contacts(const State& state);
    // Lists what differs from the last call. `queries` must be up to date where there are sensors.
    void observe(const Model& model, const State& state, const Queries& queries);
    // Nothing happened, as in a step that was refused.
    void clear() noexcept
    {
        events_.clear();
        points_.clear();
    }
    // Items were removed: per place the new one, −1 where the item is gone. What they took part in ends with the next
    // observation, under the ids that they had.
    void renumber(const std::vector<int>& bodies, const std::vector<int>& joints,
                  const std::vector<int>& colliders);

    std::span<const Event> events() const noexcept { return events_; }
    std::span<const ContactReading> points() const noexcept { return points_; }

    void set_filter(ContactFilter filter, void* user) noexcept { filter_ = filter, user_ = user; }
    bool has_sensors() const noexcept;

    // The filter of the user, in the terms of the search for contacts.
    collision::PairFilter pair_filter() const noexcept
    {
        return filter_ ? collision::PairFilter{&accept, this} : collision::PairFilter{};
    }

private:
    static bool accept(const void* log, int a, int b) noexcept;
    BodyId body_of(int collider) const noexcept
    {
        return ids_.of_body(BodyIndex(contacts_.colliders()[collider].body));
    }
    TouchingPair pair_of(int collider_a, int collider_b) const noexcept;
    void observe_contacts(const State& state);
    void observe_sensors(const Model& model, const Queries& queries);
    void observe_joints(const Model& model, const State& state);
    void observe_bodies(const Model& model, const State& state);
    void compare_all();
    void compare_pairs(std::span<const TouchingPair> before, std::span<const TouchingPair> now,
                       EventType begin);
    void append_removed(EventType first, EventType last);

    const ContactSet& contacts_;
    const IdTables& ids_;
    std::vector<Event> events_;
    std::vector<ContactReading> points_;
    Observation last_, now_;
    std::vector<Event> removed_;  // ends of what was removed since the last observation
    ContactFilter filter_ = nullptr;
    void* user_ = nullptr;
};

}  // namespace taut::world
