// Events against the states that they are about: what begins also ends, for any thread count, and again after restore.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>

#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr unsigned kSeed = 20264;
constexpr StepSettings kStep{.dt = 1.0 / 60, .sleep = true};

using Pair = std::pair<int, int>;

bool same(const Event& x, const Event& y)
{
    return x.type == y.type && x.a == y.a && x.b == y.b && x.collider_a == y.collider_a &&
           x.collider_b == y.collider_b && x.joint == y.joint && x.first_point == y.first_point &&
           x.point_count == y.point_count;
}

// Balls, boxes, a hinged plank with stops and a rope, over a floor with a sensor above it and a wall.
struct Playground {
    World world;
    std::vector<BodyId> balls;  // with their radii
    std::vector<Real> radii;
    std::vector<JointId> joints;
    ColliderId sensor;
    Vec3 sensor_half;
};

Playground make_playground(unsigned seed)
{
    std::mt19937 random(seed);
    const auto u = [&](Real low, Real high) {
        return low + (high - low) * std::uniform_real_distribution<Real>(0, 1)(random);
    };
    Playground out;
    World& world = out.world;
    add_floor(world);
    for (int i = 0; i < 5; ++i) {
        out.radii.push_back(u(0.1, 0.3));
        out.balls.push_back(add_ball(world, out.radii.back(), u(0.5, 2),
                                     {u(-0.8, 0.8), u(-0.8, 0.8), u(0.4, 2.5)},
                                     {u(-1, 1), u(-1, 1), u(-1, 1)}));
    }
    for (int i = 0; i < 4; ++i)
        add_box(world, u(0.2, 0.5), 1, {u(-0.8, 0.8), u(-0.8, 0.8), u(0.5, 2.5)});
    const BodyId plank = add_box(world, {1, 0.1, 0.1}, 1, {{2.5, 0, 1}, Quat::Identity()});
    const JointDef axle = hinge(kWorld, plank, {2, 0, 1}, {0, 1, 0});
    out.joints.push_back(must(world.add_joint(axle)));
    JointDef drive =
        motor(axle, Schedule::sine(0, 3, 1));  // from stop to stop, and it stalls there
    drive.max_force = 30;
    must(world.add_joint(drive));
    out.joints.push_back(must(world.add_joint(limits(axle, -0.5, u(0.2, 1)))));
    const BodyId bob = add_ball(world, 0.1, 1, {u(-3.4, -2.6), 0, 1.5}, Vec3::Zero());
    out.joints.push_back(
        must(world.add_joint(rope(kWorld, bob, {-3, 0, 2}, world.pose(bob).p, 1))));
    out.sensor_half = Vec3(1.5, 1.5, u(0.3, 0.6)) / 2;
    out.sensor = must(world.add_collider(kWorld, {.shape = Shape::box(2 * out.sensor_half),
                                                  .pose = {{0, 0, 0.6}, Quat::Identity()},
                                                  .sensor = true}));
    return out;
}

// What the world says of its state: pairs that press on each other, joints at their stops, sleeping bodies.
struct Seen {
    std::set<Pair> contacts, sensors;
    std::set<int> at_limit, broken, asleep;
};

Seen look(const Playground& scene)
{
    const World& world = scene.world;
    Seen out;
    for (const ContactReading& c : world.contacts())
        if (c.force.norm() > 0) out.contacts.insert({c.collider_a.index, c.collider_b.index});
    // colliders are numbered as they were added: the floor, the balls
    for (std::size_t k = 0; k < scene.balls.size(); ++k) {
        const Vec3 d = world.pose(scene.balls[k]).p - Vec3(0, 0, 0.6);
        const Vec3 outside = (d.cwiseAbs() - scene.sensor_half).cwiseMax(0);
        if (outside.norm() <= scene.radii[k])
            out.sensors.insert({scene.sensor.index, static_cast<int>(k) + 1});
    }
    for (const JointId j : scene.joints)
        if (world.type(j) != "hinge" && world.joint(j).loaded) out.at_limit.insert(j.index);
    for (int b = 0; b < world.body_count(); ++b)
        if (world.asleep(BodyId{b})) out.asleep.insert(b);
    return out;
}

