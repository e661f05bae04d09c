// Edits and commands of a running world against queries, events, sensors, surfaces of pairs and user data.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr StepSettings kStep{.dt = 1.0 / 60};

using Key = std::array<std::int64_t, 4>;  // two colliders with their generations

Key key_of(const Event& e)
{
    return {e.collider_a.index, e.collider_a.generation, e.collider_b.index,
            e.collider_b.generation};
}

// What a listener holds that knows nothing but events.
struct Listener {
    std::set<Key> contacts, sensors;

    void hear(const World& world)
    {
        for (const Event& e : world.events()) {
            switch (e.type) {
                case EventType::ContactBegin: EXPECT_TRUE(contacts.insert(key_of(e)).second); break;
                case EventType::ContactPersist: EXPECT_TRUE(contacts.count(key_of(e))); break;
                case EventType::ContactEnd: EXPECT_EQ(contacts.erase(key_of(e)), 1u); break;
                case EventType::SensorBegin: EXPECT_TRUE(sensors.insert(key_of(e)).second); break;
                case EventType::SensorPersist: EXPECT_TRUE(sensors.count(key_of(e))); break;
                case EventType::SensorEnd: EXPECT_EQ(sensors.erase(key_of(e)), 1u); break;
                default: break;
            }
            const bool ends = e.type == EventType::ContactEnd || e.type == EventType::SensorEnd;
            if (ends) continue;
            EXPECT_TRUE(world.contains(e.collider_a) && world.contains(e.collider_b));
            EXPECT_EQ(world.body(e.collider_a), e.a);
            EXPECT_EQ(world.body(e.collider_b), e.b);
        }
    }
};

std::set<Key> pressing(const World& world)
{
    std::set<Key> out;
    for (const ContactReading& c : world.contact_points())
        if (c.force.norm() > 0)
            out.insert({c.collider_a.index, c.collider_a.generation, c.collider_b.index,
                        c.collider_b.generation});
    return out;
}

// A row of cubes on a floor, with a sensor around each second place.
struct Row {
    World world;
    std::vector<BodyId> bodies;
    std::vector<ColliderId> colliders, sensors;
    ColliderId floor;

    void add_cube(Real x)
    {
        BodyDef def;
        def.inertia = Mat3::Identity() / 24;  // of an edge of 0.5 m
        def.pose.p = {x, 0, 0.25};
        def.user_data = 100 + static_cast<std::uint64_t>(bodies.size());
        bodies.push_back(must(world.add_body(def)));
        colliders.push_back(must(world.add_collider(
            bodies.back(), {.shape = Shape::box(Vec3::Constant(0.5)),
                            .user_data = 200 + static_cast<std::uint64_t>(colliders.size())})));
    }
    void add_sensor(Real x)
    {
        sensors.push_back(must(world.add_collider(
            kWorld, {.shape = Shape::box(Vec3::Constant(0.4)),
                     .pose = {{x, 0, 0.3}, Quat::Identity()},
                     .sensor = true,
                     .user_data = 300 + static_cast<std::uint64_t>(sensors.size())})));
    }
    explicit Row(int count)
    {
        floor = must(world.add_collider(kWorld, {.shape = Shape::plane()}));
        for (int k = 0; k < count; ++k) {
            add_cube(k);
            if (k % 2 == 0) add_sensor(k);
        }
    }
    void run(int steps, Listener& listener)
    {
        for (int i = 0; i < steps; ++i) {
            ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
            listener.hear(world);
            ASSERT_EQ(listener.contacts, pressing(world)) << "step " << i;
        }
    }
};

