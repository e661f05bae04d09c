// What began, went on and ended in a step: World::events(). docs/queries-and-events.md says what each means.
#pragma once

#include <cstdint>
#include <string_view>

#include <taut/ids.h>

namespace taut {

enum class EventType : std::uint8_t {
    ContactBegin,    // two colliders press on each other that did not at the end of the step before
    ContactPersist,  // … and did
    ContactEnd,      // … they did, and do no longer
    SensorBegin,     // a collider overlaps a sensor
    SensorPersist,
    SensorEnd,
    JointBroke,
    LimitReached,  // a stop acts, or a rope became taut
    LimitLeft,
    BodyAsleep,
    BodyAwake,
};

struct Event {
    EventType type = EventType::ContactBegin;
    // Of contacts and sensors; a is the body of collider_a. Events of one body: a.
    BodyId a, b;
    // collider_a is the sensor; of contacts the one that was added first. Ids of what was removed since the last step are stale.
    ColliderId collider_a, collider_b;
    JointId joint;
    // Contacts that began or persist: their points are contact_points()[first_point …], point_count of them.
    int first_point = 0, point_count = 0;
};

// "contact_begin" and the like.
std::string_view name(EventType type) noexcept;

// Two colliders may have contacts, or overlap as sensor and visitor, only if it says so. Called on the thread that steps, in
// the order of pairs, once or more in a step: the answer must not change within a step, and what it depends on is part
// of what a restored step repeats. `a` and `b` are the bodies of the colliders.
using ContactFilter = bool (*)(void* user, ColliderId collider_a, BodyId a, ColliderId collider_b,
                               BodyId b) noexcept;

}  // namespace taut