// begin, persist and end as sets, from two looks.
template <class Key>
std::map<Key, int> changes(const std::set<Key>& before, const std::set<Key>& now)
{
    std::map<Key, int> out;
    for (const Key& key : now) out[key] = before.count(key) ? 1 : 0;
    for (const Key& key : before)
        if (!now.count(key)) out[key] = 2;
    return out;
}

void expect_events(const Playground& scene, const Seen& before, const Seen& now,
                   const std::string& where)
{
    std::map<Pair, int> contacts, sensors;
    std::map<int, int> limits, bodies;
    for (const Event& e : scene.world.events()) {
        const int type = static_cast<int>(e.type);
        const Pair pair{e.collider_a.index, e.collider_b.index};
        switch (e.type) {
            case EventType::ContactBegin:
            case EventType::ContactPersist:
            case EventType::ContactEnd:
                EXPECT_TRUE(contacts.insert({pair, type}).second) << where;
                EXPECT_EQ(e.point_count > 0, e.type != EventType::ContactEnd) << where;
                EXPECT_EQ(e.a, scene.world.body(e.collider_a));
                EXPECT_EQ(e.b, scene.world.body(e.collider_b));
                break;
            case EventType::SensorBegin:
            case EventType::SensorPersist:
            case EventType::SensorEnd:
                EXPECT_EQ(e.collider_a, scene.sensor);
                EXPECT_EQ(e.b, scene.world.body(e.collider_b));
                // the oracle knows the balls
                if (e.collider_b.index >= 1 && e.collider_b.index <= 5)
                    sensors[pair] = type - static_cast<int>(EventType::SensorBegin);
                break;
            case EventType::LimitReached: limits[e.joint.index] = 0; break;
            case EventType::LimitLeft: limits[e.joint.index] = 2; break;
            case EventType::BodyAsleep: bodies[e.a.index] = 0; break;
            case EventType::BodyAwake: bodies[e.a.index] = 2; break;
            case EventType::JointBroke: ADD_FAILURE() << where; break;
        }
    }
    EXPECT_EQ(contacts, changes(before.contacts, now.contacts)) << where;
    EXPECT_EQ(sensors, changes(before.sensors, now.sensors)) << where;
    const auto without_persist = [](std::map<int, int> all) {
        std::erase_if(all, [](const auto& item) { return item.second == 1; });
        return all;
    };
    EXPECT_EQ(limits, without_persist(changes(before.at_limit, now.at_limit))) << where;
    EXPECT_EQ(bodies, without_persist(changes(before.asleep, now.asleep))) << where;
}

// Balls that are reported to press on the floor are on it, and those in it are reported: the promise on penetration is 2 %
// of the half width (docs/results/contacts.md), and a ball cannot be deeper in the floor without a force.
void expect_touch_on_floor(const Playground& scene, const std::string& where)
{
    std::set<int> touching;
    for (const Event& e : scene.world.events())
        if (e.type != EventType::ContactEnd && e.collider_a.index == 0 && e.point_count > 0)
            touching.insert(e.collider_b.index);
    for (std::size_t k = 0; k < scene.balls.size(); ++k) {
        const Real gap = scene.world.pose(scene.balls[k]).p.z() - scene.radii[k];
        if (touching.count(static_cast<int>(k) + 1)) {
            EXPECT_LT(gap, 0.02 * scene.radii[k]) << where;
        } else {
            EXPECT_GT(gap, -0.02 * scene.radii[k]) << where;
        }
    }
}