TEST(RemovalEvents, WhatIsRemovedEndsOnceUnderTheIdsThatItHad)
{
    Row row(6);
    World& world = row.world;
    Listener listener;
    row.run(10, listener);
    ASSERT_EQ(listener.contacts.size(), 6u);
    ASSERT_EQ(listener.sensors.size(), 3u);

    // the body in the middle, in contact and in a sensor; the collider of another; a sensor with a cube in it
    const auto points = world.contact_points().size();
    must(world.remove(row.bodies[2]));
    EXPECT_TRUE(world.events().empty());
    EXPECT_LT(world.contact_points().size(), points);
    for (const ContactReading& c : world.contact_points()) {
        EXPECT_TRUE(world.contains(c.collider_a) && world.contains(c.collider_b));
        EXPECT_TRUE(c.b == kWorld || c.a == kWorld);
    }
    ASSERT_TRUE(world.remove(row.colliders[3]).ok());
    ASSERT_TRUE(world.remove(row.sensors[2]).ok());
    // their slots are taken at once: the ends that are to come are not those of the new cube
    row.add_cube(2);
    EXPECT_EQ(row.bodies.back().index, row.bodies[2].index);
    row.run(1, listener);
    std::map<EventType, int> count;
    for (const Event& e : world.events()) {
        ++count[e.type];
        if (e.type == EventType::ContactEnd) {
            EXPECT_EQ(e.collider_a, row.floor);
            EXPECT_TRUE(e.collider_b == row.colliders[2] || e.collider_b == row.colliders[3]);
            EXPECT_EQ(e.point_count, 0);
            EXPECT_FALSE(world.contains(e.collider_b));
            EXPECT_THROW((void)world.user_data(e.collider_b), BadAccess);
        }
    }
    EXPECT_EQ(count[EventType::ContactEnd], 2);
    EXPECT_EQ(count[EventType::SensorEnd], 2);
    EXPECT_EQ(count[EventType::SensorBegin], 1) << "the new cube is where the old one was";
    EXPECT_EQ(listener.sensors.size(), 2u);
    row.run(20, listener);
    EXPECT_EQ(listener.contacts.size(), 5u);

    // everything
    must(world.remove(std::vector<BodyId>{row.bodies[0], row.bodies[1], row.bodies[4],
                                          row.bodies[5], row.bodies[6]}));
    row.run(1, listener);
    EXPECT_TRUE(listener.contacts.empty());
    EXPECT_TRUE(listener.sensors.empty());
}

TEST(RemovalEvents, EventsOfWhatStaysAreThoseOfAWorldThatNeverHadTheRest)
{
    Row with(5), without(5);
    must(without.world.remove(without.bodies[1]));
    Listener one, other;
    with.run(10, one);
    without.run(10, other);
    must(with.world.remove(with.bodies[1]));
    with.run(1, one);
    without.run(1, other);
    with.run(5, one);
    without.run(5, other);
    const auto a = with.world.events(), b = without.world.events();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_EQ(a[k].type, b[k].type);
        EXPECT_EQ(a[k].collider_a, b[k].collider_a);
        EXPECT_EQ(a[k].collider_b, b[k].collider_b);
        EXPECT_EQ(a[k].first_point, b[k].first_point);
        EXPECT_EQ(a[k].point_count, b[k].point_count);
    }
}

TEST(RemovalEvents, UserDataStaysWithItsThing)
{
    Row row(5);
    World& world = row.world;
    JointDef def = ball(row.bodies[3], row.bodies[4], {3.5, 0, 0.25});
    const JointId first = must(world.add_joint(def));
    def.user_data = 77;
    const JointId second = must(world.add_joint(def));
    ASSERT_TRUE(world.remove(first).ok());
    must(world.remove(row.bodies[1]));
    ASSERT_TRUE(world.remove(row.sensors[0]).ok());
    EXPECT_THROW((void)world.user_data(row.bodies[1]), BadAccess);
    EXPECT_THROW((void)world.user_data(row.sensors[0]), BadAccess);
    EXPECT_THROW((void)world.user_data(first), BadAccess);
    EXPECT_EQ(world.user_data(second), 77u);
    for (const int k : {0, 2, 3, 4}) {
        EXPECT_EQ(world.user_data(row.bodies[k]), 100u + k);
        EXPECT_EQ(world.user_data(row.colliders[k]), 200u + k);
        EXPECT_EQ(world.body(row.colliders[k]), row.bodies[k]);
    }
    // the slot is used again, what was in it is not
    const BodyId next = must(world.add_body({}));
    ASSERT_EQ(next.index, row.bodies[1].index);
    EXPECT_EQ(world.user_data(next), 0u);
    EXPECT_THROW((void)world.user_data(row.bodies[1]), BadAccess);
    // another description is the same thing
    ASSERT_TRUE(world.set_joint(second, ball(row.bodies[3], row.bodies[4], {3, 0, 0.25})).ok());
    EXPECT_EQ(world.user_data(second), 77u);
    ASSERT_TRUE(world.set_collider(row.colliders[2], {.shape = Shape::sphere(0.25)}).ok());
    EXPECT_EQ(world.user_data(row.colliders[2]), 202u);
}

