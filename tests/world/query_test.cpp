// Queries of a world: all colliders, filters, and the poses as they are now.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "collision/cast_ray.h"
#include "collision/cast_shape.h"
#include "collision/closest.h"
#include "contacts/make_shape.h"
#include "support/boxes.h"

namespace taut::test {
namespace {

constexpr unsigned kSeed = 20263;
constexpr StepSettings kStep{.dt = 1.0 / 60};

class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}
    Real uniform(Real low, Real high)
    {
        return low + (high - low) * std::uniform_real_distribution<Real>(0, 1)(random_);
    }
    Vec3 vector(Real half)
    {
        return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
    }
    Quat rotation()
    {
        std::normal_distribution<Real> normal;
        return Quat(normal(random_), normal(random_), normal(random_), normal(random_))
            .normalized();
    }

private:
    std::mt19937 random_;
};

struct RandomShape {
    Dice& dice;

    template <class Kind>
    Shape operator()(Kind) const
    {
        return Kind{};
    }
    Shape operator()(const Shape::Sphere&) const { return Shape::sphere(dice.uniform(0.1, 0.4)); }
    Shape operator()(Shape::Capsule s) const { return round(s); }
    Shape operator()(Shape::Cylinder s) const { return round(s); }
    Shape operator()(const Shape::Box&) const
    {
        const Real x = dice.uniform(0.2, 0.8), y = dice.uniform(0.2, 0.8);
        return Shape::box({x, y, dice.uniform(0.2, 0.8)});
    }
    Shape operator()(Shape::Hull s) const
    {
        for (int i = 0; i < 12; ++i) s.points.push_back(dice.vector(0.4));
        return s;
    }
    Shape operator()(const Shape::Mesh&) const
    {
        return Shape::mesh({{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {-0.3, -0.3, -0.3}},
                           {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}});
    }
    Shape operator()(const Shape::HeightField&) const
    {
        std::vector<Real> heights;
        for (int i = 0; i < 16; ++i) heights.push_back(dice.uniform(-0.3, 0.3));
        return Shape::height_field(4, 4, 0.5, heights);
    }

private:
    template <class Kind>
    Shape round(Kind s) const
    {
        s.radius = dice.uniform(0.1, 0.4);
        s.length = dice.uniform(0.1, 0.8);
        return s;
    }
};

// The kinds in the order of the list: five that are convex, two surfaces, planes.
constexpr int kConvexKinds = 5, kBoundedKinds = 7;
ColliderDef random_def(int kind, Dice& dice)
{
    ColliderDef def;
    def.pose.p = dice.vector(0.2);
    def.pose.q = dice.rotation();
    int at = 0;
    visit_shape_kinds([&](const auto& one) {
        if (at++ == kind) def.shape = RandomShape{dice}(one);
    });
    return def;
}

// What was put into a world, for a look at every collider one by one.
struct Known {
    BodyId body;
    ColliderDef def;
    collision::ColliderShape shape;
};

struct Zoo {
    World world;
    std::vector<Known> colliders;
    std::vector<BodyId> bodies;

    void add(BodyId body, const ColliderDef& def)
    {
        must(world.add_collider(body, def));
        colliders.push_back({body, def, must(contacts::make_shape(def.shape))});
    }
    collision::Transform frame(const Known& one) const
    {
        const Pose body = one.body == kWorld ? Pose{} : world.pose(one.body);
        return collision::to_transform(body) * collision::to_transform(one.def.pose);
    }
};

Zoo make_zoo(unsigned seed)
{
    Dice dice(seed);
    Zoo zoo;
    must(zoo.world.set_gravity(Vec3::Zero()));
    for (int i = 0; i < 60; ++i) {
        const int kind = i % kBoundedKinds;
        BodyDef def;
        def.kind = i % 5 == 4   ? BodyKind::Fixed
                   : i % 5 == 3 ? BodyKind::Kinematic
                                : BodyKind::Rigid;
        def.pose = {dice.vector(4), dice.rotation()};
        def.centre_of_mass = def.kind == BodyKind::Rigid ? dice.vector(0.1) : Vec3(Vec3::Zero());
        const BodyId body = must(zoo.world.add_body(def));
        zoo.bodies.push_back(body);
        ColliderDef collider = random_def(kind, dice);
        collider.groups = 1u << (i % 4);
        collider.sensor = i % 11 == 10;
        collider.collides_with = 0;  // nothing moves
        zoo.add(body, collider);
    }
    ColliderDef floor{.shape = Shape::plane(), .pose = {{0, 0, -4}, Quat::Identity()}};
    floor.collides_with = 0;
    zoo.add(kWorld, floor);
    return zoo;
}

