// A step after the first allocates nothing: every operator new of this program is counted.
#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "support/bodies.h"
#include "support/boxes.h"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size)
{
    ++allocations;
    if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
    throw std::bad_alloc();
}

void* counted(std::size_t size, std::align_val_t alignment)
{
    ++allocations;
    const auto a = static_cast<std::size_t>(alignment);
    if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, a); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, a); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    ++allocations;
    return std::malloc(size != 0 ? size : 1);
}
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace taut::test {
namespace {

// `exact` is not among them: it needs an LU solver of Eigen's, and those allocate.
TEST(Allocation, NoneInAStepAfterTheFirst)
{
    for (const Scheme scheme : {Scheme::BackwardEuler, Scheme::AlphaBeta})
        for (const auto& [kind, name, summary] : stabilisations()) {
            if (kind == Stabilisation::Exact) continue;
            Chain chain = make_chain({.links = 20, .ratio = 10});
            // a loop, a drive and a spring beside the chain
            must(chain.world.add_joint(
                rod(chain.links[3], chain.links[9], {0.35, 0, 0}, {0.95, 0, 0})));
            SpringDef spring;
            spring.bodies = {kWorld, chain.links[19]};
            spring.frames[1].p = {1.95, 0, 0};
            spring.stiffness = 10;
            must(chain.world.add_spring(spring));
            must(chain.world.add_joint(
                motor(hinge(kWorld, chain.links[0], {0, 0, 0}, {0, 1, 0}), 0.1)));
            const StepSettings s = settings(1.0 / 240, scheme, kind);
            chain.world.step(s);
            const long before = allocations;
            for (int i = 0; i < 50; ++i) chain.world.step(s);
            EXPECT_EQ(allocations - before, 0) << name;
        }
}

// Islands of chains, boxes at rest, and one that sleeps, on one thread and on two.
TEST(Allocation, NoneInAStepOfIslands)
{
    for (const int threads : {1, 2})
        for (const bool sleep : {false, true}) {
            Chain chain = make_chain({.links = 8, .ratio = 10});
            World& world = chain.world;
            BodyId previous = kWorld;
            for (int i = 0; i < 5; ++i) {
                BodyDef def;
                def.pose.p = {0.5 * i, 5, 0};
                const BodyId body = must(world.add_body(def));
                must(world.add_joint(ball(previous, body, {0.5 * i - 0.25, 5, 0})));
                previous = body;
            }
            must(world.add_collider(
                kWorld, {.shape = Shape::plane(), .pose = {{0, 0, -20}, Quat::Identity()}}));
            for (int k = 0; k < 3; ++k) add_box(world, 0.5, 1, {3.0 * k, -9, -19.749});
            StepSettings s;
            s.threads = threads;
            s.sleep = sleep;
            for (int i = 0; i < 120; ++i) world.step(s);
            const long before = allocations;
            for (int i = 0; i < 50; ++i) EXPECT_EQ(world.step(s).islands, 5);
            EXPECT_EQ(allocations - before, 0) << threads << " threads, sleep " << sleep;
        }
}

// Queries with shapes that are made, in a world of which one query knows the poses; events of contacts and sensors.
TEST(Allocation, NoneInQueriesAndEvents)
{
    World world;
    add_floor(world);
    for (int k = 0; k < 4; ++k) add_box(world, 0.5, 1, {1.0 * k, 0, 0.25});
    must(world.add_collider(kWorld, {.shape = Shape::sphere(1), .sensor = true}));
    const Shape corners = Shape::hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    const std::array<QueryShape, 2> shapes = {must(QueryShape::make(Shape::sphere(0.3))),
                                              must(QueryShape::make(corners))};
    const StepSettings s;
    std::array<CastHit, 8> hits;
    std::array<OverlapHit, 8> overlaps;
    std::size_t found = 0, events = 0;
    const auto ask = [&] {
        for (int i = 0; i < 20; ++i) {
            const Vec3 from(0.2 * i, 0.1, 3), down(0, 0, -4);
            found += world.cast_ray(from, down).has_value() + world.cast_ray_all(from, down, hits);
            found += world.nearest(from, 9).has_value();
            for (const QueryShape& shape : shapes) {
                const Pose pose{from, Quat::Identity()};
                found += world.cast_shape(shape, pose, down).has_value() +
                         world.cast_shape_all(shape, pose, down, hits) +
                         world.overlap(shape, {{0.2 * i, 0, 0}, Quat::Identity()}, overlaps) +
                         world.nearest(shape, pose, 9).has_value();
            }
        }
    };
    for (int i = 0; i < 120; ++i) world.step(s);
    ask();
    const long before = allocations;
    for (int i = 0; i < 30; ++i) {
        EXPECT_EQ(world.step(s).status, StepStatus::Ok);
        events += world.events().size();
        ask();
    }
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(found, 3000u);
    EXPECT_GT(events, 100u);
}

// One mechanism on two threads.
TEST(Allocation, NoneInAStepOfALargeMechanism)
{
    Chain chain = make_chain({.links = 600, .ratio = 10});
    StepSettings s;
    s.threads = 2;
    for (int i = 0; i < 3; ++i) chain.world.step(s);
    const long before = allocations;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(chain.world.step(s).status, StepStatus::Ok);
    EXPECT_EQ(allocations - before, 0);
}

// Commands of every kind but those that divide the world anew, and the steps after them.
TEST(Allocation, NoneInACommandAndTheStepAfterIt)
{
    World world;
    const BodyId hand = add(world, {.kind = BodyKind::Kinematic});
    const BodyId wheel = add(world, {.pose = {{0, 3, 0}, Quat::Identity()}});
    const JointDef axle = hinge(kWorld, wheel, {0, 3, 0}, Vec3::UnitY());
    must(world.add_joint(axle));
    JointDef def = motor(axle, Schedule::sine(0, 1, 1));
    def.max_force = 5;
    const JointId drive = must(world.add_joint(def));
    const JointId stops = must(world.add_joint(limits(axle, -2, 2)));
    const BodyId load = add(world, {.pose = {{0, 0, -1}, Quat::Identity()}});
    SpringDef spring;
    spring.bodies = {hand, load};
    spring.frames[1].p = {0, 0, -1};
    spring.stiffness = 50;
    const SpringId rope = must(world.add_spring(spring));
    must(world.set_kinematic_target(hand, {}));
    for (int i = 0; i < 20; ++i) world.step({.dt = 0.01});
    const long before = allocations;
    for (int i = 1; i <= 50; ++i) {
        const Real x = 0.01 * i;
        EXPECT_TRUE(world.set_target(drive, x).ok());
        EXPECT_TRUE(world.set_max_force(drive, 5 + x).ok());
        EXPECT_TRUE(world.set_limits(stops, -2 - x, 2).ok());
        EXPECT_TRUE(world.set_stiffness(rope, 50 + x).ok());
        EXPECT_TRUE(world.set_rest(rope, x).ok());
        EXPECT_TRUE(world.set_kinematic_target(hand, {{x, 0, 0}, Quat::Identity()}).ok());
        EXPECT_TRUE(world.apply_force(load, {x, 0, 0}, {0, 0, -1}).ok());
        EXPECT_TRUE(world.apply_impulse(load, {0, x, 0}).ok());
        EXPECT_TRUE(world.wake(load).ok());
        EXPECT_EQ(world.step({.dt = 0.01}).status, StepStatus::Ok);
    }
    EXPECT_EQ(allocations - before, 0);
}

// The step after an edit lays out memory; the next ones do not.
TEST(Allocation, NoneOnceAnEditIsLaidOut)
{
    Chain chain = make_chain({.links = 8, .ratio = 10});
    World& world = chain.world;
    for (int i = 0; i < 5; ++i) world.step({});
    must(world.remove(chain.links[4]));
    must(world.set_mass(chain.links[1], 2, rod_inertia(2, 0.1, 0.02)));
    add(world, {});
    for (int i = 0; i < 2; ++i) world.step({});
    const long before = allocations;
    for (int i = 0; i < 50; ++i) world.step({});
    EXPECT_EQ(allocations - before, 0);
}

// The guard itself must be able to fail.
TEST(Allocation, TheCounterSeesAnAllocation)
{
    const long before = allocations;
    auto* p = new std::vector<int>(100);
    EXPECT_GE(allocations - before, 2);
    delete p;
}

}  // namespace
}  // namespace taut::test