TEST(Events, AreWhatTheStatesAtTheEndsOfStepsDifferBy)
{
    int totals[11] = {};
    for (unsigned scene = 0; scene < 100; ++scene) {
        Playground playground = make_playground(kSeed + scene);
        Seen before;
        for (int i = 0; i < 150; ++i) {
            ASSERT_EQ(playground.world.step(kStep).status, StepStatus::Ok);
            const Seen now = look(playground);
            const std::string where = "scene " + std::to_string(scene) + " step " +
                                      std::to_string(i) + " seed " + std::to_string(kSeed);
            expect_events(playground, before, now, where);
            if (HasFailure()) return;
            before = now;
            for (const Event& e : playground.world.events()) ++totals[static_cast<int>(e.type)];
            expect_touch_on_floor(playground, where);
            // the points of a pair are those of its colliders, and press; its gap is that of a contact
            for (const Event& e : playground.world.events()) {
                Vec3 force = Vec3::Zero();
                for (int k = 0; k < e.point_count; ++k) {
                    const ContactReading& c = playground.world.contact_points()[e.first_point + k];
                    ASSERT_EQ(c.collider_a, e.collider_a);
                    ASSERT_EQ(c.collider_b, e.collider_b);
                    EXPECT_LT((c.impulse - kStep.dt * c.force).norm(), 1e-12);
                    force += c.force;
                }
                EXPECT_EQ(force.norm() > 0, e.point_count > 0) << where;
            }
        }
    }
    for (const EventType type :
         {EventType::ContactBegin, EventType::ContactPersist, EventType::ContactEnd,
          EventType::SensorBegin, EventType::SensorPersist, EventType::SensorEnd,
          EventType::LimitReached, EventType::LimitLeft, EventType::BodyAsleep}) {
        EXPECT_GT(totals[static_cast<int>(type)], 20) << name(type);
        std::printf("%s %d\n", std::string(name(type)).c_str(), totals[static_cast<int>(type)]);
    }
}

std::vector<std::vector<Event>> record(World& world, int steps, const StepSettings& settings)
{
    std::vector<std::vector<Event>> out;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(world.step(settings).status, StepStatus::Ok);
        out.emplace_back(world.events().begin(), world.events().end());
    }
    return out;
}

void expect_same(const std::vector<std::vector<Event>>& x, const std::vector<std::vector<Event>>& y)
{
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(x[i].size(), y[i].size()) << "step " << i;
        for (std::size_t k = 0; k < x[i].size(); ++k) EXPECT_TRUE(same(x[i][k], y[i][k])) << i;
    }
}

TEST(Events, AreTheSameForAnyNumberOfThreads)
{
    for (unsigned scene = 0; scene < 5; ++scene) {
        Playground one = make_playground(kSeed + scene);
        const auto expected = record(one.world, 120, kStep);
        for (const int threads : {2, 3, 8}) {
            StepSettings settings = kStep;
            settings.threads = threads;
            Playground other = make_playground(kSeed + scene);
            expect_same(record(other.world, 120, settings), expected);
        }
    }
}

// How often each pair has begun and not ended, counted from events alone.
class Ledger {
public:
    void add(std::span<const Event> events)
    {
        for (const Event& e : events) {
            const Pair pair{e.collider_a.index, e.collider_b.index};
            if (e.type == EventType::ContactBegin) open_.insert(pair).second ? 0 : ++bad_;
            if (e.type == EventType::ContactEnd) bad_ += open_.erase(pair) == 0;
            if (e.type == EventType::ContactPersist) bad_ += open_.count(pair) == 0;
        }
    }
    const std::set<Pair>& open() const { return open_; }
    int bad() const { return bad_; }

private:
    std::set<Pair> open_;
    int bad_ = 0;
};