bool is_seen(const Zoo& zoo, const Known& one, const QueryFilter& filter)
{
    if (!(one.def.groups & filter.groups)) return false;
    if (one.def.sensor && !filter.sensors) return false;
    if (filter.ignore && *filter.ignore == one.body) return false;
    const BodyKind kind = zoo.world.kind(one.body);
    return (kind == BodyKind::Rigid && filter.kinds.rigid) ||
           (kind == BodyKind::Fixed && filter.kinds.fixed) ||
           (kind == BodyKind::Kinematic && filter.kinds.kinematic);
}

std::vector<QueryFilter> filters(const Zoo& zoo)
{
    return {{},
            {.groups = 0b0110},
            {.kinds = {.rigid = false}},
            {.kinds = {.fixed = false, .kinematic = false}},
            {.ignore = zoo.bodies[7]},
            {.ignore = kWorld},
            {.sensors = true},
            {.groups = 0}};
}

void expect_same(const std::vector<CastHit>& found, const std::vector<CastHit>& expected,
                 const std::string& where)
{
    ASSERT_EQ(found.size(), expected.size()) << where;
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_EQ(found[k].collider, expected[k].collider) << where;
        EXPECT_EQ(found[k].body, expected[k].body) << where;
        EXPECT_NEAR(found[k].fraction, expected[k].fraction, 1e-7) << where;
        // the direction between nearest points is known to 2e-5 rad where a cast ends (collision/query_settings.h)
        EXPECT_LT((found[k].normal - expected[k].normal).norm(), 1e-4) << where;
    }
}

template <class Cast>
std::vector<CastHit> cast_one_by_one(const Zoo& zoo, const QueryFilter& filter, Cast&& cast)
{
    std::vector<CastHit> out;
    for (std::size_t k = 0; k < zoo.colliders.size(); ++k) {
        if (!is_seen(zoo, zoo.colliders[k], filter)) continue;
        CastHit hit;
        hit.body = zoo.colliders[k].body;
        hit.collider = ColliderId{static_cast<int>(k)};
        if (cast(zoo.colliders[k], hit)) out.push_back(hit);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const CastHit& a, const CastHit& b) { return a.fraction < b.fraction; });
    return out;
}

TEST(Queries, RaysMeetWhatALookAtEveryColliderFinds)
{
    const Zoo zoo = make_zoo(kSeed);
    Dice dice(kSeed);
    int hits = 0;
    for (const QueryFilter& filter : filters(zoo))
        for (int k = 0; k < 300; ++k) {
            const Vec3 from = dice.vector(6), way = dice.vector(10);
            const auto expected = cast_one_by_one(zoo, filter, [&](const Known& one, CastHit& out) {
                collision::RayHit hit;
                if (!collision::cast_ray(one.shape, zoo.frame(one), {from, way}, 1, hit))
                    return false;
                out.fraction = hit.fraction;
                out.normal = hit.normal;
                return true;
            });
            const std::string where = "ray " + std::to_string(k) + " seed " + std::to_string(kSeed);
            std::vector<CastHit> room(80);
            room.resize(zoo.world.cast_ray_all(from, way, room, filter));
            expect_same(room, expected, where);
            const auto nearest = zoo.world.cast_ray(from, way, filter);
            ASSERT_EQ(nearest.has_value(), !expected.empty()) << where;
            if (!nearest) continue;
            ++hits;
            expect_same({*nearest}, {expected[0]}, where);
            EXPECT_EQ(nearest->distance, nearest->fraction * way.norm());
            EXPECT_LT((nearest->point - from - nearest->fraction * way).norm(), 1e-12);

            // no room for all: the nearest ones, and the number of all
            std::vector<CastHit> two(2);
            EXPECT_EQ(zoo.world.cast_ray_all(from, way, two, filter), expected.size());
            two.resize(std::min<std::size_t>(2, expected.size()));
            expect_same(two, {expected.begin(), expected.begin() + static_cast<int>(two.size())},
                        where);
        }
    EXPECT_GT(hits, 500);
}