TEST(RemovalEvents, StaleIdsAreErrors)
{
    Row row(3);
    World& world = row.world;
    const BodyId body = row.bodies[1];
    const ColliderId collider = row.colliders[1];
    const JointId joint = must(world.add_joint(ball(kWorld, body, {1, 0, 0.25})));
    must(world.remove(body));
    row.add_cube(1);
    ASSERT_EQ(row.colliders.back().index, collider.index);
    const auto refused = [](const Status& status) {
        ASSERT_FALSE(status.ok());
        EXPECT_NE(status.error().message.find("was removed"), std::string::npos)
            << status.error().message;
    };
    refused(world.set_user_data(body, 1));
    refused(world.set_user_data(joint, 1));
    refused(world.set_user_data(collider, 1));
    refused(world.set_surface_pair(row.floor, collider, {}));
    refused(world.set_surface_pair(collider, row.floor, {}));
    refused(world.clear_surface_pair(collider, row.floor));
    EXPECT_EQ(world.user_data(row.bodies.back()), 103u);
    EXPECT_THROW((void)world.body(collider), BadAccess);
    EXPECT_THROW((void)world.is_sensor(collider), BadAccess);
    // to ignore what is not there is not to ignore the cube in its slot
    const auto hit = world.cast_ray({1, 0, 5}, {0, 0, -9}, {.ignore = body});
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->body, row.bodies.back());
    EXPECT_EQ(hit->collider, row.colliders.back());
}

TEST(RemovalEvents, QueriesDoNotMeetWhatIsRemovedOrDisabled)
{
    Row row(6);
    World& world = row.world;
    const QueryShape probe = QueryShape::make(Shape::sphere(0.05)).value();
    // What a ray, a cast, an overlap and the nearest point find at the place of a cube.
    const auto found = [&](int place) {
        const Vec3 above(place, 0, 5), inside(place, 0, 0.3), way(0, 0, -9);
        const Pose at{inside, Quat::Identity()};
        std::array<CastHit, 2> casts;
        std::array<OverlapHit, 4> overlaps;
        const auto ray = world.cast_ray(above, way);
        const auto cast = world.cast_shape(probe, {above, Quat::Identity()}, way);
        const auto all = world.cast_ray_all(above, way, casts);
        const auto swept = world.cast_shape_all(probe, {above, Quat::Identity()}, way, casts);
        const auto over = world.overlap(probe, at, overlaps);
        const auto nearest = world.nearest(inside, 0.2);
        EXPECT_TRUE(ray && cast);
        EXPECT_EQ(ray->collider, cast->collider);
        EXPECT_EQ(casts[0].collider, ray->collider);
        EXPECT_EQ(all, swept);
        const bool cube = ray->collider != row.floor;
        EXPECT_EQ(all, cube ? 2u : 1u);
        EXPECT_EQ(over, cube ? 1u : 0u);
        EXPECT_EQ(nearest.has_value(), cube);
        if (!cube) {
            EXPECT_EQ(ray->body, kWorld);
            return BodyId{};
        }
        EXPECT_EQ(overlaps[0].collider, ray->collider);
        EXPECT_EQ(nearest->collider, ray->collider);
        EXPECT_EQ(world.body(ray->collider), ray->body);
        return ray->body;
    };
    for (int k = 0; k < 6; ++k) EXPECT_EQ(found(k), row.bodies[k]);
    must(world.remove(row.bodies[1]));
    ASSERT_TRUE(world.remove(row.colliders[3]).ok());
    ASSERT_TRUE(world.set_enabled(row.bodies[4], false).ok());
    const auto check = [&] {
        for (const int k : {0, 2, 5}) EXPECT_EQ(found(k), row.bodies[k]);
        for (const int k : {1, 3, 4}) EXPECT_EQ(found(k), BodyId{});
    };
    check();
    ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
    check();
    ASSERT_TRUE(world.set_enabled(row.bodies[4], true).ok());
    EXPECT_EQ(found(4), row.bodies[4]);
    row.add_cube(1);
    EXPECT_EQ(found(1), row.bodies[6]);
}