TEST(Events, GoOnAsBeforeAfterRestoreAndStayPaired)
{
    for (unsigned scene = 0; scene < 10; ++scene) {
        Playground playground = make_playground(kSeed + scene);
        World& world = playground.world;
        Ledger ledger;
        const auto run = [&](int steps) {
            std::vector<std::vector<Event>> out;
            for (int i = 0; i < steps; ++i) {
                EXPECT_EQ(world.step(kStep).status, StepStatus::Ok);
                ledger.add(world.events());
                out.emplace_back(world.events().begin(), world.events().end());
            }
            return out;
        };
        run(60);
        const auto image = world.snapshot();
        const std::set<Pair> at_image = look(playground).contacts;
        const auto expected = run(60);

        // back: events tell what differs, so that a listener's own list stays right
        ASSERT_TRUE(world.restore(image).ok());
        ledger.add(world.events());
        EXPECT_EQ(ledger.open(), at_image);
        expect_same(run(60), expected);
        EXPECT_EQ(ledger.bad(), 0);
        EXPECT_EQ(ledger.open(), look(playground).contacts);

        // into a world that has not been stepped: all that touches begins
        Playground fresh = make_playground(kSeed + scene);
        ASSERT_TRUE(fresh.world.restore(image).ok());
        Ledger anew;
        anew.add(fresh.world.events());
        EXPECT_EQ(anew.open(), at_image);
        expect_same(record(fresh.world, 60, kStep), expected);
    }
}

TEST(Events, AContactOutlastsSleepAndEndsWhenABodyIsFrozenOrTakenAway)
{
    World world;
    add_floor(world);
    const BodyId box = add_box(world, 0.5, 1, {0, 0, 0.25});
    const BodyId other = add_box(world, 0.5, 1, {5, 0, 0.25});
    int began = 0, ended = 0, asleep = 0, awake = 0;
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            ASSERT_EQ(world.step(kStep).status, StepStatus::Ok);
            for (const Event& e : world.events()) {
                began += e.type == EventType::ContactBegin && e.b == box;
                ended += e.type == EventType::ContactEnd && e.b == box;
                asleep += e.type == EventType::BodyAsleep && e.a == box;
                awake += e.type == EventType::BodyAwake && e.a == box;
            }
        }
    };
    run(180);
    ASSERT_TRUE(world.asleep(box));
    EXPECT_EQ(std::tuple(began, ended, asleep, awake), std::tuple(1, 0, 1, 0));
    ASSERT_TRUE(world.set_velocity(box, {{0.5, 0, 0}, Vec3::Zero()}).ok());
    run(1);
    EXPECT_EQ(std::tuple(began, ended, asleep, awake), std::tuple(1, 0, 1, 1));
    ASSERT_TRUE(world.set_velocity(box, {{3e150, 0, 0}, Vec3::Zero()}).ok());
    run(1);
    ASSERT_TRUE(world.frozen(box));
    EXPECT_EQ(std::pair(began, ended), std::pair(1, 1));
    ASSERT_TRUE(world.set_velocity(box, {}).ok());
    run(2);
    ASSERT_FALSE(world.frozen(box));
    EXPECT_EQ(std::pair(began, ended), std::pair(2, 1));
    ASSERT_TRUE(world.set_pose(box, {{0, 9, 5}, Quat::Identity()}).ok());
    run(1);
    EXPECT_EQ(std::pair(began, ended), std::pair(2, 2));
    EXPECT_TRUE(world.asleep(other));  // nothing of this was its business
}

TEST(Events, AStepThatIsRefusedHasNone)
{
    Playground playground = make_playground(kSeed);
    record(playground.world, 100, kStep);
    ASSERT_FALSE(playground.world.events().empty());
    EXPECT_EQ(playground.world.step({.dt = -1}).status, StepStatus::Refused);
    EXPECT_TRUE(playground.world.events().empty());
    EXPECT_TRUE(playground.world.contact_points().empty());
}

TEST(Events, TellOnceThatAJointBroke)
{
    World world;
    const BodyId load = add_box(world, 0.2, 10, {0, 0, -1});
    JointDef hook = ball(kWorld, load, {0, 0, -1});
    hook.break_force = 50;
    const JointId joint = must(world.add_joint(hook));
    const auto intact = world.snapshot();
    int broke = 0;
    for (int i = 0; i < 20; ++i) {
        world.step(kStep);
        for (const Event& e : world.events()) {
            EXPECT_EQ(e.type, EventType::JointBroke);
            EXPECT_EQ(e.joint, joint);
            ++broke;
        }
    }
    EXPECT_TRUE(world.broken(joint));
    EXPECT_EQ(broke, 1);
    ASSERT_TRUE(world.restore(intact).ok());
    EXPECT_TRUE(world.events().empty());
    for (int i = 0; i < 20; ++i) {
        world.step(kStep);
        broke += static_cast<int>(world.events().size());
    }
    EXPECT_EQ(broke, 2);
}