TEST(Queries, CastsOverlapsAndNearestPointsAreThoseOfALookAtEveryCollider)
{
    const Zoo zoo = make_zoo(kSeed);
    Dice dice(kSeed + 1);
    int hits = 0, overlaps = 0;
    for (const QueryFilter& filter : filters(zoo))
        for (int k = 0; k < 60; ++k) {
            const int kind = k % kConvexKinds;
            const ColliderDef def = random_def(kind, dice);
            const QueryShape shape = must(QueryShape::make(def.shape, def.pose));
            const Pose pose{dice.vector(5), dice.rotation()};
            const Vec3 way = dice.vector(5);
            const auto own = must(contacts::make_shape(def.shape));
            const auto X = collision::to_transform(pose) * collision::to_transform(def.pose);
            const std::string where =
                "case " + std::to_string(k) + " seed " + std::to_string(kSeed);

            const auto expected = cast_one_by_one(zoo, filter, [&](const Known& one, CastHit& out) {
                collision::ShapeHit hit;
                if (!collision::cast_shape(own, X, way, one.shape, zoo.frame(one), 1, hit))
                    return false;
                out.fraction = hit.fraction;
                out.normal = hit.normal;
                return true;
            });
            std::vector<CastHit> room(80);
            room.resize(zoo.world.cast_shape_all(shape, pose, way, room, filter));
            expect_same(room, expected, where);
            const auto first = zoo.world.cast_shape(shape, pose, way, filter);
            ASSERT_EQ(first.has_value(), !expected.empty()) << where;
            if (first) expect_same({*first}, {expected[0]}, where);
            hits += first.has_value();

            // overlaps are gaps of zero and below; the nearest collider has the least gap
            std::vector<int> inside;
            Real least = 1e300, least_of_point = 1e300;
            for (std::size_t i = 0; i < zoo.colliders.size(); ++i) {
                const Known& one = zoo.colliders[i];
                if (!is_seen(zoo, one, filter)) continue;
                collision::Gap gap;
                ASSERT_TRUE(collision::closest(own, X, one.shape, zoo.frame(one), 1e3, gap));
                if (gap.distance <= 0) inside.push_back(static_cast<int>(i));
                least = std::min(least, gap.distance);
                ASSERT_TRUE(collision::closest(Shape::Sphere{0}, {Mat3::Identity(), pose.p},
                                               one.shape, zoo.frame(one), 1e3, gap));
                least_of_point = std::min(least_of_point, gap.distance);
            }
            std::vector<OverlapHit> found(80);
            found.resize(zoo.world.overlap(shape, pose, found, filter));
            ASSERT_EQ(found.size(), inside.size()) << where;
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_EQ(found[i].collider.index, inside[i]) << where;
            overlaps += static_cast<int>(found.size());
            const auto nearest = zoo.world.nearest(shape, pose, 1e3, filter);
            const auto to_point = zoo.world.nearest(pose.p, 1e3, filter);
            ASSERT_EQ(nearest.has_value(), least < 1e299) << where;
            if (!nearest) continue;
            EXPECT_NEAR(nearest->distance, least, 1e-9) << where;
            EXPECT_NEAR(to_point->distance, least_of_point, 1e-9) << where;
            EXPECT_LT((to_point->point + to_point->distance * to_point->normal - pose.p).norm(),
                      1e-7);
            // up to half the distance there is nothing
            if (to_point->distance <= 0) continue;
            EXPECT_FALSE(zoo.world.nearest(pose.p, to_point->distance / 2, filter)) << where;
        }
    EXPECT_GT(hits, 50);
    EXPECT_GT(overlaps, 50);
}

// Before the first step, after set_pose, set_time, a step, restore and an addition.
TEST(Queries, SeeThePosesAsTheyAreNow)
{
    World world;
    const BodyId ball = add_ball(world, 0.5, 1, {0, 0, 10}, Vec3::Zero());
    const Vec3 down(0, 0, -100);
    const auto height_over = [&](Real x) -> Real {
        const auto hit = world.cast_ray({x, 0, 50}, down);
        return hit ? hit->point.z() : -1;
    };
    EXPECT_NEAR(height_over(0), 10.5, 1e-12);
    ASSERT_TRUE(world.set_pose(ball, {{3, 0, 2}, Quat::Identity()}).ok());
    EXPECT_EQ(height_over(0), -1);
    EXPECT_NEAR(height_over(3), 2.5, 1e-12);
    const auto image = world.snapshot();
    world.step(kStep);
    const Real fallen = world.pose(ball).p.z();
    EXPECT_LT(fallen, 2);
    EXPECT_NEAR(height_over(3), fallen + 0.5, 1e-12);
    ASSERT_TRUE(world.restore(image).ok());
    EXPECT_NEAR(height_over(3), 2.5, 1e-12);

    BodyDef lift;
    lift.kind = BodyKind::Kinematic;
    lift.motion.shift[2] = Schedule::through({{0, 0}, {10, 10}});
    const BodyId platform = must(world.add_body(lift));
    must(world.add_collider(platform, {.shape = Shape::box(Vec3::Ones())}));
    EXPECT_NEAR(height_over(0), 0.5, 1e-12);
    ASSERT_TRUE(world.set_time(4).ok());
    EXPECT_NEAR(height_over(0), 4.5, 1e-12);
}