TEST(RemovalEvents, ABodyThatIsDisabledEndsAndBegins)
{
    Row row(3);
    World& world = row.world;
    Listener listener;
    row.run(5, listener);
    ASSERT_TRUE(world.set_enabled(row.bodies[2], false).ok());
    row.run(1, listener);
    EXPECT_EQ(listener.contacts.size(), 2u);
    EXPECT_EQ(listener.sensors.size(), 1u);
    ASSERT_TRUE(world.set_enabled(row.bodies[2], true).ok());
    row.run(3, listener);
    EXPECT_EQ(listener.contacts.size(), 3u);
    EXPECT_EQ(listener.sensors.size(), 2u);
    // as sensors, floor and cubes are nothing that has contacts
    for (const ColliderId id : row.colliders)
        ASSERT_TRUE(world.set_collider(id, {.shape = Shape::sphere(0.2), .sensor = true}).ok());
    ASSERT_TRUE(world.set_collider(row.floor, {.shape = Shape::plane(), .sensor = true}).ok());
    row.run(1, listener);
    EXPECT_TRUE(listener.contacts.empty());
}

// Ice under one cube, by the surface of its pair: 5 m/s stay; the others stop within v²/(2 µ g) = 2.6 m.
TEST(RemovalEvents, SurfacesOfPairsStayWithTheirColliders)
{
    Row row(5);
    World& world = row.world;
    const SurfacePair ice{.friction = 0};
    ASSERT_TRUE(world.set_surface_pair(row.floor, row.colliders[3], ice).ok());
    ASSERT_TRUE(world.set_surface_pair(row.floor, row.colliders[1], ice).ok());
    must(world.remove(row.bodies[1]));
    ASSERT_TRUE(world.remove(row.sensors[0]).ok());
    row.add_cube(1);  // in the slot of the one with ice
    for (const int k : {2, 3, 4, 5})
        ASSERT_TRUE(world.set_velocity(row.bodies[k], {{0, 5, 0}, Vec3::Zero()}).ok());
    for (int i = 0; i < 120; ++i) ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
    EXPECT_NEAR(world.velocity(row.bodies[3]).linear.y(), 5, 1e-6);  // no force acts along y
    for (const int k : {2, 4, 5}) EXPECT_LT(world.velocity(row.bodies[k]).linear.norm(), 0.01) << k;
}