// A sensor on the world beside none: the same bits, and classical schemes, which know no contacts, accept it.
TEST(Sensors, ExertNoForce)
{
    const auto fall = [](bool sensor) {
        World world;
        add_floor(world);
        for (int i = 0; i < 3; ++i) add_box(world, 0.4, 1, {0.1 * i, 0, 0.5 + 0.6 * i});
        add_ball(world, 0.2, 1, {1, 0, 1}, {-2, 0, 0});
        if (sensor)
            for (const Shape& shape :
                 {Shape(Shape::Box{}), Shape(Shape::Sphere{}), Shape(Shape::Plane{})})
                must(world.add_collider(
                    kWorld,
                    {.shape = shape, .pose = {{0, 0, 0.3}, Quat::Identity()}, .sensor = true}));
        std::vector<std::uint64_t> hashes;
        int events = 0;
        for (int i = 0; i < 120; ++i) {
            EXPECT_EQ(world.step(kStep).status, StepStatus::Ok);
            hashes.push_back(world.hash());
            for (const Event& e : world.events()) events += e.type == EventType::SensorBegin;
        }
        EXPECT_EQ(events > 3, sensor);
        return hashes;
    };
    EXPECT_EQ(fall(true), fall(false));

    World world;
    const BodyId body = add_ball(world, 0.1, 1, {0, 0, 1}, Vec3::Zero());
    must(world.add_joint(ball(kWorld, body, {0, 0, 2})));
    EXPECT_EQ(world.step({.research = {.scheme = Scheme::Baumgarte}}).status, StepStatus::Refused);
    World alone;
    const BodyId link = must(alone.add_body(BodyDef{}));
    must(alone.add_joint(ball(kWorld, link, {0, 0, 1})));
    must(alone.add_collider(link, {.sensor = true}));
    EXPECT_EQ(alone.step({.research = {.scheme = Scheme::Baumgarte}}).status, StepStatus::Ok);
}

TEST(Sensors, ASnapshotKnowsThemFromSolids)
{
    const auto make = [](bool sensor) {
        World world;
        add_floor(world);
        must(world.add_collider(kWorld, {.sensor = sensor}));
        return world;
    };
    const auto image = make(true).snapshot();
    EXPECT_TRUE(make(true).restore(image).ok());
    EXPECT_FALSE(make(false).restore(image).ok());
}

TEST(Sensors, SeeWhatGroupsAndKindsLetThem)
{
    World world;
    const auto fixed = [&](const Vec3& p, const ColliderDef& def) {
        BodyDef body;
        body.kind = BodyKind::Fixed;
        body.pose.p = p;
        return must(world.add_collider(must(world.add_body(body)), def));
    };
    BodyDef carrier;
    carrier.kind = BodyKind::Kinematic;
    const BodyId door = must(world.add_body(carrier));
    const ColliderId sensor = must(
        world.add_collider(door, {.shape = Shape::sphere(1), .collides_with = 1, .sensor = true}));
    must(world.add_collider(door, {.shape = Shape::sphere(0.5)}));            // its own body
    const ColliderId wall = fixed({1, 0, 0}, {.shape = Shape::sphere(0.5)});  // seen
    fixed({0, 1, 0}, {.shape = Shape::sphere(0.5), .groups = 2});             // another group
    fixed({0, 0, 1}, {.shape = Shape::sphere(0.5), .sensor = true});          // a sensor
    fixed({0, 0, 3}, {.shape = Shape::sphere(0.5)});                          // too far
    const ColliderId zone = fixed({0.5, 0, 0}, {.shape = Shape::sphere(0.1), .sensor = true});
    std::vector<Pair> began;
    world.step(kStep);
    for (const Event& e : world.events()) {
        ASSERT_EQ(e.type, EventType::SensorBegin);
        began.emplace_back(e.collider_a.index, e.collider_b.index);
    }
    // the fixed sensor sees the colliders of the kinematic body, not those of fixed ones
    const std::vector<Pair> expected{{sensor.index, wall.index}, {zone.index, sensor.index + 1}};
    std::vector<Pair> all = expected;
    EXPECT_TRUE(world.is_sensor(zone));
    EXPECT_FALSE(world.is_sensor(wall));
    all.insert(all.begin() + 1, Pair{wall.index + 2, sensor.index + 1});
    EXPECT_EQ(began, all);
}