// After update_queries() they change nothing: four threads ask the same at once, and get the same.
TEST(Queries, OfSeveralThreadsAtOnceAgree)
{
    const Zoo zoo = make_zoo(kSeed);
    zoo.world.update_queries();
    const QueryShape ball = must(QueryShape::make(Shape::sphere(0.3)));
    std::array<std::vector<Real>, 4> answers;
    std::vector<std::thread> threads;
    for (std::vector<Real>& mine : answers)
        threads.emplace_back([&] {
            Dice dice(kSeed);
            for (int k = 0; k < 500; ++k) {
                const Pose from{dice.vector(6), Quat::Identity()};
                const Vec3 way = dice.vector(10);
                const auto ray = zoo.world.cast_ray(from.p, way);
                const auto cast = zoo.world.cast_shape(ball, from, way);
                mine.push_back(ray ? ray->fraction : -1);
                mine.push_back(cast ? cast->fraction : -1);
                mine.push_back(zoo.world.nearest(from.p, 99)->distance);
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<Real>& other : answers) EXPECT_EQ(other, answers[0]);
    EXPECT_EQ(answers[0].size(), 1500u);
}

TEST(Queries, ANumberThatIsNotFiniteFindsNothing)
{
    const Zoo zoo = make_zoo(kSeed);
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    const Real infinity = std::numeric_limits<Real>::infinity();
    const QueryShape ball = must(QueryShape::make(Shape::sphere(3)));
    std::array<CastHit, 4> hits;
    std::array<OverlapHit, 4> overlaps;
    EXPECT_TRUE(zoo.world.cast_ray({0, 0, 0}, {0, 0, -9}));
    for (const Real bad : {nan, infinity}) {
        EXPECT_FALSE(zoo.world.cast_ray({bad, 0, 0}, {0, 0, -9}));
        EXPECT_FALSE(zoo.world.cast_ray({0, 0, 0}, {0, 0, bad}));
        EXPECT_EQ(zoo.world.cast_ray_all({bad, 0, 0}, {0, 0, -9}, hits), 0u);
        EXPECT_FALSE(zoo.world.cast_shape(ball, {{0, bad, 0}, Quat::Identity()}, {0, 0, -9}));
        EXPECT_EQ(zoo.world.overlap(ball, {{0, bad, 0}, Quat::Identity()}, overlaps), 0u);
        EXPECT_FALSE(zoo.world.nearest(Vec3(bad, 0, 0), 1));
    }
    EXPECT_FALSE(zoo.world.nearest(Vec3(0, 0, 0), nan));
    EXPECT_TRUE(zoo.world.nearest(Vec3(0, 0, 0), infinity));
}

TEST(Queries, AShapeThatCannotAskIsRefusedWithTheReason)
{
    const auto message = [](const ColliderDef& def) {
        const auto made = QueryShape::make(def.shape, def.pose);
        return made ? std::string() : made.error().message;
    };
    EXPECT_NE(message({.shape = Shape::plane()}).find("kind 'plane'"), std::string::npos);
    EXPECT_NE(message({.shape = Shape::sphere(-1)}).find("radius is -1"), std::string::npos);
    EXPECT_NE(message({.shape = Shape::hull({})}).find("query shape"), std::string::npos);
    EXPECT_NE(message({.pose = {Vec3::Zero(), Quat(0, 0, 0, 0)}}).find("rotation"),
              std::string::npos);
    EXPECT_EQ(message({.shape = Shape::box(Vec3::Ones())}), "");
}

}  // namespace
}  // namespace taut::test