TEST(RemovalEvents, SnapshotsKnowTheSurfacesOfPairsAfterRemovals)
{
    const auto make = [](bool through_removal) {
        Row row(2);
        const ColliderId extra =
            must(row.world.add_collider(row.bodies[0], {.shape = Shape::sphere(0.1)}));
        if (through_removal) {
            Row longer(2);
            const ColliderId gone =
                must(longer.world.add_collider(longer.bodies[0], {.shape = Shape::sphere(0.3)}));
            const ColliderId kept =
                must(longer.world.add_collider(longer.bodies[0], {.shape = Shape::sphere(0.1)}));
            EXPECT_TRUE(longer.world.set_surface_pair(longer.floor, kept, {.friction = 0.1}).ok());
            EXPECT_TRUE(longer.world.set_surface_pair(longer.floor, gone, {.friction = 0.2}).ok());
            EXPECT_TRUE(longer.world.set_surface_pair(gone, kept, {.friction = 0.3}).ok());
            EXPECT_TRUE(longer.world.remove(gone).ok());
            return std::move(longer.world);
        }
        EXPECT_TRUE(row.world.set_surface_pair(row.floor, extra, {.friction = 0.1}).ok());
        return std::move(row.world);
    };
    World one = make(false), other = make(true);
    for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(one.step(kStep).status, StepStatus::Ok);
        ASSERT_EQ(other.step(kStep).status, StepStatus::Ok);
    }
    EXPECT_EQ(one.hash(), other.hash());
    const Status restored = one.restore(other.snapshot());
    EXPECT_TRUE(restored.ok()) << (restored.ok() ? "" : restored.error().message);
    // contact points are there at once, with the impulse of the step that made the image
    ASSERT_EQ(one.contact_points().size(), other.contact_points().size());
    for (std::size_t k = 0; k < one.contact_points().size(); ++k) {
        EXPECT_EQ(one.contact_points()[k].force, other.contact_points()[k].force);
        EXPECT_EQ(one.contact_points()[k].impulse, other.contact_points()[k].impulse);
        EXPECT_EQ(one.contact_points()[k].gap, other.contact_points()[k].gap);
    }
}

TEST(RemovalEvents, TheFilterIsAskedWithIdsOfWhatIsThere)
{
    Row row(4);
    World& world = row.world;
    must(world.remove(row.bodies[0]));
    row.add_cube(0);
    struct Asked {
        const World& world;
        ColliderId refused;
        int wrong = 0, count = 0;
    } asked{world, row.colliders[2]};
    world.set_contact_filter(
        [](void* user, ColliderId a, BodyId body_a, ColliderId b, BodyId body_b) noexcept {
            Asked& self = *static_cast<Asked*>(user);
            ++self.count;
            if (self.world.body(a) != body_a || self.world.body(b) != body_b) ++self.wrong;
            return a != self.refused && b != self.refused;
        },
        &asked);
    for (int i = 0; i < 60; ++i) ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
    EXPECT_GT(asked.count, 0);
    EXPECT_EQ(asked.wrong, 0);
    EXPECT_LT(world.pose(row.bodies[2]).p.z(), -1);  // through the floor
    for (const int k : {1, 3, 4}) EXPECT_NEAR(world.pose(row.bodies[k]).p.z(), 0.25, 1e-3) << k;
    world.set_contact_filter(nullptr);
}

TEST(RemovalEvents, AJointAtItsLimitLeavesItWhenItIsRemoved)
{
    World world;
    const BodyId arm = add_box(world, {1, 0.1, 0.1}, 1, {{0.5, 0, 0}, Quat::Identity()});
    const JointDef axle = hinge(kWorld, arm, {0, 0, 0}, {0, 1, 0});
    must(world.add_joint(axle));
    const JointId stop = must(world.add_joint(limits(axle, -0.2, 0.2)));
    int reached = 0, left = 0;
    for (int i = 0; i < 60; ++i) {
        ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
        for (const Event& e : world.events()) {
            EXPECT_EQ(e.joint, stop);
            reached += e.type == EventType::LimitReached ? 1 : 0;
            left += e.type == EventType::LimitLeft ? 1 : 0;
        }
    }
    ASSERT_EQ(reached, left + 1);  // it rests on the stop
    ASSERT_TRUE(world.remove(stop).ok());
    ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
    ASSERT_EQ(world.events().size(), 1u);
    EXPECT_EQ(world.events()[0].type, EventType::LimitLeft);
    EXPECT_EQ(world.events()[0].joint, stop);
    ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
    EXPECT_TRUE(world.events().empty());
}

}  // namespace
}  // namespace taut::test