struct Refusal {
    int refused = -1;  // collider
    std::vector<Pair> asked{};
};

bool refuse_one(void* user, ColliderId a, BodyId, ColliderId b, BodyId) noexcept
{
    auto& refusal = *static_cast<Refusal*>(user);
    refusal.asked.emplace_back(a.index, b.index);
    return a.index != refusal.refused && b.index != refusal.refused;
}

TEST(ContactFilters, RefusePairsInAnOrderThatThreadsDoNotChange)
{
    const auto run = [](int threads, Refusal& refusal) {
        World world;
        add_floor(world);
        std::vector<BodyId> boxes;
        for (int i = 0; i < 6; ++i) boxes.push_back(add_box(world, 0.5, 1, {1.0 * i, 0, 0.3}));
        world.set_contact_filter(refuse_one, &refusal);
        StepSettings settings = kStep;
        settings.threads = threads;
        for (int i = 0; i < 60; ++i) EXPECT_EQ(world.step(settings).status, StepStatus::Ok);
        for (int i = 0; i < 6; ++i)
            EXPECT_EQ(world.pose(boxes[static_cast<std::size_t>(i)]).p.z() < 0.2,
                      i + 1 == refusal.refused)
                << i;
        // without it the others are seen again
        world.set_contact_filter(nullptr);
        const auto asked = refusal.asked.size();
        EXPECT_EQ(world.step(settings).status, StepStatus::Ok);
        EXPECT_EQ(refusal.asked.size(), asked);
    };
    Refusal one{.refused = 3}, eight{.refused = 3}, none{};
    run(1, one);
    run(8, eight);
    run(1, none);
    EXPECT_GT(one.asked.size(), 60u);
    EXPECT_EQ(one.asked, eight.asked);
    for (std::size_t k = 1; k < 6; ++k) EXPECT_LT(one.asked[k - 1], one.asked[k]);
}

// Two boxes on a slope of 30°, tan = 0.58: one is given ice under it, the other one glue.
TEST(SurfacePairs, TakeThePlaceOfTheSurfacesOfBothColliders)
{
    World world;
    const Real angle = 0.5236;
    const Quat tilt(Eigen::AngleAxis<Real>(angle, Vec3::UnitY()));
    const ColliderId slope =
        must(world.add_collider(kWorld, {.shape = Shape::plane(), .pose = {Vec3::Zero(), tilt}}));
    std::vector<BodyId> boxes;
    std::vector<ColliderId> colliders;
    for (int i = 0; i < 3; ++i) {
        boxes.push_back(
            add_box(world, Vec3::Constant(0.5), 1, {tilt * Vec3(0, 2.0 * i, 0.25), tilt}, 0.5));
        colliders.push_back(ColliderId{slope.index + 1 + i});
    }
    ASSERT_TRUE(world.set_surface_pair(colliders[0], slope, {.friction = 0}).ok());
    ASSERT_TRUE(world.set_surface_pair(slope, colliders[1], {.friction = 0.9}).ok());
    for (int i = 0; i < 60; ++i) world.step(kStep);
    // down the slope in one second: ½ g (sin θ − μ cos θ) t², with μ = 0.5 of both surfaces for the third; the step's
    // share of a motion at constant acceleration is exact to g dt²
    const auto slid = [&](int i) {
        return (tilt.conjugate() * world.pose(boxes[static_cast<std::size_t>(i)]).p).x();
    };
    const Real tolerance = 9.81 / 60;
    EXPECT_NEAR(slid(0), 9.81 / 2 * std::sin(angle), tolerance);
    EXPECT_NEAR(slid(1), 0, 1e-3);
    EXPECT_NEAR(slid(2), 9.81 / 2 * (std::sin(angle) - 0.5 * std::cos(angle)), tolerance);

    // the rest of the way with the surfaces of the descriptions
    ASSERT_TRUE(world.clear_surface_pair(slope, colliders[1]).ok());
    for (int i = 0; i < 60; ++i) world.step(kStep);
    EXPECT_GT(slid(1), 0.1);
}

TEST(SurfacePairs, AreCheckedAndBelongToTheMechanism)
{
    World world;
    add_floor(world);
    add_box(world, 0.5, 1, {0, 0, 0.25});
    const ColliderId floor{0}, box{1};
    const auto plain = world.snapshot();
    const auto message = [&](ColliderId a, ColliderId b, const SurfacePair& pair) {
        const Status status = world.set_surface_pair(a, b, pair);
        return status.ok() ? std::string() : status.error().message;
    };
    EXPECT_NE(message(floor, box, {.friction = -1}).find("coefficient of friction is -1"),
              std::string::npos);
    EXPECT_NE(message(floor, box, {.restitution = 2}).find("restitution is 2"), std::string::npos);
    EXPECT_NE(message(floor, box, {.friction = 1, .static_friction = 0.5}).find("static friction"),
              std::string::npos);
    EXPECT_NE(message(floor, floor, {}).find("same"), std::string::npos);
    EXPECT_NE(message(floor, ColliderId{7}, {}).find("no such collider"), std::string::npos);
    EXPECT_TRUE(world.restore(plain).ok());
    EXPECT_EQ(message(box, floor, {.friction = 0.1}), "");
    const Status refused = world.restore(plain);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("friction or restitution"), std::string::npos);
    EXPECT_EQ(message(floor, box, {.friction = 0.2}), "");
    ASSERT_TRUE(world.clear_surface_pair(floor, box).ok());
    EXPECT_TRUE(world.restore(plain).ok());
}

TEST(UserData, IsKeptAndIsNoPartOfTheState)
{
    World world;
    BodyDef described;
    described.user_data = 7;
    const BodyId body = must(world.add_body(described));
    JointDef def = ball(kWorld, body, Vec3::Zero());
    def.user_data = 8;
    const JointId joint = must(world.add_joint(def));
    const ColliderId collider = must(world.add_collider(body, {.user_data = 0xfedcba9876543210}));
    const BodyId other = must(world.add_body({}));
    EXPECT_EQ(world.user_data(body), 7u);
    EXPECT_EQ(world.user_data(joint), 8u);
    EXPECT_EQ(world.user_data(collider), 0xfedcba9876543210u);
    EXPECT_EQ(world.user_data(other), 0u);
    const auto image = world.snapshot();
    const auto hash = world.hash();
    EXPECT_TRUE(world.set_user_data(body, 1).ok());
    EXPECT_TRUE(world.set_user_data(joint, 2).ok());
    EXPECT_TRUE(world.set_user_data(collider, 3).ok());
    EXPECT_EQ(world.hash(), hash);
    EXPECT_TRUE(world.restore(image).ok());
    EXPECT_EQ(world.user_data(body), 1u);
    EXPECT_EQ(world.user_data(joint), 2u);
    EXPECT_EQ(world.user_data(collider), 3u);
    EXPECT_FALSE(world.set_user_data(BodyId{9}, 1).ok());
    EXPECT_FALSE(world.set_user_data(JointId{9}, 1).ok());
    EXPECT_FALSE(world.set_user_data(ColliderId{9}, 1).ok());
    EXPECT_THROW((void)world.user_data(ColliderId{9}), BadAccess);
}

}  // namespace
}  // namespace taut::test
